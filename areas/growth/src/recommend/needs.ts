// The ports of recommendations: the market's ranking, and a user's holdings.
import type { Recommendation } from "./contract.ts";

export interface Ranked {
  readonly rise: readonly string[];
  readonly turnover: readonly string[];
  readonly newest: readonly string[];
}

export interface RecommendNeeds {
  readRanked(timeMs: number): Ranked;
  readFavourites(userId: number): Promise<readonly string[]>;
  /** Coins of which the user has something, the most valuable first. */
  listHeld(userId: number): Promise<readonly string[]>;
  /** Of products that exist: leaders to follow, offers; each product adds its own source. */
  readonly sources: readonly ((userId: number | undefined, timeMs: number) => Promise<readonly Recommendation[]>)[];
}
