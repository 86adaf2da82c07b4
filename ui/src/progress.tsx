// Progress with numbers for long work, in steps or as one bar; and the three-part bar of short flows.

import type { ReactNode } from "react";
import { cx } from "./logic/class-names.ts";

export interface ProgressProps {
  /** What is under way. */
  readonly label: string;
  /** The progress as text: "1 of 2 confirmations, about 9 min". */
  readonly detail?: ReactNode;
  /** 0 to 1. Leave out with `steps`. */
  readonly share?: number | undefined;
  readonly steps?: { readonly done: number; readonly count: number } | undefined;
  readonly className?: string | undefined;
}

const STEPS_MAX = 24;

function StepBars({ done, count }: { readonly done: number; readonly count: number }) {
  return Array.from({ length: Math.min(count, STEPS_MAX) }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
    <span key={index} className={cx("h-1 flex-1 rounded-full", index < done ? "bg-text" : "bg-line-strong")} />
  ));
}

export function Progress({ label, detail, share = 0, steps, className }: ProgressProps) {
  const part = Math.min(1, Math.max(0, steps ? steps.done / steps.count : share));
  return (
    <div className={cx("flex flex-col gap-2.5", className)}>
      <div className="figures flex items-baseline justify-between gap-3 text-label">
        <span className="text-text">{label}</span>
        <span className="text-muted">{detail ?? `${Math.floor(part * 100)}%`}</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(part * 100)}
        aria-valuetext={typeof detail === "string" ? detail : undefined}
        className="flex gap-1"
      >
        {steps ? (
          <StepBars {...steps} />
        ) : (
          <span className="h-1 w-full overflow-hidden rounded-full bg-line-strong">
            <span
              className="block h-full rounded-full bg-text transition-[width] duration-150"
              style={{ width: `${part * 100}%` }}
            />
          </span>
        )}
      </div>
    </div>
  );
}
