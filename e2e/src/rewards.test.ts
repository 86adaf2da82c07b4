// Rewards in a browser: a task done by an order, its claim, the coupon it gave, a card drawn and shown, and the links
// from the first page and the wallet; and almighty gold, from the operators' console to the fee it pays.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter, mintAccount } from "./auth-steps.ts";
import { enterOperator } from "./operator-steps.ts";
import { type JoinedSite, joinSite, openBrowser, visit, WAIT_MS } from "./site.ts";

let site: JoinedSite;
let browser: Browser;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite("living"), openBrowser()]);
  context = await browser.newContext();
  context.setDefaultTimeout(WAIT_MS);
  page = await context.newPage();
  await enter(page, site.origin, mintAccount());
});
afterAll(async () => {
  await browser?.close();
});

const api = async (path: string, body: object): Promise<{ code: unknown; message: string }> => {
  const answer = await context.request.post(`${site.origin}${path}`, { data: body, headers: { origin: site.origin } });
  return (await answer.json()) as { code: unknown; message: string };
};

test("[USR-5] an order makes a task claimable, its claim gives a coupon, once", async () => {
  await visit(page, `${site.origin}/rewards`);
  await page.getByRole("heading", { name: "Rewards", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /^Claim: / }).count()).toBe(0);
  await api("/dev/faucet", { asset: "USDT", amount: "5000" });
  const order = { pairCode: "BTC_USDT", type: "market", side: "buy", quantity: "0.011" };
  // The market may have no book in its first seconds, or one that is too thin for all of it.
  const offered = async () => {
    const { asks } = (await read("/api/v1/spot/depth?pairCode=BTC_USDT")) as { asks: [string, string][] };
    return asks.reduce((sum, [, quantity]) => sum + Number(quantity), 0);
  };
  await expect.poll(offered).toBeGreaterThan(1);
  await expect.poll(async () => (await api("/api/v1/spot/orders", order)).message).toBe("success");
  // The page is updated without a reload.
  const claim = page.getByRole("button", { name: "Claim: Trade 1,000 USDT on Spot" });
  await api("/dev/identity", { level: 1 });
  await claim.click();
  await page.getByText("Reward credited").first().waitFor();
  await claim.waitFor({ state: "detached" });
  await page.getByText("Rebate on spot fees, 50% of each").waitFor();
});

test("[USR-5] a card is drawn by turnover and shown with its commitment, and draws can be viewed", async () => {
  await page.getByRole("button", { name: "Draw a card" }).click();
  await page.getByText(/^You drew: /).waitFor();
  await page.getByText("1 held").waitFor();
  await page.getByRole("button", { name: "Verify past draws" }).click();
  await page.getByText("seed published tomorrow").waitFor();
  await page.keyboard.press("Escape");
});

test("[USR-5] the first page and the wallet lead to rewards", async () => {
  await visit(page, `${site.origin}/wallet`);
  await page.getByRole("navigation").getByRole("link", { name: "Rewards" }).first().click();
  await page.waitForURL(/\/rewards$/);
  await visit(page, `${site.origin}/`);
  await page
    .getByRole("link", { name: /^Rewards/ })
    .first()
    .waitFor();
});

/** A failed read is shown, and retried by a click. */
async function seeDeskFail(operator: Page): Promise<void> {
  const payload = "**/operator/rewards/_payload.json";
  await operator.route(payload, async (route) => {
    const { data } = (await (await route.fetch()).json()) as { data: object };
    await route.fulfill({ json: { data: { ...data, report: null, spring: null } } });
  });
  await operator.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Rewards" }).click();
  const failed = operator.getByRole("alert").filter({ hasText: "Could not load" });
  await expect.poll(() => failed.count()).toBe(2);
  await operator.unroute(payload);
  await failed.first().getByRole("button").click();
  await expect.poll(() => failed.count()).toBe(0);
  await operator.getByText("Funded").first().waitFor();
}

const read = async (path: string): Promise<unknown> =>
  ((await (await context.request.get(`${site.origin}${path}`)).json()) as { data: unknown }).data;

test("[FUT-4] gold an operator proposes and another one grants is in account and form, and pays fees first", async () => {
  const { data } = (await api("/api/v2/users/top-info", {})) as unknown as { data: { id: string } };
  const desk = await browser.newContext();
  desk.setDefaultTimeout(WAIT_MS);
  await enterOperator(site, desk);
  const operator = await desk.newPage();
  await visit(operator, `${site.origin}/operator`);
  await seeDeskFail(operator);
  const give = operator.getByRole("button", { name: "Propose almighty gold" });
  await operator.getByLabel("User ID").fill(String(data.id));
  await operator.getByLabel("Almighty gold amount").fill("50");
  await operator.getByLabel("Reason").last().fill("journey");
  await give.click();
  await operator.getByText("Another operator must approve it").last().waitFor();
  await desk.close();

  await api("/dev/identity", { level: 1 });
  await visit(page, `${site.origin}/futures/BTC_USDT`);
  const form = page.getByRole("form", { name: "Order form" });
  const gold = form.getByText("Almighty gold").locator("..");
  await expect.poll(() => gold.textContent()).toContain("50.00 USDT");
  await expect.poll(() => form.locator('[data-available="USDT"]').textContent()).toBe("50.00 USDT");

  // The market may have no book in its first seconds.
  const order = { pairCode: "BTC_USDT", side: "buy", type: "market", quantity: "0.001" };
  await expect.poll(async () => (await api("/futuresapi/v1/futuresc/orders", order)).code).toBe(200);
  const fills = async () => (await read("/futuresapi/v1/futuresc/fills")) as { fills: object[] };
  await expect.poll(async () => (await fills()).fills.length).toBeGreaterThan(0);
  const [account] = (await read("/futuresapi/v1/futuresc/accounts")) as { balance: string; bonus: string }[];
  // The account has no own money there: the fee was the gold's alone.
  expect(Number(account?.balance)).toBe(0);
  expect(Number(account?.bonus)).toBeLessThan(50);
  expect(Number(account?.bonus)).toBeGreaterThan(49.9);
  await expect.poll(() => gold.textContent()).toContain("49.9");
  await page
    .getByRole("region", { name: "Your orders" })
    .getByRole("tab", { name: /^Trade history/ })
    .click();
  await page
    .getByText(/almighty gold paid 0\.\d+/)
    .first()
    .waitFor();
  await visit(page, `${site.origin}/rewards`);
  await page.getByText(/of 50(\.00)? USDT left/).waitFor();
});
