// The wallet in a browser over the real development chain: a deposit that confirms live, a withdrawal, the history of
// both, transfers, a conversion and a statement of it all.
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseOption, enter, mintAccount, PASSWORD, readCode } from "./auth-steps.ts";
import {
  LIVING_MARKET,
  measureOverflow,
  openBrowser,
  type Site,
  startSite,
  visit,
  visitUntil,
  WAIT_MS,
  waitAwake,
} from "./site.ts";

let site: Site;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const account = mintAccount();
beforeAll(async () => {
  const settings = { ...LIVING_MARKET, CW_CHAIN: "auto", CW_CHAIN_PRIORITY: "normal", CW_CAPTCHA: "off" };
  [site, browser] = await Promise.all([startSite(settings), openBrowser()]);
  context = await browser.newContext();
  context.setDefaultTimeout(WAIT_MS);
  page = await context.newPage();
  await enter(page, site.origin, account);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

const api = async (path: string, body: object): Promise<{ code: unknown; data: unknown }> => {
  const headers = { origin: site.origin };
  const answer = await context.request.post(`${site.origin}${path}`, { data: body, headers });
  return (await answer.json()) as { code: unknown; data: unknown };
};
const mine = (blocks: number) => api("/dev/chain/mine", { network: "CWT", blocks });

test("[WAL-2] test coins are seen with their block, counted live and credited without a reload", async () => {
  await visit(page, `${site.origin}/wallet/deposit`);
  const coin = page.getByRole("button", { name: /Coin/ });
  await waitAwake(coin);
  await coin.click();
  await page.getByRole("option", { name: /^USDT/ }).click();
  await page.getByRole("radio", { name: /Clockwork Test Chain/ }).click();
  await page.getByRole("button", { name: "Get test funds" }).click();
  await page.getByText("Sent. The deposit appears below").waitFor();
  await mine(1);
  await page.getByText("Confirming").first().waitFor();
  await mine(14);
  await page.getByText("Completed", { exact: true }).first().waitFor();
});

test("[WAL-3] a conversion is firm for seconds and taken, and the overview and history show it", async () => {
  await visit(page, `${site.origin}/wallet/convert`);
  // A price that comes when the amount is another already is not offered for it.
  const changed = Promise.withResolvers<void>();
  await page.route(
    "**/convert/quote",
    async (route) => {
      await changed.promise;
      await route.continue();
    },
    { times: 1 },
  );
  const isQuote = (request: Request) => request.url().endsWith("/convert/quote");
  const requested = page.waitForRequest(isQuote);
  // Answered, or given up by a page that would wait no longer.
  const over = Promise.race([
    page.waitForEvent("requestfinished", isQuote),
    page.waitForEvent("requestfailed", isQuote),
  ]);
  await page.getByLabel("Amount").fill("10");
  await page.getByRole("button", { name: "Get quote" }).click();
  await requested;
  await page.getByLabel("Amount").fill("20");
  changed.resolve();
  await over;
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.getByRole("button", { name: /^Convert 20/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Get quote" }).click();
  await page.getByText("You receive").waitFor();
  // On a slow machine its ten seconds may be over: the button then requests another price.
  const press = async () => {
    const answered = page.waitForResponse((response) => /\/convert\/(quote|accept)$/.test(response.url()));
    await page.getByRole("button", { name: /^(Convert 20|Get quote)/ }).click();
    const answer = await answered;
    return answer.ok() && answer.url().endsWith("/accept");
  };
  await expect.poll(press).toBe(true);
  await page.getByText(/^Converted 20 USDT/).waitFor();
  await visit(page, `${site.origin}/wallet`);
  await page.getByRole("heading", { name: "Allocation" }).waitFor();
  await page.getByRole("button", { name: "Hide balances" }).click();
  await expect.poll(() => page.getByText("••••••").count()).toBeGreaterThan(3);
  await page.getByRole("button", { name: "Show balances" }).click();
  const bothLines = async () => {
    await visit(page, `${site.origin}/wallet/history?type=convert`);
    return page.getByRole("cell", { name: "Convert" }).count();
  };
  await expect.poll(bothLines).toBe(2);
});

test("[WAL-1] money moves between own accounts and back", async () => {
  // Open in a second tab: balances follow without a reload.
  const overview = await page.context().newPage();
  await visit(overview, `${site.origin}/wallet`);
  const futures = overview.locator('[data-account="3"]');
  await futures.waitFor();
  expect(await futures.innerText()).not.toContain("15.00");
  await visit(page, `${site.origin}/wallet/transfer`);
  await page.getByLabel("Amount").fill("15");
  await page.getByRole("button", { name: "Transfer 15 USDT" }).click();
  await page.getByText("15 USDT transferred to Futures, USDT.").waitFor();
  await expect.poll(() => futures.innerText()).toContain("15.00");
  await overview.close();
  await page.getByRole("button", { name: "Swap direction" }).click();
  await page.getByText("15 USDT transferable from Futures, USDT").waitFor();
  await page.getByLabel("Amount").fill("16");
  await page.getByText("Only 15 USDT is transferable from Futures, USDT.").waitFor();
  expect(await page.getByRole("button", { name: "Transfer 16 USDT" }).isDisabled()).toBe(true);
  await page.getByLabel("Amount").fill("15");
  await page.getByRole("button", { name: "Transfer 15 USDT" }).click();
  await page.getByText("15 USDT transferred to Spot.").waitFor();
});

test("[WAL-3] the history is found by tab and by reference; accounts and the address book have pages of their own", async () => {
  const rows = page.getByRole("row");
  const transfers = async () => {
    await visit(page, `${site.origin}/wallet/history`);
    await page.getByRole("button", { name: "Transfers", exact: true }).click();
    await page.waitForURL(/group=transfers/);
    return page.getByRole("cell", { name: "Transfer", exact: true }).count();
  };
  await expect.poll(transfers).toBe(4);
  await expect.poll(() => page.getByRole("cell", { name: "Convert", exact: true }).count()).toBe(0);
  expect(await page.getByRole("cell", { name: "Transfer", exact: true }).count()).toBe(4);
  await page.getByRole("button", { name: "Create statement" }).waitFor();
  await page.getByText("1 to 4 of 4 entries").waitFor();
  const accounts = page.getByRole("columnheader", { name: "Account" });
  expect(await accounts.count()).toBe(1);
  const columns = page.getByRole("button", { name: "Columns" });
  await waitAwake(columns);
  await columns.click();
  await page.getByRole("menuitemcheckbox", { name: "Account" }).click();
  await expect.poll(() => accounts.count()).toBe(0);
  await page.keyboard.press("Escape");
  // Kept by the browser.
  await page.reload();
  await expect.poll(() => accounts.count()).toBe(0);
  await page.getByRole("textbox", { name: "Search", exact: true }).fill("no-such-reference");
  await page.waitForURL(/search=no-such-reference/);
  await expect.poll(() => rows.count()).toBe(0);
  await visit(page, `${site.origin}/wallet`);
  await page.locator('[data-account="3"] a').click();
  await page.getByRole("heading", { name: "Futures, USDT", level: 1 }).waitFor();
  await expect.poll(() => page.getByRole("cell", { name: "Transfer", exact: true }).count()).toBe(2);
  await visit(page, `${site.origin}/wallet/addresses`);
  await page.getByRole("heading", { name: "Address book", level: 1 }).waitFor();
});

test("[WAL-2] a withdrawal is proved, leaves and is done", async () => {
  await api("/api/v2/users/security/step-up/code", {});
  const first = await readCode(site.origin, account, "step-up");
  await api("/api/v2/users/security/step-up", { codes: { email: first } });
  await api("/api/v2/users/security/trade-password/set", { password: "fund-password-1" });
  // The first binding rests withdrawals for seconds, and a code is sent once a minute.
  await api("/dev/clock", { advanceMs: 70_000 });
  await visit(page, `${site.origin}/wallet/withdraw`);
  const to = page.getByLabel("To address", { exact: true });
  await waitAwake(to);
  // The kind of an address is shown before anything is confirmed.
  await to.fill("0x5Aaeb6053f3e94c9b9a09f33669435e7ef1beaed");
  await page.getByText(/checksum is invalid/).waitFor();
  await to.fill("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed");
  await page.getByText("Checksummed: 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed").waitFor();
  const own = await api("/api/asset/v1/api/deposit/address", { asset: "USDT", network: "CWT" });
  await to.fill((own.data as { address: string }).address);
  await page.getByText(/This is your own deposit address/).waitFor();
  await to.fill("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
  await page.getByText("Validated").waitFor();
  await expect.poll(() => page.getByText(/This is your own deposit address/).count()).toBe(0);
  await page.getByLabel("Amount").fill("1");
  await page.getByText(/^The minimum on this network is/).waitFor();
  await page.getByLabel("Amount").fill("30");
  await page.getByLabel("Fund password").fill("fund-password-1");
  await page.getByRole("button", { name: "Send code" }).first().click();
  await page.getByRole("button", { name: /^Resend code in 0:/ }).waitFor();
  const code = await readCode(site.origin, account, "withdraw");
  await page.getByLabel("Digit 1").click();
  await page.keyboard.type(code);
  await page.getByRole("button", { name: /^Withdraw 30/ }).click();
  await page.getByText("Withdrawal submitted.").waitFor();
  await api("/dev/clock", { advanceMs: 5_000 });
  await page
    .getByText(/Queued|Sent to the network|Confirming|Completed/)
    .first()
    .waitFor();
  const mined = async () => {
    await mine(3);
    return page.getByText("Completed", { exact: true }).count();
  };
  await expect.poll(mined, { interval: 300, timeout: 150_000 }).toBeGreaterThan(0);
});

test("[WAL-1] coins are sent to another user by e-mail, and both find it in their books", async () => {
  const other = await browser.newContext();
  other.setDefaultTimeout(WAIT_MS);
  const friend = mintAccount();
  const theirs = await other.newPage();
  await enter(theirs, site.origin, friend);
  await api("/dev/clock", { advanceMs: 70_000 });
  await visit(page, `${site.origin}/wallet/send`);
  await page.getByLabel("Recipient").fill(friend);
  await page.getByLabel("Amount").fill("7");
  await page.getByLabel("Fund password").fill("fund-password-1");
  const before = await readCode(site.origin, account, "withdraw");
  await page.getByRole("button", { name: "Send code" }).first().click();
  const code = await readCode(site.origin, account, "withdraw", before);
  await page.getByLabel("Digit 1").click();
  await page.keyboard.type(code);
  await page.getByRole("button", { name: "Send 7 USDT" }).click();
  await page.getByText("−7 USDT").waitFor();
  await visitUntil(theirs, `${site.origin}/wallet/send`, theirs.getByText("+7 USDT"));
  // A frequent recipient is saved with a code, and waits a day.
  await api("/dev/clock", { advanceMs: 70_000 });
  await visit(page, `${site.origin}/wallet/addresses`);
  const add = page.getByRole("button", { name: "Add address" });
  await waitAwake(add);
  await add.first().click();
  await chooseOption(page, "Network", "User of this exchange");
  await page.getByLabel("Recipient").fill(friend);
  await page.getByLabel("Name", { exact: true }).fill("A friend");
  const proved = await readCode(site.origin, account, "step-up");
  await page.getByRole("button", { name: "Send code" }).first().click();
  const saving = await readCode(site.origin, account, "step-up", proved);
  await page.getByLabel("Authenticator or email code").first().fill(saving);
  await add.last().click();
  await page.getByText(/^Available from/).waitFor();
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("Turning this on locks every saved address for 24 hours.").waitFor();
  await other.close();
});

test("[WAL-1] on a phone every page of the wallet fits the screen", async () => {
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: await context.storageState(),
  });
  phone.setDefaultTimeout(WAIT_MS);
  const small = await phone.newPage();
  const own = ["/accounts/spot", "/addresses"];
  for (const part of ["", "/deposit", "/withdraw", "/transfer", "/send", "/convert", "/history", "/profit", ...own]) {
    await visit(small, `${site.origin}/wallet${part}`);
    // Parts that hydrate later count too: the proof of a withdrawal was wider than any phone.
    if (part === "/withdraw" || part === "/send") await small.getByLabel("Digit 1").waitFor();
    expect([part, await measureOverflow(small)]).toEqual([part, 0]);
  }
  await phone.close();
});

test("[WAL-3] a statement of the day is made and downloaded, and profit counts no transfer", async () => {
  await api("/dev/clock", { advanceMs: 86_400_000 });
  // A session does not last a day without a call.
  await visit(page, `${site.origin}/login`);
  await page.getByLabel("Email or phone").fill(account);
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.endsWith("/login"));
  await visit(page, `${site.origin}/wallet/statements`);
  await page.getByRole("button", { name: "Create statement" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /^Download clockwork-postings/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^clockwork-postings-usdt-.+\.csv$/);
  await expect.poll(() => page.getByText(/^sha256 [0-9a-f]{64}$/).count()).toBe(1);
  await visit(page, `${site.origin}/wallet/profit`);
  await page.getByRole("heading", { name: "Monthly summary" }).waitFor();
});
