// How often a pointer that only passes over something is answered: at once, then no oftener than the given time, and
// once more where it came to rest. Timers come in as arguments.

export interface RolloverParts {
  readonly everyMs: number;
  readonly nowMs: () => number;
  readonly after: (run: () => void, delayMs: number) => () => void;
}

export interface Rollover {
  readonly move: (report: () => void) => void;
  /** The pointer has left: nothing more is reported. */
  readonly leave: () => void;
}

export function createRollover({ everyMs, nowMs, after }: RolloverParts): Rollover {
  let lastMs = Number.NEGATIVE_INFINITY;
  let latest: () => void = () => {};
  let cancel: (() => void) | undefined;
  const publish = () => {
    cancel = undefined;
    lastMs = nowMs();
    latest();
  };
  return {
    move: (report) => {
      latest = report;
      const waitMs = lastMs + everyMs - nowMs();
      if (waitMs <= 0) publish();
      else cancel ??= after(publish, waitMs);
    },
    leave: () => {
      cancel?.();
      cancel = undefined;
    },
  };
}
