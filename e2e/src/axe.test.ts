// SITE-20: the first half of the walk over every page, and the panels of the header.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findViolations } from "./axe-find.ts";
import { PARTS, walkPart } from "./page-walk.ts";
import { joinSite, newPage, openBrowser, type Site, visit, waitAwake } from "./site.ts";

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
for (let part = 1; part <= PARTS / 2; part++) {
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

for (const theme of ["light", "dark"] as const) {
  test(`[SITE-20] axe finds nothing in the header's panels, ${theme}`, async () => {
    const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
    await context.addCookies([{ name: "theme", value: theme, url: site.origin }]);
    await visit(page, site.origin);
    const more = page.getByRole("button", { name: "More" });
    await waitAwake(more);
    const isOpen = async () => (await more.getAttribute("aria-expanded")) === "true";
    await more.hover();
    await expect.poll(isOpen).toBe(true);
    // What the pointer has opened a press keeps, and the next one closes.
    const pressed: boolean[] = [];
    for (let press = 0; press < 3; press++) {
      await more.click();
      pressed.push(await isOpen());
    }
    expect(pressed).toEqual([true, false, true]);
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /language and currency/ }).click();
    await page.getByRole("dialog").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    // An open dialog keeps the keys to itself.
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.getByRole("combobox").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await context.close();
  });
}
