// Pure rules of alerts by indicators: the permitted parameters, their short text, and whether the last closed candle
// crossed.
import { CANDLE_INTERVALS, type CandleInterval } from "@clockwork/kit/time";
import type { Indicator } from "./contract.ts";
import type { Direction } from "./rules.ts";

/** Averages of gains and losses decay slowly: this many closes per period make the starting value negligible. */
const WARM_UP = 8;
const CLOSES_MAX = 1_000;

export function readIndicator(text: string | null): Indicator | undefined {
  const [name, interval, first, second] = (text ?? "").split(" ");
  if (!isInterval(interval)) return undefined;
  if (name === "rsi") return { name, interval, period: Number(first), level: Number(second) };
  return name === "ma" ? { name, interval, fast: Number(first), slow: Number(second) } : undefined;
}

export function writeIndicator(indicator: Indicator): string {
  return indicator.name === "rsi"
    ? `rsi ${indicator.interval} ${indicator.period} ${indicator.level}`
    : `ma ${indicator.interval} ${indicator.fast} ${indicator.slow}`;
}

function isInterval(text: string | undefined): text is CandleInterval & Indicator["interval"] {
  return CANDLE_INTERVALS.some((interval) => interval === text);
}

/** The slower average must have the longer period. */
export function isSound(indicator: Indicator): boolean {
  return indicator.name === "rsi" || indicator.fast < indicator.slow;
}

/** How many closes decide it. */
export function closesNeeded(indicator: Indicator): number {
  if (indicator.name === "ma") return indicator.slow + 1;
  return Math.min(CLOSES_MAX, indicator.period * WARM_UP + 2);
}

/** Relative strength by Wilder: gains against gains and losses, each smoothed over the period. */
export function readRsi(closes: readonly number[], period: number): number | undefined {
  if (closes.length <= period) return undefined;
  let [gain, loss] = [0, 0];
  for (let at = 1; at < closes.length; at++) {
    const move = (closes[at] ?? 0) - (closes[at - 1] ?? 0);
    const [up, down] = [Math.max(move, 0), Math.max(-move, 0)];
    // The first average is plain, later ones are smoothed.
    gain = at <= period ? gain + up / period : (gain * (period - 1) + up) / period;
    loss = at <= period ? loss + down / period : (loss * (period - 1) + down) / period;
  }
  return gain + loss === 0 ? 50 : (100 * gain) / (gain + loss);
}

export function readAverage(closes: readonly number[], period: number): number | undefined {
  if (closes.length < period) return undefined;
  return closes.slice(-period).reduce((sum, close) => sum + close, 0) / period;
}

/** How far the watched value is above the one it should cross. */
function readLead(indicator: Indicator, closes: readonly number[]): number | undefined {
  if (indicator.name === "rsi") {
    const value = readRsi(closes, indicator.period);
    return value === undefined ? undefined : value - indicator.level;
  }
  const [fast, slow] = [readAverage(closes, indicator.fast), readAverage(closes, indicator.slow)];
  return fast === undefined || slow === undefined ? undefined : fast - slow;
}

/** Whether the last of these closes made it cross: the one before was on the other side. */
export function isCrossed(indicator: Indicator, direction: Direction, closes: readonly number[]): boolean {
  const now = readLead(indicator, closes);
  const before = readLead(indicator, closes.slice(0, -1));
  if (now === undefined || before === undefined) return false;
  return direction === "rises" ? before < 0 && now >= 0 : before > 0 && now <= 0;
}

/** "RSI 14 on 1h rose to 70", "MA 7 crossed above MA 25 on 1h". */
export function describeCrossed(indicator: Indicator, direction: Direction): string {
  const on = `on ${indicator.interval}`;
  if (indicator.name === "rsi")
    return `RSI ${indicator.period} ${on} ${direction === "rises" ? "rose" : "fell"} to ${indicator.level}`;
  return `MA ${indicator.fast} crossed ${direction === "rises" ? "above" : "below"} MA ${indicator.slow} ${on}`;
}
