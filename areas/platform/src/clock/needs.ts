// The ports of moving the clock.

export interface ClockNeeds {
  readonly now: () => number;
  read(): { readonly aheadMs: number; readonly wallDriftMs: number };
  advance(byMs: number): void;
  /** Resolves when the journal holds the time as it is now. */
  journal(): Promise<void>;
}
