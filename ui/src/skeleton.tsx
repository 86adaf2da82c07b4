// Placeholders in the shape of what is coming. Never holds text, so nothing can be mistaken for data.

import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";

export interface SkeletonProps {
  readonly width?: number | string | undefined;
  readonly height?: number | undefined;
  readonly shape?: "bar" | "disc" | "box" | undefined;
  readonly className?: string | undefined;
}

const SHAPES = { bar: "rounded-[4px]", disc: "rounded-full", box: "rounded-control" } as const;

export function Skeleton({ width = "100%", height = 12, shape = "bar", className }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      style={{ width: shape === "disc" ? height : width, height }}
      className={cx("skeleton block shrink-0", SHAPES[shape], className)}
    />
  );
}

export interface SkeletonRowsProps {
  readonly rows?: number | undefined;
  /** Widths in px of the bars of a row, left to right; the gap between the first and the rest grows. */
  readonly bars?: readonly number[] | undefined;
  readonly disc?: boolean | undefined;
  readonly className?: string | undefined;
}

/** A list that is loading. Announced once to screen readers. */
export function SkeletonRows({ rows = 3, bars = [92, 64, 40], disc = false, className }: SkeletonRowsProps) {
  const labels = useLabels();
  return (
    <div role="status" aria-label={labels.loading} className={cx("flex flex-col gap-3", className)}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <span key={row} className="flex min-h-6 items-center gap-3">
          {disc && <Skeleton shape="disc" height={24} />}
          {bars.map((width, index) => (
            <Skeleton
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
              key={index}
              width={width - ((row * 7 + index * 5) % 17)}
              className={index === 1 ? "ml-auto" : ""}
            />
          ))}
        </span>
      ))}
    </div>
  );
}
