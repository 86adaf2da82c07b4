// The overview's numbers and first steps: signs, tones, the next step. Pure.

import { groupThousands, trimZeros } from "@clockwork/kit/decimal";
import { formatDecimal } from "@clockwork/kit/format";
import type { Portfolio } from "@clockwork/trading/portfolio/contract";

export type Tone = "text-up-text" | "text-down-text" | "text-muted";

export function toneOf(text: string | null): Tone {
  if (text === null || /^-?0(?:\.0*)?$/.test(text)) return "text-muted";
  return text.startsWith("-") ? "text-down-text" : "text-up-text";
}

/** `+1,234.50`, `-0.20`, `–` for nothing. */
export function showGain(text: string | null, decimals = 2): string {
  if (text === null) return "–";
  const shown = groupThousands(formatDecimal(text.replace(/^-/, ""), { decimals }));
  const isNothing = /^0(?:\.0*)?$/.test(shown);
  return isNothing ? shown : `${text.startsWith("-") ? "−" : "+"}${shown}`;
}

export function showAmount(text: string | null, decimals: number): string {
  return text === null ? "–" : groupThousands(formatDecimal(text, { decimals }));
}

/** Four digits that say something, however little a coin costs. */
export function showCost(text: string | null): string {
  if (text === null) return "–";
  const [whole = "0", part = ""] = text.split(".");
  if (whole !== "0") return showAmount(text, whole.length > 3 ? 2 : 4);
  const zeros = /^0*/.exec(part)?.[0].length ?? 0;
  return trimZeros(formatDecimal(text, { decimals: Math.min(12, zeros + 4) }));
}

export interface Steps {
  readonly hasFunds: boolean;
  readonly hasTraded: boolean;
  readonly isProtected: boolean;
}

export function stepsOf(portfolio: Portfolio | null, hasTraded: boolean, isProtected: boolean): Steps {
  return { hasFunds: (portfolio?.coins.length ?? 0) > 0, hasTraded, isProtected };
}

/** The welcome is shown until it was closed, or until all steps are done and were shown as done. */
export function isWelcome(steps: Steps, wasClosed: boolean): boolean {
  return !wasClosed && !(steps.hasFunds && steps.hasTraded && steps.isProtected);
}
