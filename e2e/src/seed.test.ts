// Walks the statements of the product's specification by number, in a real browser with few page loads. Each holds, or
// its line says which product it waits for; a product whose page has come has tests that name its requirement.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CALLS } from "./seed-calls.ts";
import { type Evidence, gather } from "./seed-evidence.ts";
import { ALL_PATHS, SCREENS } from "./seed-screens.ts";
import { STATES } from "./seed-state.ts";
import { isPage, type Statement } from "./seed-statement.ts";
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
});

test.each(STATEMENTS.filter(({ seen }) => seen !== undefined))("$id $says", ({ seen }) => {
  expect(seen?.(evidence)).toBe(true);
});

test.each(STATEMENTS.filter(({ shown }) => shown !== undefined))("$id $says", ({ shown: [file, words] = ["", ""] }) => {
  const path = join(ROOT_FOLDER, file);
  expect(existsSync(path), file).toBe(true);
  expect(readFileSync(path, "utf8").includes(words), `${file} says nothing of ${words}`).toBe(true);
});

test.each(STATEMENTS.filter(({ product }) => product !== undefined))("$id $says", ({ product, id }) => {
  const [name, path, rule] = product ?? ["", "", ""];
  if (isPage(evidence, path))
    expect(titles().includes(`[${rule}]`), `${name} has come; no test names ${rule}`).toBe(true);
  else console.info(`${id} waits for ${name}`);
});

let text: string | undefined;
/** Every test there is, read once. */
function titles(): string {
  text ??= globSync("{kit,core,domains,apps/server,apps/web,sim}/src/**/*.test.ts", { cwd: ROOT_FOLDER })
    .map((path) => readFileSync(join(ROOT_FOLDER, path), "utf8"))
    .join("\n");
  return text;
}
