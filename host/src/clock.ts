// The one clock, as all time-dependent code sees it: services, jobs, timers and the sequencer. Declarations only; the
// server provides the clock. Time may jump forward (a test, a machine that slept) and never goes back.

export interface ClockJump {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Clock {
  /** Milliseconds since 1970; never less than before. Unbound, so that it can be passed on. */
  readonly now: () => number;
  /** Runs once when that time has come, soon if it has already. The answer calls it off. */
  at(timeMs: number, run: () => void): () => void;
  /** Runs again and again; a leap over many turns is one turn. The answer ends it. */
  every(everyMs: number, run: () => void): () => void;
  /** Called after a jump. The returned function unsubscribes. */
  onJump(listener: (jump: ClockJump) => void): () => void;
}
