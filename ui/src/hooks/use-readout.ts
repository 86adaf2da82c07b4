// Which point of a drawing the pointer or the arrow keys are on. Works in shares of the width, so nothing is measured
// until a pointer moves.

import { TOUCH } from "@clockwork/kit/constants";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { createRollover } from "../logic/rollover.ts";

const openRollover = () =>
  createRollover({
    everyMs: TOUCH.rolloverFrequencyMs,
    nowMs: () => performance.now(),
    after: (run, delayMs) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
  });

export interface Readout {
  readonly index: number | undefined;
  readonly props: {
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerLeave: () => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
    readonly onBlur: () => void;
  };
}

/** `xs` are the places of the points from 0 to 1, rising. */
export function useReadout(xs: readonly number[]): Readout {
  const [index, setIndex] = useState<number | undefined>(undefined);
  const [rollover] = useState(openRollover);
  const last = xs.length - 1;
  const step = (move: number) =>
    setIndex((now) => Math.min(last, Math.max(0, (now ?? (move > 0 ? -1 : xs.length)) + move)));
  return {
    index: index === undefined || index > last ? undefined : index,
    props: {
      onPointerMove: (event) => {
        const { currentTarget, clientX } = event;
        rollover.move(() => {
          const box = currentTarget.getBoundingClientRect();
          if (box.width === 0 || last < 0) return;
          setIndex(findNearest(xs, (clientX - box.left) / box.width));
        });
      },
      onPointerLeave: () => {
        rollover.leave();
        setIndex(undefined);
      },
      onBlur: () => setIndex(undefined),
      onKeyDown: (event) => {
        if (event.key === "ArrowRight") step(1);
        else if (event.key === "ArrowLeft") step(-1);
        else if (event.key === "Home") setIndex(0);
        else if (event.key === "End") setIndex(last);
        else if (event.key === "Escape") setIndex(undefined);
        else return;
        event.preventDefault();
      },
    },
  };
}

function findNearest(xs: readonly number[], x: number): number {
  let low = 0;
  let high = xs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((xs[middle] ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  const before = xs[low - 1];
  return before !== undefined && x - before < (xs[low] ?? 0) - x ? low - 1 : low;
}
