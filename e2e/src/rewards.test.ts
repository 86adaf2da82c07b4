// Rewards, walked by a person in a browser: a task done by an order, its claim, the coupon it gave, a card drawn and looked
// at, and the ways in from the first page and the wallet.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mintAccount, register } from "./auth-steps.ts";
import { openBrowser, type Site, startSite, visit, WAIT_MS } from "./site.ts";

let site: Site;
let browser: Browser;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  const settings = { CW_MARKET: "on", CW_CHAIN: "off", CW_CAPTCHA: "off" };
  [site, browser] = await Promise.all([startSite(settings), openBrowser()]);
  context = await browser.newContext();
  context.setDefaultTimeout(WAIT_MS);
  page = await context.newPage();
  await register(page, site.origin, mintAccount());
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
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
  const bought = await api("/api/v1/spot/orders", {
    pairCode: "BTC_USDT",
    type: "market",
    side: "buy",
    quantity: "0.011",
  });
  expect(bought.message).toBe("success");
  // The page is told: nobody loads it again.
  const claim = page.getByRole("button", { name: "Claim: Trade 1,000 USDT on Spot" });
  await claim.click();
  await page.getByText("Your reward is here").first().waitFor();
  await claim.waitFor({ state: "detached" });
  await page.getByText("Spot fees, 50% of each").waitFor();
});

test("[USR-5] a card is drawn by turnover and shown with its promise, and draws can be looked at", async () => {
  await page.getByRole("button", { name: "Draw a card" }).click();
  await page.getByText(/^You drew: /).waitFor();
  await page.getByText("1 held").waitFor();
  await page.getByRole("button", { name: "Check earlier draws" }).click();
  await page.getByText("seed follows tomorrow").waitFor();
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
