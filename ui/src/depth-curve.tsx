// Both sides of a book as two staircases that meet in the middle, with a readout of the level under the pointer.

import { useMemo } from "react";
import { type AxisWord, PlaceAxis, ReadoutMark, ValueAxis } from "./curve-parts.tsx";
import { useReadout } from "./hooks/use-readout.ts";
import { cx } from "./logic/class-names.ts";
import { askPath, bidPath, type DepthLevel, type PriceSpan, placeDepth } from "./logic/depth-shape.ts";

export interface DepthCurveProps {
  readonly label: string;
  /** Best first. */
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
  readonly heightPx?: number | undefined;
  /** The price range of the picture; by default that of the levels. */
  readonly span?: PriceSpan | undefined;
  /** Words below the picture; by themselves the outermost and the best prices. */
  readonly places?: readonly AxisWord[] | undefined;
  /** Formats a total next to the picture; without it there is no axis of totals. */
  readonly writeTotal?: ((total: number) => string) | undefined;
  readonly priceLabel: string;
  readonly totalLabel: string;
  readonly className?: string | undefined;
}

const WIDTH = 1000;
/** Positions of totals next to the picture, as shares of its height. */
const TOTALS = [0.25, 0.5, 0.75] as const;

interface SideProps {
  readonly edge: string;
  readonly area: string;
  readonly fill: string;
  readonly stroke: string;
}

function Side({ edge, area, fill, stroke }: SideProps) {
  return (
    <>
      <path d={area} className={fill} />
      <path d={edge} fill="none" strokeWidth={1.35} vectorEffect="non-scaling-stroke" className={stroke} />
    </>
  );
}

function useDepth({ bids, asks, span }: Pick<DepthCurveProps, "bids" | "asks" | "span">, heightPx: number) {
  const [low, high] = [span?.low, span?.high];
  return useMemo(() => {
    const bounds = low === undefined || high === undefined ? undefined : { low, high };
    const shape = placeDepth(bids, asks, bounds);
    // Within given bounds the outermost level holds to the picture's edge.
    const reach = (x: number) => (bounds === undefined ? "" : `H${x * WIDTH}`);
    const bidEdge = startAt(bidPath(shape.bids, WIDTH, heightPx), bounds !== undefined);
    const askEdge = `${askPath(shape.asks, WIDTH, heightPx)}${shape.asks.length === 0 ? "" : reach(1)}`;
    const close = (edge: string, x: number | undefined) =>
      edge && x !== undefined ? `${edge}V${heightPx}H${x * WIDTH}Z` : "";
    const bid = { edge: bidEdge, area: close(bidEdge, bounds === undefined ? shape.bids[0]?.x : 0) };
    const ask = { edge: askEdge, area: close(askEdge, shape.asks[0]?.x) };
    const points = [...shape.bids, ...shape.asks];
    return { shape, bid, ask, points, levels: [...bids.toReversed(), ...asks], xs: points.map((point) => point.x) };
  }, [bids, asks, low, high, heightPx]);
}

/** The same staircase from the left edge on. */
function startAt(path: string, isFromEdge: boolean): string {
  const [, y] = /^M\S+ (\S+?)(?=[HV]|$)/.exec(path) ?? [];
  return isFromEdge && y !== undefined ? path.replace(/^M(\S+) /, (_, x: string) => `M0 ${y}H${x}M${x} `) : path;
}

export function DepthCurve(props: DepthCurveProps) {
  const { label, bids, asks, heightPx = 200, priceLabel, totalLabel, writeTotal, className } = props;
  const depth = useDepth(props, heightPx);
  const { index, props: readout } = useReadout(depth.xs);
  const level = index === undefined ? undefined : depth.levels[index];
  const point = index === undefined ? undefined : depth.points[index];
  const words = props.places ?? [
    { at: 0, text: bids.at(-1)?.priceText ?? "" },
    { at: depth.shape.middle, text: bids[0]?.priceText ?? "" },
    { at: 1, text: asks.at(-1)?.priceText ?? "" },
  ];
  const reply = level ? `${priceLabel} ${level.priceText}, ${totalLabel} ${level.totalText}` : "";
  return (
    <div className={cx("flex flex-col gap-1", className)}>
      <div className="relative" style={{ height: heightPx }}>
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${WIDTH} ${heightPx}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
        >
          <path
            d={`M${depth.shape.middle * WIDTH} 0V${heightPx}`}
            className="stroke-line"
            vectorEffect="non-scaling-stroke"
          />
          <Side {...depth.bid} fill="fill-up-wash" stroke="stroke-up" />
          <Side {...depth.ask} fill="fill-down-wash" stroke="stroke-down" />
        </svg>
        <button
          type="button"
          aria-label={reply ? `${label}: ${reply}` : label}
          aria-live="polite"
          className="absolute inset-0 cursor-crosshair touch-pan-y rounded-check"
          {...readout}
        />
        {level && point && (
          <ReadoutMark
            x={point.x}
            y={point.y}
            tone={index !== undefined && index < bids.length ? "border-up" : "border-down"}
          >
            <span className="grid grid-cols-[auto_auto] gap-x-4">
              <span className="opacity-70">{priceLabel}</span>
              <span className="text-right font-semibold">{level.priceText}</span>
              <span className="opacity-70">{totalLabel}</span>
              <span className="text-right font-semibold">{level.totalText}</span>
            </span>
          </ReadoutMark>
        )}
        {writeTotal !== undefined && depth.shape.top > 0 && (
          <span className="pointer-events-none absolute inset-y-0 right-0">
            <ValueAxis words={TOTALS.map((at) => ({ at: 1 - at, text: writeTotal(depth.shape.top * at) }))} />
          </span>
        )}
      </div>
      <PlaceAxis words={words} />
    </div>
  );
}
