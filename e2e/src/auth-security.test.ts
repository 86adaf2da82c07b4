// Journeys through the account pages in a real browser: the authenticator, changes that rest withdrawals, passkeys,
// signing in by picture, devices, letters, and leaving in every tab.
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chooseOption,
  enter,
  fillLogin,
  isSignedIn,
  mintAccount,
  PASSWORD,
  readCode,
  SIX_COOKIES,
  searchOption,
  showTotp,
  typeCode,
  typeDay,
} from "./auth-steps.ts";
import { clearCookies, joinSite, newPage, openBrowser, type Site, visit, visitUntil } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

/** The proof a change requires when the last one is too old; nothing when it is fresh. */
async function prove(page: Page, account: string): Promise<void> {
  const send = page.getByRole("button", { name: "Send code" });
  const field = page.getByRole("dialog");
  await field.waitFor();
  if ((await page.getByRole("heading", { name: "Confirm it is you" }).count()) === 0) return;
  await send.click();
  await page.getByLabel("Digit 1").waitFor();
  await typeCode(page, await readCode(site.origin, account, "step-up"));
}

async function openSecurity(page: Page): Promise<void> {
  await visit(page, `${site.origin}/security`);
  await page.getByRole("heading", { name: "Ways to prove it is you" }).waitFor();
}

describe("the authenticator", () => {
  test("[AUTH-7] is bound by its picture, required at the next sign-in, and withdrawals pause after it", async () => {
    const account = mintAccount();
    const { context, page, watch } = await newPage(browser);
    await enter(page, site.origin, account);
    await openSecurity(page);
    await page.getByText("No restrictions on this account.").waitFor();
    await page.getByRole("button", { name: "Set up: Authenticator app" }).click();
    await prove(page, account);
    const secret = (await page.locator("[data-totp-secret]").innerText()).trim();
    await typeCode(page, showTotp(secret));
    await page.getByRole("button", { name: "Remove: Authenticator app" }).waitFor();
    await page.getByText(/Withdrawals rest for/).waitFor();
    await page.getByText("an authenticator was bound").waitFor();
    expect(watch.troubles).toEqual([]);

    await clearCookies(page);
    await visit(page, `${site.origin}/login-cw?redirectUrl=%2Fsecurity`);
    await fillLogin(page, account, PASSWORD);
    await page.waitForURL("**/login-cw/verification*");
    await typeCode(page, showTotp(secret, 1));
    await page.waitForURL("**/operation-cw/stay-signed-in*");
    await page.getByRole("button", { name: "Not on this device" }).click();
    await page.waitForURL("**/security");
    await context.close();
  });
});

describe("changes", () => {
  test("[AUTH-6] [AUTH-7] fund password, anti-phishing word and phone are set; the password is changed", async () => {
    const account = mintAccount();
    const { context, page } = await newPage(browser);
    await enter(page, site.origin, account);
    await openSecurity(page);
    await page.getByRole("button", { name: "Set: Fund password" }).click();
    await prove(page, account);
    await page.getByRole("textbox", { name: "Fund password" }).fill("fund-wheel-11");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Change: Fund password" }).waitFor();

    await page.getByRole("button", { name: "Set: Anti-phishing word" }).click();
    await page.getByRole("textbox", { name: /Word/ }).fill("no");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("4 to 20 letters and digits, nothing else").waitFor();
    await page.getByRole("textbox", { name: /Word/ }).fill("escapement7");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("escapement7").waitFor();

    const phone = mintAccount("phone");
    await page.getByRole("button", { name: "Bind: Phone" }).click();
    await page.getByRole("textbox", { name: /New phone number/ }).fill(phone);
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByLabel("Digit 1").waitFor();
    await typeCode(page, await readCode(site.origin, phone, "contact"));
    await page.getByRole("button", { name: "Change: Phone" }).waitFor();

    await page.getByRole("button", { name: "Change: Login password" }).click();
    await page.getByRole("textbox", { name: "Present password" }).fill(PASSWORD);
    await page.getByRole("textbox", { name: "New password" }).fill("mainspring-99");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByText(/the password was changed/).waitFor();
    expect(await isSignedIn(context)).toBe(true);
    await context.close();
  });

  test("[AUTH-7] freezing signs out and keeps out, until the owner releases the account", async () => {
    const account = mintAccount();
    const { context, page } = await newPage(browser);
    await enter(page, site.origin, account);
    await openSecurity(page);
    await page.getByRole("button", { name: "Freeze account" }).click();
    await page.getByRole("button", { name: "Freeze now" }).click();
    await page.waitForURL("**/account/freeze?frozen=1");
    await page.getByRole("heading", { name: "Your account is frozen" }).waitFor();
    expect(await isSignedIn(context)).toBe(false);
    await visit(page, `${site.origin}/login-cw`);
    await fillLogin(page, account, PASSWORD);
    await page.getByText("This account is frozen").waitFor();
    await page.getByRole("link", { name: "Release your account" }).click();
    await page.waitForURL("**/account/release");
    await page.getByLabel("Email or phone").fill(account);
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
    await page.getByRole("textbox", { name: "Six-digit code" }).fill(await readCode(site.origin, account, "release"));
    await page.getByRole("button", { name: "Release account" }).click();
    await page.getByRole("heading", { name: "Your account is released" }).waitFor();
    await context.close();
  });
});

describe("identity", () => {
  test("[AUTH-11] the first level is written, submitted and reviewed", async () => {
    const { context, page, watch } = await newPage(browser);
    await enter(page, site.origin, mintAccount());
    await visit(page, `${site.origin}/identity`);
    await page.getByRole("button", { name: "Hand in for review" }).click();
    await page.getByText("Fill in every field").waitFor();
    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Last name").fill("Person");
    await typeDay(page, "Date of birth", "1990-05-04");
    await searchOption(page, "Country of the document", "United Kingdom");
    await chooseOption(page, "Document", "Passport");
    await page.getByLabel("Document number").fill(`P${mintAccount("phone")}`);
    await page.getByRole("button", { name: "Save for later" }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByRole("button", { name: "Hand in for review" }).click();
    // Here the reviewer is simulated and polls once a second: it may have decided before the page has read the
    // submission.
    const states = ["SUBMITTED", "REVIEW", "APPROVED"].map((state) => `[data-kyc-state="${state}"]`);
    await page.locator(states.join()).waitFor();
    await visitUntil(page, `${site.origin}/identity`, page.locator('[data-kyc-state="APPROVED"]'));
    expect(watch.troubles).toEqual([]);
    await context.close();
  });
});

async function addAuthenticator(context: BrowserContext, page: Page): Promise<CDPSession> {
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
  return cdp;
}

describe("passkeys", () => {
  test("[AUTH-5] [AUTH-7] one is made, named, signs in without a password, and is removed", async () => {
    const account = mintAccount();
    const { context, page } = await newPage(browser);
    // A passkey belongs to a name, and an address of digits is none.
    const origin = site.origin.replace("127.0.0.1", "localhost");
    await enter(page, origin, account);
    await addAuthenticator(context, page);
    await visit(page, `${origin}/security`);
    await page.getByRole("link", { name: "Add a passkey" }).click();
    await page.waitForURL("**/operation-cw/enable-passkey*");
    await page.getByRole("button", { name: "Create a passkey" }).click();
    await page.waitForURL(/security|bind-passkey-verification/);
    if (page.url().includes("bind-passkey-verification")) {
      await page.getByRole("button", { name: "Send code" }).click();
      await page.getByLabel("Digit 1").waitFor();
      await typeCode(page, await readCode(origin, account, "step-up"));
      await page.waitForURL("**/operation-cw/enable-passkey*");
      await page.getByRole("button", { name: "Create a passkey" }).click();
      await page.waitForURL("**/security");
    }
    await page.getByRole("button", { name: /^Rename/ }).click();
    await page.getByRole("textbox", { name: "Name of the passkey" }).fill("Workshop key");
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("Workshop key").waitFor();

    await clearCookies(page);
    await visit(page, `${origin}/login-cw?redirectUrl=%2Fsecurity`);
    await page.getByRole("link", { name: "Log in with a passkey" }).click();
    await page.waitForURL("**/operation-cw/stay-signed-in*");
    await page.getByRole("button", { name: "Not on this device" }).click();
    await page.waitForURL("**/security");
    await page.getByRole("button", { name: "Remove Workshop key" }).click();
    await page.getByText("None yet.").waitFor();
    await context.close();
  });
});

describe("signing in by picture", () => {
  test("[AUTH-5] a signed-in device lets another browser in", async () => {
    const signedIn = await newPage(browser);
    await enter(signedIn.page, site.origin, mintAccount());
    const { context, page } = await newPage(browser);
    await visit(page, `${site.origin}/login-cw?redirectUrl=%2Fdocs`);
    await page.getByRole("link", { name: "Scan instead" }).click();
    const content = await page.locator("[data-qr-content]").innerText();
    // As a phone's camera opens it.
    await visit(signedIn.page, content);
    await page.getByText("Scanned. Confirm on the other device.").waitFor();
    await signedIn.page.getByRole("button", { name: "Yes, log it in" }).click();
    await page.waitForURL("**/operation-cw/stay-signed-in*");
    await page.getByRole("button", { name: "Not on this device" }).click();
    await page.waitForURL("**/docs");
    expect(await isSignedIn(context)).toBe(true);
    await context.close();
    await signedIn.context.close();
  });
});

describe("sessions", () => {
  test("[AUTH-3] signing out in one tab signs out every tab, empties the six cookies and what was stored", async () => {
    const { context, page } = await newPage(browser);
    await enter(page, site.origin, mintAccount());
    const other = await context.newPage();
    // It receives other tabs' messages from the moment it connects.
    const connected = other.waitForEvent("websocket");
    await visit(other, `${site.origin}/letters`);
    await connected;
    await visit(page, `${site.origin}/account`);
    await page.waitForFunction(() => localStorage.getItem("cw_user_menu") !== null);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await other.waitForURL("**/login?redirectUrl=%2Fletters");
    const left = (await context.cookies()).filter(({ name, value }) => SIX_COOKIES.includes(name) && value !== "");
    expect(left).toEqual([]);
    expect(
      await page.evaluate(() =>
        ["cw_access_token", "cw_user_menu", "cw_tab_list"].map((key) => localStorage.getItem(key)),
      ),
    ).toEqual([null, null, null]);
    await context.close();
  });

  test("[AUTH-4] an access token that ran out is renewed unseen; a dead session goes to sign-in and back", async () => {
    const { context, page } = await newPage(browser);
    await enter(page, site.origin, mintAccount());
    await visit(page, `${site.origin}/letters`);
    const old = (await context.cookies()).find(({ name }) => name === "cw_access_token")?.value ?? "";
    // Both access tokens are spoiled as time would spoil them; the session itself lives.
    for (const name of ["cw_access_token", "cw_correct_access_token"]) {
      await context.addCookies([
        { name, value: old.replace(/.$/, (end) => (end === "A" ? "B" : "A")), url: site.origin },
      ]);
    }
    await visit(page, `${site.origin}/operation-cw/scan-login`);
    await page.getByLabel("Code from the other screen").fill("no-such-code-0123456789");
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.getByText(/unknown, used or too old/).waitFor();
    const fresh = (await context.cookies()).find(({ name }) => name === "cw_access_token")?.value;
    expect(fresh === undefined || fresh === old).toBe(false);

    await context.clearCookies({ name: "cw_session" });
    for (const name of ["cw_access_token", "cw_correct_access_token"]) {
      await context.addCookies([{ name, value: "spoiled", url: site.origin }]);
    }
    // A page without a return is left without a return address, by this call or by one the page has made in between.
    const left = page.waitForURL((url) => url.pathname === "/login" && url.search === "?ended=1");
    const pressed = page.getByRole("button", { name: "Continue", exact: true }).click();
    await Promise.race([left, pressed]);
    pressed.catch(() => undefined);
    await left;
    expect(await isSignedIn(context)).toBe(false);
    await context.close();
  });

  test("[AUTH-7] another device is listed and revoked, and its page finds out", async () => {
    const account = mintAccount();
    const first = await newPage(browser);
    await enter(first.page, site.origin, account);
    const second = await newPage(browser);
    await visit(second.page, `${site.origin}/login-cw`);
    await fillLogin(second.page, account, PASSWORD);
    await second.page.waitForURL("**/device-verification");
    await typeCode(second.page, await readCode(site.origin, account, "login"));
    await second.page.waitForURL("**/stay-signed-in");
    await visit(first.page, `${site.origin}/devices`);
    await first.page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await first.page.getByRole("button", { name: "Sign out everywhere else" }).waitFor({ state: "detached" });
    // The button goes when the answer is shown; the other device's own page may be on its way out at the same moment.
    await expect
      .poll(async () => {
        await second.page.goto(`${site.origin}/security`).catch(() => undefined);
        return new URL(second.page.url()).pathname;
      })
      .toBe("/login");
    await first.context.close();
    await second.context.close();
  });

  test("[AUTH-7] the inbox reports a new device at once, and reading empties the count", async () => {
    const account = mintAccount();
    const first = await newPage(browser);
    await enter(first.page, site.origin, account);
    await visit(first.page, `${site.origin}/letters`);
    const second = await newPage(browser);
    await visit(second.page, `${site.origin}/login-cw`);
    await fillLogin(second.page, account, PASSWORD);
    await second.page.waitForURL("**/device-verification");
    await typeCode(second.page, await readCode(site.origin, account, "login"));
    await second.page.waitForURL("**/stay-signed-in");
    await first.page.getByText(/\d unread/).waitFor();
    await first.page.getByRole("button", { name: "Mark all as read" }).click();
    await first.page.getByText("Everything is read").waitFor();
    await first.context.close();
    await second.context.close();
  });
});
