// Paces work that draws: in a frame, at most so often, the last request always served. Knows nothing of what is drawn.
// Paces of the same length keep the same beat, so that what changes together is laid out and painted together.

export interface Pacer {
  /** Asks for a run: now if this beat has not had one, else in a frame of the next beat. */
  readonly ask: () => void;
  readonly stop: () => void;
}

export interface PacerTime {
  readonly now: () => number;
  readonly requestFrame: (run: () => void) => number;
  readonly cancelFrame: (handle: number) => void;
  readonly after: (delayMs: number, run: () => void) => number;
  readonly cancel: (handle: number) => void;
}

const BROWSER: PacerTime = {
  now: () => performance.now(),
  requestFrame: (run) => requestAnimationFrame(run),
  cancelFrame: (handle) => cancelAnimationFrame(handle),
  after: (delayMs, run) => setTimeout(run, delayMs) as unknown as number,
  cancel: (handle) => clearTimeout(handle),
};

/** A frame may come a little early; it still counts as due. */
const SLACK_MS = 4;

export interface Pace {
  readonly everyMs: number;
  /** Moves the beat, so that costly work does not fall into the same frame as the rest. */
  readonly offsetMs?: number;
}

export function createPacer(work: () => void, { everyMs, offsetMs = 0 }: Pace, time: PacerTime = BROWSER): Pacer {
  let ranBeat = Number.NEGATIVE_INFINITY;
  let frame: number | undefined;
  let timer: number | undefined;
  const beatAt = (nowMs: number): number => Math.floor((nowMs - offsetMs + SLACK_MS) / everyMs);
  const run = (): void => {
    frame = undefined;
    const beat = beatAt(time.now());
    if (beat <= ranBeat) {
      wait();
      return;
    }
    ranBeat = beat;
    work();
  };
  const wait = (): void => {
    const dueMs = (ranBeat + 1) * everyMs + offsetMs - SLACK_MS;
    timer = time.after(Math.max(0, dueMs - time.now()), () => {
      timer = undefined;
      frame = time.requestFrame(run);
    });
  };
  return {
    ask: () => {
      if (frame === undefined && timer === undefined) run();
    },
    stop: () => {
      if (frame !== undefined) time.cancelFrame(frame);
      if (timer !== undefined) time.cancel(timer);
      frame = undefined;
      timer = undefined;
    },
  };
}
