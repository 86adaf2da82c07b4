// A number that changes: tabular, flashing for one tick in the direction it moved, never shifting its neighbours. Takes
// finished text; formatting and rounding are decided elsewhere.

import { type ReactNode, useEffect, useRef } from "react";
import { cx } from "./logic/class-names.ts";
import { findMove, type Move } from "./logic/figure-move.ts";
import { isMotionReduced } from "./logic/reduced-motion.ts";

export interface FigureProps {
  /** As shown, such as "64,118.4". */
  readonly text: string;
  /** Colours the figure; leave out for a neutral one. */
  readonly move?: Move | undefined;
  /** A short wash of colour when the text changes. */
  readonly flash?: boolean | undefined;
  /** Room for this many figures, so a longer number does not push its neighbours. */
  readonly roomChars?: number | undefined;
  readonly align?: "left" | "right" | undefined;
  /** Dims what may be out of date. */
  readonly stale?: boolean | undefined;
  readonly className?: string | undefined;
}

const FLASH_MS = 160;
const TONES = { "1": "text-up-text", "-1": "text-down-text", "0": "" } as const;

function flashOnce(element: HTMLElement, move: Move): void {
  if (move === 0 || isMotionReduced()) return;
  const wash = move > 0 ? "var(--up-wash)" : "var(--down-wash)";
  element.animate([{ backgroundColor: wash }, { backgroundColor: "transparent" }], {
    duration: FLASH_MS,
    easing: "ease-out",
  });
}

export function Figure({ text, move, flash, roomChars, align, stale, className }: FigureProps) {
  const element = useRef<HTMLSpanElement>(null);
  const before = useRef(text);
  useEffect(() => {
    const last = before.current;
    before.current = text;
    if (flash && last !== text && element.current) flashOnce(element.current, findMove(last, text));
  }, [text, flash]);
  return (
    <span
      ref={element}
      className={cx(
        "figures inline-block rounded-xs transition-colors duration-150",
        TONES[`${move ?? 0}`],
        align === "right" && "text-right",
        stale && "text-muted!",
        className,
      )}
      {...(roomChars === undefined ? {} : { style: { minWidth: `${roomChars}ch` } })}
    >
      {text}
    </span>
  );
}

/** A signed change, coloured by its sign: "+1.84%", "−0.42%". Zero is neutral. */
export function Change({
  text,
  className,
  children,
}: {
  readonly text: string;
  readonly className?: string;
  readonly children?: ReactNode;
}) {
  const isZero = !/[1-9]/.test(text);
  const move: Move = isZero ? 0 : text.startsWith("+") ? 1 : /^[-−]/.test(text) ? -1 : 0;
  return (
    <span className={cx("figures", TONES[`${move}`], isZero && "text-muted", className)}>
      {text}
      {children}
    </span>
  );
}
