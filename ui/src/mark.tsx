// The escapement mark. Takes the colour of the text around it.

import { cx } from "./logic/class-names.ts";

const WHEEL =
  "M15.75 14.96L18.19 16.71A8.6 8.6 0 0 1 15.97 22.09L15.06 22.44L14.15 19.69A8.6 8.6 0 0 1 9.18 22.73L8.24 22.48L9.13 19.71A8.6 8.6 0 0 1 3.32 19.24L2.71 18.48L5.06 16.77A8.6 8.6 0 0 1 0.64 12.97L0.60 12.00L3.50 12.00A8.6 8.6 0 0 1 2.18 6.32L2.71 5.52L5.06 7.23A8.6 8.6 0 0 1 7.33 1.86L8.24 1.52L9.13 4.29A8.6 8.6 0 0 1 14.13 1.30L15.06 1.56L14.15 4.31A8.6 8.6 0 0 1 19.95 4.84L20.55 5.61L18.19 7.29L15.75 9.04A5.1 5.1 0 1 0 15.75 14.96Z";

export interface MarkProps {
  readonly size?: number | undefined;
  /** Leave out where the word is next to it. */
  readonly label?: string | undefined;
  readonly className?: string | undefined;
}

export function Mark({ size = 24, label, className }: MarkProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="currentColor"
      className={cx("shrink-0", className)}
      role="img"
      aria-label={label}
      aria-hidden={label === undefined}
    >
      <path d={WHEEL} />
      <circle cx="11.6" cy="12" r="2" />
      <path d="M16 10.5H24V13.5H17.6Z" />
    </svg>
  );
}
