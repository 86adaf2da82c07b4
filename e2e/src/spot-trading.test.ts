// SPOT-2 to SPOT-4 through the screens: test funds, an order from the form, its life in the panel, a fill that arrives
// live, and nothing of it visible to another user. Two customers alone on the market, so every figure is determined.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter } from "./auth-steps.ts";
import { freePort, newPage, openBrowser, type Site, startSite, visit } from "./site.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let site: Site;
let browser: Browser;
beforeAll(async () => {
  // It is started again at the same port, which must not be assigned in between.
  const settings = { CW_MARKET: "off", CW_CAPTCHA: "off", PORT: String(await freePort()) };
  [site, browser] = await Promise.all([startSite(settings), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
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

async function findViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: (context: object, options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    // The frame around them has its own test.
    const include = [["[data-order-form]"], ['[aria-label="Your orders"]']];
    const { violations } = await axe.run({ include }, { runOnly: { type: "tag", values: tags } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  });
}

const form = (page: Page) => page.getByRole("form", { name: "Order form" });
const orders = (page: Page) => page.getByRole("region", { name: "Your orders" });
const available = (page: Page, asset: string) => form(page).locator(`[data-available="${asset}"]`);

async function typeOrder(page: Page, price: string, amount: string): Promise<void> {
  await form(page).getByLabel("Price").fill(price);
  await form(page).getByLabel("Amount", { exact: true }).fill(amount);
}

test("[SPOT-4] from test funds to an order, a fill and a cancel, all by the screen and live", async () => {
  const { context, page, watch } = await newPage(browser, { reducedMotion: "reduce" });
  await enter(page, site.origin);
  await visit(page, `${site.origin}/spot/BTC_USDT`);

  // Test funds arrive without a reload.
  await form(page).getByRole("button", { name: "Get funds" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Get 10,000 USDT/ })
    .click();
  await expect.poll(() => available(page, "USDT").textContent()).toBe("10,000.00 USDT");

  // Invalid input is reported next to its field and changes nothing.
  await typeOrder(page, "30000", "0.00001");
  await page.keyboard.press("Enter");
  await form(page).getByText("Minimum order value is 5 USDT.").waitFor();
  expect(await form(page).getByLabel("Amount", { exact: true }).getAttribute("aria-invalid")).toBe("true");
  expect((await call(page, "GET", "/api/v1/spot/orders?state=open")).body.data).toMatchObject({ orders: [] });

  // The same walk by keyboard alone: side, fields, question, answer.
  await page.keyboard.press("Escape");
  await typeOrder(page, "30,000.0", "0.01");
  await form(page).getByText("300.00 USDT").first().waitFor();
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Confirm buy" });
  await question.getByText("Buy 0.01000 BTC at 30,000.0").waitFor();
  await question.getByText("0.00001 BTC").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Buy order placed").waitFor();
  await orders(page).getByRole("cell", { name: "30,000.0" }).waitFor();
  await expect.poll(() => available(page, "USDT").textContent()).toBe("9,700.00 USDT");
  expect(await findViolations(page)).toEqual([]);
  const open = (await call(page, "GET", "/api/v1/spot/orders?state=open")).body.data as unknown as {
    orders: { orderId: string }[];
  };
  const orderId = open.orders[0]?.orderId ?? "";

  // Another user sees none of it and cannot touch it.
  const other = await newPage(browser, { reducedMotion: "reduce" });
  await enter(other.page, site.origin);
  await visit(other.page, `${site.origin}/spot/BTC_USDT`);
  await orders(other.page).getByText("You have no open orders.").waitFor();
  expect((await call(other.page, "DELETE", `/api/v1/spot/orders/${orderId}`)).status).toBe(404);
  expect((await call(other.page, "GET", `/api/v1/spot/orders/${orderId}`)).status).toBe(404);

  // They sell; a market buy takes it, and fill and balance arrive by themselves.
  expect((await call(other.page, "POST", "/dev/faucet", { asset: "BTC", amount: "1" })).body.code).toBe(200);
  const sale = { pairCode: "BTC_USDT", side: "sell", type: "limit", price: "100000", quantity: "0.5" };
  expect((await call(other.page, "POST", "/api/v1/spot/orders", sale)).body.code).toBe(200);
  await form(page).getByRole("button", { name: "Market", exact: true }).click();
  await form(page).getByLabel("Spend", { exact: true }).fill("1000");
  await form(page).getByText("0.01000 BTC").or(form(page).getByText("0.00999 BTC")).first().waitFor();
  await form(page)
    .getByRole("button", { name: /^Buy BTC/ })
    .click();
  await page.getByRole("dialog", { name: "Confirm buy" }).getByRole("button", { name: "Buy BTC" }).click();
  await page.getByText("Buy order filled").waitFor();
  await expect.poll(() => available(page, "USDT").textContent()).toBe("8,700.00 USDT");
  // The tab requests once, and the tables are written after the fill was published.
  const fillsThere = async () =>
    JSON.stringify((await call(page, "GET", "/api/v1/spot/fills")).body.data).includes("100000");
  await expect.poll(fillsThere).toBe(true);
  await orders(page).getByRole("tab", { name: "Trade history" }).click();
  await orders(page).getByRole("cell", { name: "100,000.0" }).waitFor();
  await orders(page).getByText("0.00001 BTC").waitFor();

  // A reload keeps everything; cancelling gives the money back.
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await orders(page).getByRole("cell", { name: "30,000.0" }).waitFor();
  await orders(page).getByRole("button", { name: "Cancel BTC/USDT order" }).click();
  await page.getByRole("dialog", { name: "Cancel order" }).getByRole("button", { name: "Cancel order" }).click();
  await orders(page).getByText("You have no open orders.").waitFor();
  await expect.poll(() => available(page, "USDT").textContent()).toBe("9,000.00 USDT");
  await orders(page).getByRole("tab", { name: "Order history" }).click();
  await orders(page).getByRole("cell", { name: "Cancelled" }).waitFor();

  // A price alert: set by the screen, triggered by a trade, shown at once and kept as a letter.
  await page.getByRole("button", { name: "Alert", exact: true }).click();
  const alerts = page.getByRole("dialog", { name: "Price alert" });
  await alerts.getByLabel("Price").fill("100,000.0");
  await page.keyboard.press("Enter");
  await alerts.getByText("The price has already been reached.").waitFor();
  await alerts.getByLabel("Price").fill("100,500.0");
  await page.keyboard.press("Enter");
  await alerts.getByText("BTC/USDT rises to 100,500.0").waitFor();
  await page.keyboard.press("Escape");
  const [higher, taken] = [
    { ...sale, price: "100500", quantity: "0.001" },
    { ...sale, price: "100500", quantity: "0.001", side: "buy" },
  ];
  // What is left of the first sale would be taken before the higher one.
  expect((await call(other.page, "POST", "/api/v1/spot/orders/clear", {})).body.code).toBe(200);
  expect((await call(other.page, "POST", "/api/v1/spot/orders", higher)).body.code).toBe(200);
  expect((await call(page, "POST", "/api/v1/spot/orders", taken)).body.code).toBe(200);
  await page.getByText("BTC/USDT rose to 100,500.0").first().waitFor();
  await page
    .getByRole("link", { name: /^Inbox, [1-9]/ })
    .first()
    .waitFor();

  expect(watch.troubles.filter((text) => !/404 \(Not Found\)|422 /.test(text))).toEqual([]);
  await other.context.close();
  await context.close();
});

test("[SPOT-4] on the page of orders too, cancelling one leg of a list confirms the other", async () => {
  const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
  await enter(page, site.origin);
  await call(page, "POST", "/dev/faucet", { asset: "BTC", amount: "1" });
  const sale = { pairCode: "BTC_USDT", side: "sell" };
  const legs = { ...sale, type: "oco", price: "120000", stopPrice: "90000", quantity: "0.01" };
  expect((await call(page, "POST", "/api/v1/spot/orders", legs)).body.code).toBe(200);
  const lone = { ...sale, type: "limit", price: "130000", quantity: "0.01" };
  expect((await call(page, "POST", "/api/v1/spot/orders", lone)).body.code).toBe(200);
  await visit(page, `${site.origin}/orders`);
  const rows = page.locator("tr[data-row]");
  const question = page.getByRole("dialog", { name: "Cancel order" });
  const cancel = (price: string) => rows.filter({ hasText: price }).getByRole("button", { name: "Cancel" });
  await expect.poll(() => rows.count()).toBe(3);
  await cancel("120,000").click();
  await question.getByText("These linked orders are also cancelled:").waitFor();
  await question.getByText("90,000").waitFor();
  await question.getByRole("button", { name: "Keep" }).click();
  await question.waitFor({ state: "detached" });
  expect(await rows.count()).toBe(3);
  await cancel("90,000").click();
  await question.getByText("120,000").waitFor();
  await question.getByRole("button", { name: "Cancel order" }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await cancel("130,000").click();
  await question.getByRole("button", { name: "Cancel order" }).waitFor();
  expect(await question.getByText("These linked orders are also cancelled:").count()).toBe(0);
  await question.getByRole("button", { name: "Cancel order" }).click();
  await page.getByText("No open orders.").waitFor();
  await context.close();
});

test("[SPOT-2] [NET-5] the server is killed and started again in the middle: the page recovers", async () => {
  const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
  await enter(page, site.origin);
  await visit(page, `${site.origin}/spot/ETH_USDT`);
  expect((await call(page, "POST", "/dev/faucet", { asset: "USDT", amount: "5000" })).body.code).toBe(200);
  const bid = { pairCode: "ETH_USDT", side: "buy", type: "limit", quantity: "0.1", clientOrderId: "before" };
  expect((await call(page, "POST", "/api/v1/spot/orders", { ...bid, price: "2000" })).body.code).toBe(200);
  await orders(page).getByRole("cell", { name: "2,000.0" }).first().waitFor();
  await page.locator('[data-connection="live"]').waitFor();
  await page.waitForLoadState("networkidle");

  await site.restart();
  await page.locator('[data-connection="live"]').waitFor();
  await page.getByText("Prices may be delayed").waitFor({ state: "detached" });
  // What was confirmed is there, the same client id does nothing twice, and what is new arrives without a reload.
  const again = await call(page, "POST", "/api/v1/spot/orders", { ...bid, price: "2000" });
  expect(again.body.data).toMatchObject({ isRepeat: true });
  expect(
    (await call(page, "POST", "/api/v1/spot/orders", { ...bid, price: "1990", clientOrderId: "after" })).status,
  ).toBe(200);
  await orders(page).getByRole("cell", { name: "1,990.0" }).first().waitFor();
  await expect.poll(() => orders(page).getByRole("button", { name: "Cancel ETH/USDT order" }).count()).toBe(2);
  await expect.poll(() => page.locator('[data-book="bids"]').innerText()).toContain("1,990");
  await expect.poll(() => available(page, "USDT").textContent()).toBe("4,601.00 USDT");
  await context.close();
});

test("[SPOT-4] a visitor sees where to log in and no private stream is requested", async () => {
  const { context, page, watch } = await newPage(browser, { reducedMotion: "reduce" });
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await form(page).getByRole("link", { name: "Log in to trade" }).waitFor();
  await page.getByText("to see your orders, trades and assets.").waitFor();
  await page.keyboard.press("s");
  await expect.poll(() => form(page).getByRole("radio", { name: "Sell" }).getAttribute("aria-checked")).toBe("true");
  expect(watch.troubles).toEqual([]);
  await context.close();
});

test("[SPOT-4] the markets are whole without scripts, sort and filter by address, and have a heat map", async () => {
  const plain = await newPage(browser, { javaScriptEnabled: false });
  await plain.page.goto(`${site.origin}/markets?sort=pair`);
  const names = await plain.page.getByRole("rowheader").allInnerTexts();
  expect(names.length).toBeGreaterThanOrEqual(12);
  const bases = names.map((name) => name.split("/")[0] ?? "");
  expect(bases).toEqual([...bases].sort());
  await plain.page.goto(`${site.origin}/markets?q=usdt`);
  expect(await plain.page.getByRole("rowheader").count()).toBeLessThan(names.length);
  await plain.page.goto(`${site.origin}/markets?view=heat`);
  expect(
    await plain.page
      .getByRole("list", { name: /Heat map/ })
      .getByRole("link")
      .count(),
  ).toBe(names.length);
  await plain.context.close();

  const { context, page, watch } = await newPage(browser, { reducedMotion: "reduce" });
  await visit(page, `${site.origin}/markets`);
  await page.getByLabel("Search pairs").fill("btc");
  await expect.poll(() => page.getByRole("rowheader").count()).toBeLessThan(names.length);
  await page.getByRole("button", { name: "Add BTC/USDT to favorites" }).click();
  await page.getByRole("link", { name: "Favorites" }).click();
  await page.getByRole("button", { name: "Remove BTC/USDT from favorites" }).waitFor();
  await page.getByLabel("Search pairs").fill("");
  await page.getByRole("link", { name: "Spot", exact: true }).first().click();
  await page.getByRole("link", { name: "Heat map" }).click();
  await page
    .getByRole("list", { name: /Heat map/ })
    .getByRole("link")
    .first()
    .focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute("data-tile"))).toBe(true);
  expect(watch.troubles).toEqual([]);
  await context.close();
});

test("[PLAN-1] [SPOT-8] [SITE-19] plans are edited in their rows; groups, progress, own keys, zones and the coin are on the screen", async () => {
  const { context, page, watch } = await newPage(browser, { reducedMotion: "reduce" });
  await enter(page, site.origin);
  for (const asset of ["BTC", "USDT"]) await call(page, "POST", "/dev/faucet", { asset, amount: "1" });
  await call(page, "POST", "/dev/faucet", { asset: "USDT", amount: "10000" });
  const place = async (order: object) =>
    expect((await call(page, "POST", "/api/v1/spot/orders", { pairCode: "BTC_USDT", ...order })).body.code).toBe(200);
  await place({ side: "sell", type: "stopMarket", stopPrice: "80000", quantity: "0.01" });
  await place({ side: "sell", type: "oco", price: "120000", stopPrice: "70000", quantity: "0.02" });
  await place({ side: "sell", type: "trailingStop", callbackPercent: "5", quantity: "0.01" });
  await place({
    side: "buy",
    type: "twap",
    price: "20000",
    quantity: "0.01",
    durationSeconds: 300,
    intervalSeconds: 60,
  });
  const ladder = { side: "buy", type: "scaled", price: "30000", priceTo: "31000", count: 3, quantity: "0.003" };
  await place({ ...ladder, clientOrderId: "ladder-of-three" });
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await orders(page).getByText("Scaled 1/3").waitFor();
  await orders(page).getByText("Scaled 3/3").waitFor();
  await orders(page)
    .getByRole("tab", { name: /Conditional/ })
    .click();
  await orders(page)
    .getByText(/triggers at 9[45],\d{3}\.\d/)
    .waitFor();
  await orders(page)
    .getByText(/of 5 slices, every 60 s/)
    .waitFor();
  await expect
    .poll(() =>
      orders(page)
        .getByText(/^OCO \d+$/)
        .count(),
    )
    .toBe(1);
  // The trigger is typed anew in its row, and the figures before and after are shown.
  const row = orders(page).getByRole("row", { name: /Stop-market.*80,000\.0/ });
  await row.getByRole("button", { name: "Amend BTC/USDT order" }).click();
  await orders(page).getByLabel("Trigger").fill("81500");
  await page.keyboard.press("Enter");
  await page.getByText("80,000.0 → 81,500").waitFor();
  await orders(page).getByText("falls to 81,500.0").waitFor();
  // Refused next to its field: the price is past it already. Nothing changed.
  await orders(page)
    .getByRole("row", { name: /81,500\.0/ })
    .getByRole("button", { name: "Amend BTC/USDT order" })
    .click();
  await orders(page).getByLabel("Trigger").fill("150000");
  await page.keyboard.press("Enter");
  await orders(page).getByRole("alert").waitFor();
  await page.keyboard.press("Escape");
  await orders(page).getByText("falls to 81,500.0").waitFor();
  expect(await findViolations(page)).toEqual([]);

  // An own key works at once and after a reload; one that is taken is refused.
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog");
  await sheet.locator('[data-key-of="sell"]').click();
  await page.keyboard.press("b");
  await sheet.getByText("Already used for: Buy side").waitFor();
  await page.keyboard.press("n");
  await sheet.locator('[data-key-of="sell"]').getByText("N").waitFor();
  await page.keyboard.press("Escape");
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await orders(page)
    .getByRole("tab", { name: /Conditional/ })
    .waitFor();
  await page.locator("body").click({ position: { x: 2, y: 2 } });
  await expect
    .poll(async () => {
      await page.keyboard.press("n");
      return form(page)
        .getByRole("button", { name: /^Sell BTC/ })
        .count();
    })
    .toBeGreaterThan(0);

  // Every zone, on the clock and in the lists.
  await page.getByRole("button", { name: /Time zone/ }).click();
  await page.getByRole("menuitemradio", { name: "UTC+5:30", exact: true }).click();
  await page.getByText("UTC+5:30").first().waitFor();
  await page.getByRole("tab", { name: "Info" }).click();
  await page.locator('[data-coin-facts="BTC"]').getByText("21,000,000 BTC").waitFor();
  await page.getByRole("link", { name: "More about Bitcoin" }).click();
  await page.waitForURL("**/coins/BTC");
  await page.getByRole("heading", { name: /Bitcoin/ }).waitFor();
  // The browser reports the one refused change too.
  expect(watch.troubles.filter((trouble) => !trouble.includes("422"))).toEqual([]);
  await context.close();
});
