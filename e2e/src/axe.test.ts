// SITE-20: axe finds nothing on any page, light and dark, wide and narrow, nor in the panels of the header.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findViolations } from "./axe-find.ts";
import { listKinds } from "./routes-list.ts";
import { newPage, openBrowser, type Site, startSite, visit, waitAwake } from "./site.ts";

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

const SIZES = {
  wide: { width: 1440, height: 900 },
  narrow: { width: 390, height: 844 },
} as const;

for (const theme of ["light", "dark"] as const) {
  test(`[SITE-20] axe finds nothing on any page, ${theme}, wide and narrow`, async () => {
    const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
    await context.addCookies([{ name: "theme", value: theme, url: site.origin }]);
    for (const path of [...(await listKinds(site.origin)), "/no-such-page"]) {
      await page.setViewportSize(SIZES.wide);
      await visit(page, site.origin + path);
      for (const [name, size] of Object.entries(SIZES)) {
        await page.setViewportSize(size);
        expect(await findViolations(page, theme === "dark"), `${path}, ${name}`).toEqual([]);
      }
    }
    await context.close();
  });

  test(`[SITE-20] axe finds nothing in the header's panels, ${theme}`, async () => {
    const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
    await context.addCookies([{ name: "theme", value: theme, url: site.origin }]);
    await visit(page, site.origin);
    const more = page.getByRole("button", { name: "More" });
    await waitAwake(more);
    await more.click();
    expect(await more.getAttribute("aria-expanded")).toBe("true");
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /language and currency/ }).click();
    await page.getByRole("dialog").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.getByRole("combobox").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await context.close();
  });
}
