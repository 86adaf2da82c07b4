// The picture of a position: its text, line by line, and how it is painted. 1080 × 1350.

import { groupThousands } from "@clockwork/kit/decimal";
import type { FuturesPosition } from "@clockwork/trading/positions/contract";
import { type ContractRules, shownCoin, shownDecimals } from "../model/contract.ts";
import { showLike, writeSigned, writeSignedPercent } from "../model/figures.ts";
import type { FuturesText } from "../model/futures-text.ts";

export interface ShareChoice {
  readonly show: "roe" | "pnl" | "both";
  readonly leverage: boolean;
  readonly prices: boolean;
  readonly size: boolean;
}

/** Size and amount are off by default. */
export const FIRST_CHOICE: ShareChoice = { show: "roe", leverage: true, prices: true, size: false };

export interface CardLine {
  readonly text: string;
  readonly look: "brand" | "flag" | "title" | "large" | "second" | "note" | "label" | "value";
  readonly tone: "plain" | "muted" | "up" | "down" | "warn";
}

interface CardParts {
  readonly site: string;
  readonly pair: string;
  /** Cannot be switched off. */
  readonly flag: string | undefined;
  readonly text: FuturesText;
}

export function cardLines(
  position: FuturesPosition,
  rules: Pick<ContractRules, "settle">,
  choice: ShareChoice,
  { site, pair, flag, text }: CardParts,
): readonly CardLine[] {
  const tone = position.unrealizedPnl.startsWith("-") ? "down" : "up";
  const pnl = `${writeSigned(position.unrealizedPnl, shownDecimals(rules.settle))} ${shownCoin(rules.settle)}`;
  const head = [
    pair,
    text("perp"),
    text(position.side),
    ...(choice.leverage ? [text("times", { leverage: position.leverage })] : []),
  ].join("  ");
  const large = choice.show === "pnl" ? pnl : writeSignedPercent(position.roe);
  const lines: CardLine[] = [
    { text: site, look: "brand", tone: "plain" },
    ...(flag === undefined ? [] : [{ text: flag, look: "flag", tone: "warn" } as const]),
    { text: head, look: "title", tone: "plain" },
    { text: large, look: "large", tone },
  ];
  if (choice.show === "both") lines.push({ text: pnl, look: "second", tone });
  lines.push({ text: text(choice.show === "pnl" ? "share.unrealised" : "share.return"), look: "note", tone: "muted" });
  const facts: (readonly [string, string])[] = [
    ...(choice.prices
      ? [
          [text("form.entry"), showLike(position.entryPrice, position.markPrice)] as const,
          [text("mark"), groupThousands(position.markPrice)] as const,
        ]
      : []),
    ...(choice.size ? [[text("form.size"), groupThousands(position.quantity)] as const] : []),
  ];
  for (const [label, value] of facts) {
    lines.push({ text: label, look: "label", tone: "muted" }, { text: value, look: "value", tone: "plain" });
  }
  return lines;
}

export const CARD_LOOKS = ["dark", "light", "blue"] as const;
export type CardLook = (typeof CARD_LOOKS)[number];

const COLORS: Readonly<Record<CardLook, Readonly<Record<CardLine["tone"] | "ground" | "line", string>>>> = {
  dark: {
    ground: "#131316",
    line: "#26262b",
    plain: "#f4f4f6",
    muted: "#9a9aa4",
    up: "#2fc08c",
    down: "#ff5468",
    warn: "#f0b13e",
  },
  light: {
    ground: "#ffffff",
    line: "#e6e9ee",
    plain: "#14161a",
    muted: "#66707f",
    up: "#087c55",
    down: "#cb2a31",
    warn: "#8f5b00",
  },
  blue: {
    ground: "#1d2b4a",
    line: "#2b3d63",
    plain: "#f4f6fb",
    muted: "#a8b5cf",
    up: "#45d3a1",
    down: "#ff7c8b",
    warn: "#f0b13e",
  },
};

const SIZES: Readonly<Record<CardLine["look"], readonly [px: number, weight: number, step: number]>> = {
  brand: [52, 600, 96],
  flag: [36, 600, 0],
  title: [52, 600, 150],
  large: [150, 700, 190],
  second: [72, 600, 100],
  note: [38, 400, 120],
  label: [36, 400, 56],
  value: [56, 600, 104],
};

const LEFT_PX = 84;

/** Concentric rings behind the texts, like the exchange's logo. */
function drawRings(context: CanvasRenderingContext2D, color: string): void {
  context.strokeStyle = color;
  context.lineWidth = 3;
  for (const radius of [220, 330, 440]) {
    context.beginPath();
    context.arc(900, 300, radius, 0, Math.PI * 2);
    context.stroke();
  }
}

export function drawCard(canvas: HTMLCanvasElement, lines: readonly CardLine[], look: CardLook): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const colors = COLORS[look];
  // The page's own letters: they are there, or the page would not be read.
  const family = getComputedStyle(canvas).fontFamily;
  const { width, height } = canvas;
  context.fillStyle = colors.ground;
  context.fillRect(0, 0, width, height);
  drawRings(context, colors.line);
  let y = 140;
  for (const { text, look: kind, tone } of lines) {
    const [px, weight, step] = SIZES[kind];
    context.font = `${weight} ${px}px ${family}`;
    context.fillStyle = colors[tone];
    if (kind === "flag") {
      context.fillText(text, width - LEFT_PX - context.measureText(text).width, 140);
      continue;
    }
    y += kind === "title" ? 160 : kind === "large" ? 60 : 0;
    context.fillText(text, LEFT_PX, y, width - LEFT_PX * 2);
    y += step;
  }
}
