// A value outside React with listeners, called at most once per frame however often the value changes. Independent of
// its content and never copies it.

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

export function createStore<State>(initial: State, schedule: Scheduler = runNow): Store<State> {
  let state = initial;
  let answer = initial;
  const listeners = new Set<() => void>();
  const publish = () => {
    if (Object.is(answer, state)) return;
    answer = state;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => state,
    set: (next) => {
      if (Object.is(state, next)) return;
      state = next;
      schedule(publish);
    },
    subscribe: (listener) => {
      // A fresh function per call, so that a listener added twice is called twice and removed twice.
      const entry = () => listener();
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
  };
}
