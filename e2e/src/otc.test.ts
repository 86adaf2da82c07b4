// A newcomer buys coins from a simulated merchant alone, in a real browser: matched, paid, talked to, released; then the
// list, a deal with a provider and the bills, the payment account and the pages around it; a month later as a merchant with an ad that gets new terms. A site of
// its own, whose clock is moved.
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter, mintAccount, PASSWORD, readCode, showTotp } from "./auth-steps.ts";
import { findViolations } from "./axe-find.ts";
import { enterOperator } from "./operator-steps.ts";
import {
  LIVING_MARKET,
  measureOverflow,
  newPage,
  openBrowser,
  type Site,
  startSite,
  visit,
  waitAwake,
} from "./site.ts";

const account = mintAccount();
/**
 * A code may be requested again after a minute, and no release happens later than this; whole steps of an
 * authenticator.
 */
const NEXT_CODE_MS = 90_000;
const FUND_PASSWORD = "fund-password-1";
let site: Site;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ CW_CAPTCHA: "off", ...LIVING_MARKET }), openBrowser()]);
  ({ context, page } = await newPage(browser, { locale: "en-GB" }));
  await enter(page, site.origin, account);
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await site?.stop();
});

async function api(path: string, body: object = {}, whose = context): Promise<Record<string, string>> {
  const headers = { origin: site.origin };
  const response = await whose.request.post(`${site.origin}${path}`, { data: body, headers });
  const { data, message } = (await response.json()) as { data: Record<string, string>; message?: string };
  if (!response.ok()) throw new Error(`${path}: ${message}`);
  return data;
}

test("[OTC-1] without a level prices are shown and the way to identity; with it a purchase is finished alone", async () => {
  await visit(page, `${site.origin}/otc`);
  await page.getByText("Gulf Meridian").first().waitFor();
  expect(await page.getByRole("link", { name: "Verify identity" }).getAttribute("href")).toContain("/identity");
  await api("/dev/identity", { level: 2 });
  await visit(page, `${site.origin}/otc`);
  const amount = page.getByLabel("I pay");
  await waitAwake(amount);
  // A seller without a second factor is led to setting one up; buying needs none.
  const buy = page.getByRole("radio", { name: "I want to buy" });
  await page.getByRole("radiogroup").filter({ has: buy }).getByRole("radio", { name: "Sell" }).click();
  const factor = page.getByRole("link", { name: "Set up a second factor" });
  expect(await factor.getAttribute("href")).toContain("/security");
  await buy.click();
  await amount.fill("500");
  await page.getByRole("button", { name: "Find the best price" }).click();
  await page.getByRole("button", { name: /^Buy [\d,.]+ USDT$/ }).click();
  await page.waitForURL("**/otc/order/*");
  await page.getByRole("timer").waitFor();
  // Where the money goes is shown, and the reference it carries.
  await page.getByText("Simulated Bank", { exact: true }).waitFor();
  const message = page.getByLabel("Write a message");
  await waitAwake(message);
  await message.fill("Sending it <b>now</b>");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const log = page.getByRole("log");
  await log.getByText("Sending it <b>now</b>").waitFor();
  await log.getByText(/This merchant is simulated/).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: /^I have paid/ }).click();
  // The simulated merchant releases within seconds, and a slow page may see the end of it first; every seventh is late.
  await page.getByRole("heading", { name: /^(Waiting for the seller|Completed)$/ }).waitFor();
  await api("/dev/clock", { advanceMs: NEXT_CODE_MS });
  await page.getByRole("heading", { name: "Completed" }).waitFor();
  await api("/api/v2/users/security/trade-password/set", { password: FUND_PASSWORD });
  // Bought coins are distinguished where they would leave.
  await api("/api/asset/v1/api/wallet/transfer", { asset: "USDT", amount: "50", from: "2", to: "1", clientId: "out" });
  await visit(page, `${site.origin}/wallet/send`);
  await page.getByText(/USDT bought on OTC, all of it free from/).waitFor();
  await page.getByText("Withdrawable 0 USDT").waitFor();
  await visit(page, `${site.origin}/otc/orders`);
  await page.getByText("Completed").first().waitFor();
});

test("[OTC-1] the list is narrowed by the time to pay, and a press takes it back", async () => {
  await visit(page, `${site.origin}/otc`);
  const rows = page.locator("main li", { hasText: "Gulf Meridian" });
  await rows.first().waitFor();
  const window = page.getByRole("button", { name: /Time to pay/ });
  await waitAwake(window);
  await window.click();
  await page.getByRole("option", { name: "60 min" }).click();
  await expect.poll(() => rows.count()).toBe(0);
  await page.getByText("Creek House").first().waitFor();
  await page.getByRole("button", { name: "Without: 60 min" }).click();
  await rows.first().waitFor();
});

test("[OTC-1] a provider is reached from the market; its quote is taken, pending and done, another fails, and the bills show it", async () => {
  await visit(page, `${site.origin}/otc`);
  await page.getByRole("link", { name: "buy from a provider" }).click();
  await page.waitForURL("**/otc/providers?*");
  // The previous page has a field of the same label, until the new page is drawn.
  const amount = page.locator('input[name="provider-amount"]');
  await waitAwake(amount);
  await amount.fill("100");
  await page.getByRole("button", { name: "Get a quote" }).click();
  await page.getByRole("timer").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: /^Buy [\d,.]+ USDT$/ }).click();
  // The simulated provider answers within three seconds.
  const [answer, done] = ["The provider has been told.", "The coins are in your funding account."].map((words) =>
    page.getByText(words),
  ) as [Locator, Locator];
  await answer.or(done).first().waitFor();
  await done.waitFor();
  await page.getByRole("button", { name: "Ask for another quote" }).click();
  await amount.fill("100.13");
  await page.getByRole("button", { name: "Get a quote" }).click();
  await page.getByRole("button", { name: /^Buy [\d,.]+ USDT$/ }).click();
  await page.getByText("The provider could not take the money.").waitFor();
  await page.getByText("Failed", { exact: true }).last().waitFor();
  await visit(page, `${site.origin}/otc/bills?kind=provider`);
  await page.getByRole("cell", { name: /^Provider/ }).waitFor();
  await page.getByText("−100.00 AED").waitFor();
  expect(await page.getByRole("cell", { name: /^Bought/ }).count()).toBe(0);
  await visit(page, `${site.origin}/otc/bills`);
  await page.getByRole("cell", { name: /^Bought/ }).waitFor();
  expect(await findViolations(page)).toEqual([]);
});

let provedBy = "";
/** By a code that was not used before; answers it. */
async function prove(): Promise<string> {
  await api("/api/v2/users/security/step-up/code");
  const email = await readCode(site.origin, account, "step-up", provedBy);
  await api("/api/v2/users/security/step-up", { codes: { email } });
  return email;
}

test("[OTC-1] a payment account in the own name is added, and every page fits a phone", async () => {
  provedBy = await prove();
  await visit(page, `${site.origin}/otc/payments`);
  const holder = page.getByLabel("Name of the holder");
  await waitAwake(holder);
  await holder.fill("Tomas Brandt");
  await page.getByLabel("Bank", { exact: true }).fill("Harbour Bank");
  await page.getByLabel("IBAN").fill("AE07 0331 2345 6789 0123 456");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Harbour Bank, AE07 •••• 3456").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  const names = ["", "/orders", "/payments", "/ads", "/post", "/merchant", "/providers", "/bills"];
  for (const path of names.map((name) => `/otc${name}`)) {
    await visit(page, site.origin + path);
    await page.locator("main h1").waitFor();
    expect([path, await measureOverflow(page)]).toEqual([path, 0]);
  }
});

test("[OTC-1] a sale is finished alone: reloaded in the middle, gone back from, without a network for a while, and released by two proofs", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await api("/dev/faucet", { asset: "USDT", amount: "100" });
  await api("/api/asset/v1/api/wallet/transfer", {
    asset: "USDT",
    amount: "100",
    from: "1",
    to: "2",
    clientId: "sale",
  });
  await visit(page, `${site.origin}/otc?side=sell`);
  const amount = page.getByLabel("I am paid");
  await waitAwake(amount);
  await amount.fill("150");
  await page.getByRole("button", { name: "Find the best price" }).click();
  await page.getByRole("button", { name: /^Sell [\d,.]+ USDT$/ }).click();
  await page.waitForURL("**/otc/order/*");
  const orderUrl = page.url();
  // The simulated buyer pays after some seconds.
  await page.getByRole("heading", { name: /^(Wait for 150|The buyer says)/ }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: /^(Wait for 150|The buyer says)/ }).waitFor();
  // Back to the market and forward again: one order, in its current state.
  await page.goBack();
  await page.waitForURL("**/otc?side=sell");
  await amount.waitFor();
  await page.goForward();
  await page.waitForURL(orderUrl);
  // The address is there before the page: without a network it would not come at all.
  await page.getByRole("heading", { name: /^(Wait for 150|The buyer says)/ }).waitFor();
  await page.waitForLoadState("networkidle");
  // Changes during an offline period appear when the network is back.
  await context.setOffline(true);
  await expect
    .poll(async () => {
      const got = await context.request.get(`${site.origin}/api/v2/otc/orders/get?id=${orderUrl.slice(-14)}`);
      return ((await got.json()) as { data: { state: string } }).data.state;
    })
    .toBe("PAID");
  await context.setOffline(false);
  await page.getByRole("heading", { name: /^The buyer says 150/ }).waitFor();
  const password = page.getByLabel("Fund password");
  await waitAwake(password);
  const release = page.getByRole("button", { name: /^Release [\d,.]+ USDT$/ });
  expect(await release.isDisabled()).toBe(true);
  expect(await findViolations(page)).toEqual([]);
  // Another code is sent a minute after the one before.
  await api("/dev/clock", { advanceMs: NEXT_CODE_MS });
  await page.getByRole("button", { name: "Send a code" }).click();
  provedBy = await readCode(site.origin, account, "step-up", provedBy);
  await password.fill("fund-password-2");
  await page.getByLabel("Code that was sent to you").fill(provedBy);
  await release.click();
  await page.getByText(/The fund password, the passkey or the code is wrong/).waitFor();
  await password.fill(FUND_PASSWORD);
  await page.getByLabel("Code that was sent to you").fill(provedBy);
  await release.click();
  await page.getByRole("heading", { name: "Completed" }).waitFor();
});

const MONTH_MS = 30 * 86_400_000;
/** How many codes of an authenticator that is. */
const MONTH_STEPS = MONTH_MS / 30_000;

/** A month later, signed in again, with an authenticator and the bond's coins. */
async function growUp(): Promise<void> {
  await api("/dev/faucet", { asset: "USDT", amount: "3000" });
  await api("/api/asset/v1/api/wallet/transfer", {
    asset: "USDT",
    amount: "3000",
    from: "1",
    to: "2",
    clientId: "bond",
  });
  // An open page would renew the old session next to the new one, and whichever answer comes last wins.
  await page.goto("about:blank");
  await api("/dev/clock", { advanceMs: MONTH_MS - 2 * NEXT_CODE_MS });
  const { ticket } = await api("/api/v2/users/login/do-login", { account, password: PASSWORD });
  if (ticket !== undefined) {
    const email = await readCode(site.origin, account, "login");
    await api("/api/v2/users/login/do-login", { ticket, codes: { email } });
  }
  await prove();
  const { secret = "" } = await api("/api/v2/users/security/totp/begin");
  await api("/api/v2/users/security/totp/bind", { code: showTotp(secret, MONTH_STEPS) });
}

test("[OTC-1] a merchant posts an ad and gives it new terms; refusals are next to their fields", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await growUp();
  await visit(page, `${site.origin}/otc/merchant`);
  const name = page.getByLabel("Trading name");
  await waitAwake(name);
  await name.fill("Brandt Desk");
  await page.getByRole("button", { name: "Apply and pay the bond" }).click();
  await page.getByText("Active", { exact: true }).waitFor();
  await visit(page, `${site.origin}/otc/post`);
  const quantity = page.getByLabel("Quantity");
  await waitAwake(quantity);
  await quantity.fill("200");
  // The price is there before the form is complete, and what was typed is there after a reload.
  await page.getByText(/index × [\d.]+ rate × 100.00%/).waitFor();
  await page.reload();
  await page.getByText(/^Your draft of/).waitFor();
  await expect.poll(() => quantity.inputValue()).toBe("200");
  await page.getByRole("checkbox", { name: /Harbour Bank/ }).check({ force: true });
  await page.getByRole("button", { name: "Go online" }).click();
  await page.waitForURL("**/otc/ads");
  await page.getByText("Online", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.waitForURL("**/otc/ad/*");
  await page.getByRole("heading", { name: "Edit ad" }).waitFor();
  const smallest = page.getByLabel("Smallest order");
  await waitAwake(smallest);
  await expect.poll(() => quantity.isDisabled()).toBe(true);
  const save = page.getByRole("button", { name: "Save changes" });
  await smallest.fill("4000");
  await page.getByText("The smallest order must be above zero and not above the largest.").waitFor();
  await expect
    .poll(async () => [await smallest.getAttribute("aria-invalid"), await save.isDisabled()])
    .toEqual(["true", true]);
  await smallest.fill("150");
  await page.getByLabel("Of the index, %").fill("125");
  await page.getByText(/too far from the index/i).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel("Of the index, %").fill("101");
  await page.getByLabel("Note to the other side").fill("Bank transfers within minutes");
  await save.click();
  await page.waitForURL("**/otc/ads");
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("heading", { name: "Edit ad" }).waitFor();
  await expect.poll(() => smallest.inputValue()).toBe("150.00");
  expect(await page.getByLabel("Note to the other side").inputValue()).toBe("Bank transfers within minutes");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await measureOverflow(page)).toBe(0);
});

const LATER_MS = 11 * 60_000;
const LATER_STEPS = MONTH_STEPS + LATER_MS / 30_000;

/** Another user, who has taken the merchant's ad. */
async function takeAd(): Promise<{ buyer: Page; its: BrowserContext; orderId: string }> {
  const { context: its, page: buyer } = await newPage(browser, { locale: "en-GB" });
  await enter(buyer, site.origin, mintAccount());
  await api("/dev/identity", { level: 2 }, its);
  const own = await context.request.get(`${site.origin}/api/v2/otc/ads/own`);
  const { data } = (await own.json()) as { data: { ads: { adId: string; paymentIds: string[] }[] } };
  const [ad] = data.ads;
  const taken = { adId: ad?.adId, amount: "200", paymentId: ad?.paymentIds[0], clientId: "argued" };
  const { orderId = "" } = await api("/api/v2/otc/orders/add", taken, its);
  return { buyer, its, orderId };
}

test("[OTC-1] a buyer without a release appeals, the seller answers, an operator decides in the console", async () => {
  const { buyer, its, orderId } = await takeAd();
  await visit(buyer, `${site.origin}/otc/order/${orderId}`);
  await waitAwake(buyer.getByLabel("Write a message"));
  await buyer.getByRole("button", { name: /^I have paid/ }).click();
  await buyer.getByRole("heading", { name: "Waiting for the seller" }).waitFor();
  // A buyer who has paid confirms before everything is returned.
  await buyer.getByRole("button", { name: /^I did not pay/ }).click();
  const requested = buyer.getByRole("alertdialog");
  await requested.getByText(/does not come back by this/).waitFor();
  expect(await findViolations(buyer)).toEqual([]);
  await requested.getByRole("button", { name: "Keep the order" }).click();
  await api("/dev/clock", { advanceMs: LATER_MS });
  for (const one of [context, its]) await api("/api/v2/users/session/refresh", {}, one);
  await visit(buyer, `${site.origin}/otc/order/${orderId}`);
  const appeal = buyer.getByRole("button", { name: "Appeal", exact: true });
  await waitAwake(appeal);
  await appeal.click();
  await buyer.getByLabel("What happened", { exact: true }).fill("Sent from my own account, and nothing was released.");
  await buyer.getByRole("button", { name: "Open the appeal" }).click();
  await buyer.getByRole("heading", { name: "Support is deciding" }).waitFor();

  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, `${site.origin}/otc/order/${orderId}`);
  const statement = page.getByLabel("What happened", { exact: true });
  await waitAwake(statement);
  await statement.fill("It came from another name.");
  await page.getByRole("button", { name: "Save statement" }).click();
  await page.getByText("It came from another name.", { exact: true }).first().waitFor();

  const { context: desk, page: operator } = await newPage(browser, { locale: "en-GB" });
  await enterOperator(site, desk, LATER_STEPS);
  await visit(operator, `${site.origin}/operator/otc`);
  const open = operator.getByRole("button", { name: "Open", exact: true });
  await waitAwake(open);
  await open.click();
  await operator.getByText("It came from another name.").waitFor();
  await operator.getByLabel("Reason, both sides read it").first().fill("The bank's statement bears the buyer's name.");
  expect(await findViolations(operator)).toEqual([]);
  await operator.getByRole("button", { name: /^Decide for the buyer/ }).click();
  await operator
    .getByText(/^Decided/)
    .first()
    .waitFor();
  await buyer.getByRole("heading", { name: "Completed" }).waitFor();
  await buyer.getByText(/Decided for the buyer: The bank's statement/).waitFor();
  await operator.close();
  await desk.close();
  await its.close();
});

test("[OTC-1] the help shows the table of states the exchange works by", async () => {
  await visit(page, `${site.origin}/help/articles/otc-order`);
  await expect.poll(() => page.locator("#otc-states ~ div tbody tr").count()).toBe(12);
});

test("[PAGE-1] the page about dirhams shows what coins cost now", async () => {
  await visit(page, `${site.origin}/aed-otc`);
  await expect.poll(() => page.locator("#quotes ~ table tbody tr").first().innerText()).toMatch(/USDT\/AED\s+3\.67/);
});
