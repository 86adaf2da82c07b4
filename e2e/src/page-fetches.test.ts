// The untouched page's fetches, to the last script: parts that hydrate after the first paint count too.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { joinSite, newPage, openBrowser, type Site, visit } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite("living"), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

const readScripts = (page: Page) =>
  page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ name }) => /\/assets\/[^/]+\.js$/.test(name))
      .map(({ name, encodedBodySize }) => ({ name: name.replace(/.*\//, ""), bytes: encodedBodySize })),
  );

/** Until nothing more has come in several readings, each after the browser had nothing else to do. */
async function readAll(page: Page) {
  let scripts = await readScripts(page);
  for (let calm = 0; calm < 3; ) {
    await page.evaluate(() => new Promise((done) => setTimeout(() => requestIdleCallback(done), 1_000)));
    const now = await readScripts(page);
    calm = now.length === scripts.length ? calm + 1 : 0;
    scripts = now;
  }
  return scripts;
}

/** Compressed with brotli, as every browser takes it. */
test.each([
  ["/", 175_000, 25],
  ["/spot/BTC_USDT", 326_000, 40],
  ["/futures/BTC_USDT", 380_000, 48],
] as const)(
  "[HOUSE-5] %s untouched fetches scripts of %i bytes in %i files at most",
  async (path, bytesMax, filesMax) => {
    const { context, page } = await newPage(browser);
    await visit(page, site.origin + path);
    if (path !== "/")
      await page.waitForFunction(() =>
        performance.getEntriesByType("resource").some(({ name }) => name.includes("chart-engine")),
      );
    const scripts = await readAll(page);
    const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
    const listed = scripts.map((script) => `${script.bytes} ${script.name}`).join("\n");
    expect(bytes, listed).toBeGreaterThan(50_000);
    expect(bytes, listed).toBeLessThanOrEqual(bytesMax);
    expect(scripts.length, listed).toBeLessThanOrEqual(filesMax);
    await context.close();
  },
);
