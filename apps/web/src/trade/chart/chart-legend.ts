// The words at the top of the chart's panes: the candle's prices and the values of averages and volume. Part of the chunk
// loaded with the chart.
import type { Indicator, IndicatorCreateTooltipDataSourceCallback, KLineData, NeighborData } from "klinecharts";
import type { ChartColors } from "./chart-theme.ts";

function writeNumber(value: number, decimals: number): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** "BTC/USDT · 15m  O 63,694.5  H …  C …  +0.12%", in the colour of the candle. */
export function candleLegend(colors: ChartColors, title: string, decimals: number) {
  return ({ current }: NeighborData<KLineData | null>) => {
    const name = { title: { text: title, color: colors.text }, value: " " };
    if (current === null) return [name];
    const { open, high, low, close } = current;
    const color = close < open ? colors.downText : colors.upText;
    const percent = open === 0 ? 0 : Math.trunc(((close - open) / open) * 10_000) / 100;
    const sign = percent < 0 ? "−" : "+";
    const part = (letter: string, value: number) => ({
      title: `${letter} `,
      value: { text: writeNumber(value, decimals), color },
    });
    return [
      name,
      part("O", open),
      part("H", high),
      part("L", low),
      part("C", close),
      { title: "", value: { text: `${sign}${Math.abs(percent).toFixed(2)}%`, color } },
    ];
  };
}

type Legend = IndicatorCreateTooltipDataSourceCallback<unknown>;

function resultAt(indicator: Indicator, index: number | undefined): Readonly<Record<string, unknown>> {
  const at = index ?? indicator.result.length - 1;
  return (indicator.result[at] ?? indicator.result.at(-1) ?? {}) as Readonly<Record<string, unknown>>;
}

/** "MA 7 63,692.6", each in the colour of its line; `first` is the number of the first one's colour. */
export function averageLegend(read: () => ChartColors, name: string, decimals: number, first: number): Legend {
  return ({ indicator, crosshair }) => {
    const { series, muted } = read();
    const result = resultAt(indicator, crosshair.dataIndex);
    const legends = indicator.figures.map(({ key }, index) => {
      const value = result[key];
      return {
        title: { text: `${name} ${indicator.calcParams[index]} `, color: muted },
        value: {
          text: typeof value === "number" ? writeNumber(value, decimals) : "–",
          color: series[(first + index) % series.length] ?? muted,
        },
      };
    });
    return { name: "", calcParamsText: "", features: [], legends };
  };
}

/** "Ichimoku 9 26 52 Conv 63,692.6 …": what has no value at the candle is left out. */
export function studyLegend(read: () => ChartColors, decimals: number): Legend {
  return ({ indicator, crosshair }) => {
    const { muted } = read();
    const result = resultAt(indicator, crosshair.dataIndex);
    const name = { text: [indicator.name, ...indicator.calcParams, ""].join(" "), color: muted };
    const values = indicator.figures.flatMap(({ key, title }, index) => {
      const value = result[key];
      if (typeof value !== "number") return [];
      const color = indicator.styles?.lines?.[index]?.color ?? muted;
      const about = { text: title?.replace(": ", " ") ?? "", color: muted };
      return [{ title: about, value: { text: writeNumber(value, decimals), color } }];
    });
    const [first, ...rest] = values;
    if (first === undefined)
      return { name: "", calcParamsText: "", features: [], legends: [{ title: name, value: "" }] };
    const named = { ...first, title: { text: name.text + first.title.text, color: muted } };
    return { name: "", calcParamsText: "", features: [], legends: [named, ...rest] };
  };
}

export function volumeLegend(read: () => ChartColors, title: string, decimals: number): Legend {
  return ({ indicator, crosshair }) => {
    const { text, muted } = read();
    const { volume } = resultAt(indicator, crosshair.dataIndex);
    const shown = typeof volume === "number" ? writeNumber(volume, decimals) : "–";
    const legend = { title: { text: `${title} `, color: muted }, value: { text: shown, color: text } };
    return { name: "", calcParamsText: "", features: [], legends: [legend] };
  };
}
