import { expect, test } from "vitest";
import { pageAfter } from "./record-service.ts";

interface Ranked {
  readonly name: string;
  readonly rank: bigint;
}

const list = (...rows: readonly (readonly [string, number])[]): Ranked[] =>
  rows.map(([name, rank]) => ({ name, rank: BigInt(rank) }));
const rankOf = ({ rank }: Ranked): bigint => rank;

function walk(rowsAt: (page: number) => readonly Ranked[], limit: number): string[] {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 20; page++) {
    const { rows, nextCursor } = pageAfter(rowsAt(page), rankOf, cursor, limit);
    seen.push(...rows.map(({ name }) => name));
    if (nextCursor === null) return seen;
    cursor = nextCursor;
  }
  throw new Error("the cursor goes round");
}

test("[COPY-1] a cursor visits every row once, for any page size and any number of rows per rank", () => {
  const rows = list(["a", 9], ["b", 9], ["c", 9], ["d", 0], ["e", 0], ["f", -3], ["g", -3], ["h", -3]);
  for (const limit of [1, 2, 3, 5, 8, 50]) expect(walk(() => rows, limit)).toEqual([..."abcdefgh"]);
});

test("[COPY-1] the last row of a page may leave or move: the following ones are neither repeated nor left out", () => {
  const first = list(["a", 9], ["b", 7], ["c", 5], ["d", 3]);
  const gone = list(["a", 9], ["c", 5], ["d", 3]);
  expect(walk((page) => (page === 0 ? first : gone), 2)).toEqual(["a", "b", "c", "d"]);
  const risen = list(["c", 11], ["a", 9], ["b", 7], ["d", 3]);
  expect(walk((page) => (page === 0 ? first : risen), 2)).toEqual(["a", "b", "d"]);
});

test("[COPY-1] a cursor behind the last row returns nothing more", () => {
  expect(pageAfter(list(["a", 9]), rankOf, "-100.4", 5)).toEqual({ rows: [], nextCursor: null });
  expect(pageAfter([], rankOf, undefined, 5)).toEqual({ rows: [], nextCursor: null });
});
