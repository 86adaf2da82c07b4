// The first five minutes in a real browser: from the first page to a first fill in at most eight clicks and one theme,
// and the newcomer's other steps. Few page loads.
import { allOf } from "@clockwork/kit/all-of";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mintAccount, PASSWORD, readCode } from "./auth-steps.ts";
import { findViolations } from "./axe-find.ts";
import { joinSite, newPage, openBrowser, type Site, visit, visitUntil, type Watch, waitAwake } from "./site.ts";

const PRESSES_MAX = 8;

let site: Pick<Site, "origin">;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let watch: Watch;
let presses = 0;
const account = mintAccount();

beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite("living"), openBrowser()]);
  ({ context, page, watch } = await newPage(browser, { locale: "en-GB" }));
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
});

async function press(locator: Locator): Promise<void> {
  presses += 1;
  await locator.click();
}

test("[SITE-22] a newcomer comes from the first page to a first fill in at most eight presses, in one theme", async () => {
  const themes = new Set<string>();
  page.on("load", async () => {
    // A page that is left at once reports nothing.
    const theme = await page.evaluate(() => document.documentElement.dataset.theme ?? "").catch(() => undefined);
    if (theme !== undefined) themes.add(theme);
  });
  await visit(page, site.origin);
  const field = page.getByLabel("Email or phone").first();
  await waitAwake(field);
  await field.fill(account);
  await press(page.locator("main form").first().getByRole("button"));
  await page.waitForURL("**/register*");
  await press(page.getByText(/I have read|I agree/).first());
  if (page.url().includes("/register-cw")) {
    await press(page.getByRole("button", { name: "Continue", exact: true }));
    await page.waitForURL("**/create*");
    await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
    await press(page.getByRole("button", { name: "Continue", exact: true }));
  } else {
    await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
    await press(page.locator("main form").getByRole("button", { name: "Create account", exact: true }));
  }
  await page.waitForURL("**/verification*");
  await page.getByLabel("Digit 1").focus();
  await page.keyboard.type(await readCode(site.origin, account, "sign-up"));
  await page.waitForURL("**/overview");
  const step = (name: string) => page.locator(`[data-step="${name}"]`);
  await waitAwake(step("funds").getByRole("button"));
  await press(step("funds").getByRole("button"));
  await page.locator('[data-step="funds"][data-done]').waitFor();
  await press(step("trade").getByRole("button"));
  await page.locator('[data-step="trade"][data-done]').waitFor();
  expect(presses).toBeLessThanOrEqual(PRESSES_MAX);
  expect([...themes]).toEqual(["light"]);
  // What was bought is held, at its cost.
  const coin = page.locator('tr[data-coin="BTC"]');
  await coin.waitFor();
  await expect.poll(() => coin.locator("td").nth(2).innerText()).toMatch(/^[\d,]+\.\d{2}$/);
  await expect.poll(() => page.locator("[data-today]").innerText()).toMatch(/USDT/);
  // A screen-reader announcement names its button for some seconds more, also when it is gone.
  await expect.poll(() => findViolations(page), { interval: 2_000 }).toEqual([]);
});

test("[SITE-22] one total on the overview, in the account's menu, in the wallet and in the terminal; all move together", async () => {
  const menu = page.getByText(/Total, in USD/).locator("..");
  /** The first number in it: "$10,000.12", "10,000.12 USDT ≈ 0.1 BTC". */
  const firstOf = (text: string) => /[0-9,]+\.[0-9]{2}/.exec(text)?.[0];
  const gives = { asset: "USDT", amount: "1000" };
  for (const path of ["/overview", "/wallet", "/spot/BTC_USDT"]) {
    await visit(page, site.origin + path);
    await page
      .getByRole("button", { name: /account/i })
      .first()
      .click();
    const here = page.locator("[data-total]");
    // Read at one moment: prices move under both.
    const both = async () => {
      const place = await here.first().elementHandle();
      const read = (one: Element, other: Element | null) =>
        [one, other].map((part) => (part as HTMLElement | null)?.innerText);
      return (await menu.first().evaluate(read, place)).map((text) => firstOf(text ?? ""));
    };
    await expect.poll(async () => new Set(await both()).size, { message: path }).toBe(1);
    const before = Number((await both())[1]?.replaceAll(",", ""));
    await page.request.post(`${site.origin}/dev/faucet`, { data: gives, headers: { origin: site.origin } });
    // Without a reload, in both places.
    const grown = async () =>
      allOf(await both(), (text) => Number(text?.replaceAll(",", "")) > before + 500) ? "both" : await both();
    await expect.poll(grown, { message: path }).toBe("both");
    await page.keyboard.press("Escape");
  }
});

test("[SPOT-4] after an alert is set the focus remains in its dialog, and Escape closes it", async () => {
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await page.getByRole("button", { name: "Alert", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Price alert" });
  await dialog.getByLabel("Price").fill("1000");
  await dialog.getByRole("button", { name: "Set alert" }).click();
  await dialog.getByRole("button", { name: /Remove/ }).waitFor();
  const isInside = () => dialog.evaluate((element) => element.contains(document.activeElement));
  await expect.poll(isInside).toBe(true);
  await dialog.getByRole("button", { name: /Remove/ }).click();
  await dialog.getByRole("button", { name: /Remove/ }).waitFor({ state: "detached" });
  await expect.poll(isInside).toBe(true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

test("[SPOT-5] a letter about a coupon leads to the coupons", async () => {
  await visit(page, `${site.origin}/spot/BTC_USDT?coupons=1`);
  const coupons = page.getByRole("dialog", { name: "Your coupons" });
  await coupons
    .getByText(/Spot bonus/)
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
  await coupons.waitFor({ state: "detached" });
});

test("[SPOT-4] orders, trades and transfers each have a whole page, and Back goes through them", async () => {
  // The tables are written after the trade was answered.
  await visitUntil(page, `${site.origin}/orders?tab=history`, page.locator("tr[data-row]"));
  await page.getByRole("link", { name: "Trades", exact: true }).click();
  await page.waitForURL("**/orders?tab=trades");
  await expect.poll(() => page.locator("tr[data-row]").count()).toBeGreaterThan(0);
  expect(await findViolations(page)).toEqual([]);
  await page.goBack();
  await page.waitForURL("**/orders?tab=history");
  await page.getByRole("link", { name: "Open", exact: true }).click();
  await page.getByText("No open orders.").waitFor();
});

test("[SITE-22] the welcome, once closed, remains closed", async () => {
  await visit(page, `${site.origin}/overview`);
  const close = page.getByRole("button", { name: "Close the welcome" });
  await waitAwake(close);
  await close.click();
  await page.getByRole("region", { name: /Welcome/ }).waitFor({ state: "detached" });
  await visit(page, `${site.origin}/overview`);
  await expect.poll(() => page.getByRole("region", { name: /Welcome/ }).count()).toBe(0);
  expect(watch.troubles).toEqual([]);
});

test("[SITE-5] one switch chooses light, dark or system; the terminal has its own choice and shows it", async () => {
  await page.getByRole("button", { name: "Choose a theme" }).click();
  const panel = page.getByRole("dialog", { name: "Theme" });
  await panel.getByText("Dark", { exact: true }).click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await panel.getByText("Light", { exact: true }).click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  for (const spelt of ["btc-usdt", "BTCUSDT"]) {
    await visit(page, `${site.origin}/spot/${spelt}`);
    expect(new URL(page.url()).pathname).toBe("/spot/BTC_USDT");
  }
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
  await page.getByRole("button", { name: "Choose a theme" }).click();
  await panel.getByText("For the trading terminals alone").waitFor();
  await panel.getByText("System", { exact: true }).click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  await context.clearCookies({ name: "cw_terminal_theme" });
});

test("[SITE-11] Markets in capitals is Markets, its tabs go back, and an address that is no text is a page", async () => {
  await visit(page, `${site.origin}/Markets`);
  expect(new URL(page.url()).pathname).toBe("/markets");
  const rankings = page.getByRole("link", { name: "Rankings" });
  await waitAwake(rankings);
  await rankings.click();
  await page.waitForURL("**/markets?tab=rankings");
  await page.goBack();
  await page.waitForURL("**/markets");
  const odd = await fetch(`${site.origin}/%E0%A4%A`, { headers: { accept: "text/html" } });
  expect([odd.status, odd.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
});

test("[AUTH-4] both ways in offer the same, say why a session ended, and a passkey at a number its reason", async () => {
  const visitor = await newPage(browser, { viewport: { width: 390, height: 844 } });
  for (const path of ["/login", "/login-cw"]) {
    await visit(visitor.page, `${site.origin}${path}?ended=1`);
    await visitor.page.getByText("Your session has ended.").waitFor();
    await visitor.page.getByRole("link", { name: "Scan instead" }).waitFor();
    await visitor.page.getByRole("link", { name: "Log in with a passkey" }).waitFor();
  }
  await visitor.page.getByRole("link", { name: "Log in with a passkey" }).click();
  await visitor.page.getByText("this site was opened by its number").waitFor();
  // On a phone a visitor has one main button, and the home page states that prices are simulated.
  await visit(visitor.page, `${site.origin}/spot/BTC_USDT`);
  expect(await visitor.page.locator(".t-sticky button").count()).toBe(0);
  await visitor.page.locator(".t-sticky").getByRole("link", { name: "Log in to trade" }).waitFor();
  await visit(visitor.page, site.origin);
  await visitor.page.getByText("Simulated", { exact: true }).first().waitFor();
  await visitor.context.close();
});
