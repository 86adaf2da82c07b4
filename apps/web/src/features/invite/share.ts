// Sharing a link by the app around the page, the browser or the clipboard, and drawing the card that is saved: words, code
// and QR code on one picture.
import { writeClipboard } from "@clockwork/ui/copy-button";
import { qrCells } from "@clockwork/ui/logic/qr-cells";
import { createBridge, type ShareContent, type ShellWindow } from "#native/bridge.ts";

export async function shareLink(content: ShareContent): Promise<"shared" | "copied" | "none"> {
  const bridge = createBridge(window as unknown as ShellWindow);
  if (bridge.shell !== undefined) {
    const answer = await bridge.ask("share", content);
    if (answer?.shared === true) return "shared";
  }
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ title: content.title, text: content.text ?? "", url: content.url });
      return "shared";
    } catch {
      // Closed without sharing, or not allowed here: the clipboard is left.
    }
  }
  return (await writeClipboard(content.url)) ? "copied" : "none";
}

export interface CardWords {
  readonly title: string;
  /** Empty where nothing comes back. */
  readonly back: string;
  readonly code: string;
  readonly inviteCode: string;
  readonly address: string;
}

const WIDTH = 720;
const HEIGHT = 1_000;
const EDGE = 64;
const QR = 320;
const INK = "#14161a";
const PAPER = "#ffffff";
const QUIET = "#5b6472";
const BRASS = "#c0913f";

/** Saved as a picture; nothing happens where the browser draws none. */
export async function saveCard(words: CardWords): Promise<void> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext("2d");
  if (context === null) return;
  drawCard(context, words);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob !== null) saveBlob(blob, `clockwork-${words.inviteCode}.png`);
}

function drawCard(context: CanvasRenderingContext2D, { title, back, code, inviteCode, address }: CardWords): void {
  const write = (text: string, y: number, size: number, colour: string, weight = 400) => {
    context.font = `${weight} ${size}px system-ui, sans-serif`;
    context.fillStyle = colour;
    context.fillText(text, EDGE, y, WIDTH - 2 * EDGE);
  };
  context.fillStyle = PAPER;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = BRASS;
  context.fillRect(EDGE, EDGE, 64, 6);
  write("Clockwork", EDGE + 64, 34, INK, 600);
  write(title, EDGE + 190, 48, INK, 600);
  if (back !== "") write(back, EDGE + 246, 28, QUIET);
  drawCode(context, address, EDGE, 380);
  write(code, 380 + QR + 60, 26, QUIET);
  write(inviteCode, 380 + QR + 116, 52, INK, 600);
  write(new URL(address).host, HEIGHT - EDGE, 26, QUIET);
}

function drawCode(context: CanvasRenderingContext2D, text: string, left: number, top: number): void {
  const { data, size } = qrCells(text);
  const cell = QR / size;
  context.fillStyle = INK;
  data.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (isDark) context.fillRect(left + x * cell, top + y * cell, Math.ceil(cell), Math.ceil(cell));
    });
  });
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
