// The operator of the first start in a browser: signed in, with an authenticator bound, by the calls the screens make;
// and their steps in the launch console.
import type { BrowserContext, Page } from "playwright-core";
// biome-ignore lint/correctness/noUndeclaredDependencies: the repository's root declares its test runner
import { expect, vi } from "vitest";
import { chooseOption, readCode, showTotp } from "./auth-steps.ts";
import { type JoinedSite, visit, WAIT_MS } from "./site.ts";

/** For sites without a captcha; `ahead` is how many codes of an authenticator the site's clock was moved. */
export async function enterOperator(site: JoinedSite, context: BrowserContext, ahead = 0): Promise<void> {
  const named = async () => /account (\S+), password (\S+) /.exec(await site.reply());
  // A process's output comes by its own pipe, also after the site has answered.
  const [, account = "", password = ""] = await vi.waitUntil(named, { timeout: WAIT_MS, interval: 50 });
  const device = crypto.randomUUID();
  const post = async (path: string, data: object = {}): Promise<Record<string, string>> => {
    const headers = { cwDeviceId: device };
    const response = await context.request.post(`${site.origin}/api/v2/users/${path}`, { data, headers });
    const body = (await response.json()) as { data: Record<string, string>; message?: string };
    if (!response.ok()) throw new Error(`${path}: ${body.message}`);
    return body.data;
  };
  const { ticket } = await post("login/do-login", { account, password });
  if (ticket !== undefined) {
    const email = await readCode(site.origin, account, "login");
    await post("login/do-login", { ticket, codes: { email } });
  }
  const { secret = "" } = await post("security/totp/begin");
  await post("security/totp/bind", { code: showTotp(secret, ahead) });
}

/** Proposes coins for launches and waits until the simulated reviewer has approved it. */
export async function setCoinsAside(operator: Page, origin: string): Promise<void> {
  const coinsThere = async () => {
    await visit(operator, `${origin}/operator/launches`);
    return operator.getByRole("definition").filter({ hasText: "5,000" }).count();
  };
  await coinsThere();
  const fund = operator.getByRole("button", { name: "Propose coins from reserves" });
  await operator.getByLabel("Coin").first().fill("DOT");
  await operator.getByLabel("Amount").fill("5000");
  await operator.getByLabel("Reason").first().fill("journey");
  await fund.click();
  await operator.getByText("Another operator must approve it").waitFor();
  await expect.poll(coinsThere, { interval: 1_000 }).toBe(1);
}

/** Fills the form of a launch, with an opening that is over first, and proposes it. */
export async function proposeLaunch(operator: Page): Promise<void> {
  const typed = {
    "URL slug": "park",
    "One-sentence summary": "Parks of the journey.",
    "Total supply": "100000",
    "Price, USDT": "0.5",
    "Coins for sale": "3000",
    "Coins per ticket, lot or step": "100",
  };
  await chooseOption(operator, "Kind", "Flash sale");
  for (const [label, value] of Object.entries(typed)) await operator.getByLabel(label).fill(value);
  await operator.getByLabel("Name", { exact: true }).fill("Polka Park");
  await operator.getByLabel("Coin", { exact: true }).nth(1).fill("DOT");
  const dayAt = (days: number, time: string) =>
    `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)} ${time}`;
  await operator.getByLabel("Listing (UTC)").fill(dayAt(5, "08:00"));
  await operator.getByLabel("Opens (UTC)").fill(dayAt(-1, "08:00"));
  await operator.getByLabel("Closes (UTC)").fill(dayAt(3, "08:00"));
  const propose = operator.getByRole("button", { name: "Propose launch" });
  await propose.click();
  await operator.getByText("A round must open in the future.").first().waitFor();
  expect(await operator.getByLabel("Opens (UTC)").getAttribute("aria-invalid")).toBe("true");
  await operator.getByLabel("Opens (UTC)").fill(dayAt(2, "08:00"));
  await propose.click();
  await operator.getByText("Another operator must approve it").last().waitFor();
}
