// The one frame loop of a page: stores call their listeners here and painters draw here, so that everything that
// changes in a frame is published first, then laid out and painted together. Independent of what is published or drawn.

/** The environment's frames and timers; tests pass their own. */
export interface FrameTime {
  readonly requestFrame: (run: () => void) => number;
  readonly cancelFrame: (handle: number) => void;
  readonly after: (delayMs: number, run: () => void) => number;
  readonly cancel: (handle: number) => void;
}

export interface FrameLoop {
  /** In the next frame, before anything is drawn. The same work queued twice runs once. */
  readonly publish: (work: () => void) => void;
  /** In the next frame, or in this one during publication. Returns the function that cancels it. */
  readonly draw: (work: () => void) => () => void;
}

/**
 * Frames stop in a hidden tab; a timer then keeps the listeners updated, so that titles remain right. Nothing is drawn.
 */
const HIDDEN_MS = 1_000;

export function createFrameLoop(time: FrameTime): FrameLoop {
  const notifying = new Set<() => void>();
  const drawing = new Set<() => void>();
  let frame: number | undefined;
  let timer: number | undefined;
  let isRunning = false;
  const publishAll = (): void => {
    if (timer !== undefined) time.cancel(timer);
    timer = undefined;
    const batch = [...notifying];
    notifying.clear();
    for (const work of batch) work();
  };
  const run = (): void => {
    frame = undefined;
    isRunning = true;
    try {
      publishAll();
      const batch = [...drawing];
      drawing.clear();
      for (const work of batch) work();
    } finally {
      // Work that throws must not stop the loop for other work.
      isRunning = false;
      wake();
    }
  };
  /** Requests during a frame are handled at its end. */
  const wake = (): void => {
    if (isRunning) return;
    if (notifying.size + drawing.size > 0) frame ??= time.requestFrame(run);
    if (notifying.size > 0) timer ??= time.after(HIDDEN_MS, publishAll);
  };
  return {
    publish: (work) => {
      notifying.add(work);
      wake();
    },
    draw: (work) => {
      const entry = () => work();
      drawing.add(entry);
      wake();
      return () => {
        drawing.delete(entry);
        if (notifying.size + drawing.size > 0 || frame === undefined) return;
        time.cancelFrame(frame);
        frame = undefined;
      };
    },
  };
}

/** The browser's own; work runs at once where there are no frames. */
export const frames: FrameLoop =
  typeof requestAnimationFrame === "function"
    ? createFrameLoop({
        requestFrame: (run) => requestAnimationFrame(run),
        cancelFrame: (handle) => cancelAnimationFrame(handle),
        after: (delayMs, run) => setTimeout(run, delayMs) as unknown as number,
        cancel: (handle) => clearTimeout(handle),
      })
    : {
        publish: (work) => work(),
        draw: (work) => {
          work();
          return () => {};
        },
      };
