// Our own studies as the chart library takes them: what they compute comes from `studies.ts`, what they look like is here.
// Part of the chunk loaded with the chart.
import { type IndicatorDrawParams, type KLineData, registerIndicator } from "klinecharts";
import { type ChartColors, fade } from "./chart-theme.ts";
import {
  type Ichimoku,
  type IchimokuPoint,
  ichimoku,
  type SupertrendPoint,
  supertrend,
  type VwapPoint,
  volumeProfile,
  vwap,
} from "./studies.ts";

/** What a study reads of the page when it is drawn. */
export interface StudyContext {
  readonly colors: () => ChartColors;
  /** The visitor's offset from UTC. */
  readonly zoneMs: () => number;
}

const PROFILE = "Volume profile";
/** Of the pane's width, for the price with the highest volume. */
const PROFILE_PART = 0.28;
const CLOUD_PERCENT = 14;

const numbers = (params: readonly number[], ...usual: readonly number[]): readonly number[] =>
  usual.map((value, at) => params[at] ?? value);

/** The cloud after the last bar, by the bars it was computed of. */
const clouds = new WeakMap<IchimokuPoint[], Ichimoku["ahead"]>();

interface Between {
  readonly x: number;
  readonly a: number;
  readonly b: number;
}

/** Fills between two lines, in the colour of the one above. */
function fillCloud(ctx: CanvasRenderingContext2D, spans: readonly Between[], colors: ChartColors): void {
  for (let at = 1; at < spans.length; at++) {
    const [from, to] = [spans[at - 1] as Between, spans[at] as Between];
    ctx.beginPath();
    ctx.moveTo(from.x, from.a);
    ctx.lineTo(to.x, to.a);
    ctx.lineTo(to.x, to.b);
    ctx.lineTo(from.x, from.b);
    ctx.closePath();
    // A lower pixel is a higher price.
    ctx.fillStyle = fade(to.a <= to.b ? colors.up : colors.down, CLOUD_PERCENT);
    ctx.fill();
  }
}

function drawCloud({
  ctx,
  chart,
  indicator,
  xAxis,
  yAxis,
}: IndicatorDrawParams<IchimokuPoint, number, unknown>): boolean {
  const { colors } = indicator.extendData as StudyContext;
  const { from, to } = chart.getVisibleRange();
  const { result } = indicator;
  const whole: readonly IchimokuPoint[] = [...result, ...(clouds.get(result) ?? [])];
  const spans: Between[] = [];
  const last = to >= result.length ? whole.length : to;
  for (let at = Math.max(0, from - 1); at < last; at++) {
    const { spanA, spanB } = whole[at] ?? {};
    if (spanA === undefined || spanB === undefined) continue;
    spans.push({ x: xAxis.convertToPixel(at), a: yAxis.convertToPixel(spanA), b: yAxis.convertToPixel(spanB) });
  }
  fillCloud(ctx, spans, colors());
  return false;
}

function drawProfile({
  ctx,
  chart,
  indicator,
  bounding,
  yAxis,
}: IndicatorDrawParams<object, number, unknown>): boolean {
  const { colors } = indicator.extendData as StudyContext;
  const { from, to } = chart.getVisibleRange();
  const [count] = numbers(indicator.calcParams, 24);
  const rows = volumeProfile(chart.getDataList().slice(from, to), count ?? 24);
  const most = Math.max(...rows.map(({ up, down }) => up + down));
  if (!(most > 0)) return true;
  const { up, down } = colors();
  for (const row of rows) {
    const top = yAxis.convertToPixel(row.high);
    const height = Math.max(1, yAxis.convertToPixel(row.low) - top - 1);
    // The price traded most stands out.
    const percent = row.up + row.down === most ? 40 : 22;
    let right = bounding.width;
    for (const [volume, color] of [
      [row.down, down],
      [row.up, up],
    ] as const) {
      const width = (volume / most) * bounding.width * PROFILE_PART;
      ctx.fillStyle = fade(color, percent);
      ctx.fillRect(right - width, top, width, height);
      right -= width;
    }
  }
  return true;
}

const line = (key: string, title: string) => ({ key, title, type: "line" });

let isRegistered = false;

/** Makes them known to the library, once. */
export function registerStudies(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerIndicator<VwapPoint, number>({
    name: "VWAP",
    series: "price",
    figures: [line("even", ""), line("odd", "")],
    calc: (bars: KLineData[], { extendData }) => vwap(bars, (extendData as StudyContext).zoneMs()),
  });
  registerIndicator<IchimokuPoint, number>({
    name: "Ichimoku",
    series: "price",
    calcParams: [9, 26, 52],
    figures: [line("conversion", "Conv "), line("base", "Base "), line("lagging", "Lag ")],
    calc: (bars: KLineData[], { calcParams }) => {
      const periods = numbers(calcParams, 9, 26, 52) as readonly [number, number, number];
      const { points, ahead } = ichimoku(bars, periods);
      clouds.set(points, ahead);
      return points;
    },
    draw: drawCloud,
  });
  registerIndicator<SupertrendPoint, number>({
    name: "Supertrend",
    series: "price",
    calcParams: [10, 3],
    figures: [line("up", ""), line("down", "")],
    calc: (bars: KLineData[], { calcParams }) => {
      const terms = numbers(calcParams, 10, 3) as readonly [number, number];
      return supertrend(bars, terms);
    },
  });
  registerIndicator<object, number>({
    name: PROFILE,
    series: "price",
    calcParams: [24],
    figures: [],
    calc: () => [],
    draw: drawProfile,
  });
}
