// FUT-1 to FUT-4 through the screens, on a living market: identity, funds moved over, a levered position with exits whose
// figures are the server's own to the last digit, closed into the history; then the demo, and a phone.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mintAccount, register } from "./auth-steps.ts";
import { joinSite, measureOverflow, newPage, openBrowser, type Site, visit } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite("living"), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

interface Answer {
  readonly status: number;
  readonly body: { readonly code: number | string; readonly data: never };
}

/** A call with the session of the page's user. */
function call(page: Page, method: string, path: string, body?: object): Promise<Answer> {
  return page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(path as string, {
        method: method as string,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
    [method, path, body] as const,
  ) as Promise<Answer>;
}

interface Told {
  readonly positionId: string;
  readonly markPrice: string;
  readonly liquidationPrice: string;
  readonly margin: string;
  readonly unrealizedPnl: string;
}

const API = "/futuresapi/v1/futuresc";
const form = (page: Page) => page.getByRole("form", { name: "Order form" });
const orders = (page: Page) => page.getByRole("region", { name: "Your orders" });

async function told(page: Page, biz = "futures"): Promise<readonly Told[]> {
  return (await call(page, "GET", `${API}/positions?biz=${biz}`)).body.data as unknown as Told[];
}

/** The market has a price and a book before anybody can trade on it. */
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
  await form(page).getByLabel("Size", { exact: true }).fill(quantity);
  await form(page)
    .getByRole("button", { name: /Buy \/ Long/ })
    .last()
    .click();
  const question = page.getByRole("dialog", { name: "Confirm order" });
  await question.getByRole("button", { name: /Buy \/ Long/ }).click();
}

test("[FUT-3] a newcomer moves funds over, opens a levered position, sets exits, closes it and reads what it came to", async () => {
  const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
  await register(page, site.origin, mintAccount());
  await waitMarket(page);
  expect((await call(page, "POST", "/dev/faucet", { asset: "USDT", amount: "10000" })).body.code).toBe(200);
  const early = { pairCode: "BTC_USDT", side: "buy", type: "market", quantity: "0.01" };
  expect((await call(page, "POST", `${API}/orders`, early)).body.code).toBe("IDENTITY_REQUIRED");
  expect((await call(page, "POST", "/dev/identity", { level: 1 })).body.data).toEqual({ level: 1 });

  await visit(page, `${site.origin}/futures/BTC_USDT`);
  await form(page).getByRole("button", { name: "Move funds to this account" }).first().click();
  const transfer = page.getByRole("dialog", { name: "Transfer" });
  await transfer.getByLabel("Amount").fill("5000");
  await transfer.getByRole("button", { name: "Transfer", exact: true }).last().click();
  await expect.poll(() => form(page).locator('[data-available="USDT"]').textContent()).toBe("5,000.00 USDT");
  const isolated = { pairCode: "BTC_USDT", mode: "isolated" };
  expect((await call(page, "POST", `${API}/positions/margin-mode`, isolated)).body.code).toBe(200);

  await buyAtMarket(page, "0.01");
  await page.getByText("Buy order filled").waitFor();
  const cell = orders(page).locator("[data-pnl]");
  await cell.waitFor();
  const [position] = await told(page);
  if (position === undefined) throw new Error("there is no position");
  // What stands on the screen is what the call tells, to the last digit; the profit whenever both saw the same mark.
  await orders(page).getByTitle(position.margin, { exact: true }).waitFor();
  await orders(page).getByTitle(position.liquidationPrice, { exact: true }).waitFor();
  // The mark moves every second, and the two are read one after the other: what one said the other says some time too.
  const shown = new Set<string>();
  const answered = new Set<string>();
  const compare = async () => {
    shown.add((await cell.locator("[title]").first().getAttribute("title")) ?? "");
    answered.add((await told(page))[0]?.unrealizedPnl ?? "none");
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
  await expect.poll(async () => ((await told(page))[0] as unknown as { stops: unknown[] }).stops.length).toBe(1);

  await orders(page).getByRole("button", { name: "Close", exact: true }).click();
  await page.getByText("At market", { exact: true }).click();
  const closing = page.getByRole("dialog", { name: "Close position" });
  await closing.getByRole("button", { name: /^Close 0\.010 BTC/ }).click();
  await expect.poll(async () => (await told(page)).length).toBe(0);
  // The tab asks once, and the tables are written after the answer.
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

test("[FUT-4] the demo begins with play money, trades on the live book and touches nothing real", async () => {
  const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
  await register(page, site.origin, mintAccount());
  await waitMarket(page);
  await visit(page, `${site.origin}/simulated/BTC_USDT`);
  await page.getByRole("button", { name: "Reset" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
  await page.getByText(/The demo begins again with/).waitFor();
  await buyAtMarket(page, "0.1");
  await expect.poll(async () => (await told(page, "demo")).length).toBe(1);
  expect(await told(page)).toEqual([]);
  await context.close();
});

test("[FUT-3] on a phone the terminals and the data page stand within the screen", async () => {
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
