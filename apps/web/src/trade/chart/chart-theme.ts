// The chart in the page's own colours and type: reads the roles off the page and hands them to the chart library.
// Part of the chunk that is loaded with the chart.
import type { DeepPartial, Styles } from "klinecharts";
import type { ChartSettings } from "./chart-settings.ts";

export interface ChartColors {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly grid: string;
  readonly bg: string;
  readonly raised: string;
  readonly up: string;
  readonly down: string;
  readonly upSolid: string;
  readonly downSolid: string;
  readonly upText: string;
  readonly downText: string;
  readonly onUp: string;
  readonly onDown: string;
  readonly accent: string;
  readonly warn: string;
  readonly tooltip: string;
  readonly onTooltip: string;
  readonly series: readonly string[];
  readonly family: string;
}

/** Colours by which lines are distinguished, in `tokens.css`. */
export const SERIES_COUNT = 8;

export function readColors(element: HTMLElement): ChartColors {
  const style = getComputedStyle(element);
  const role = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: role("text"),
    muted: role("muted"),
    warn: role("warn"),
    line: role("line"),
    lineStrong: role("line-strong"),
    grid: role("grid"),
    bg: role("bg"),
    raised: role("raised"),
    up: role("up"),
    down: role("down"),
    upSolid: role("up-solid"),
    downSolid: role("down-solid"),
    upText: role("up-text"),
    downText: role("down-text"),
    onUp: role("on-up"),
    onDown: role("on-down"),
    accent: role("accent"),
    tooltip: role("tooltip"),
    onTooltip: role("on-tooltip"),
    series: Array.from({ length: SERIES_COUNT }, (_, at) => role(`series${at + 1}`)),
    family: style.fontFamily,
  };
}

/** "#2ebd85" at 32 % opacity. */
export function fade(color: string, percent: number): string {
  const digits = /^#([0-9a-f]{6})$/i.exec(color)?.[1];
  if (digits === undefined) return color;
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16);
  return `rgba(${part(0)}, ${part(2)}, ${part(4)}, ${percent / 100})`;
}

/** The tag of the last price and the countdown below it. */
function lastMark(colors: ChartColors, settings: ChartSettings): DeepPartial<Styles["candle"]["priceMark"]["last"]> {
  const { family, muted } = colors;
  const tag = { size: 11, family, color: colors.onUp, borderRadius: 0, paddingLeft: 7, paddingRight: 4 };
  const plain = {
    style: "fill" as const,
    borderSize: 0,
    borderColor: "transparent",
    borderStyle: "solid" as const,
    borderDashedValue: [2, 2],
  };
  const below = { position: "below_price", updateInterval: 1_000, paddingTop: 0, paddingBottom: 3 } as const;
  return {
    upColor: colors.upSolid,
    downColor: colors.downSolid,
    noChangeColor: muted,
    line: { style: "dashed", dashedValue: [1, 3], size: 1 },
    text: { ...tag, show: true, weight: "600", paddingTop: 3, paddingBottom: 3 },
    extendTexts: [{ ...tag, ...plain, ...below, show: settings.countdown, weight: "500" }],
  };
}

function candleStyles(colors: ChartColors, settings: ChartSettings): DeepPartial<Styles["candle"]> {
  const { up, down, muted, text, family, accent } = colors;
  const isArea = settings.style === "line" || settings.style === "area";
  const mark = { show: settings.highLow, color: text, textSize: 11, textFamily: family, textWeight: "500" };
  return {
    type: isArea ? "area" : (settings.style as Exclude<ChartSettings["style"], "line" | "area">),
    bar: {
      upColor: up,
      downColor: down,
      noChangeColor: muted,
      upBorderColor: up,
      downBorderColor: down,
      noChangeBorderColor: muted,
      upWickColor: up,
      downWickColor: down,
      noChangeWickColor: muted,
    },
    area: {
      lineSize: 1.5,
      lineColor: accent,
      backgroundColor:
        settings.style === "area"
          ? [
              { offset: 0, color: fade(accent, 2) },
              { offset: 1, color: fade(accent, 22) },
            ]
          : "transparent",
      point: { show: settings.style === "line", color: accent, rippleColor: fade(accent, 30), animation: false },
    },
    priceMark: {
      high: mark,
      low: mark,
      last: lastMark(colors, settings),
    },
    tooltip: {
      offsetLeft: 12,
      offsetTop: 10,
      title: { show: false },
      legend: { size: 12, family, color: muted, marginLeft: 0, marginRight: 10, marginTop: 2, marginBottom: 2 },
    },
  };
}

/** The colours from the n-th on: studies over the candles share them without repeating one. */
export const seriesFrom = (series: readonly string[], from: number): string[] =>
  series.map((_, at) => series[(from + at) % series.length] as string);

export const seriesLines = (series: readonly string[]) => series.map((color) => ({ color, size: 1.3 }));

function indicatorStyles(colors: ChartColors): DeepPartial<Styles["indicator"]> {
  const { up, down, muted, family, series } = colors;
  const bar = { upColor: fade(up, 32), downColor: fade(down, 32), noChangeColor: fade(muted, 32) };
  return {
    ohlc: { upColor: fade(up, 70), downColor: fade(down, 70), noChangeColor: muted },
    bars: [bar],
    circles: [{ upColor: fade(up, 70), downColor: fade(down, 70), noChangeColor: muted }],
    lines: seriesLines(series),
    tooltip: {
      offsetLeft: 12,
      offsetTop: 6,
      title: { size: 12, family, color: muted, marginLeft: 0, marginRight: 8, marginTop: 2, marginBottom: 2 },
      legend: { size: 12, family, color: muted, marginLeft: 0, marginRight: 10, marginTop: 2, marginBottom: 2 },
    },
  };
}

export function chartStyles(colors: ChartColors, settings: ChartSettings): DeepPartial<Styles> {
  const { line, muted, family, accent } = colors;
  const axis = {
    axisLine: { show: true, color: line },
    tickLine: { show: false },
    tickText: { color: muted, size: 11, family, marginStart: 7, marginEnd: 7 },
  };
  const gridLine = { show: settings.grid, color: colors.grid, style: "solid" as const };
  const crossLine = { style: "dashed" as const, dashedValue: [4, 3], color: muted };
  const crossText = {
    size: 11,
    family,
    weight: "500",
    color: colors.text,
    borderRadius: 0,
    borderSize: 0,
    borderColor: "transparent",
    backgroundColor: colors.lineStrong,
    paddingLeft: 7,
    paddingRight: 7,
    paddingTop: 3,
    paddingBottom: 3,
  };
  return {
    grid: { horizontal: gridLine, vertical: gridLine },
    candle: candleStyles(colors, settings),
    indicator: indicatorStyles(colors),
    xAxis: { ...axis, size: 24 },
    yAxis: axis,
    separator: { color: line, size: 1, fill: true, activeBackgroundColor: fade(accent, 20) },
    crosshair: {
      horizontal: { line: crossLine, text: crossText },
      vertical: { line: crossLine, text: crossText },
    },
    overlay: {
      point: {
        color: colors.bg,
        borderColor: accent,
        borderSize: 1,
        radius: 4,
        activeColor: colors.bg,
        activeBorderColor: accent,
        activeBorderSize: 2,
        activeRadius: 5,
      },
      line: { color: accent, size: 1.3 },
      rect: { color: fade(accent, 12), borderColor: accent },
      polygon: { color: fade(accent, 12), borderColor: accent },
      circle: { color: fade(accent, 12), borderColor: accent },
      text: { color: colors.text, family, size: 12, backgroundColor: "transparent", borderSize: 0 },
    },
  };
}
