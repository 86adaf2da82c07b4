// A few views side by side, one of them shown. For choosing how to look, not for sections with panels (tabs).

import type { ReactNode } from "react";
import { ToggleButton } from "react-aria-components/ToggleButton";
import { type Key, ToggleButtonGroup } from "react-aria-components/ToggleButtonGroup";
import { cx } from "./logic/class-names.ts";

export interface Segment {
  readonly id: string;
  readonly title: ReactNode;
  /** For segments that show an icon alone. */
  readonly label?: string | undefined;
  /** Fills the chosen segment with the colour of a side. */
  readonly tone?: "up" | "down" | undefined;
}

export interface SegmentedProps {
  readonly label: string;
  readonly segments: readonly Segment[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly wide?: boolean | undefined;
  readonly size?: 28 | 32 | 36 | undefined;
  readonly className?: string | undefined;
}

const SEGMENT =
  "fc-choice inline-flex items-center justify-center gap-1.5 whitespace-nowrap rounded-[calc(var(--r-control)-3px)] px-3 text-muted outline-offset-1 transition-colors duration-[120ms] hover:text-text terminal:px-2 data-selected:font-semibold";

const FILLS = {
  none: "text-[13px] leading-5 terminal:text-label data-selected:bg-raised data-selected:text-text data-selected:shadow-card dark:data-selected:bg-line",
  up: "text-ui data-selected:bg-up-solid data-selected:text-on-up",
  down: "text-ui data-selected:bg-down-solid data-selected:text-on-down",
} as const;

const SIZES = { 28: "h-7", 32: "h-8", 36: "h-9" } as const;

export function Segmented({ label, segments, value, onChange, wide, size = 32, className }: SegmentedProps) {
  const choose = (keys: Set<Key>) => {
    const [key] = keys;
    if (key !== undefined) onChange(String(key));
  };
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={choose}
      className={cx(
        "inline-flex rounded-control border border-line bg-surface p-0.5 terminal:border-transparent terminal:bg-[var(--track,var(--control))]",
        SIZES[size],
        wide && "w-full *:flex-1",
        className,
      )}
    >
      {segments.map((segment) => (
        <ToggleButton
          key={segment.id}
          id={segment.id}
          {...(segment.label === undefined ? {} : { "aria-label": segment.label })}
          className={cx(SEGMENT, FILLS[segment.tone ?? "none"])}
        >
          {segment.title}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

export interface ChipsProps extends Omit<SegmentedProps, "wide" | "size"> {}

/** Loose rounded filters in a row: one chosen, outlined in text colour. */
export function Chips({ label, segments, value, onChange, className }: ChipsProps) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const [key] = keys;
        if (key !== undefined) onChange(String(key));
      }}
      className={cx("flex flex-wrap gap-2", className)}
    >
      {segments.map((segment) => (
        <ToggleButton
          key={segment.id}
          id={segment.id}
          className="fc-choice inline-flex h-7 items-center gap-1.5 rounded-full border border-line2 px-3 text-[13px] text-muted leading-5 transition-colors duration-[120ms] hover:text-text data-selected:border-text data-selected:font-medium data-selected:text-text"
        >
          {segment.title}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
