// The spot terminal in a real browser with the simulated market: whole without a script, alive with one, operable by
// keyboard, and honest about a lost connection.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findViolations } from "./axe-find.ts";
import { newPage, openBrowser, type Site, startSite, visit } from "./site.ts";

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ CW_MARKET: "on" }), openBrowser()]);
  // The first seconds of a new exchange have no trade and no history yet.
  for (const path of ["trades?pairCode=BTC_USDT", "candles?pairCode=BTC_USDT&interval=15m&limit=50"]) {
    while ((await readData(path)).length < 10) await new Promise((done) => setTimeout(done, 250));
  }
}, 90_000);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

async function readData(path: string): Promise<readonly unknown[]> {
  const answer = await fetch(`${site.origin}/api/v1/spot/${path}`);
  return ((await answer.json()) as { data: readonly unknown[] }).data;
}

const rowsOf = (page: Page, side: "bids" | "asks") => page.locator(`[data-book="${side}"] [data-row]`);

/** Everything the book shows, as one text. */
function readBook(page: Page): Promise<string> {
  return page.locator(".book-body").innerText();
}

test("[SPOT-1] [SPOT-4] the page is whole without a script: prices, both sides, trades and candles", async () => {
  const { context, page } = await newPage(browser, { javaScriptEnabled: false });
  const answer = await page.goto(`${site.origin}/spot/BTC_USDT`);
  expect(answer?.status()).toBe(200);
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  expect(await page.locator("footer").count()).toBe(0);
  expect(await page.locator('[data-fact="last"]').innerText()).toMatch(/^\d[\d,]*\.\d$/);
  for (const side of ["bids", "asks"] as const) {
    expect(await rowsOf(page, side).first().innerText()).toMatch(/\d[\d,.]*\s+\d[\d,.]*\s+\d[\d,.]*/);
  }
  expect(await page.locator(".tape-row").count()).toBeGreaterThan(5);
  expect(await page.locator(".chart-still path").count()).toBe(4);
  await context.close();
});

test("[SPOT-1] an unknown pair is no page, and the bare address goes to the pair last used", async () => {
  for (const path of ["/spot/NOPE_USDT", "/spot/btc", "/spot/BTC_USDT/more"]) {
    expect((await fetch(site.origin + path)).status, path).toBe(404);
  }
  const bare = (cookie: string) => fetch(`${site.origin}/spot`, { redirect: "manual", headers: { cookie } });
  expect((await bare("cw_spot_pair=ETH_USDT")).headers.get("location")).toBe("/spot/ETH_USDT");
  expect((await bare("cw_spot_pair=NOPE_USDT")).headers.get("location")).toBe("/spot/BTC_USDT");
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/en_US/spot/SOL_USDT`);
  await visit(page, `${site.origin}/en_US/spot`);
  expect(new URL(page.url()).pathname).toBe("/en_US/spot/SOL_USDT");
  await context.close();
});

test("[SPOT-4] the book lives, a pressed level reaches the form, and nothing warns", async () => {
  const { context, page, watch } = await newPage(browser);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await page.locator('[data-chart="shown"]').waitFor();
  const before = await readBook(page);
  await expect.poll(() => readBook(page), { timeout: 20_000 }).not.toBe(before);
  const level = rowsOf(page, "asks").nth(2);
  const price = (await level.locator('[data-cell="price"]').innerText()).replaceAll(",", "");
  await level.click();
  // The book moves between reading and pressing; the level pressed is close to the one read.
  const typed = (await page.locator("[data-order-form] input").first().inputValue()).replaceAll(",", "");
  expect(Math.abs(Number(typed) / Number(price) - 1)).toBeLessThan(0.001);
  expect(watch.troubles).toEqual([]);
  await context.close();
});

test("[SPOT-4] the book is read and taken by keyboard", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await page.locator('[data-connection="live"]').waitFor();
  await page.locator('[data-book="bids"]').focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.locator('[data-book="bids"] [aria-selected="true"]').waitFor();
  expect(await page.locator(".book-tip").isVisible()).toBe(true);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.book)).toBe("asks");
  await page.keyboard.press("Escape");
  await page.locator(".book-tip").waitFor({ state: "hidden" });
  await context.close();
});

test("[SPOT-4] another pair is chosen by keyboard alone, and the keyboard stays where it was", async () => {
  const { context, page, watch } = await newPage(browser);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await page.locator('[data-connection="live"]').waitFor();
  await page.keyboard.press("p");
  const drawer = page.getByRole("dialog", { name: "Pairs" });
  await drawer.getByRole("combobox").waitFor();
  await page.keyboard.type("ethusdt");
  await drawer.getByRole("option", { name: /ETH/ }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/spot/ETH_USDT");
  await page.getByRole("button", { name: /now ETH\/USDT/ }).waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? ""))
    .toContain("ETH/USDT");
  const price = Number((await page.locator('[data-fact="last"]').innerText()).replaceAll(",", ""));
  expect(price).toBeLessThan(20_000);
  expect(watch.troubles).toEqual([]);
  await context.close();
});

test("[SPOT-4] a layout made by keyboard is there again after a reload, painted by the server", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  const border = page.getByRole("separator", { name: "Width of the left column" });
  await border.focus();
  for (let count = 0; count < 5; count += 1) await page.keyboard.press("ArrowRight");
  const panel = page.locator('[data-panel="book"]');
  expect((await panel.boundingBox())?.width).toBe(312);
  await page.getByRole("button", { name: "Layout" }).click();
  await page.getByRole("dialog", { name: "Layout" }).getByRole("checkbox", { name: "Orders" }).uncheck();
  expect(await page.locator('[data-panel="orders"]').count()).toBe(0);
  const served = await (await context.request.get(page.url())).text();
  expect(served).toContain("--left:312px");
  expect(served).not.toContain('data-panel="orders"');
  await page.reload();
  expect((await panel.boundingBox())?.width).toBe(312);
  await page.getByRole("button", { name: "Layout" }).click();
  await page.getByRole("button", { name: "Reset layout" }).click();
  expect((await panel.boundingBox())?.width).toBe(272);
  await context.close();
});

/** How many pixels of the chart are plainly green, and how many red. */
function countPixels(page: Page): Promise<{ green: number; red: number }> {
  return page.evaluate(() => {
    const counts = { green: 0, red: 0 };
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>(".chart-canvas canvas")) {
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      for (let at = 0; at < pixels.length; at += 4) {
        if (pixels[at + 3] !== 255) continue;
        if (pixels[at] === 0x2e && pixels[at + 1] === 0xbd) counts.green += 1;
        if (pixels[at] === 0xf6 && pixels[at + 1] === 0x46) counts.red += 1;
      }
    }
    return counts;
  });
}

test("[SITE-6] [SITE-19] the chart takes the up and down colours, and trades and clock the time zone", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await page.locator('[data-chart="shown"]').waitFor();
  const before = await countPixels(page);
  await page.evaluate(() => {
    document.documentElement.dataset.updown = "red-up";
  });
  // Every candle but the one being made changes its colour, so the counts change places.
  await expect
    .poll(async () => Math.abs((await countPixels(page)).red / before.green - 1), { timeout: 10_000 })
    .toBeLessThan(0.1);
  await page.getByRole("tab", { name: "Trades" }).click();
  const hourOf = async () => Number((await page.locator(".tape-row span:last-child").first().innerText()).slice(0, 2));
  const utc = await hourOf();
  await page.getByRole("button", { name: /Time zone/ }).click();
  await page.getByRole("menuitemradio", { name: "UTC+8" }).click();
  await expect.poll(hourOf).toBe((utc + 8) % 24);
  await context.close();
});

test("[NET-5] [SPOT-4] a lost connection dims the numbers and says so; they come back by themselves", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await page.locator('[data-connection="live"]').waitFor();
  // Parts that are still on their way would fail to load, which is another rule's business (SITE-12).
  await page.locator('[data-chart="shown"]').waitFor();
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await page.getByText("Prices may be behind").waitFor();
  expect(await page.locator(".terminal").getAttribute("data-stale")).not.toBeNull();
  await context.setOffline(false);
  await page.getByText("Prices may be behind").waitFor({ state: "detached" });
  const before = await readBook(page);
  await expect.poll(() => readBook(page), { timeout: 20_000 }).not.toBe(before);
  await context.close();
});

for (const theme of ["light", "dark"] as const) {
  test(`[SITE-20] [SITE-16] axe finds nothing on the terminal and it fits the screen, ${theme}`, async () => {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const { context, page, watch } = await newPage(browser, { viewport, reducedMotion: "reduce" });
      await context.addCookies([{ name: "theme", value: theme, url: site.origin }]);
      await visit(page, `${site.origin}/spot/BTC_USDT`);
      await page.locator('[data-chart="shown"]').waitFor();
      expect(await findViolations(page), `${viewport.width}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
      expect(watch.troubles).toEqual([]);
      await context.close();
    }
  });
}
