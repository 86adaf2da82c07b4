// The one clock, as all time-dependent code sees it: services, jobs, timers and the sequencer. Declarations only; the
// server provides the clock. Time may jump forward (a test, a machine that slept) and never goes back.

export interface ClockJump {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Clock {
  /** Milliseconds since 1970; never less than before. Unbound, so that it can be passed on. */
  readonly now: () => number;
  /** Runs once at that time, or soon if it has passed. The returned function cancels it. */
  at(timeMs: number, run: () => void): () => void;
  /** Runs repeatedly; a jump over many turns is one turn. The returned function stops it. */
  every(everyMs: number, run: () => void): () => void;
  /** Called after a jump. The returned function unsubscribes. */
  onJump(listener: (jump: ClockJump) => void): () => void;
}
