// The one clock, as everything that knows about time sees it: services, jobs, timers and the sequencer. Owns the words
// only; the server brings the clock. Time may leap forward (a test, a machine that slept) and never goes back.

export interface ClockJump {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Clock {
  /** Milliseconds since 1970; never less than before. Stands alone, so that it can be handed on. */
  readonly now: () => number;
  /** Runs once when that time has come, soon if it has already. The answer calls it off. */
  at(timeMs: number, run: () => void): () => void;
  /** Runs again and again; a leap over many turns is one turn. The answer ends it. */
  every(everyMs: number, run: () => void): () => void;
  /** Told after time leapt. The answer ends it. */
  onJump(listener: (jump: ClockJump) => void): () => void;
}
