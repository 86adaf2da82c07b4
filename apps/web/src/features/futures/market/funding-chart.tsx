// Rates of settlements as bars over a zero line with the premium each came from, and a readout under the pointer.

import { formatDateTime } from "@clockwork/kit/time";
import type { FundingEntry } from "@clockwork/trading/markets/contract";
import { PlaceAxis, ReadoutMark, ValueAxis } from "@clockwork/ui/curve-parts";
import { useReadout } from "@clockwork/ui/hooks/use-readout";
import { useZone } from "#session/zone.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { showFundingRate } from "../parts/funding-figures.tsx";
import { heightShare, placeBars, topOf } from "./data-model.ts";

const WIDTH = 1000;
const HEIGHT = 100;
const WORDS = 6;

interface FundingChartProps {
  /** Oldest first. */
  readonly shown: readonly FundingEntry[];
  readonly interest: string;
}

export function FundingChart({ shown, interest }: FundingChartProps) {
  const text = useFuturesText();
  const zone = useZone();
  const top = topOf(shown.flatMap(({ rate, premium }) => [Number(rate), Number(premium)]));
  const xs = shown.map((_, index) => (index + 0.5) / shown.length);
  const { index, props } = useReadout(xs);
  const entry = index === undefined ? undefined : shown[index];
  const at = (timeMs: number) => formatDateTime(timeMs, zone).slice(0, 16);
  const rows = [1, 0.5, 0, -0.5, -1].map((share) => share * (top / 1.1));
  const words = Array.from({ length: Math.min(WORDS, shown.length) }, (_, word) => {
    const place = Math.round((word * (shown.length - 1)) / Math.max(1, WORDS - 1));
    return { at: xs[place] ?? 0, text: formatDateTime(shown[place]?.timeMs ?? 0, zone).slice(5, 10) };
  });
  const reply =
    entry === undefined
      ? text("data.fundingHistory")
      : `${at(entry.timeMs)}, ${showFundingRate(entry.rate)}, ${showFundingRate(entry.premium)}`;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex h-44 gap-3">
        <div className="relative min-w-0 flex-1">
          <Drawing shown={shown} xs={xs} top={top} rows={rows} index={index} />
          <button
            type="button"
            aria-label={reply}
            className="absolute inset-0 cursor-crosshair touch-pan-y rounded-check"
            {...props}
          />
          {entry !== undefined && index !== undefined && (
            <Bubble entry={entry} interest={interest} x={xs[index] ?? 0} y={heightShare(Number(entry.rate), top)} />
          )}
        </div>
        <ValueAxis
          words={rows.map((value) => ({
            at: heightShare(value, top),
            text: `${(value * 100).toFixed(2).replace("-", "−")}%`,
          }))}
        />
      </div>
      {/* A phone has room for half of the words. */}
      <div className="mr-17">
        <PlaceAxis words={words} />
      </div>
    </div>
  );
}

interface DrawingProps {
  readonly shown: readonly FundingEntry[];
  readonly xs: readonly number[];
  readonly top: number;
  readonly rows: readonly number[];
  readonly index: number | undefined;
}

function Drawing({ shown, xs, top, rows, index }: DrawingProps) {
  const text = useFuturesText();
  const bars = placeBars(
    shown.map(({ rate }) => Number(rate)),
    top,
  );
  const line = shown
    .map(({ premium }, index) => {
      const [x, y] = [(xs[index] ?? 0) * WIDTH, heightShare(Number(premium), top) * HEIGHT];
      return `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(2)}`;
    })
    .join("");
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text("data.fundingHistory")}
      className="absolute inset-0 size-full"
    >
      {rows.map((value) => (
        <path
          key={value}
          d={`M0 ${heightShare(value, top) * HEIGHT}H${WIDTH}`}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {bars.map((bar, place) => (
        <rect
          key={shown[place]?.timeMs}
          x={bar.xShare * WIDTH}
          y={bar.topShare * HEIGHT}
          width={bar.widthShare * WIDTH}
          height={bar.heightShare * HEIGHT}
          className={place === index ? "fill-text" : "fill-info"}
        />
      ))}
      <path d={line} fill="none" vectorEffect="non-scaling-stroke" strokeWidth={1.35} className="stroke-series1" />
    </svg>
  );
}

interface BubbleProps {
  readonly entry: FundingEntry;
  readonly interest: string;
  readonly x: number;
  readonly y: number;
}

/** One settlement: when, of how many samples, and what its rate was made of. */
function Bubble({ entry, interest, x, y }: BubbleProps) {
  const text = useFuturesText();
  const time = formatDateTime(entry.timeMs, useZone()).slice(0, 16);
  return (
    <ReadoutMark x={x} y={y}>
      <span className="block opacity-70">{text("data.settlement", { time, count: entry.samples })}</span>
      <span className="block font-semibold">
        {text("data.rate")} {showFundingRate(entry.rate)}
      </span>
      <span className="block opacity-70">
        {text("data.premiumOf", { premium: showFundingRate(entry.premium), interest: showFundingRate(interest) })}
      </span>
    </ReadoutMark>
  );
}
