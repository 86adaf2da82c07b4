// A line the size of a word: the shape of a series, coloured by its move. Static markup, same on server and browser.

import { cx } from "./logic/class-names.ts";
import { linePath, placeSeries } from "./logic/curve.ts";

export interface SparklineProps {
  readonly values: readonly number[];
  /** Its content for screen readers; leave out where an adjacent figure contains the same. */
  readonly label?: string | undefined;
  readonly tone?: "up" | "down" | "neutral" | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly className?: string | undefined;
}

const TONES = { up: "text-up", down: "text-down", neutral: "text-muted" } as const;

function toneOf(values: readonly number[]): keyof typeof TONES {
  const first = values[0] ?? 0;
  const last = values.at(-1) ?? 0;
  return last > first ? "up" : last < first ? "down" : "neutral";
}

export function Sparkline({ values, label, tone, width = 120, height = 28, className }: SparklineProps) {
  const points = placeSeries(values, { width, height, pad: 2 });
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fill="none"
      role="img"
      aria-label={label}
      aria-hidden={label === undefined}
      className={cx("shrink-0", TONES[tone ?? toneOf(values)], className)}
    >
      <path
        d={linePath(points)}
        stroke="currentColor"
        strokeWidth={1.35}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}
