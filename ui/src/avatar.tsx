// A round picture of a user: their image, their letters, or a rosette drawn from their name.

import { cx } from "./logic/class-names.ts";
import { rosettePath } from "./logic/rosette.ts";

export interface AvatarProps {
  readonly name: string;
  readonly src?: string | undefined;
  /** Two letters instead of the rosette. */
  readonly letters?: string | undefined;
  readonly size?: number | undefined;
  readonly className?: string | undefined;
}

export function Avatar({ name, src, letters, size = 32, className }: AvatarProps) {
  const shape = cx("inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full", className);
  if (src !== undefined)
    return <img src={src} alt={name} width={size} height={size} className={cx(shape, "object-cover")} />;
  if (letters !== undefined) {
    return (
      <span
        role="img"
        aria-label={name}
        style={{ width: size, height: size, fontSize: Math.round(size * 0.38) }}
        className={cx(shape, "bg-active font-semibold text-text leading-none")}
      >
        {letters}
      </span>
    );
  }
  return (
    <svg role="img" aria-label={name} width={size} height={size} viewBox="-16 -16 32 32" className={cx(shape, "bg-m1")}>
      <path d={rosettePath(name)} fill="none" strokeWidth={0.7} className="stroke-m6" />
    </svg>
  );
}
