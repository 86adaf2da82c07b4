// Alerts for the screen: parsed from messages, formatted as text, and prices suggested around the last. Pure.

import { groupThousands } from "@clockwork/kit/decimal";
import type { Alert } from "@clockwork/trading/alerts/contract";
import type { TerminalText } from "#trade/terminal-text.ts";

export function readAlert(data: unknown): Alert | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { id, pairCode, direction, price } = data as Partial<Alert>;
  const isAlert = typeof id === "number" && typeof pairCode === "string" && typeof price === "string";
  return isAlert && (direction === "rises" || direction === "falls") ? (data as Alert) : undefined;
}

const WORDS = {
  waiting: { rises: "alertRises", falls: "alertFalls" },
  met: { rises: "alertRose", falls: "alertFell" },
} as const;

const CROSSING = {
  rsi: { rises: "alertRsiRises", falls: "alertRsiFalls" },
  ma: { rises: "alertMaRises", falls: "alertMaFalls" },
} as const;

export function describeAlert(text: TerminalText, { pairCode, direction, price, firedAtMs, indicator }: Alert): string {
  if (indicator !== null) {
    const { name, ...figures } = indicator;
    return text(CROSSING[name][direction], { pair: pairCode.replace("_", "/"), ...figures });
  }
  const words = firedAtMs === null ? WORDS.waiting : WORDS.met;
  return text(words[direction], { pair: pairCode.replace("_", "/"), price: groupThousands(price) });
}

/** The grid of a pair's prices. */
interface PriceGrid {
  readonly tickSize: string;
  readonly priceDecimals: number;
}

/** How far a press moves the price from the last, in percent. */
export const SHIFTS = [-5, -1, 1, 5] as const;

/**
 * A price at the given percentage from the last, on the pair's grid. Only a proposal: the field shows it before it is
 * sent.
 */
export function proposePrice(pair: PriceGrid, last: string, percent: number): string {
  const step = Number(pair.tickSize);
  const price = Math.round((Number(last) * (1 + percent / 100)) / step) * step;
  return Math.max(price, step).toFixed(pair.priceDecimals);
}
