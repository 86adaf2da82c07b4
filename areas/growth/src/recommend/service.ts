// Use case of recommendations: what this visitor may want to see next. Stores nothing.
import type { RecommendationList } from "./contract.ts";
import type { RecommendNeeds } from "./needs.ts";
import { choose } from "./rules.ts";

export class RecommendService {
  readonly #needs: RecommendNeeds;

  constructor(needs: RecommendNeeds) {
    this.#needs = needs;
  }

  async read(userId: number | undefined, timeMs: number): Promise<RecommendationList> {
    const [favourites, held, more] = await Promise.all([
      userId === undefined ? [] : this.#needs.readFavourites(userId),
      userId === undefined ? [] : this.#needs.listHeld(userId),
      Promise.all(this.#needs.sources.map((source) => source(userId, timeMs))),
    ]);
    const visitor = { isSignedIn: userId !== undefined, favourites, held };
    return { items: [...choose(visitor, this.#needs.readRanked(timeMs), more.flat())] };
  }
}
