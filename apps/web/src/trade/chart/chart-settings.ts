// What a visitor chose for the chart: plain data that survives a reload. Pure, and part of the first load.
import type { CandleInterval } from "@clockwork/trading/markets/contract";
import type { CandlePrice } from "#live/feeds/market-feeds.ts";

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

/** "1h" → "1H"; minutes and seconds remain small, so that 1m and 1M are distinguished. */
export function nameInterval(interval: CandleInterval): string {
  return /[hdw]$/.test(interval) ? interval.toUpperCase() : interval;
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
  { name: "VWAP", params: [], place: "main" },
  { name: "Ichimoku", params: [9, 26, 52], place: "main" },
  { name: "Supertrend", params: [10, 3], place: "main" },
  { name: "Volume profile", params: [24], place: "main" },
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

/** Lines of a study over the candles that are coloured by the series. */
export function lineCount({ name, params }: IndicatorChoice): number {
  if (name === "MA" || name === "EMA") return params.length;
  return { SMA: 1, BOLL: 3, BBI: 1, VWAP: 1, Ichimoku: 3 }[name] ?? 0;
}

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
  /** Which price the candles are of, where a product has several. */
  readonly price: CandlePrice;
}

export const CANDLE_PRICES: readonly CandlePrice[] = ["last", "mark", "index"];

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
  price: "last",
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
    price: oneOf(CANDLE_PRICES, kept.price, "last"),
  };
}

/** Letters of a note on the chart. */
export const NOTE_MAX = 80;
