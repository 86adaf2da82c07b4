// Walks the statements of the product's specification by number, in a real browser with few page loads. A statement
// that needs a site of its own or a longer story names the journey that shows it, also in a browser, by words of its
// title.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CALLS } from "./seed/calls.ts";
import { type Evidence, STAGES } from "./seed/evidence.ts";
import { INPUT } from "./seed/input.ts";
import { LIMITS } from "./seed/limits.ts";
import { ALL_PATHS, SCREENS } from "./seed/screens.ts";
import { STATES } from "./seed/state.ts";
import type { Statement } from "./seed/statement.ts";
import { joinSite, openBrowser, ROOT_FOLDER, type Site } from "./site.ts";

const STATEMENTS: readonly Statement[] = [...SCREENS, ...STATES, ...INPUT, ...CALLS, ...LIMITS];

let site: Pick<Site, "origin">;
let browser: Browser;
const evidence: Partial<Evidence> = {};
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite(), openBrowser()]);
});
// Each has the timeout of its own hook.
for (const stage of STAGES) {
  beforeAll(async () => {
    Object.assign(evidence, await stage(browser, site.origin, ALL_PATHS));
  });
}
afterAll(async () => {
  await browser?.close();
});

test("[SITE-1] every statement has its own number and one way to be verified", () => {
  expect(new Set(STATEMENTS.map(({ id }) => id)).size).toBe(STATEMENTS.length);
  expect(STATEMENTS.length).toBeGreaterThanOrEqual(131);
  expect(STATEMENTS.filter(({ seen, shown }) => (seen === undefined) === (shown === undefined))).toEqual([]);
});

test.each(STATEMENTS.filter(({ seen }) => seen !== undefined))("$id $says", ({ seen }) => {
  expect(seen?.(evidence as Evidence)).toBe(true);
});

test.each(STATEMENTS.filter(({ shown }) => shown !== undefined))("$id $says", ({ shown: [file, words] = ["", ""] }) => {
  const source = readFileSync(join(ROOT_FOLDER, file), "utf8");
  // A journey in a browser and nothing less: no rule's own test, no page requested by a program.
  expect(file).toMatch(/^e2e\/src\/[\w-]+\.test\.ts$/);
  expect(source, `${file} opens no browser`).toContain("openBrowser()");
  const titles = titlesOf(source).filter(({ title }) => title.includes(words));
  expect(titles.length, `${file}: not one test is about ${words}`).toBe(1);
  expect(titles[0]?.body, `${file}: ${words} is looked at by no page`).toMatch(/\bpage\b|[Pp]age\(/);
});

/** A test by its title, also one of a table, with what follows up to the next. */
const TITLE = /\b(?:test|it)(?:\.each\([\s\S]*?\]\s*(?:as const)?,?\s*\))?\(\s*(["`])((?:(?!\1)[\s\S])*)\1/g;

function titlesOf(source: string): readonly { readonly title: string; readonly body: string }[] {
  const found = [...source.matchAll(TITLE)];
  return found.map((match, at) => {
    const end = found[at + 1]?.index ?? source.length;
    return { title: match[2] ?? "", body: source.slice(match.index, end) };
  });
}
