// GRID-1 as a user does it: a grid drawn and dragged on the create page's chart and on the terminal's, an infinity grid
// created with test money, seen on its own page, cloned, and stopped; a basket that is kept at its weights. One site,
// on a living market.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter, mintAccount } from "./auth-steps.ts";
import { joinSite, newPage, openBrowser, type Site, visit, waitAwake } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite("living"), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

/** Test money, and the identity level of strategies. */
async function giveMoney(page: Page): Promise<void> {
  const call = (path: string, body: object): Promise<number> =>
    page.evaluate(
      async ([address, sent]) => {
        const headers = { "content-type": "application/json" };
        return (await fetch(address as string, { method: "POST", headers, body: sent as string })).status;
      },
      [path, JSON.stringify(body)] as const,
    );
  expect(await call("/dev/identity", { level: 1 })).toBe(200);
  expect(await call("/dev/faucet", { asset: "USDT", amount: "5000" })).toBe(200);
}

test("[GRID-1] a newcomer draws a grid over the terminal's chart, drags its edge, makes an infinity grid and stops it", async () => {
  const { context, page } = await newPage(browser);
  await enter(page, site.origin, mintAccount());
  await giveMoney(page);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  const tab = page.getByRole("tab", { name: "Grid bots" });
  await waitAwake(tab);
  await tab.click();
  await page.getByRole("button", { name: "Set the grid on the chart" }).click();
  const upper = page.getByLabel("Upper price", { exact: true });
  await upper.waitFor();
  const before = await upper.inputValue();
  // The upper edge's label is at the chart's left, at the top while the edge is outside the view.
  const canvas = page.locator("[data-chart=shown]");
  await canvas.waitFor();
  const box = await canvas.boundingBox();
  if (box === null) throw new Error("the chart has no place");
  // The label is drawn some frames after the field has its value: a miss is retried.
  const dragEdge = async () => {
    for (let y = 8; y < box.height / 2 && (await upper.inputValue()) === before; y += 6) {
      await page.mouse.move(box.x + 60, box.y + y);
      await page.mouse.down();
      await page.mouse.move(box.x + 60, box.y + y + 24, { steps: 3 });
      await page.mouse.up();
    }
    return upper.inputValue();
  };
  await expect.poll(dragEdge).not.toBe(before);
  await page.getByRole("button", { name: "Hide grid lines" }).click();
  await visit(page, `${site.origin}/grid/spot?pair=BTC_USDT`);
  const infinity = page.getByRole("radio", { name: "Infinity" });
  await waitAwake(infinity);
  await infinity.click();
  await page.getByText("No upper price").waitFor();
  const share = page.getByRole("slider", { name: "Share of available balance" });
  await waitAwake(share);
  await share.focus();
  await page.keyboard.press("End");
  await expect.poll(() => page.getByLabel("Investment", { exact: true }).inputValue()).toBe("5000.00");
  await page.getByLabel("Investment", { exact: true }).fill("1000");
  await page.getByLabel("Grids below price").fill("8");
  await page.getByText("I accept the strategy agreement").click();
  await page.getByRole("button", { name: "Create grid" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "OK" }).click();
  await page.waitForURL(/\/grid\/bot\/[0-9]+/);
  await page.getByText("∞").first().waitFor();
  await page.getByRole("button", { name: "CSV" }).waitFor();
  await page.getByRole("button", { name: "Copy settings" }).click();
  await page.getByText("Copies the parameters only").waitFor();
  const original = page.url();
  await page.getByLabel("Investment", { exact: true }).fill("1500");
  // The clone's order quantity is shown before it is created.
  const quantity = page.getByRole("dialog").getByRole("definition").first();
  await expect.poll(() => quantity.textContent()).toMatch(/^0\.[0-9]+ BTC$/);
  await page.getByRole("button", { name: "Use" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "OK" }).click();
  // The clone is a separate bot, on its own page.
  await page.waitForURL((url) => /\/grid\/bot\/[0-9]+/.test(url.pathname) && url.href !== original);
  await page.getByText("1,500 USDT").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Sell the coins" }).click();
  await page.getByText("Closed: stopped by user").first().waitFor();
  await context.close();
});

test("[GRID-1] a newcomer weighs a basket, sees errors next to it, creates it, sees its rounds and sells it", async () => {
  const { context, page } = await newPage(browser);
  await enter(page, site.origin, mintAccount());
  await giveMoney(page);
  await visit(page, `${site.origin}/grid/rebalance`);
  const weight = page.getByLabel("Weight of ETH");
  await waitAwake(weight);
  await page.getByText("5,000.00 USDT available").waitFor();
  const create = page.getByRole("button", { name: "Create bot" });
  await weight.fill("40");
  await page.getByText("Each weight must be at least 1%, and weights must total 100%.").waitFor();
  await page.getByText("I accept the strategy agreement").click();
  await expect.poll(() => create.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Split evenly" }).click();
  await page.getByLabel("Threshold").fill("25");
  await page.getByText("Choose a threshold of 1% to 20%.").waitFor();
  await page.getByLabel("Threshold").fill("3");
  await page.getByLabel("Investment").fill("5001");
  await page.getByText("Reserved for fees, 1%").waitFor();
  await page.getByRole("button", { name: "Run back-test" }).click();
  // A young market has few candles; either is an answer.
  await page.getByText(/Holding the same coins|Not enough common price history/).waitFor();
  await create.click();
  // The server's message is next to its field.
  await page.getByText("Insufficient balance in the source account.").waitFor();
  await page.getByLabel("Investment").fill("1000");
  await create.click();
  await page.waitForURL(/\/grid\/basket\/[0-9]+/);
  const address = page.url();
  await page.getByText("Initial purchase").waitFor();
  await page.getByRole("heading", { name: "BTC 50 · ETH 50" }).waitFor();
  await page.getByRole("button", { name: "Copy settings" }).waitFor();
  await visit(page, `${site.origin}/grid/bots`);
  await page.getByRole("link", { name: "BTC 50 · ETH 50" }).waitFor();
  await visit(page, address);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Sell the coins" }).click();
  await page.getByText("Returned").waitFor();
  await page.getByText("Sold").first().waitFor();
  await context.close();
});

test("[GRID-1] a visitor draws a grid: lines follow the edges, the back-test follows the lines", async () => {
  const { context, page } = await newPage(browser);
  const edge = page.getByRole("slider", { name: /Upper edge/ });
  // A young market has no suggestion yet, and without it nothing is drawn.
  const open = async (): Promise<number> => {
    await visit(page, `${site.origin}/grid/spot?pair=BTC_USDT`);
    return edge.count();
  };
  await expect.poll(open, { timeout: 150_000, interval: 3_000 }).toBe(1);
  await waitAwake(edge);
  const upper = page.getByLabel("Upper price", { exact: true });
  const before = await upper.inputValue();
  await edge.focus();
  await page.keyboard.press("Shift+ArrowUp");
  await expect.poll(() => upper.inputValue()).not.toBe(before);
  await page.getByLabel("Grids").fill("12");
  await expect.poll(() => page.locator("svg line.stroke-up, svg line.stroke-down").count()).toBeGreaterThan(10);
  await page.getByText("Max drawdown").first().waitFor();
  await page
    .getByText(/^(buy|sell) [0-9.]+$/)
    .first()
    .waitFor();
  await page.getByText("Calculation method").click();
  await page.getByText("Past performance does not guarantee").first().waitFor();
  await page.getByRole("link", { name: "Log in to create a grid" }).waitFor();
  await visit(page, `${site.origin}/grid`);
  await page.getByRole("heading", { name: "Grid ranking" }).waitFor();
  const search = page.getByLabel("Pair", { exact: true });
  await waitAwake(search);
  await search.fill("nothing");
  await page.getByText(/No bot(s match|s? qualif)/).waitFor();
  await search.fill("");
  await page.getByRole("button", { name: /Sort by/ }).click();
  await page.getByRole("option", { name: "Used by" }).click();
  await context.close();
});

test("[GRID-1] a user creates a long futures grid, sees its liquidation price, adds margin and closes it", async () => {
  const { context, page } = await newPage(browser);
  await enter(page, site.origin, mintAccount());
  await giveMoney(page);
  const moved = await page.evaluate(async () => {
    const body = JSON.stringify({ asset: "USDT", amount: "4000", from: "1", to: "3", clientId: "grid-e2e" });
    const headers = { "content-type": "application/json" };
    return (await fetch("/api/asset/v1/api/wallet/transfer", { method: "POST", headers, body })).status;
  });
  expect(moved).toBe(200);
  const long = page.getByRole("radio", { name: "long" });
  const upper = page.getByLabel("Upper price", { exact: true });
  // A young market has no suggestion yet.
  const open = async (): Promise<boolean> => {
    await visit(page, `${site.origin}/grid/futures?pair=BTC_USDT`);
    await waitAwake(long);
    return (await upper.inputValue()) !== "";
  };
  await expect.poll(open, { timeout: 150_000, interval: 3_000 }).toBe(true);
  await long.click();
  // As many lines as the suggestion has may be too small for this money.
  await page.getByLabel("Grids").fill("6");
  await page.getByText("Est. liquidation price (all buys filled)").waitFor();
  await page.getByText("Minimum investment").waitFor();
  await page.getByText("Profit per pair, after fees").waitFor();
  await page.getByText(/Funding (from|excluded)/).waitFor();
  await page.getByText("I accept the strategy agreement").click();
  await page.getByRole("button", { name: "Create grid" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "OK" }).click();
  await page.waitForURL(/\/grid\/bot\/[0-9]+/);
  await page.getByText("1,000 USDT").waitFor();
  await page.getByRole("button", { name: "Margin" }).click();
  await page.getByLabel("Amount").fill("250");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("1,250 USDT").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Close the position and stop" }).click();
  await page.getByText("Closed: stopped by user").first().waitFor();
  await context.close();
});
