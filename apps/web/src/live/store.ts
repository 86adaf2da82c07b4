// A value outside React with listeners, told at most once per frame however often the value changes.
// Knows nothing of what it holds and never copies it.

export interface ReadableStore<State> {
  get(): State;
  subscribe(listener: () => void): () => void;
}

export interface Store<State> extends ReadableStore<State> {
  set(next: State): void;
}

/** Runs the work later, or at once; the same work scheduled twice before it ran runs once. */
export type Scheduler = (work: () => void) => void;

export const runNow: Scheduler = (work) => work();

/** Collects the work of all stores and runs it together in the next frame. */
export function createFrameScheduler(requestFrame: (run: () => void) => void): Scheduler {
  const pending = new Set<() => void>();
  return (work) => {
    if (pending.size === 0) {
      requestFrame(() => {
        const batch = [...pending];
        pending.clear();
        for (const run of batch) run();
      });
    }
    pending.add(work);
  };
}

const HIDDEN_MS = 1_000;

/** The browser's frames. They stop in a hidden tab; a timer then keeps the listeners told, so that titles stay right. */
export function createBrowserScheduler(): Scheduler {
  if (typeof requestAnimationFrame !== "function") return runNow;
  return createFrameScheduler((run) => {
    const once = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      run();
    };
    const frame = requestAnimationFrame(once);
    const timer = setTimeout(once, HIDDEN_MS);
  });
}

export function createStore<State>(initial: State, schedule: Scheduler = runNow): Store<State> {
  let state = initial;
  let told = initial;
  const listeners = new Set<() => void>();
  const tell = () => {
    if (Object.is(told, state)) return;
    told = state;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => state,
    set: (next) => {
      if (Object.is(state, next)) return;
      state = next;
      schedule(tell);
    },
    subscribe: (listener) => {
      // A fresh function per call, so that one listener given twice is told twice and released twice.
      const entry = () => listener();
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
  };
}
