// FUT-1 to FUT-4 through the screens, on a living market: identity, funds moved over, a levered position with exits whose
// figures are the server's own to the last digit, closed into the history; then the demo, and a phone.
import { allOf } from "@clockwork/kit/all-of";
import type { Browser, Page, Response } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter, mintAccount } from "./auth-steps.ts";
import { dragLine, type Heights, readScale } from "./chart-steps.ts";
import { API, answer, call, form, orders } from "./futures-steps.ts";
import { joinSite, measureOverflow, newPage, openBrowser, type Site, visit, WAIT_MS, waitAwake } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite("living"), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

/** The market has a price and a book before trading starts. */
async function waitMarket(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const depth = await call(page, "GET", `${API}/depth?pairCode=BTC_USDT&limit=5`);
      const { bids, asks } = depth.body.data as unknown as { bids: unknown[]; asks: unknown[] };
      const [day] = (await call(page, "GET", `${API}/quotations?pairCode=BTC_USDT`)).body.data as unknown as {
        mark: string | null;
      }[];
      return bids.length > 0 && asks.length > 0 && (day?.mark ?? null) !== null;
    })
    .toBe(true);
}

async function buyAtMarket(page: Page, quantity: string): Promise<void> {
  await form(page).getByRole("button", { name: "Market", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Confirm order" });
  const press = async (): Promise<unknown> => {
    const isOrder = (response: Response) => response.request().method() === "POST" && /\/orders$/.test(response.url());
    const answered = page.waitForResponse(isOrder);
    await form(page).getByLabel("Size", { exact: true }).fill(quantity);
    await form(page)
      .getByRole("button", { name: /Buy \/ Long/ })
      .last()
      .click();
    await question.getByRole("button", { name: /Buy \/ Long/ }).click();
    return ((await (await answered).json()) as { code: unknown }).code;
  };
  // On a machine that is late the index may be degraded for a moment: nothing is bought at market then, and one presses again.
  await expect.poll(press).toBe(200);
}

test("[FUT-3] a newcomer moves funds over, opens a levered position, sets exits, closes it and reads what it came to", async () => {
  const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
  await enter(page, site.origin, mintAccount());
  await waitMarket(page);
  expect((await call(page, "POST", "/dev/faucet", { asset: "USDT", amount: "10000" })).body.code).toBe(200);
  const early = { pairCode: "BTC_USDT", side: "buy", type: "market", quantity: "0.01" };
  expect((await call(page, "POST", `${API}/orders`, early)).body.code).toBe("IDENTITY_REQUIRED");
  await visit(page, `${site.origin}/futures/BTC_USDT`);
  // The gate replaces the button from the first look; one press gives the default run's level.
  const gate = form(page).locator("[data-identity-gate]");
  expect(await form(page).locator("button[type=submit]").count()).toBe(0);
  await gate.getByRole("link", { name: "Verify identity" }).waitFor();
  await gate.getByRole("link", { name: "Trade with demo funds" }).waitFor();
  const verify = gate.getByRole("button", { name: "Verify now with test data" });
  await waitAwake(verify);
  await verify.click();
  await gate.waitFor({ state: "detached" });
  const move = form(page).getByRole("button", { name: "Transfer funds to this account" }).first();
  await waitAwake(move);
  await move.click();
  const transfer = page.getByRole("dialog", { name: "Transfer" });
  await transfer.getByLabel("Amount").fill("5000");
  await transfer.getByRole("button", { name: "Transfer", exact: true }).last().click();
  await expect.poll(() => form(page).locator('[data-available="USDT"]').textContent()).toBe("5,000.00 USDT");
  const isolated = { pairCode: "BTC_USDT", mode: "isolated" };
  expect((await call(page, "POST", `${API}/positions/margin-mode`, isolated)).body.code).toBe(200);

  // The notice is gone after seconds: it is awaited from the start.
  const filled = page.getByText("Buy order filled").waitFor({ timeout: 2 * WAIT_MS });
  await Promise.all([filled, buyAtMarket(page, "0.01")]);
  const cell = orders(page).locator("[data-pnl]");
  await cell.waitFor();
  const [position] = await answer(page);
  if (position === undefined) throw new Error("there is no position");
  // The screen shows the call's figures, to the last digit; the profit whenever both saw the same mark.
  await orders(page).getByTitle(position.margin, { exact: true }).waitFor();
  await orders(page).getByTitle(position.liquidationPrice, { exact: true }).waitFor();
  // The mark moves every second, and the two are read one after the other: each value appears in the other sooner or
  // later.
  const shown = new Set<string>();
  const answered = new Set<string>();
  const compare = async () => {
    shown.add((await cell.locator("[title]").first().getAttribute("title")) ?? "");
    answered.add((await answer(page))[0]?.unrealizedPnl ?? "none");
    return [...shown].some((value) => answered.has(value));
  };
  await expect.poll(compare).toBe(true);

  await orders(page)
    .getByRole("button", { name: /\+ Add/ })
    .first()
    .click();
  const stops = page.getByRole("dialog", { name: /Take profit and stop loss/ });
  const mark = Number(position.markPrice);
  await stops.getByRole("textbox", { name: "Take profit" }).fill((mark * 1.2).toFixed(1));
  await stops.getByRole("button", { name: "Save" }).click();
  await page.getByText("Take profit and stop loss saved").waitFor();
  await expect.poll(async () => ((await answer(page))[0] as unknown as { stops: unknown[] }).stops.length).toBe(1);

  await orders(page).getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("menuitemradio", { name: "Market" }).click();
  const closing = page.getByRole("dialog", { name: "Close position" });
  await closing.getByRole("button", { name: /^Close 0\.010 BTC/ }).click();
  await expect.poll(async () => (await answer(page)).length).toBe(0);
  // The tab requests once, and the tables are written after the answer.
  const closed = async () => {
    const { data } = (await call(page, "GET", `${API}/positions/history`)).body;
    return (data as unknown as { positions: unknown[] }).positions.length;
  };
  await expect.poll(closed).toBe(1);
  await orders(page).getByRole("tab", { name: "Position history" }).click();
  await orders(page)
    .getByRole("cell", { name: /BTCUSDT/ })
    .first()
    .waitFor();
  await orders(page).getByRole("tab", { name: "PnL analysis" }).click();
  await orders(page).getByText("Net PnL, USDT").waitFor();
  await context.close();
});

test("[FUT-4] the demo starts with play money, trades on the live book and touches nothing real", async () => {
  const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
  await enter(page, site.origin, mintAccount());
  await waitMarket(page);
  await visit(page, `${site.origin}/simulated/BTC_USDT`);
  // No press: the first look opens it, and the day until the next reset begins.
  await page.getByRole("button", { name: /^Reset in / }).waitFor();
  await expect.poll(() => form(page).locator("[data-available]").textContent()).toBe("100,000.00 demo USDT");
  await buyAtMarket(page, "0.1");
  await expect.poll(async () => (await answer(page, "demo")).length).toBe(1);
  expect(await answer(page)).toEqual([]);
  // What it took of the live depth is shown at the book's foot until it is back.
  const foot = page.locator("[data-demo-depth]");
  await foot.getByText(/restored in full in \d+ s/).waitFor();
  await expect.poll(() => foot.textContent()).toMatch(/Demo depth used\s*0\.\d{3} BTC/);
  await context.close();
});

/** Every way positions can be held; split ones need both sides and margins of their own. */
const MODES = [
  { mode: "cross", positionMode: "one-way", layout: "merge" },
  { mode: "isolated", positionMode: "one-way", layout: "merge" },
  { mode: "cross", positionMode: "hedge", layout: "merge" },
  { mode: "isolated", positionMode: "hedge", layout: "merge" },
  { mode: "isolated", positionMode: "hedge", layout: "split" },
] as const;

const KINDS = [
  { biz: "futures", pairCode: "BTC_USDT", quantities: ["0.2", "0.08"], path: "/futures/BTC_USDT" },
  { biz: "delivery", pairCode: "BTC_USD", quantities: ["500", "200"], path: "/delivery/BTC_USD" },
] as const;

/** A position's figures on the screen equal the call's, to the last digit, while marks continue. */
async function compareRows(page: Page, biz: string, count: number): Promise<void> {
  await expect.poll(() => orders(page).locator("[data-pnl]").count()).toBe(count);
  const shown = new Set<string>();
  const answered = new Map<string, Set<string>>();
  const differ = async () => {
    for (const row of await answer(page, biz)) {
      for (const field of ["margin", "liquidationPrice", "unrealizedPnl"] as const) {
        const key = `${row.positionId} ${field}`;
        // The lighter side of a hedge may have no price that ends it.
        if (row[field] !== null) answered.set(key, (answered.get(key) ?? new Set()).add(row[field]));
      }
    }
    const titles = await orders(page)
      .locator("[title]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("title") ?? ""));
    for (const title of titles) shown.add(title);
    return [...answered].flatMap(([key, texts]) => ([...texts].some((text) => shown.has(text)) ? [] : key));
  };
  // Each figure of every position was once the same on both sides.
  await expect.poll(differ).toEqual([]);
  expect(answered.size).toBeGreaterThanOrEqual(count === 1 ? 3 : count * 2);
}

test("[FUT-2] in every mode and of both kinds the screen shows the server's figures", async () => {
  const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
  await enter(page, site.origin, mintAccount());
  await waitMarket(page);
  const must = async (path: string, body: object) =>
    expect([path, (await call(page, "POST", path, body)).body.code]).toEqual([path, 200]);
  await must("/dev/identity", { level: 1 });
  for (const [asset, amount, to] of [
    ["USDT", "5000", "3"],
    ["BTC", "1", "4"],
  ]) {
    await must("/dev/faucet", { asset, amount });
    await must("/api/asset/v1/api/wallet/transfer", { asset, amount, from: "1", to, clientId: `modes${asset}` });
  }
  for (const { biz, pairCode, quantities, path } of KINDS) {
    await visit(page, `${site.origin}${path}`);
    for (const { mode, positionMode, layout } of MODES) {
      await must(`${API}/positions/mode`, { biz, mode: positionMode });
      if (positionMode === "hedge") await must(`${API}/positions/layout`, { biz, layout });
      if (layout === "merge") await must(`${API}/positions/margin-mode`, { biz, pairCode, mode });
      // Set elsewhere, the form shows it without a reload.
      for (const name of [mode === "cross" ? /^Cross/ : /^Isolated/, positionMode === "hedge" ? /^Hedge/ : /^One-way/])
        await form(page).getByRole("button", { name }).waitFor();
      // On a machine that is late the index may be degraded for a moment: nothing is bought at market then.
      const open = async (side: string, quantity: string, positionSide: string) => {
        const order = { biz, pairCode, side, type: "market", quantity, positionSide };
        await expect.poll(async () => (await call(page, "POST", `${API}/orders`, order)).body.code).toBe(200);
      };
      const isHedge = positionMode === "hedge";
      await open("buy", quantities[0], isHedge ? "long" : "both");
      if (isHedge) await open("sell", quantities[1], "short");
      if (layout === "split") await open("buy", quantities[1], "long");
      await compareRows(page, biz, layout === "split" ? 3 : isHedge ? 2 : 1);
      if (mode === "cross" && !isHedge) {
        // The available amount moves with every mark; the largest order is shown all the same.
        await visit(page, `${site.origin}${path}`);
        const most = form(page).getByText("Max size").locator("..");
        await expect.poll(() => most.textContent()).toMatch(/^Max size[\d.,]+ /);
      }
      await must(`${API}/positions/close-all`, { biz });
      await expect.poll(async () => (await answer(page, biz)).length).toBe(0);
      if (layout === "split") await must(`${API}/positions/layout`, { biz, layout: "merge" });
    }
  }
  await context.close();
});

/** Below the market, above the area under the candles. */
const HEIGHTS: Heights = [0.55, 0.7];

test("[FUT-3] a stop of a position and a limit order move by their lines on the chart, after a confirmation", async () => {
  const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
  await enter(page, site.origin, mintAccount());
  await waitMarket(page);
  const must = async (path: string, body: object) =>
    expect([path, (await call(page, "POST", path, body)).body.code]).toEqual([path, 200]);
  await must("/dev/identity", { level: 1 });
  await must("/dev/faucet", { asset: "USDT", amount: "5000" });
  await must("/api/asset/v1/api/wallet/transfer", {
    asset: "USDT",
    amount: "5000",
    from: "1",
    to: "3",
    clientId: "lines",
  });
  const pairCode = "BTC_USDT";
  const entry = { pairCode, side: "buy", type: "market", quantity: "0.01" };
  await expect.poll(async () => (await call(page, "POST", `${API}/orders`, entry)).body.code).toBe(200);
  await visit(page, `${site.origin}/futures/${pairCode}`);
  await page.locator('[data-chart="shown"]').waitFor();
  await orders(page).locator("[data-pnl]").waitFor();
  const [position] = await answer(page);
  const price = form(page).getByLabel("Price", { exact: true });
  const { high, low } = await readScale(page, price, HEIGHTS);
  const between = (share: number) => Number((low + (high - low) * share).toFixed(1));
  const [stopAt, limitAt] = [between(0.2), between(0.6)];

  const loss = { triggerPrice: stopAt.toFixed(1) };
  await must(`${API}/positions/stop`, { positionId: position?.positionId, loss });
  const stop = async () =>
    ((await answer(page))[0] as unknown as { stops: { orderId: string; triggerPrice: string }[] }).stops[0];
  const before = await stop();
  expect(Number(before?.triggerPrice)).toBe(stopAt);
  await dragLine(page, price, HEIGHTS, stopAt, between(0.4));
  await expect.poll(async () => Number((await stop())?.triggerPrice)).toBeGreaterThan(stopAt);
  // It is the same stop at another price, not one more.
  expect((await stop())?.orderId).toBe(before?.orderId);

  await must(`${API}/orders`, { ...entry, type: "limit", price: limitAt.toFixed(1) });
  const resting = async () => {
    const { data } = (await call(page, "GET", `${API}/orders?state=open`)).body;
    return (data as unknown as { orders: { orderId: string; price: string }[] }).orders[0];
  };
  expect(Number((await resting())?.price)).toBe(limitAt);
  await dragLine(page, price, HEIGHTS, limitAt, between(0.8));
  await expect.poll(async () => Number((await resting())?.price)).toBeGreaterThan(limitAt);
  await context.close();
});

test("[FUT-3] behind the chart are funding, risk fund and ladder; a large screen shows funding too", async () => {
  const { context, page } = await newPage(browser, { viewport: { width: 1920, height: 1080 } });
  await visit(page, `${site.origin}/futures/BTC_USDT`);
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  await tab("Leverage tiers").click();
  await page.getByRole("columnheader", { name: "Deduction" }).waitFor();
  await tab("Insurance fund").click();
  await page.getByText("Balance, USDT").waitFor();
  await tab("Funding").click();
  await page.getByRole("heading", { name: "Funding history" }).waitFor();
  await page.getByRole("region", { name: "Funding rate" }).getByText("Next, in").waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(() => page.getByRole("region", { name: "Funding rate" }).count()).toBe(0);
  await context.close();
});

test("[FUT-3] the data page shows the mark's sources and the fund's payments, part by part, and saves it", async () => {
  const { context, page } = await newPage(browser, { viewport: { width: 1440, height: 900 } });
  await visit(page, `${site.origin}/futures/data/BTC_USDT`);
  await waitMarket(page);
  const inputs = page.getByRole("region", { name: "Mark, each second" });
  await expect.poll(() => inputs.getByRole("row").count()).toBe(4);
  for (const text of ["Liquidations, 24 h", "Peak drawdown, 8 h", "ADL events, 90 d", "Impact notional"])
    await page.getByText(text, { exact: true }).waitFor();
  // The mark is the middle one of the three, unless the index bounds it.
  const prices = async () =>
    (await inputs.getByRole("row").allTextContents()).map((row) => /[\d,]+\.\d$/.exec(row)?.[0] ?? "none");
  await expect.poll(async () => allOf(await prices(), (price) => price !== "none")).toBe(true);
  const parts = page.getByRole("navigation", { name: "Sections" });
  await parts.getByRole("link", { name: "Leverage tiers" }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe("#ladder");
  await expect
    .poll(() => parts.getByRole("link", { name: "Leverage tiers" }).getAttribute("aria-current"))
    .toBe("location");
  const csv = page.getByRole("button", { name: "CSV" });
  await waitAwake(csv);
  await csv.click();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Leverage tiers" }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await saved.createReadStream()) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString().trim().split("\n");
  expect(lines[0]).toContain("Position up to, USDT");
  expect(lines[1]).toContain("250000");
  expect(lines).toHaveLength(9);
  // What the coming rate is made of, sample by sample.
  await page.getByRole("button", { name: "Show all" }).click();
  const samples = page.getByRole("dialog").getByRole("row");
  await expect.poll(() => samples.count()).toBeGreaterThan(2);
  expect(await samples.nth(1).textContent()).toMatch(/^1\d{4}-.+%$/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Select contract: BTCUSDT" }).click();
  await page.getByRole("menuitemradio", { name: "ETHUSD", exact: true }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/futures/data/ETH_USD");
  const whose = page.getByRole("radiogroup", { name: "Scope" }).getByRole("radio", { name: "All" });
  await whose.click();
  await expect.poll(() => whose.getAttribute("aria-checked")).toBe("true");
  await context.close();
});

test("[FUT-3] on a phone the terminals and the data page fit the screen", async () => {
  const { context, page } = await newPage(browser, {
    viewport: { width: 390, height: 844 },
    reducedMotion: "reduce",
    hasTouch: true,
  });
  for (const path of ["/futures/BTC_USDT", "/delivery/BTC_USD", "/simulated/BTC_USDT", "/futures/data/BTC_USDT"]) {
    expect(await visit(page, `${site.origin}${path}`)).toBe(200);
    expect([path, await measureOverflow(page)]).toEqual([path, 0]);
  }
  await context.close();
});
