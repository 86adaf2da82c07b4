// Counts what searches led to and tells what is looked for most these days. Never keeps what somebody typed.
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, formatDate } from "@clockwork/kit/time";
import type { FoundBody, HotList } from "./api.ts";
import type { SearchNeeds } from "./needs.ts";
import type { SearchStore } from "./store.ts";

export interface SearchService {
  add(found: FoundBody, timeMs: number): Promise<Result<null, "SEARCH_UNKNOWN">>;
  listHot(timeMs: number): Promise<HotList>;
}

export const HOT_DAYS = 7;
export const HOT_MAX = 8;
const KEPT_DAYS = 30;

export function searchService({ store, needs }: { store: SearchStore; needs: SearchNeeds }): SearchService {
  let sweptDay = "";
  return {
    async add(found, timeMs) {
      if ((await needs.nameOf(found, timeMs)) === undefined) return refused("SEARCH_UNKNOWN");
      const day = formatDate(timeMs);
      if (day !== sweptDay) {
        sweptDay = day;
        await store.deleteBefore(formatDate(timeMs - KEPT_DAYS * DAY_MS));
      }
      await store.count(day, found);
      return done(null);
    },
    async listHot(timeMs) {
      const from = formatDate(timeMs - (HOT_DAYS - 1) * DAY_MS);
      // Some more than shown: what has been taken down since is left out.
      const rows = await store.list(from, HOT_MAX * 2);
      const named = await Promise.all(
        rows.map(async ({ kind, key }) => {
          const thing = await needs.nameOf({ kind, key }, timeMs);
          return thing === undefined ? [] : [{ kind, key, ...thing }];
        }),
      );
      return { searches: named.flat().slice(0, HOT_MAX) };
    },
  };
}
