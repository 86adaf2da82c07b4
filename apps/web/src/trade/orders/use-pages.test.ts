// A list for export is whole: page after page, or not at all.
import { expect, test } from "vitest";
import { fetchAll } from "./use-pages.ts";

const PAGES: Readonly<Record<string, { rows: readonly number[]; next: string | null }>> = {
  first: { rows: [1, 2], next: "2-0" },
  "2-0": { rows: [3, 4], next: "4-0" },
  "4-0": { rows: [5], next: null },
};

test("[SPOT-4] every page of the filter is fetched, in order, with the filter on each", async () => {
  const requested: unknown[] = [];
  const rows = await fetchAll(
    async (query) => {
      requested.push(query);
      return PAGES[String(query.before ?? "first")];
    },
    { side: "buy", limit: 200 },
  );
  expect(rows).toEqual([1, 2, 3, 4, 5]);
  expect(requested).toEqual([
    { side: "buy", limit: 200 },
    { side: "buy", limit: 200, before: "2-0" },
    { side: "buy", limit: 200, before: "4-0" },
  ]);
});

test("[SPOT-4] a page that does not come leaves nothing: half a list would look whole", async () => {
  let count = 0;
  const rows = await fetchAll(
    async () => {
      count += 1;
      return count === 1 ? PAGES.first : undefined;
    },
    { limit: 200 },
  );
  expect(rows).toBeUndefined();
});
