// The time left until a moment, ticking each second on the second. Shows the same on server and first render.

import { formatCountdown } from "@clockwork/kit/time";
import { useEffect, useRef, useState } from "react";
import { cx } from "./logic/class-names.ts";

export interface CountdownProps {
  readonly untilMs: number;
  /** The time of the first render, given by the page so that server and browser agree. */
  readonly nowMs: number;
  readonly onEnd?: (() => void) | undefined;
  /** The browser's clock corrected by the server's; plain by default. */
  readonly readNow?: (() => number) | undefined;
  readonly format?: ((leftMs: number) => string) | undefined;
  readonly className?: string | undefined;
}

/** "0:42", "12:05": for waits of minutes, where hours would only be noise. */
export function formatMinutesLeft(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function useCountdown(
  untilMs: number,
  nowMs: number,
  readNow: () => number = Date.now,
  onEnd?: () => void,
): number {
  const [leftMs, setLeftMs] = useState(Math.max(0, untilMs - nowMs));
  const end = useRef(onEnd);
  const read = useRef(readNow);
  useEffect(() => {
    end.current = onEnd;
    read.current = readNow;
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const left = Math.max(0, untilMs - read.current());
      setLeftMs(left);
      if (left === 0) end.current?.();
      // The next full second, so that several countdowns on a page change together and never skip one.
      else timer = setTimeout(tick, (left % 1_000) + 1);
    };
    tick();
    return () => clearTimeout(timer);
  }, [untilMs]);
  return leftMs;
}

export function Countdown({ untilMs, nowMs, onEnd, readNow, format = formatCountdown, className }: CountdownProps) {
  const leftMs = useCountdown(untilMs, nowMs, readNow, onEnd);
  return (
    <time role="timer" className={cx("figures", className)}>
      {format(leftMs)}
    </time>
  );
}
