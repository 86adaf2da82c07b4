// What a visitor chose for the chart, and what was drawn on it: plain data that survives a reload. Pure.
import type { Candle, CandleInterval } from "@clockwork/domains/markets/api";

export const INTERVALS = [
  "1s",
  "1m",
  "3m",
  "5m",
  "15m",
  "30m",
  "1h",
  "2h",
  "4h",
  "6h",
  "12h",
  "1d",
  "3d",
  "1w",
  "1M",
] as const satisfies readonly CandleInterval[];
/** Shown in the toolbar; the others are behind its arrow. */
export const QUICK_INTERVALS: readonly CandleInterval[] = ["1s", "1m", "5m", "15m", "1h", "4h", "1d", "1w"];
export const NARROW_INTERVALS: readonly CandleInterval[] = ["1m", "5m", "15m", "1h", "4h", "1d"];

/** "1h" → "1H"; minutes and seconds stay small, so that 1m and 1M are told apart. */
export function nameInterval(interval: CandleInterval): string {
  return /[hdw]$/.test(interval) ? interval.toUpperCase() : interval;
}

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

export const CHART_STYLES = ["candle_solid", "candle_stroke", "candle_up_stroke", "ohlc", "line", "area"] as const;
export type ChartStyle = (typeof CHART_STYLES)[number];
export const CHART_SCALES = ["normal", "percentage", "logarithm"] as const;
export type ChartScale = (typeof CHART_SCALES)[number];

export interface IndicatorChoice {
  readonly name: string;
  readonly params: readonly number[];
}

export interface IndicatorKind {
  readonly name: string;
  readonly params: readonly number[];
  readonly place: "main" | "below";
}

export const INDICATORS: readonly IndicatorKind[] = [
  { name: "MA", params: [7, 25, 99], place: "main" },
  { name: "EMA", params: [7, 25, 99], place: "main" },
  { name: "SMA", params: [12, 2], place: "main" },
  { name: "BOLL", params: [20, 2], place: "main" },
  { name: "SAR", params: [2, 2, 20], place: "main" },
  { name: "BBI", params: [3, 6, 12, 24], place: "main" },
  { name: "VOL", params: [], place: "below" },
  { name: "MACD", params: [12, 26, 9], place: "below" },
  { name: "RSI", params: [6, 12, 24], place: "below" },
  { name: "KDJ", params: [9, 3, 3], place: "below" },
  { name: "OBV", params: [30], place: "below" },
  { name: "CCI", params: [20], place: "below" },
  { name: "WR", params: [6, 10, 14], place: "below" },
  { name: "DMI", params: [14, 6], place: "below" },
  { name: "TRIX", params: [12, 9], place: "below" },
  { name: "ROC", params: [12, 6], place: "below" },
  { name: "MTM", params: [12, 6], place: "below" },
  { name: "PSY", params: [12, 6], place: "below" },
  { name: "BIAS", params: [6, 12, 24], place: "below" },
  { name: "AO", params: [5, 34], place: "below" },
];

export interface ChartSettings {
  readonly interval: CandleInterval;
  readonly style: ChartStyle;
  readonly scale: ChartScale;
  readonly indicators: readonly IndicatorChoice[];
  readonly grid: boolean;
  readonly countdown: boolean;
  readonly highLow: boolean;
  readonly orders: boolean;
  readonly fills: boolean;
  /** A pair drawn over the candles. */
  readonly compare: string | null;
}

export const FIRST_SETTINGS: ChartSettings = {
  interval: "15m",
  style: "candle_solid",
  scale: "normal",
  indicators: [
    { name: "MA", params: [7, 25, 99] },
    { name: "VOL", params: [] },
  ],
  grid: true,
  countdown: true,
  highLow: true,
  orders: true,
  fills: true,
  compare: null,
};

const INDICATORS_MAX = 10;
const PARAM_MAX = 999;

/** Whole numbers from 1 to 999, as many as the indicator has; anything else is no change. */
export function checkParams(kind: IndicatorKind, params: readonly number[]): readonly number[] | undefined {
  const isGood =
    params.length === kind.params.length &&
    params.every((param) => Number.isInteger(param) && param >= 1 && param <= PARAM_MAX);
  return isGood ? params : undefined;
}

function checkIndicators(value: unknown): readonly IndicatorChoice[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const seen = new Set<string>();
  return value
    .flatMap((entry: Partial<IndicatorChoice> | null) => {
      const kind = INDICATORS.find(({ name }) => name === entry?.name);
      if (kind === undefined || seen.has(kind.name)) return [];
      seen.add(kind.name);
      const params = Array.isArray(entry?.params) ? checkParams(kind, entry.params) : undefined;
      return [{ name: kind.name, params: params ?? kind.params }];
    })
    .slice(0, INDICATORS_MAX);
}

const PAIR_CODE = /^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$/;

const oneOf = <Value extends string>(values: readonly Value[], value: unknown, usual: Value): Value =>
  values.find((known) => known === value) ?? usual;
const flag = (value: unknown, usual: boolean): boolean => (typeof value === "boolean" ? value : usual);

/** Settings kept by an older or a broken page come out whole. */
export function checkSettings(value: unknown): ChartSettings | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const kept = value as Partial<ChartSettings>;
  return {
    interval: oneOf(INTERVALS, kept.interval, FIRST_SETTINGS.interval),
    style: oneOf(CHART_STYLES, kept.style, FIRST_SETTINGS.style),
    scale: oneOf(CHART_SCALES, kept.scale, FIRST_SETTINGS.scale),
    indicators: checkIndicators(kept.indicators) ?? FIRST_SETTINGS.indicators,
    grid: flag(kept.grid, true),
    countdown: flag(kept.countdown, true),
    highLow: flag(kept.highLow, true),
    orders: flag(kept.orders, true),
    fills: flag(kept.fills, true),
    compare: typeof kept.compare === "string" && PAIR_CODE.test(kept.compare) ? kept.compare : null,
  };
}

export interface DrawnPoint {
  readonly timestamp: number;
  readonly value: number;
}

export interface Drawing {
  readonly name: string;
  readonly points: readonly DrawnPoint[];
  readonly text?: string;
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
export const NOTE_MAX = 80;

export function checkDrawings(value: unknown): readonly Drawing[] {
  if (!Array.isArray(value)) return [];
  return value
    .flatMap((entry: Partial<Drawing> | null): readonly Drawing[] => {
      const name = TOOLS.find((tool) => tool === entry?.name);
      const points = Array.isArray(entry?.points) ? entry.points.slice(0, POINTS_MAX) : [];
      const isGood = points.every((point) => Number.isFinite(point?.timestamp) && Number.isFinite(point?.value));
      if (name === undefined || points.length === 0 || !isGood) return [];
      const text = typeof entry?.text === "string" ? { text: entry.text.slice(0, NOTE_MAX) } : {};
      return [{ name, points: points.map(({ timestamp, value: price }) => ({ timestamp, value: price })), ...text }];
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
