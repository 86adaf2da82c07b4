// Paces work that draws: in a frame, at most so often, the last request always served. Knows nothing of what is drawn.

export interface Pacer {
  /** Asks for a run, now if the last one is long enough ago, else in a later frame. */
  readonly ask: () => void;
  readonly stop: () => void;
}

export interface PacerTime {
  readonly now: () => number;
  readonly requestFrame: (run: () => void) => number;
  readonly cancelFrame: (handle: number) => void;
}

const BROWSER: PacerTime = {
  now: () => performance.now(),
  requestFrame: (run) => requestAnimationFrame(run),
  cancelFrame: (handle) => cancelAnimationFrame(handle),
};

/** A frame may come a little early; it still counts as due. */
const SLACK_MS = 4;

export function createPacer(work: () => void, everyMs: number, time: PacerTime = BROWSER): Pacer {
  let ranMs = Number.NEGATIVE_INFINITY;
  let frame: number | undefined;
  const run = (): void => {
    frame = undefined;
    if (time.now() - ranMs < everyMs - SLACK_MS) {
      frame = time.requestFrame(run);
      return;
    }
    ranMs = time.now();
    work();
  };
  return {
    ask: () => {
      if (frame === undefined) run();
    },
    stop: () => {
      if (frame !== undefined) time.cancelFrame(frame);
      frame = undefined;
    },
  };
}
