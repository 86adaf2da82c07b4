// How an icon is drawn: one path on a 16 px grid with a 1.35 stroke, in the colour of the text.
import { cx } from "./logic/class-names.ts";

export interface IconLook {
  readonly size?: number | undefined;
  /** Icons are decoration unless they are alone; then they need a name. */
  readonly label?: string | undefined;
  readonly className?: string | undefined;
}

/** A leading # in the path means filled instead of stroked. */
export function IconDrawing({ path, size = 16, label, className }: IconLook & { readonly path: string }) {
  const filled = path.startsWith("#");
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={filled ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={1.35}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cx("shrink-0", className)}
      role="img"
      aria-label={label}
      aria-hidden={label === undefined}
    >
      <path d={filled ? path.slice(1) : path} />
    </svg>
  );
}
