// Small rounded words: badges, chips, key caps, the stale pill. Colour only where it carries a meaning.

import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { cx } from "./logic/class-names.ts";

export type BadgeTone = "neutral" | "outline" | "accent" | "up" | "down" | "warn" | "danger" | "info";

const TONES: Readonly<Record<BadgeTone, string>> = {
  neutral: "bg-active text-muted",
  outline: "border border-line2 text-muted",
  accent: "bg-accent-soft text-accent dark:text-text",
  up: "bg-up-wash text-up-text",
  down: "bg-down-wash text-down-text",
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
  info: "bg-info-soft text-info",
};

export interface BadgeProps {
  readonly children: ReactNode;
  readonly tone?: BadgeTone | undefined;
  /** Fully round ends instead of a small radius. */
  readonly round?: boolean | undefined;
  readonly className?: string | undefined;
}

export function Badge({ children, tone = "neutral", round, className }: BadgeProps) {
  return (
    <span
      className={cx(
        "inline-flex h-5 items-center whitespace-nowrap px-1.5 font-medium text-axis",
        round ? "rounded-full px-2" : "rounded-[4px]",
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

export interface KeyCapProps {
  readonly children: ReactNode;
  /** Takes the colour of the filled button that contains it. */
  readonly onFill?: boolean | undefined;
}

export function KeyCap({ children, onFill }: KeyCapProps) {
  return (
    <kbd
      className={cx(
        "inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-[4px] border px-1 font-sans text-axis leading-none",
        onFill ? "border-current/50" : "border-line2 text-muted",
      )}
    >
      {children}
    </kbd>
  );
}

/** Numbers may be outdated: shows this, and since when. */
export function StalePill({
  children,
  className,
}: {
  readonly children: ReactNode;
  readonly className?: string | undefined;
}) {
  return (
    <span
      role="status"
      className={cx(
        "figures inline-flex h-7 items-center gap-2 rounded-full bg-warn-soft px-3 text-label text-warn",
        className,
      )}
    >
      <Icon name="plug" size={14} />
      {children}
    </span>
  );
}
