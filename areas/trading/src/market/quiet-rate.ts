// When the simulated market may write a fraction of its orders and prices: no visitor watches, and no user's position
// depends on them. It trades as much and moves as far.

/** How long the answer of the tables is used. */
export const POSITIONS_MS = 60_000;

export interface QuietNeeds {
  readonly speed: number;
  readonly isVisited: () => boolean;
  /** Whether a user has an open position. */
  readonly hasPositions: () => Promise<boolean>;
  readonly nowMs: () => number;
}

/** Whether the next tick is a quiet one. */
export function openQuietRate({ speed, isVisited, hasPositions, nowMs }: QuietNeeds): () => Promise<boolean> {
  let readMs = Number.NEGATIVE_INFINITY;
  let areOpen = true;
  return async () => {
    if (speed !== 1 || isVisited()) return false;
    if (nowMs() - readMs >= POSITIONS_MS) {
      readMs = nowMs();
      // An unavailable database leaves the market as it was.
      areOpen = await hasPositions().catch(() => areOpen);
    }
    return !areOpen;
  };
}
