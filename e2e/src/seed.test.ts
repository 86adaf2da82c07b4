// Walks the statements of the product's specification by number, in a real browser with few page loads. What no browser can
// show from outside names the test that shows it, by words of its title.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CALLS } from "./seed-calls.ts";
import { type Evidence, gather } from "./seed-evidence.ts";
import { ALL_PATHS, SCREENS } from "./seed-screens.ts";
import { STATES } from "./seed-state.ts";
import type { Statement } from "./seed-statement.ts";
import { joinSite, openBrowser, ROOT_FOLDER, type Site } from "./site.ts";

const STATEMENTS: readonly Statement[] = [...SCREENS, ...STATES, ...CALLS];

let site: Pick<Site, "origin">;
let browser: Browser;
let evidence: Evidence;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite(), openBrowser()]);
  evidence = await gather(browser, site.origin, ALL_PATHS);
});
afterAll(async () => {
  await browser?.close();
});

test("[SITE-1] every statement has a number of its own and one way to be held", () => {
  expect(new Set(STATEMENTS.map(({ id }) => id)).size).toBe(STATEMENTS.length);
  expect(STATEMENTS.length).toBeGreaterThanOrEqual(131);
  expect(STATEMENTS.filter(({ seen, shown }) => (seen === undefined) === (shown === undefined))).toEqual([]);
});

test.each(STATEMENTS.filter(({ seen }) => seen !== undefined))("$id $says", ({ seen }) => {
  expect(seen?.(evidence)).toBe(true);
});

test.each(STATEMENTS.filter(({ shown }) => shown !== undefined))("$id $says", ({ shown: [file, words] = ["", ""] }) => {
  const titles = titlesOf(readFileSync(join(ROOT_FOLDER, file), "utf8"));
  expect(titles.filter((title) => title.includes(words)).length, `${file}: no test is about ${words}`).toBeGreaterThan(
    0,
  );
});

/** A test by its title, also one of a table. */
const TITLE = /\b(?:test|it|describe)(?:\.each\([\s\S]*?\]\s*(?:as const)?,?\s*\))?\(\s*(["`])((?:(?!\1)[\s\S])*)\1/g;

function titlesOf(source: string): readonly string[] {
  return [...source.matchAll(TITLE)].map(([, , title = ""]) => title);
}
