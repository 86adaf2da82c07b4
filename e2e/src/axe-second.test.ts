// SITE-20: the second half of the walk over every page.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PARTS, walkPart } from "./page-walk.ts";
import { joinSite, openBrowser, type Site } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

let pages = 0;
let repainted = 0;
for (let part = PARTS / 2 + 1; part <= PARTS; part++) {
  test(`[SITE-1] [SITE-16] [SITE-20] every page hydrates silently, is clean for axe, light and dark, and fits from 360 px, part ${part} of ${PARTS}`, async () => {
    const walked = await walkPart(browser, site.origin, part);
    expect(walked.troubles).toEqual([]);
    pages += walked.pages;
    repainted += walked.repainted;
  });
}

test("[SITE-20] most pages were checked in both themes", () => {
  expect(repainted).toBeGreaterThan(pages / 2);
});
