// The candles from the server's data, drawn without a script: what is seen before the live chart is ready, and
// everything without scripts.

import { readFixed } from "@clockwork/kit/whole-text";
import { memo } from "react";
import { useProduct } from "#trade/product.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";

const WIDTH = 840;
const HEIGHT = 400;
const PITCH = 7;
const PRICE_SHARE = 0.8;

function drawCandles(candles: ReturnType<typeof useTerminalData>["candles"], decimals: number) {
  const shown = candles.slice(-Math.floor(WIDTH / PITCH));
  const units = shown.map((candle) => ({
    open: readFixed(candle.open, decimals),
    high: readFixed(candle.high, decimals),
    low: readFixed(candle.low, decimals),
    close: readFixed(candle.close, decimals),
    volume: Number(candle.volume),
  }));
  const high = Math.max(...units.map((candle) => candle.high));
  const low = Math.min(...units.map((candle) => candle.low));
  const busiest = Math.max(...units.map((candle) => candle.volume), 1e-9);
  const y = (price: number) =>
    Math.round((1 - (price - low) / Math.max(1, high - low)) * HEIGHT * PRICE_SHARE * 0.92 + 12);
  const paths = { up: "", down: "", upVolume: "", downVolume: "" };
  for (const [index, { open, close, volume, ...range }] of units.entries()) {
    const x = index * PITCH;
    const side = close < open ? "down" : "up";
    const [top, bottom] = [y(Math.max(open, close)), y(Math.min(open, close))];
    paths[side] += `M${x + 2} ${y(range.high)}h1V${y(range.low)}h-1zM${x} ${top}h5v${Math.max(1, bottom - top)}h-5z`;
    const tall = Math.round((volume / busiest) * HEIGHT * 0.16);
    paths[side === "up" ? "upVolume" : "downVolume"] += `M${x} ${HEIGHT}v${-tall}h5v${tall}z`;
  }
  return paths;
}

export const ChartStill = memo(
  function ChartStill() {
    const text = useTerminalText();
    const { candles, pair } = useTerminalData();
    const { words } = useProduct();
    if (candles.length === 0) return null;
    const paths = drawCandles(candles, pair.priceDecimals);
    return (
      <svg
        role="img"
        aria-label={text("chartLabel", { pair: words.nameOf(pair.pairCode), interval: "15m" })}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="size-full"
      >
        <path d={paths.upVolume} className="fill-up opacity-32" />
        <path d={paths.downVolume} className="fill-down opacity-32" />
        <path d={paths.up} className="fill-up" />
        <path d={paths.down} className="fill-down" />
      </svg>
    );
  },
  () => true,
);
