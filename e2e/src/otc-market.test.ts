// The market of trading between users in a real browser: coins in place of money, an unmatched request, and a list
// longer than a page. A site of its own, whose clock is moved, with a merchant who has as many ads as a bond permits.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter, mintAccount, PASSWORD, readCode, showTotp } from "./auth-steps.ts";
import { findViolations } from "./axe-find.ts";
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

const MONTH_MS = 30 * 86_400_000;
/** How many codes of an authenticator that is. */
const MONTH_STEPS = MONTH_MS / 30_000;
const ADS = 20;
const account = mintAccount();
let site: Site;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ CW_CAPTCHA: "off", ...LIVING_MARKET }), openBrowser()]);
  ({ context, page } = await newPage(browser, { locale: "en-GB" }));
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await site?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
async function api(path: string, body: object = {}, whose = context): Promise<any> {
  const headers = { origin: site.origin };
  const response = await whose.request.post(`${site.origin}${path}`, { data: body, headers });
  const { data, message } = (await response.json()) as { data: unknown; message?: string };
  if (!response.ok()) throw new Error(`${path}: ${message}`);
  return data;
}

/** Of the largest bond, a month old; as many ads as that allows, each a little dearer than the one before. */
async function openDesk(): Promise<BrowserContext> {
  const { context: its, page: desk } = await newPage(browser, { locale: "en-GB" });
  const own = mintAccount();
  const call = (path: string, body: object = {}) => api(path, body, its);
  await enter(desk, site.origin, own);
  await call("/dev/identity", { level: 3 });
  await call("/dev/faucet", { asset: "USDT", amount: "21000" });
  const moved = { asset: "USDT", amount: "21000", from: "1", to: "2", clientId: "bond" };
  await call("/api/asset/v1/api/wallet/transfer", moved);
  const paid = { kind: "bank", fiat: "AED", bank: "Harbour Bank", account: "AE070331234567890123456" };
  const { payments } = await call("/api/v2/otc/payments/add", { ...paid, name: "Leila Haddad" });
  // An open page would renew the old session next to the new one, and whichever answer comes last wins.
  await desk.goto("about:blank");
  await call("/dev/clock", { advanceMs: MONTH_MS });
  const { ticket } = await call("/api/v2/users/login/do-login", { account: own, password: PASSWORD });
  if (ticket !== undefined) {
    const email = await readCode(site.origin, own, "login");
    await call("/api/v2/users/login/do-login", { ticket, codes: { email } });
  }
  await call("/api/v2/users/security/step-up/code");
  const email = await readCode(site.origin, own, "step-up");
  await call("/api/v2/users/security/step-up", { codes: { email } });
  const { secret } = await call("/api/v2/users/security/totp/begin");
  await call("/api/v2/users/security/totp/bind", { code: showTotp(secret, MONTH_STEPS) });
  await call("/api/v2/otc/merchant/apply", { level: 3, name: "Haddad Desk" });
  const state = async () => {
    const got = await its.request.get(`${site.origin}/api/v2/otc/merchant/get`);
    return ((await got.json()) as { data: { merchant: { state: string } } }).data.merchant.state;
  };
  await expect.poll(state).toBe("ACTIVE");
  for (let index = 0; index < ADS; index += 1) {
    const terms = { side: "sell", asset: "USDT", fiat: "AED", premium: `${102 + index / 10}`, quantity: "20" };
    const limits = { min: "10", max: "60", paymentIds: [payments[0].paymentId] };
    await call("/api/v2/otc/ads/add", { ...terms, ...limits, online: true, clientId: `ad-${index}` });
  }
  return its;
}

test("[OTC-1] a list longer than a page grows by a click, keeps its rows, and restarts with new filters", async () => {
  const desk = await openDesk();
  await visit(page, `${site.origin}/otc`);
  const rows = page.locator("main li", { hasText: "% to index" });
  const footer = page.getByText(/^\d+ of \d+ ads/);
  await expect.poll(() => rows.count()).toBe(20);
  const all = Number(/of (\d+)/.exec(await footer.innerText())?.[1]);
  expect(all).toBeGreaterThanOrEqual(ADS + 4);
  const first = await rows.first().innerText();
  const more = page.getByRole("button", { name: "Load more" });
  await waitAwake(more);
  await more.click();
  await expect.poll(() => rows.count()).toBe(all);
  expect(await more.count()).toBe(0);
  expect((await rows.first().innerText()).split("\n")[0]).toBe(first.split("\n")[0]);
  const prices = (await rows.locator("p.figures span:first-child").allInnerTexts()).filter((one) =>
    /^\d+\.\d{4}$/.test(one),
  );
  expect(prices).toHaveLength(all);
  expect(prices).toEqual([...prices].sort((left, right) => Number(left) - Number(right)));
  await page.getByRole("radio", { name: "BTC" }).first().click();
  await page.getByText(/^\d+ of \d+ ads/).waitFor();
  await page.getByRole("radio", { name: "USDT" }).first().click();
  await expect.poll(() => rows.count()).toBe(20);
  await desk.close();
});

test("[OTC-1] coins are matched as money is, and for an unmatched request the nearest is offered and taken", async () => {
  await enter(page, site.origin, account);
  await api("/dev/identity", { level: 2 });
  await visit(page, `${site.origin}/otc`);
  const coins = page.getByLabel("I get");
  const money = page.getByLabel("I pay");
  await waitAwake(coins);
  await coins.fill("100");
  const find = page.getByRole("button", { name: "Find the best price" });
  await find.click();
  const buy = page.getByRole("button", { name: /^Buy [\d,.]+ USDT$/ });
  await buy.waitFor();
  expect(await buy.innerText()).toBe("Buy 100 USDT");
  expect(Number((await money.inputValue()).replace(",", ""))).toBeGreaterThan(360);
  // More than any ad takes.
  await money.fill("9999999");
  await find.click();
  const nearest = page.getByText(/^The nearest ad takes [\d,]+ to [\d,]+ AED\.$/);
  await nearest.waitFor();
  expect(await findViolations(page)).toEqual([]);
  const change = page.getByRole("button", { name: /^Change to [\d,]+ AED$/ });
  const offered = /[\d,]+/.exec(await change.innerText())?.[0] ?? "";
  expect(await nearest.innerText()).toContain(` to ${offered} AED`);
  await change.click();
  await buy.waitFor();
  expect(await nearest.count()).toBe(0);
  expect((await money.inputValue()).replace(/\.00$/, "")).toBe(offered);
  // Another coin is another question, and the answer of before is none to it.
  await page.getByRole("radio", { name: "BTC" }).first().click();
  await expect.poll(() => buy.count()).toBe(0);
  await page.getByRole("radio", { name: "USDT" }).first().click();
  // In coins, less than any ad sells.
  await coins.fill("0.5");
  await find.click();
  await page.getByRole("button", { name: /^Change to [\d,.]+ USDT$/ }).click();
  await buy.waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await measureOverflow(page)).toBe(0);
});
