// Sharing a link by the app around the page, the browser or the clipboard, and drawing the card that is saved: words, code
// and QR code on one picture.
import { writeClipboard } from "@clockwork/ui/copy-button";
import { saveFile } from "@clockwork/ui/hooks/save-file";
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
const BOX = 360;
const INSIDE = 20;
const INK = "#14161a";
const PRINT = "#ffffff";
const QUIET = "#5b6472";
const LINE = "#e3e6eb";
const BRASS = "#c0913f";

/** Saved as a picture; nothing happens where the browser draws none. */
export async function saveCard(words: CardWords): Promise<void> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext("2d");
  if (context === null) return;
  // The page's own letters, also in the weights it has not shown yet.
  const { fontFamily } = getComputedStyle(document.body);
  await Promise.allSettled([400, 600].map((weight) => document.fonts.load(`${weight} 48px ${fontFamily}`)));
  drawCard(context, fontFamily, words);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob !== null) saveFile(`clockwork-${words.inviteCode}.png`, blob);
}

function drawCard(context: CanvasRenderingContext2D, fontFamily: string, words: CardWords): void {
  const { title, back, code, inviteCode, address } = words;
  /** Lines as wide as the card; returns where the next one would start. */
  const write = (text: string, y: number, size: number, colour: string, weight = 400): number => {
    context.font = `${weight} ${size}px ${fontFamily}`;
    context.fillStyle = colour;
    const lines = wrapWords(text, (line) => context.measureText(line).width <= WIDTH - 2 * EDGE);
    for (const [at, line] of lines.entries()) context.fillText(line, EDGE, y + at * size * 1.2);
    return y + lines.length * size * 1.2;
  };
  context.fillStyle = PRINT;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = BRASS;
  context.fillRect(EDGE, EDGE, 64, 6);
  write("Clockwork", EDGE + 62, 34, INK, 600);
  const below = write(title, EDGE + 150, 52, INK, 600);
  if (back !== "") write(back, below - 8, 28, QUIET);
  drawCode(context, address, EDGE, 410);
  write(code, 410 + BOX + 48, 24, QUIET);
  write(inviteCode, 410 + BOX + 100, 48, INK, 600);
  write(new URL(address).host, HEIGHT - EDGE + 14, 24, QUIET);
}

/** As many words on a line as fit; a word that is too wide is on its own line. */
export function wrapWords(text: string, fits: (line: string) => boolean): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && fits(`${last} ${word}`)) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** In a frame, as on the page. */
function drawCode(context: CanvasRenderingContext2D, text: string, left: number, top: number): void {
  context.strokeStyle = LINE;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(left, top, BOX, BOX, 24);
  context.stroke();
  const { data, size } = qrCells(text);
  const cell = (BOX - 2 * INSIDE) / size;
  context.fillStyle = INK;
  data.forEach((row, y) => {
    row.forEach((isDark, x) => {
      const [at, over] = [left + INSIDE + x * cell, top + INSIDE + y * cell];
      if (isDark) context.fillRect(at, over, Math.ceil(cell), Math.ceil(cell));
    });
  });
}
