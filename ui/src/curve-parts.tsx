// Parts that the drawings share: the readout line with its dot and tooltip, and axis labels next to the picture.

import type { ReactNode } from "react";
import { cx } from "./logic/class-names.ts";

export interface ReadoutMarkProps {
  /** Shares of the picture, 0 to 1 from the top left. */
  readonly x: number;
  readonly y: number;
  readonly children: ReactNode;
  readonly tone?: string | undefined;
}

/** A dashed line, a dot on the curve and a bubble that changes sides before it would leave the picture. */
export function ReadoutMark({ x, y, children, tone = "border-text" }: ReadoutMarkProps) {
  return (
    <div className="pointer-events-none absolute inset-0" aria-hidden="true">
      <span className="absolute inset-y-0 w-0 border-muted border-l border-dashed" style={{ left: `${x * 100}%` }} />
      <span
        className={cx("absolute size-2 -translate-x-1/2 -translate-y-1/2 rounded-full border-[1.5px] bg-bg", tone)}
        style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      />
      <span
        className={cx(
          "figures absolute whitespace-nowrap rounded-control bg-tooltip px-2.5 py-1.5 text-label text-on-tooltip",
          x > 0.5 ? "-translate-x-full -ml-2.5" : "ml-2.5",
          y > 0.6 ? "-translate-y-full -mt-1" : "mt-2",
        )}
        style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      >
        {children}
      </span>
    </div>
  );
}

export interface AxisWord {
  /** 0 to 1 along the axis. */
  readonly at: number;
  readonly text: string;
}

export function ValueAxis({ words }: { readonly words: readonly AxisWord[] }) {
  return (
    <div className="figures relative h-full w-14 shrink-0 text-right text-axis text-muted" aria-hidden="true">
      {words.map((word) => (
        <span key={word.at} className="absolute right-0 -translate-y-1/2" style={{ top: `${word.at * 100}%` }}>
          {word.text}
        </span>
      ))}
    </div>
  );
}

/** In a narrow picture labels would overlap: first the ends and one between remain, then the ends. */
function narrowClass(index: number, count: number): string | false {
  if (count <= 3 || index === 0 || index === count - 1) return false;
  return index === Math.floor((count - 1) / 2) ? "@max-[300px]:hidden" : "@max-[440px]:hidden";
}

export function PlaceAxis({ words }: { readonly words: readonly AxisWord[] }) {
  return (
    <div className="figures @container relative h-4 text-axis text-muted" aria-hidden="true">
      {words.map((word, index) => (
        <span
          key={word.at}
          className={cx(
            "absolute whitespace-nowrap",
            narrowClass(index, words.length),
            word.at >= 0.96 ? "-translate-x-full" : word.at > 0.04 && "-translate-x-1/2",
          )}
          style={{ left: `${word.at * 100}%` }}
        >
          {word.text}
        </span>
      ))}
    </div>
  );
}
