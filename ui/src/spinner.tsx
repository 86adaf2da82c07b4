// A quarter ring that turns while work has no number to show. Long work uses progress instead.

import { cx } from "./logic/class-names.ts";

export interface SpinnerProps {
  readonly size?: number | undefined;
  readonly label?: string | undefined;
  readonly className?: string | undefined;
}

export function Spinner({ size = 16, label, className }: SpinnerProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      className={cx("animate-spin", className)}
      role="img"
      aria-label={label}
      aria-hidden={label === undefined}
    >
      <circle cx="8" cy="8" r="6.2" stroke="currentColor" strokeOpacity="0.32" strokeWidth="2" />
      <path d="M8 1.8a6.2 6.2 0 0 1 6.2 6.2" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
