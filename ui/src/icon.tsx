// The icon set: drawn here on a 16 px grid with a 1.35 stroke, in the colour of the text. One path text per name.

import { cx } from "./logic/class-names.ts";
import { ICON_PATHS, type IconName } from "./logic/icon-paths.ts";

export interface IconProps {
  readonly name: IconName;
  readonly size?: number | undefined;
  /** Icons are decoration unless they stand alone; then they need a name. */
  readonly label?: string | undefined;
  readonly className?: string | undefined;
}

export function Icon({ name, size = 16, label, className }: IconProps) {
  const icon = ICON_PATHS[name];
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={icon.startsWith("#") ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={1.35}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cx("shrink-0", className)}
      role="img"
      aria-label={label}
      aria-hidden={label === undefined}
    >
      <path d={icon.startsWith("#") ? icon.slice(1) : icon} />
    </svg>
  );
}
