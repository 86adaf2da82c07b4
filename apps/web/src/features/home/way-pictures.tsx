// Small pictures of the entries, painted from the live market where they show one. Decorative: no figure in them is a
// user's.
import { Icon } from "@clockwork/ui/icon";
import type { ReactNode } from "react";
import { useHomeLateText } from "#words/home-late-text.ts";
import { CandleDrawing } from "./candle-drawing.tsx";
import type { HomeMarkets } from "./home-data.ts";
import { changeText, groupText, toneOf } from "./live-quotations.ts";

export type WayName = "spot" | "futures" | "copy" | "grid" | "earn" | "otc";

interface PictureProps {
  readonly markets: HomeMarkets;
}

export function WayPicture({ name, markets }: PictureProps & { readonly name: WayName }) {
  switch (name) {
    case "spot":
      return <SpotPicture markets={markets} />;
    case "futures":
      return <FuturesPicture markets={markets} />;
    case "copy":
      return <CopyPicture markets={markets} />;
    case "grid":
      return <GridPicture markets={markets} />;
    case "earn":
      return <EarnPicture markets={markets} />;
    case "otc":
      return <OtcPicture />;
  }
}

/** Levels of a book before it has any. */
const LEVELS = 6;

function SpotPicture({ markets }: PictureProps) {
  const asks = markets.depth?.asks.slice(0, 3).toReversed() ?? [];
  const bids = markets.depth?.bids.slice(0, 3) ?? [];
  const rows = [
    ...asks.map(([price = "", quantity = ""]) => [price, quantity, "text-down-text"] as const),
    ...bids.map(([price = "", quantity = ""]) => [price, quantity, "text-up-text"] as const),
  ];
  const places = Array.from({ length: LEVELS }, (_, place) => place);
  return (
    <span className="flex h-full">
      <CandleDrawing candles={markets.candles.slice(-40)} label="" className="h-full min-w-0 flex-1 p-3" />
      <span className="w-[152px] shrink-0 border-line border-l bg-raised py-3 text-[12px] leading-[18px]">
        {rows.map(([price, quantity, tone]) => (
          <span key={price} className="figures flex justify-between px-3">
            <span className={tone}>{groupText(price)}</span>
            <span>{quantity.slice(0, 7)}</span>
          </span>
        ))}
        {rows.length === 0 &&
          places.map((place) => (
            <span key={place} className="flex h-[18px] items-center justify-between px-3">
              <span className={`h-2 w-12 rounded-full ${place < LEVELS / 2 ? "bg-down" : "bg-up"} opacity-30`} />
              <span className="h-2 w-8 rounded-full bg-line" />
            </span>
          ))}
      </span>
    </span>
  );
}

function Sheet({ children }: { readonly children: ReactNode }) {
  return (
    <span className="-bottom-px absolute inset-x-5 top-4 block rounded-t-card border border-line bg-raised px-4 py-3 text-[12px] text-text leading-[18px]">
      {children}
    </span>
  );
}

const SIZE = 0.4;
const LEVERAGE = 20;

/** The result of a long of the headline's pair since its first candle. */
function FuturesPicture({ markets: { candles } }: PictureProps) {
  const text = useHomeLateText();
  const [entry, mark] = [Number(candles[0]?.open ?? 0), Number(candles.at(-1)?.close ?? 0)];
  const gain = ((mark - entry) * SIZE).toFixed(2);
  const share = (entry === 0 ? 0 : (mark / entry - 1) * LEVERAGE * 100).toFixed(2);
  const hasPrices = candles.length > 0;
  const facts = [
    [text("home.picture.entry"), hasPrices ? groupText(entry.toFixed(1)) : "–", ""],
    [text("home.picture.mark"), hasPrices ? groupText(mark.toFixed(1)) : "–", ""],
    [text("home.picture.roe"), hasPrices ? changeText(share) : "–", hasPrices ? toneOf(share) : ""],
  ] as const;
  return (
    <Sheet>
      <span className="flex items-center gap-2">
        <span className="font-semibold">BTC/USDT</span>
        <span className="rounded-full border border-line px-2 text-up-text">
          {text("home.picture.long", { leverage: LEVERAGE })}
        </span>
        {hasPrices && (
          <span className={`figures ml-auto font-semibold ${toneOf(gain)}`}>{changeText(gain).slice(0, -1)}</span>
        )}
      </span>
      <span className="mt-2.5 flex justify-between">
        {facts.map(([label, value, tone]) => (
          <span key={label}>
            <span className="block text-muted">{label}</span>
            <span className={`figures font-medium ${tone}`}>{value}</span>
          </span>
        ))}
      </span>
    </Sheet>
  );
}

const WIDTH = 380;
const HEIGHT = 132;

/** Closes as points of a box, the highest at its top. */
function curveOf({ candles }: HomeMarkets, height: number, pad: number): readonly (readonly [number, number])[] {
  const closes = candles.map(({ close }) => Number(close));
  const [top, bottom] = [Math.max(...closes), Math.min(...closes)];
  const span = top - bottom || 1;
  return closes.map((close, at) => [
    (at / Math.max(1, closes.length - 1)) * WIDTH,
    pad + ((top - close) / span) * (height - 2 * pad),
  ]);
}

const pathOf = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

function CopyPicture({ markets }: PictureProps) {
  return (
    <Sheet>
      <span className="flex items-center gap-2.5">
        <span className="flex size-5 items-center justify-center rounded-full bg-line text-muted">
          <Icon name="users" size={12} />
        </span>
        <span className="h-2 w-1/4 rounded-full bg-line" />
        <span className="ml-auto h-2 w-10 rounded-full bg-up" />
      </span>
      <svg viewBox={`0 0 ${WIDTH} 60`} preserveAspectRatio="none" aria-hidden="true" className="mt-2 h-[60px] w-full">
        <polyline
          points={pathOf(curveOf(markets, 60, 4))}
          className="fill-none stroke-up"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </Sheet>
  );
}

const LINES = 6;
const PAD = 12;

/** The pair's closes through the lines of a grid, with a dot where a line is crossed. */
function GridPicture({ markets }: PictureProps) {
  const points = curveOf(markets, HEIGHT, PAD);
  const lines = Array.from({ length: LINES }, (_, at) => PAD + (at / (LINES - 1)) * (HEIGHT - 2 * PAD));
  const crossings = points.slice(1).flatMap(([x, y], at) => {
    const [beforeX, beforeY] = points[at] as readonly [number, number];
    return lines
      .filter((line) => (beforeY - line) * (y - line) < 0)
      .map((line) => {
        const share = (line - beforeY) / (y - beforeY);
        return { x: beforeX + share * (x - beforeX), y: line, isBuy: y > beforeY };
      });
  });
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className="size-full"
    >
      {lines.map((line, at) => (
        <line
          key={line}
          x2={WIDTH}
          y1={line}
          y2={line}
          strokeDasharray="4 4"
          className={at < LINES / 2 ? "stroke-down" : "stroke-up"}
          opacity="0.5"
        />
      ))}
      <polyline points={pathOf(points)} className="fill-none stroke-text" strokeWidth="1.5" />
      {crossings.map(({ x, y, isBuy }) => (
        <circle
          key={`${x}:${y}`}
          cx={x}
          cy={y}
          r="3"
          strokeWidth="1.5"
          className={isBuy ? "fill-bg stroke-up" : "fill-bg stroke-down"}
        />
      ))}
    </svg>
  );
}

/** The position of the price on a shark fin whose bounds are a tenth below and above it. */
function EarnPicture({ markets: { candles } }: PictureProps) {
  const price = Number(candles.at(-1)?.close ?? 0);
  const bound = (share: number): string => groupText(String(Math.round((price * share) / 100) * 100));
  return (
    <span className="block h-full">
      <svg viewBox="0 0 380 110" preserveAspectRatio="none" aria-hidden="true" className="h-[104px] w-full">
        <polyline points="0,84 110,84 270,24 270,74 380,74" className="fill-none stroke-text" strokeWidth="1.5" />
        <line x1="190" x2="190" y1="54" y2="110" strokeDasharray="3 3" className="stroke-accent" />
        <circle cx="190" cy="54" r="4" strokeWidth="2" className="fill-bg stroke-accent" />
      </svg>
      {candles.length > 0 && (
        <span className="figures flex justify-around text-[12px] text-muted leading-4">
          <span>{bound(0.9)}</span>
          <span className="font-medium text-text">{groupText(price.toFixed(0))}</span>
          <span>{bound(1.1)}</span>
        </span>
      )}
    </span>
  );
}

const STEPS = ["placed", "pay", "release", "done"] as const;

function OtcPicture() {
  const text = useHomeLateText();
  return (
    <Sheet>
      <span className="flex items-center justify-between">
        <span className="h-2 w-1/3 rounded-full bg-line" />
        <Icon name="clock" size={14} className="text-muted" />
      </span>
      <span className="relative mt-5 flex justify-between before:absolute before:inset-x-1 before:top-[3.5px] before:h-px before:bg-line2">
        {STEPS.map((step, at) => (
          <span key={step} className="relative">
            <span
              className={`mb-1.5 block size-2 rounded-full border ${at === 0 ? "border-text bg-text" : at === 1 ? "border-accent bg-bg" : "border-line2 bg-bg"}`}
            />
            <span className={at === 1 ? "font-medium" : "text-muted"}>{text(`home.picture.${step}`)}</span>
          </span>
        ))}
      </span>
    </Sheet>
  );
}
