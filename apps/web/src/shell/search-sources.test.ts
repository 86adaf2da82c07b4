// What the header's search finds among the pages.
import { expect, test } from "vitest";
import { findPages } from "./search-sources.ts";

const paths = (query: string) => findPages(query).map(({ path }) => path);

test("[SITE-14] pages of one's own account are found by their names, steps and consoles are not", () => {
  expect(paths("withdraw")[0]).toBe("/wallet/withdraw");
  expect(paths("statement")).toContain("/wallet/statements");
  expect(paths("security")[0]).toBe("/security");
  const all = paths("");
  expect(all.length).toBeGreaterThan(50);
  expect(all.filter((path) => /^\/operator|^\/login-cw|^\/operation|[:*]/.test(path))).toEqual([]);
});
