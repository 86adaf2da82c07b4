// Further journeys of an owner in a real browser: the passkey offered after sign-up and used as a fresh proof, another
// address, the authenticator removed, the account frozen by the link of a mail; and an outside captcha.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillLogin, isSignedIn, mintAccount, PASSWORD, readCode, register, showTotp, typeCode } from "./auth-steps.ts";
import { type GeetestStandIn, openGeetestStandIn } from "./geetest-standin.ts";
import { clearCookies, joinSite, newPage, openBrowser, type Site, startSite, visit } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite(), openBrowser()]);
  // A passkey belongs to a name, and an address of digits is none.
  origin = site.origin.replace("127.0.0.1", "localhost");
});
afterAll(async () => {
  await browser?.close();
});

async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

interface Mail {
  readonly kind: string;
  readonly text: string;
}

async function readFreezeLink(to: string, kind: string): Promise<string> {
  let link = "";
  const find = async () => {
    const response = await fetch(`${site.origin}/dev/outbox.json?to=${encodeURIComponent(to)}`);
    const body = (await response.json()) as Mail[] | { readonly data: Mail[] };
    const mail = (Array.isArray(body) ? body : body.data).find((one) => one.kind === kind);
    link = /https?:\/\/\S+\/account\/freeze\?token=\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    return link;
  };
  await expect.poll(find).not.toBe("");
  // The mail names the site by its public address; here that is the port it got.
  return link.replace(/^https?:\/\/[^/]+/, origin);
}

test("[AUTH-5] [AUTH-7] a passkey made after sign-up proves an owner who changes address and authenticator; a mail's link freezes", async () => {
  const [account, other] = [mintAccount(), mintAccount()];
  const { context, page } = await newPage(browser);
  await context.addCookies([{ name: "cw_notice", value: "1", url: origin }]);
  await addAuthenticator(context, page);
  await register(page, origin, account, "?forwardUrl=%2Fdocs");
  await visit(page, `${origin}/operation-cw/enable-passkey?redirectUrl=%2Fdocs`);
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await page.waitForURL("**/docs");

  // Signed in by password on a recognised device, nothing is proved yet.
  await clearCookies(page);
  await visit(page, `${origin}/login-cw?redirectUrl=%2Fsecurity`);
  await fillLogin(page, account, PASSWORD);
  await page.waitForURL("**/stay-signed-in*");
  await page.getByRole("button", { name: "Not on this device" }).click();
  await page.waitForURL("**/security");
  await page.getByRole("button", { name: "Change: Email" }).click();
  await page.getByRole("heading", { name: "Confirm it’s you" }).waitFor();
  await page.getByRole("button", { name: "Use a passkey instead" }).click();
  await page.getByRole("textbox", { name: "New email address" }).fill(other);
  await page.getByRole("button", { name: "Send code" }).click();
  await page.getByLabel("Digit 1").waitFor();
  await typeCode(page, await readCode(site.origin, other, "contact"));
  await page.getByText(/Withdrawals are locked for 2[34]/).waitFor();
  await page.getByText(/the email address was changed/).waitFor();

  await page.getByRole("button", { name: "Set up: Authenticator app" }).click();
  const secret = (await page.locator("[data-totp-secret]").innerText()).trim();
  await typeCode(page, showTotp(secret));
  await page.getByRole("button", { name: "Remove: Authenticator app" }).click();
  await page.getByRole("heading", { name: "Remove the authenticator?" }).waitFor();
  await typeCode(page, showTotp(secret, 1));
  await page.getByRole("button", { name: "Set up: Authenticator app" }).waitFor();
  await page.getByText(/the authenticator was removed/).waitFor();

  // Its connection was cut a moment ago: a page's request then is not repeated soon.
  await page.evaluate(() => dispatchEvent(new Event("online")));
  // Another user's screen: the link alone is enough to freeze, and opens nothing.
  const outsider = await newPage(browser);
  await visit(outsider.page, await readFreezeLink(other, "totp-removed"));
  await outsider.page.getByRole("button", { name: "Freeze now" }).click();
  await outsider.page.getByRole("heading", { name: "Your account is frozen" }).waitFor();
  expect(await isSignedIn(outsider.context)).toBe(false);
  // The owner's open page is notified, and redirects to sign-in.
  await page.waitForURL("**/login?redirectUrl=%2Fsecurity&ended=1");
  await outsider.page.getByRole("link", { name: "Release account" }).click();
  await outsider.page.getByLabel("Email or phone").fill(other);
  await outsider.page.getByRole("button", { name: "Send code" }).click();
  await outsider.page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
  const code = await readCode(site.origin, other, "release");
  await outsider.page.getByRole("textbox", { name: "6-digit code" }).fill(code);
  await outsider.page.getByRole("button", { name: "Release account" }).click();
  await outsider.page.getByRole("heading", { name: "Your account is released" }).waitFor();
  await outsider.context.close();
  await context.close();
});

test("[AUTH-10] the browser's record goes along with a sign-in", async () => {
  const account = mintAccount();
  const { context, page } = await newPage(browser);
  await register(page, site.origin, account);
  await clearCookies(page);
  await visit(page, `${site.origin}/login-cw`);
  const sent = page.waitForRequest("**/login/do-login");
  await fillLogin(page, account, PASSWORD);
  const { device } = (await sent).postDataJSON() as { readonly device: Readonly<Record<string, unknown>> };
  expect(Object.keys(device)).toHaveLength(17);
  expect(Object.keys(device).at(-1)).toBe("fingerprint");
  // A page that is being left cannot be queried.
  await page.waitForURL("**/stay-signed-in*");
  const kept = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => /finger/i.test(key)));
  expect(kept).toHaveLength(1);
  await context.close();
});

test("[AUTH-8] with GeeTest configured its widget is shown, its answer checked, and only its hosts are let in", async () => {
  const standIn: GeetestStandIn = await openGeetestStandIn();
  const guarded = await startSite(standIn.settings);
  try {
    const policyOf = async (address: string) =>
      (await fetch(`${address}/login-cw`)).headers.get("content-security-policy") ?? "";
    expect(await policyOf(site.origin)).not.toMatch(/geetest|127\.0\.0\.1/);
    expect(await policyOf(guarded.origin)).toContain(`img-src 'self' data: blob: ${standIn.origin}`);
    const account = mintAccount();
    const { context, page, watch } = await newPage(browser);
    await visit(page, `${guarded.origin}/forget-cw`);
    await page.getByLabel("Email or phone").fill(account);
    await page.getByRole("button", { name: /Continue|Send code/ }).click();
    await page.getByRole("button", { name: "I am a person (stand-in)" }).click();
    await page.waitForURL("**/forget-cw/verification*");
    expect(standIn.counts).toEqual({ given: 1, validated: 1 });
    expect(watch.troubles).toEqual([]);
    // An invented answer is refused.
    const invented = { lot_number: "x", pass_token: "y", gen_time: "1", captcha_output: "o" };
    const refused = await fetch(`${guarded.origin}/api/v2/users/sign-up/code`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ account, captcha: invented }),
    });
    expect([refused.status, ((await refused.json()) as { code: unknown }).code]).toEqual([403, "CAPTCHA_REQUIRED"]);
    await context.close();
  } finally {
    await guarded.stop();
    standIn.close();
  }
});
