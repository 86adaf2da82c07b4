// Paces work that draws: in a frame, at most once per interval, the last request always served. Independent of what is
// drawn. Pacers of the same interval share the same beat, and all draw in the page's one frame loop, so that what
// changes together is laid out and painted together.
import { frames } from "#live/frame-loop.ts";

export interface Pacer {
  /** Requests a run: now if this beat has not had one, else in a frame of the next beat. */
  readonly ask: () => void;
  readonly stop: () => void;
}

export interface PacerTime {
  readonly now: () => number;
  /** In the next frame; answers the way to take it back. */
  readonly draw: (run: () => void) => () => void;
  readonly after: (delayMs: number, run: () => void) => number;
  readonly cancel: (handle: number) => void;
}

const BROWSER: PacerTime = {
  now: () => performance.now(),
  draw: frames.draw,
  after: (delayMs, run) => setTimeout(run, delayMs) as unknown as number,
  cancel: (handle) => clearTimeout(handle),
};

/** A frame may come a little early; it still counts as due. */
const SLACK_MS = 4;

export interface Rate {
  readonly everyMs: number;
  /** Moves the beat, so that costly work does not fall into the same frame as the rest. */
  readonly offsetMs?: number;
}

export function createPacer(work: () => void, { everyMs, offsetMs = 0 }: Rate, time: PacerTime = BROWSER): Pacer {
  let ranBeat = Number.NEGATIVE_INFINITY;
  let release: (() => void) | undefined;
  let timer: number | undefined;
  const beatAt = (nowMs: number): number => Math.floor((nowMs - offsetMs + SLACK_MS) / everyMs);
  const run = (): void => {
    release = undefined;
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
      release = time.draw(run);
    });
  };
  return {
    ask: () => {
      if (release === undefined && timer === undefined) run();
    },
    stop: () => {
      release?.();
      if (timer !== undefined) time.cancel(timer);
      release = undefined;
      timer = undefined;
    },
  };
}
