// Bars, periods and drawings as the chart library and the kept settings have them. Pure; part of the chunk loaded with
// the chart.
import type { Candle, CandleInterval } from "@clockwork/trading/markets/contract";
import { NOTE_MAX } from "./chart-settings.ts";

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, M: 2_629_746_000 } as const;
const UNIT_TYPES = { s: "second", m: "minute", h: "hour", d: "day", w: "week", M: "month" } as const;

export function periodOf(interval: CandleInterval) {
  const unit = interval.slice(-1) as keyof typeof UNIT_TYPES;
  return { type: UNIT_TYPES[unit], span: Number(interval.slice(0, -1)) };
}

/** Months have no fixed length; theirs is only used for asking and counting down roughly. */
export function lengthOf(interval: CandleInterval): number {
  const unit = interval.slice(-1) as keyof typeof UNITS_MS;
  return UNITS_MS[unit] * Number(interval.slice(0, -1));
}

/** Candles whose opening depends on the visitor's day. */
export function dependsOnZone(interval: CandleInterval): boolean {
  return /[dwM]$/.test(interval);
}

/** "12:53" until the candle closes, "2d 04h" for long ones. */
export function countdownText(openMs: number, interval: CandleInterval, nowMs: number): string {
  const isMonth = interval === "1M";
  const open = new Date(openMs);
  const closeMs = isMonth ? Date.UTC(open.getUTCFullYear(), open.getUTCMonth() + 1, 1) : openMs + lengthOf(interval);
  const left = Math.max(0, Math.ceil((closeMs - nowMs) / 1_000));
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(left / 3_600);
  if (hours >= 48) return `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
  const clock = `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  return hours > 0 ? `${two(hours)}:${clock}` : clock;
}

export interface DrawnPoint {
  readonly timestamp: number;
  readonly value: number;
}

/** How a drawing looks where it differs from the first: a colour of the series by number, and a width in pixels. */
export interface DrawingLook {
  readonly color?: number;
  readonly width?: number;
  readonly isLocked?: true;
}

export interface Drawing extends DrawingLook {
  readonly name: string;
  readonly points: readonly DrawnPoint[];
  readonly text?: string;
}

export const DRAWING_COLORS = 5;
export const DRAWING_WIDTHS = [1, 2, 4] as const;

function checkLook(entry: Partial<Drawing> | null): DrawingLook {
  const { color, width, isLocked } = entry ?? {};
  return {
    ...(Number.isInteger(color) && color !== undefined && color >= 0 && color < DRAWING_COLORS ? { color } : {}),
    ...(DRAWING_WIDTHS.some((one) => one === width) && width !== undefined ? { width } : {}),
    ...(isLocked === true ? { isLocked } : {}),
  };
}

export const TOOLS = [
  "segment",
  "rayLine",
  "straightLine",
  "horizontalStraightLine",
  "verticalStraightLine",
  "priceLine",
  "parallelStraightLine",
  "rectangle",
  "fibonacciLine",
  "arrow",
  "brush",
  "measure",
  "note",
] as const;
export type ToolName = (typeof TOOLS)[number];

const DRAWINGS_MAX = 200;
const POINTS_MAX = 500;

export function checkDrawings(value: unknown): readonly Drawing[] {
  if (!Array.isArray(value)) return [];
  return value
    .flatMap((entry: Partial<Drawing> | null): readonly Drawing[] => {
      const name = TOOLS.find((tool) => tool === entry?.name);
      const points = Array.isArray(entry?.points) ? entry.points.slice(0, POINTS_MAX) : [];
      const isGood = points.every((point) => Number.isFinite(point?.timestamp) && Number.isFinite(point?.value));
      if (name === undefined || points.length === 0 || !isGood) return [];
      const text = typeof entry?.text === "string" ? { text: entry.text.slice(0, NOTE_MAX) } : {};
      return [
        {
          name,
          points: points.map(({ timestamp, value: price }) => ({ timestamp, value: price })),
          ...text,
          ...checkLook(entry),
        },
      ];
    })
    .slice(-DRAWINGS_MAX);
}

export interface Bar {
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  turnover: number;
  [key: string]: unknown;
}

/** Pictures of prices, not prices: the chart may hold floats because nothing is computed back from them. */
export function toBar(candle: Candle): Bar {
  return {
    timestamp: candle.timeMs,
    open: Number(candle.open),
    high: Number(candle.high),
    low: Number(candle.low),
    close: Number(candle.close),
    volume: Number(candle.volume),
    turnover: Number(candle.turnover),
  };
}

/** A price read off the chart as the market takes it: on the tick, in plain text. */
export function snapPrice(value: number, tick: number, decimals: number): string {
  return (Math.max(1, Math.round(value / tick)) * tick).toFixed(decimals);
}
