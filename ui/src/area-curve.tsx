// A line over its area with a readout under the pointer or the arrow keys. Stretches to its place without measuring.

import { type ReactNode, useMemo } from "react";
import { type AxisWord, PlaceAxis, ReadoutMark, ValueAxis } from "./curve-parts.tsx";
import { useReadout } from "./hooks/use-readout.ts";
import { cx } from "./logic/class-names.ts";
import { areaPath, axisValues, findExtent, linePath, placeSeries } from "./logic/curve.ts";

export interface CurvePoint {
  readonly value: number;
  /** First line of the bubble: the day. */
  readonly place: string;
  /** Second line: the exact figure, formatted by the caller. */
  readonly text: string;
}

export interface AreaCurveProps {
  readonly label: string;
  readonly points: readonly CurvePoint[];
  readonly heightPx?: number | undefined;
  /** Formats the values along the right edge; leave out for no axis. */
  readonly axisText?: ((value: number) => string) | undefined;
  /** How many labels are below; 0 for none. */
  readonly placeCount?: number | undefined;
  /** Another line for comparison, dashed, point by point; unknown points are left out. */
  readonly beside?: readonly (number | undefined)[] | undefined;
  readonly tone?: "text" | "up" | "down" | "accent" | undefined;
  readonly children?: ReactNode;
  readonly className?: string | undefined;
}

const WIDTH = 1000;
const TONES = { text: "text-text", up: "text-up", down: "text-down", accent: "text-accent" } as const;
const DOTS = { text: "border-text", up: "border-up", down: "border-down", accent: "border-accent" } as const;

function useShape(points: readonly CurvePoint[], heightPx: number, beside: AreaCurveProps["beside"]) {
  return useMemo(() => {
    const values = points.map((point) => point.value);
    const other = (beside ?? []).filter((value) => value !== undefined);
    const found = findExtent([...values, ...other]);
    const margin = (found.high - found.low) * 0.08;
    const extent = { low: found.low - margin, high: found.high + margin };
    const places = placeSeries(values, { width: WIDTH, height: heightPx }, extent);
    // From its first known value on; a gap holds the last.
    let last = beside?.find((value) => value !== undefined) ?? 0;
    const filled = (beside ?? []).map((value) => {
      last = value ?? last;
      return last;
    });
    const line = other.length < 2 ? "" : linePath(placeSeries(filled, { width: WIDTH, height: heightPx }, extent));
    return { places, extent, line, xs: places.map((place) => place.x / WIDTH) };
  }, [points, heightPx, beside]);
}

function pickWords(points: readonly CurvePoint[], wanted: number): readonly AxisWord[] {
  // Few points have few labels: a repeated one would overlap itself.
  const count = Math.min(wanted, points.length);
  if (count < 2) return [];
  return Array.from({ length: count }, (_, index) => {
    const at = Math.round((index * (points.length - 1)) / (count - 1));
    return { at: at / (points.length - 1), text: points[at]?.place ?? "" };
  });
}

export function AreaCurve(props: AreaCurveProps) {
  const { label, points, heightPx = 160, axisText, placeCount = 6, tone = "text", className } = props;
  const { places, extent, line, xs } = useShape(points, heightPx, props.beside);
  const { index, props: readout } = useReadout(xs);
  const span = extent.high - extent.low;
  const lines = axisText
    ? axisValues(extent, 5).map((value) => ({ value, at: span === 0 ? 0.5 : (extent.high - value) / span }))
    : [];
  const point = index === undefined ? undefined : points[index];
  const place = index === undefined ? undefined : places[index];
  return (
    <div className={cx("flex flex-col gap-2", className)}>
      <div className="flex gap-3" style={{ height: heightPx }}>
        <div className="relative min-w-0 flex-1" style={{ height: heightPx }}>
          <svg
            role="img"
            aria-label={label}
            viewBox={`0 0 ${WIDTH} ${heightPx}`}
            preserveAspectRatio="none"
            className={cx("absolute inset-0 size-full", TONES[tone])}
          >
            {lines.map(({ value, at }) => (
              <path
                key={value}
                d={`M0 ${at * heightPx}H${WIDTH}`}
                className="stroke-line"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            <path d={areaPath(places, heightPx)} fill="currentColor" fillOpacity={0.05} />
            {line !== "" && (
              <path
                d={line}
                fill="none"
                className="stroke-series1"
                strokeDasharray="4 3"
                vectorEffect="non-scaling-stroke"
              />
            )}
            <path
              d={linePath(places)}
              fill="none"
              stroke="currentColor"
              strokeWidth={1.5}
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          <button
            type="button"
            aria-label={point ? `${label}: ${point.place}, ${point.text}` : label}
            aria-live="polite"
            className="absolute inset-0 cursor-crosshair touch-pan-y rounded-check"
            {...readout}
          />
          {point && place && (
            <ReadoutMark x={place.x / WIDTH} y={place.y / heightPx} tone={DOTS[tone]}>
              <span className="block opacity-70">{point.place}</span>
              <span className="block font-semibold">{point.text}</span>
            </ReadoutMark>
          )}
        </div>
        {axisText && <ValueAxis words={lines.map(({ at, value }) => ({ at, text: axisText(value) }))} />}
      </div>
      {placeCount > 0 && (
        <div className={axisText ? "mr-17" : ""}>
          <PlaceAxis words={pickWords(points, placeCount)} />
        </div>
      )}
    </div>
  );
}
