// Both sides of a book as two staircases that meet in the middle, with a readout of the level under the pointer.

import { useMemo } from "react";
import { PlaceAxis, ReadoutMark } from "./curve-parts.tsx";
import { useReadout } from "./hooks/use-readout.ts";
import { cx } from "./logic/class-names.ts";
import { askPath, bidPath, type DepthLevel, placeDepth } from "./logic/depth-shape.ts";

export interface DepthCurveProps {
  readonly label: string;
  /** Best first. */
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
  readonly heightPx?: number | undefined;
  readonly priceLabel: string;
  readonly totalLabel: string;
  readonly className?: string | undefined;
}

const WIDTH = 1000;

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

function useDepth(bids: readonly DepthLevel[], asks: readonly DepthLevel[], heightPx: number) {
  return useMemo(() => {
    const shape = placeDepth(bids, asks);
    const bidEdge = bidPath(shape.bids, WIDTH, heightPx);
    const askEdge = askPath(shape.asks, WIDTH, heightPx);
    const close = (edge: string, x: number | undefined) =>
      edge && x !== undefined ? `${edge}V${heightPx}H${x * WIDTH}Z` : "";
    const bid = { edge: bidEdge, area: close(bidEdge, shape.bids[0]?.x) };
    const ask = { edge: askEdge, area: close(askEdge, shape.asks[0]?.x) };
    const points = [...shape.bids, ...shape.asks];
    return { shape, bid, ask, points, levels: [...bids.toReversed(), ...asks], xs: points.map((point) => point.x) };
  }, [bids, asks, heightPx]);
}

export function DepthCurve(props: DepthCurveProps) {
  const { label, bids, asks, heightPx = 200, priceLabel, totalLabel, className } = props;
  const depth = useDepth(bids, asks, heightPx);
  const { index, props: readout } = useReadout(depth.xs);
  const level = index === undefined ? undefined : depth.levels[index];
  const point = index === undefined ? undefined : depth.points[index];
  const words = [
    { at: 0, text: bids.at(-1)?.priceText ?? "" },
    { at: depth.shape.middle, text: bids[0]?.priceText ?? "" },
    { at: 1, text: asks.at(-1)?.priceText ?? "" },
  ];
  const said = level ? `${priceLabel} ${level.priceText}, ${totalLabel} ${level.totalText}` : "";
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
          aria-label={said ? `${label}: ${said}` : label}
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
      </div>
      <PlaceAxis words={words} />
    </div>
  );
}
