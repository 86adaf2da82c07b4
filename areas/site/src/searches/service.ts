// Counts the targets of searches and returns the most frequent of recent days. Never stores what was typed.
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, formatDate } from "@clockwork/kit/time";
import type { FoundBody, HotList } from "./contract.ts";
import type { SearchNeeds } from "./needs.ts";
import type { SearchStore } from "./store.ts";

export const HOT_DAYS = 7;
export const HOT_MAX = 8;
const KEPT_DAYS = 30;

export class SearchService {
  readonly #store: SearchStore;
  readonly #needs: SearchNeeds;
  #sweptDay = "";

  constructor({ store, needs }: { store: SearchStore; needs: SearchNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async add(found: FoundBody, timeMs: number): Promise<Result<null, "SEARCH_UNKNOWN">> {
    if ((await this.#needs.nameOf(found, timeMs)) === undefined) return refused("SEARCH_UNKNOWN");
    const day = formatDate(timeMs);
    if (day !== this.#sweptDay) {
      this.#sweptDay = day;
      await this.#store.deleteBefore(formatDate(timeMs - KEPT_DAYS * DAY_MS));
    }
    await this.#store.count(day, found);
    return done(null);
  }

  async listHot(timeMs: number): Promise<HotList> {
    const from = formatDate(timeMs - (HOT_DAYS - 1) * DAY_MS);
    // Some more than shown: unpublished ones are left out.
    const rows = await this.#store.list(from, HOT_MAX * 2);
    const named = await Promise.all(
      rows.map(async ({ kind, key }) => {
        const thing = await this.#needs.nameOf({ kind, key }, timeMs);
        return thing === undefined ? [] : [{ kind, key, ...thing }];
      }),
    );
    return { searches: named.flat().slice(0, HOT_MAX) };
  }
}
