// Signing in through another site, in a real browser against a real OpenID provider on this machine.
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  fillLogin,
  isSignedIn,
  mintAccount,
  PASSWORD,
  readCode,
  register,
  searchOption,
  typeCode,
} from "./auth-steps.ts";
import { type OpenidSite, openOpenidSite, provePerson } from "./openid-site.ts";
import { newPage, openBrowser, type Site, startSite, visit, waitAwake } from "./site.ts";

let elsewhere: OpenidSite;
let site: Site;
let browser: Browser;
beforeAll(async () => {
  elsewhere = await openOpenidSite();
  [site, browser] = await Promise.all([startSite({ CW_OPENID_PROVIDERS: elsewhere.setting }), openBrowser()]);
  elsewhere.allow(`${site.origin}/login-cw/social-verification`);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
  elsewhere?.close();
});

async function goThrough(page: Page, name: string, button = "Continue with Google"): Promise<void> {
  const before = page.url();
  await page.getByRole("button", { name: button }).click();
  // A user who is signed in there already is sent back at once.
  await page.waitForURL((url) => url.href !== before);
  await provePerson(page, elsewhere, name);
}

/** Leaves this site, but not the other one. */
async function leave(page: Page): Promise<void> {
  // On a page of the site its next call would be refused and lead to sign-in.
  await page.goto("about:blank");
  for (const name of ["cw_correct_token", "cw_session", "cw_access_token", "cw_correct_access_token", "cw_token"]) {
    await page.context().clearCookies({ name });
  }
}

test("[AUTH-5] a new user signs up through another site, and signs in through it again", async () => {
  const { context, page, watch } = await newPage(browser);
  await visit(page, `${site.origin}/register-cw`);
  await goThrough(page, "ada");
  await page.getByText("ada@elsewhere.example is not linked to an account here yet").waitFor();
  // The other site's own pages load fonts from the network.
  watch.troubles.length = 0;
  await page.getByRole("button", { name: "Open a new account" }).click();
  await expect.poll(() => page.getByLabel("Email").inputValue()).toBe("ada@elsewhere.example");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("Choose where you live").waitFor();
  await searchOption(page, "Country or region of residence", "United Kingdom");
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
  await page.getByRole("checkbox").check({ force: true });
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  expect(await isSignedIn(context)).toBe(true);
  expect(watch.troubles).toEqual([]);

  await leave(page);
  await visit(page, `${site.origin}/login-cw?redirectUrl=%2Fsecurity`);
  await goThrough(page, "ada");
  await page.waitForURL("**/operation-cw/stay-signed-in*");
  await page.getByRole("button", { name: "Not on this device" }).click();
  await page.waitForURL("**/security");
  await page.getByRole("button", { name: "Unlink: Google" }).waitFor();
  await context.close();
});

test("[USR-4] [AUTH-5] a friend's code survives the way through another site and back", async () => {
  const inviter = await newPage(browser);
  await register(inviter.page, site.origin, mintAccount());
  const read = async (path: string) =>
    (await (await inviter.page.request.get(`${site.origin}/api/v1/common/invite/${path}`)).json()).data;
  const { code } = (await read("profile")).links[0];
  const { context, page } = await newPage(browser);
  // By the shared address, and later to where other sites are offered, without a word of the code.
  await visit(page, `${site.origin}/register?inviteCode=${code}`);
  await expect.poll(async () => (await context.cookies()).some(({ value }) => value.includes(code))).toBe(true);
  await visit(page, `${site.origin}/register-cw`);
  await goThrough(page, "carol");
  await page.getByRole("button", { name: "Open a new account" }).click();
  await expect.poll(() => page.getByLabel("Email").inputValue()).toBe("carol@elsewhere.example");
  await searchOption(page, "Country or region of residence", "United Kingdom");
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
  await page.getByRole("checkbox").check({ force: true });
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  expect(await isSignedIn(context)).toBe(true);
  await expect.poll(async () => (await read("detail")).friends.length).toBe(1);
  await visit(inviter.page, `${site.origin}/invite`);
  await inviter.page.getByRole("row", { name: /Signed up/ }).waitFor();
  const rebates = inviter.page.getByRole("button", { name: "Rebates as CSV" });
  await waitAwake(rebates);
  const [saved] = await Promise.all([inviter.page.waitForEvent("download"), rebates.click()]);
  expect(saved.suggestedFilename()).toMatch(/rebates.*\.csv$/);
  expect((await readFile(await saved.path(), "utf8")).trim().split(/\r?\n/)).toHaveLength(32);
  await context.close();
  await inviter.context.close();
});

test("[AUTH-5] [AUTH-7] an owner binds it to their account, unlinks it, which rests withdrawals, and links it again", async () => {
  const account = mintAccount();
  const { context, page } = await newPage(browser);
  await register(page, site.origin, account);
  await leave(page);
  await visit(page, `${site.origin}/login-cw`);
  await goThrough(page, "bert");
  await page.getByRole("button", { name: "Log in and link" }).click();
  await fillLogin(page, account, PASSWORD);
  await page.waitForURL("**/operation-cw/stay-signed-in*");
  await page.getByRole("button", { name: "Not on this device" }).click();
  await page.waitForURL("**/login-cw/social-verification");
  await page.getByRole("button", { name: "Link Google" }).click();
  // A recognised device signed in with a password alone: linking requires more.
  await page.getByRole("button", { name: "Send code" }).click();
  await page.getByLabel("Digit 1").waitFor();
  await typeCode(page, await readCode(site.origin, account, "step-up"));
  await page.waitForURL("**/security");
  await page.getByText(/bert@elsewhere\.example, since/).waitFor();

  await page.getByRole("button", { name: "Unlink: Google" }).click();
  await page.getByRole("button", { name: "Unlink now: Google" }).click();
  await page.getByRole("button", { name: "Link: Google" }).waitFor();
  await page.getByText(/Withdrawals rest for 2[34]/).waitFor();
  await page.getByText(/an account elsewhere was unlinked/).waitFor();

  await goThrough(page, "bert", "Link: Google");
  await page.waitForURL("**/security");
  await page.getByRole("button", { name: "Unlink: Google" }).waitFor();

  // Another account cannot have it too.
  const other = await newPage(browser);
  await register(other.page, site.origin, mintAccount());
  await visit(other.page, `${site.origin}/security`);
  await goThrough(other.page, "bert", "Link: Google");
  await other.page.getByText("That account is linked already").waitFor();
  await other.context.close();
  await context.close();
});
