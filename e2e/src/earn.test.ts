// Earn and launches as a newcomer uses them: test money into a flexible product and out again, the curve of a shark
// fin, a recurring buy started and ended, and a draw replayed in the visitor's own browser.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter, mintAccount } from "./auth-steps.ts";
import { findViolations } from "./axe-find.ts";
import { joinSite, measureOverflow, newPage, openBrowser, type Site, visit, type Watch, waitAwake } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let watch: Watch;

beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite("living"), openBrowser()]);
  ({ context, page, watch } = await newPage(browser, { locale: "en-GB" }));
  await enter(page, site.origin, mintAccount());
  const given = await page.evaluate(async () => {
    const headers = { "content-type": "application/json" };
    const post = async (path: string, body: object) =>
      (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).status;
    return [await post("/dev/identity", { level: 1 }), await post("/dev/faucet", { asset: "USDT", amount: "2000" })];
  });
  expect(given).toEqual([200, 200]);
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
});

test("[EARN-1] money goes into a flexible product and comes back, and a shark fin shows what it pays", async () => {
  await visit(page, `${site.origin}/earn/flexible`);
  // Tether is listed first.
  const subscribe = page.getByRole("button", { name: "Subscribe" }).first();
  await waitAwake(subscribe);
  await subscribe.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount").fill("100");
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: /^Subscribe 100/ }).click();
  await page.getByText("Subscribed: 100 USDT").first().waitFor();
  await page.getByRole("button", { name: "Redeem" }).first().click();
  await dialog.getByRole("button", { name: /^Redeem 100/ }).click();
  await page
    .getByText(/In your spot account|Paid after 00:00 UTC/)
    .first()
    .waitFor();
  const fin = page.getByRole("button", { name: /^Subscribe/ }).first();
  // A young site has no index to set the bounds by.
  const finsThere = async () => {
    await visit(page, `${site.origin}/earn/shark-fin`);
    return fin.count();
  };
  await expect.poll(finsThere, { timeout: 150_000, interval: 2_000 }).toBe(1);
  await waitAwake(fin);
  await fin.click();
  await dialog.getByLabel("Price on the curve").waitFor();
  // The consent names the settlement and the whole time the money is locked, as the rows above it do.
  const row = (label: string) => dialog.getByText(label, { exact: true }).locator("..").locator("dd").innerText();
  const [settles, locked] = [await row("Settles"), await row("Locked from now")];
  await dialog.getByText(`locked until ${settles} UTC (${locked} from now)`).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
});

test("[EARN-1] what spot lacks comes from funding by one click, and the form continues", async () => {
  const free = await page.evaluate(async () => {
    const headers = { "content-type": "application/json" };
    const post = async (path: string, body: object) =>
      (await (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json()).data;
    const move = { asset: "USDT", amount: "500", from: "1", to: "2", clientId: "journey-to-funding" };
    await post("/api/asset/v1/api/wallet/transfer", move);
    const { accounts } = await post("/api/asset/v1/api/wallet/account", { walletTypeList: ["1"] });
    return Number(accounts[0].assets.find(({ asset }: { asset: string }) => asset === "USDT").available);
  });
  await visit(page, `${site.origin}/earn/flexible`);
  const subscribe = page.getByRole("button", { name: "Subscribe" }).first();
  await waitAwake(subscribe);
  await subscribe.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount").fill(String(free + 300));
  await dialog.getByRole("button", { name: "Transfer 300 USDT from Funding and go on" }).click();
  await page
    .getByText(/^Subscribed: /)
    .first()
    .waitFor();
});

test("[EARN-1] a recurring buy starts, pauses and ends", async () => {
  await visit(page, `${site.origin}/earn`);
  await page.getByRole("link", { name: "Start: The two largest" }).click();
  await page.waitForURL("**/earn/recurring?mix=BTC-70.ETH-30*");
  await expect.poll(() => page.getByRole("textbox", { name: "Weight of ETH" }).inputValue()).toBe("30");
  expect(await page.getByRole("textbox", { name: "Weight of BTC" }).inputValue()).toBe("70");
  await visit(page, `${site.origin}/earn/recurring`);
  const start = page.getByRole("button", { name: "Start plan" });
  await waitAwake(start);
  await start.click();
  await page.getByText("The plan runs.").first().waitFor();
  await page.getByRole("button", { name: "Pause" }).first().click();
  await page.getByRole("button", { name: "Resume" }).first().waitFor();
  await page.getByRole("button", { name: "End", exact: true }).first().click();
  await page.getByText("No plans yet.").waitFor();
});

test("[EARN-2] a draw is run again in the browser, and a phone shows every page whole", async () => {
  const read = async <Data>(path: string): Promise<Data> =>
    ((await (await fetch(`${site.origin}/api/open/seckill${path}`)).json()) as { data: Data }).data;
  // A young site draws one launch after the other.
  let drawn = "";
  const findDrawn = async () => {
    const { projects } = await read<{ projects: { projectId: string; state: string }[] }>("/projects");
    for (const { projectId, state } of projects) {
      if (state !== "DISTRIBUTED" && state !== "PAY") continue;
      const draw = await read<{ seed: string | null } | null>(`/draw?id=${projectId}-1`);
      if (draw?.seed != null) drawn = projectId;
    }
    return drawn;
  };
  await expect.poll(findDrawn, { timeout: 200_000, interval: 1_000 }).not.toBe("");
  await visit(page, `${site.origin}/launchpad/${drawn}`);
  const check = page.getByRole("button", { name: "Check it yourself" });
  await waitAwake(check);
  await check.click();
  await page.getByText(/Run again in this browser: same \d+ winners/).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/earn", "/earn/recurring", "/launchpad", `/launchpad/${drawn}`]) {
    expect(await visit(page, `${site.origin}${path}`)).toBe(200);
    expect([path, await measureOverflow(page)]).toEqual([path, 0]);
  }
  expect(watch.troubles).toEqual([]);
});
