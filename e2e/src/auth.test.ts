// Journeys through accounts in a real browser: creating one, signing in, new devices, forgotten passwords, keeping a
// session, leaving in every tab, and never being redirected off the site.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  bindTotp,
  enter,
  fillClassicLogin,
  fillLogin,
  fillRegisterStart,
  isSignedIn,
  mintAccount,
  PASSWORD,
  readCode,
  register,
  SIX_COOKIES,
  showTotp,
  typeCode,
  waitFirstBox,
} from "./auth-steps.ts";
import { clearCookies, joinSite, newPage, openBrowser, type Site, visit } from "./site.ts";

/** Requires the puzzle where a user registers or signs in. */
let site: Pick<Site, "origin">;
/** Does not, for what is about something else. */
let quiet: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, quiet, browser] = await Promise.all([joinSite("guarded"), joinSite(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

describe("registering", () => {
  test("[AUTH-5] by mail, step by step, and then signed in with the six cookies", async () => {
    const { context, page, watch } = await newPage(browser);
    const account = mintAccount();
    await register(page, site.origin, account);
    expect(new URL(page.url()).pathname).toBe("/overview");
    const cookies = await context.cookies();
    expect(
      cookies
        .map(({ name }) => name)
        .filter((name) => SIX_COOKIES.includes(name))
        .sort(),
    ).toEqual(SIX_COOKIES);
    expect(cookies.find(({ name }) => name === "cw_session")).toMatchObject({ httpOnly: true, sameSite: "Lax" });
    expect(watch.troubles).toEqual([]);
    await context.close();
  });

  test("[AUTH-5] by phone, and a carried path is where it ends", async () => {
    const { context, page } = await newPage(browser);
    await register(page, site.origin, mintAccount("phone"), "?forwardUrl=%2Fdocs");
    expect(new URL(page.url()).pathname).toBe("/docs");
    expect(await isSignedIn(context)).toBe(true);
    await context.close();
  });

  test("[AUTH-1] on the classic page, where a reload at the code prompts for the password again", async () => {
    const { context, page } = await newPage(browser);
    const account = mintAccount();
    await visit(page, `${site.origin}/en_US/register`);
    await fillRegisterStart(page, account);
    await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL("**/en_US/register/verification");
    await page.reload();
    await page.waitForURL("**/en_US/register/create");
    await page.getByText(account).waitFor();
    await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.waitForURL("**/en_US/register/verification");
    await typeCode(page, await readCode(site.origin, account, "sign-up"));
    await page.waitForURL((url) => !url.pathname.includes("register"));
    expect(new URL(page.url()).pathname).toBe("/en_US/overview");
    expect(await isSignedIn(context)).toBe(true);
    await context.close();
  });

  test("[AUTH-9] errors are next to their fields and the input remains", async () => {
    const { context, page } = await newPage(browser);
    await visit(page, `${site.origin}/register`);
    await page.getByLabel("Email or phone").fill("nobody@");
    await page.getByRole("textbox", { name: "Password", exact: true }).fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("This is neither an email address nor a phone number").waitFor();
    await page.getByText("Agree to the terms to go on").waitFor();
    expect(await page.getByLabel("Email or phone").inputValue()).toBe("nobody@");
    await context.close();
  });

  test("[AUTH-9] a mail provider completes by key and by press", async () => {
    const { context, page } = await newPage(browser);
    await visit(page, `${site.origin}/login-cw`);
    const field = page.getByLabel("Email or phone");
    await field.pressSequentially("ann@gm");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => field.inputValue()).toBe("ann@gmail.com");
    await field.fill("ann@pro");
    await page.getByRole("button", { name: "Complete to ann@proton.me" }).click();
    await expect.poll(() => field.inputValue()).toBe("ann@proton.me");
    await context.close();
  });

  test("[AUTH-5] after a wrong code the next one is typed at once or pasted", async () => {
    const { context, page } = await newPage(browser, { permissions: ["clipboard-read", "clipboard-write"] });
    const account = mintAccount();
    await visit(page, `${site.origin}/register-cw`);
    await fillRegisterStart(page, account);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.waitForURL("**/verification");
    const code = await readCode(site.origin, account, "sign-up");
    const wrong = code === "000000" ? "111111" : "000000";
    await typeCode(page, wrong);
    await page.getByText("This code is wrong or has expired").waitFor();
    await waitFirstBox(page);
    const answered = page.waitForResponse(/\/sign-up$/);
    await page.keyboard.type(wrong);
    expect((await answered).ok()).toBe(false);
    await page.getByText("This code is wrong or has expired").waitFor();
    await waitFirstBox(page);
    await page.evaluate((text) => navigator.clipboard.writeText(text), code);
    await page.getByLabel("Digit 3").click();
    await page.keyboard.press("Control+v");
    await page.waitForURL((url) => !url.pathname.includes("register"));
    expect(await isSignedIn(context)).toBe(true);
    await context.close();
  });
});

describe("signing in", () => {
  test("[AUTH-5] a new device needs a code; the same device later does not, and may keep its session", async () => {
    const account = mintAccount();
    const first = await newPage(browser);
    await register(first.page, site.origin, account);
    await first.context.close();

    const { context, page, watch } = await newPage(browser);
    await visit(page, `${site.origin}/login-cw?redirectUrl=%2Fdocs%2Fcolor`);
    await fillLogin(page, account, PASSWORD);
    await page.waitForURL("**/login-cw/device-verification*");
    await typeCode(page, await readCode(site.origin, account, "login"));
    await page.waitForURL("**/operation-cw/stay-signed-in*");
    await page.getByRole("button", { name: "Stay signed in for 30 days" }).click();
    await page.waitForURL("**/docs/color");
    const session = (await context.cookies()).find(({ name }) => name === "cw_session");
    expect((session?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(29 * 86_400);
    expect(watch.troubles).toEqual([]);

    await clearCookies(page);
    await visit(page, `${site.origin}/login-cw`);
    await fillLogin(page, account, PASSWORD);
    await page.waitForURL("**/operation-cw/stay-signed-in");
    await page.getByRole("button", { name: "Not on this device" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    expect((await context.cookies()).find(({ name }) => name === "cw_session")?.expires).toBe(-1);
    await context.close();
  });

  test("[AUTH-5] every sequence of steps the server can require ends signed in, from both entries", async () => {
    const { context, page } = await newPage(browser);
    const sequences = [["totp"], ["email"], ["phone"], ["totp", "email"], ["totp", "phone"]] as const;
    for (const entry of ["/login", "/login-cw"]) {
      for (const steps of sequences) {
        const sent = steps.find((step) => step !== "totp");
        const account = mintAccount(sent ?? "email");
        await enter(page, quiet.origin, account);
        const secret = steps.some((step) => step === "totp") ? await bindTotp(page, quiet.origin) : "";
        if (sent !== undefined) await page.evaluate(() => localStorage.clear());
        await clearCookies(page);
        await visit(page, `${quiet.origin}${entry}?redirectUrl=%2Fdocs`);
        if (entry === "/login-cw") await fillLogin(page, account, PASSWORD);
        else await fillClassicLogin(page, account, PASSWORD);
        for (const step of steps) {
          await page.waitForURL(`**/login-cw/${step === "totp" ? "verification" : "device-verification"}?redirectUrl*`);
          await waitFirstBox(page);
          const code = step === "totp" ? showTotp(secret, 1) : await readCode(quiet.origin, account, "login");
          await page.keyboard.type(code);
        }
        await page.waitForURL("**/operation-cw/stay-signed-in?redirectUrl*");
        expect(await isSignedIn(context), `${entry} ${steps}`).toBe(true);
        await clearCookies(page);
      }
    }
    await context.close();
  });

  test("[AUTH-1] the classic page signs in with the choice to keep the session on it", async () => {
    const account = mintAccount();
    const { context, page } = await newPage(browser);
    await enter(page, quiet.origin, account);
    await clearCookies(page);
    await visit(page, `${quiet.origin}/login?redirectUrl=%2Fdocs`);
    await fillClassicLogin(page, account, "not-the-one-1");
    await page.getByText("Account or password is wrong").waitFor();
    await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
    await page.getByText("Stay signed in for 30 days").click();
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await page.waitForURL("**/docs");
    expect(await isSignedIn(context)).toBe(true);
    await context.close();
  });

  test("[AUTH-1] a step without its flow leads to the first step", async () => {
    const { context, page } = await newPage(browser);
    for (const [path, start] of [
      ["/login-cw/verification", "/login-cw"],
      ["/login-cw/device-verification", "/login-cw"],
      ["/login-cw?step=password", "/login-cw"],
      ["/register-cw/create", "/register-cw"],
      ["/register-cw/verification", "/register-cw"],
      ["/register/create", "/register"],
      ["/register/verification", "/register"],
      ["/forget-cw/verification", "/forget-cw"],
      ["/forget-cw/reset", "/forget-cw"],
      ["/operation-cw/stay-signed-in", "/login"],
      ["/en_US/login-cw/verification", "/en_US/login-cw"],
      ["/en_US/register/create", "/en_US/register"],
      ["/en_US/forget-cw/reset", "/en_US/forget-cw"],
    ] as const) {
      await page.goto(site.origin + path);
      await page.waitForURL((url) => url.pathname === start && url.searchParams.get("step") === null);
    }
    await context.close();
  });
});

describe("a forgotten password", () => {
  test("[AUTH-6] is replaced by code; the old one no longer works, the new one does", async () => {
    const account = mintAccount();
    const { context, page, watch } = await newPage(browser);
    await enter(page, quiet.origin, account);
    await clearCookies(page);
    await visit(page, `${quiet.origin}/login-cw`);
    await page.getByRole("link", { name: "Reset your password" }).click();
    await page.waitForURL("**/forget-cw");
    // The previous page has a field of the same name, until this one is drawn.
    await page.getByRole("heading", { name: "Reset your password" }).waitFor();
    await page.getByLabel("Email or phone").fill(account);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.waitForURL("**/forget-cw/verification");
    await typeCode(page, await readCode(quiet.origin, account, "reset"));
    await page.waitForURL("**/forget-cw/reset");
    await page.getByRole("textbox", { name: "New password" }).fill("balance-wheel-7");
    await page.getByRole("button", { name: "Set new password" }).click();
    await page.getByRole("heading", { name: "Your password is changed" }).waitFor();
    expect(watch.troubles).toEqual([]);
    await page.getByRole("link", { name: "Log in" }).click();
    await fillLogin(page, account, PASSWORD);
    await page.getByText("Account or password is wrong").waitFor();
    await page.getByRole("textbox", { name: "Password", exact: true }).fill("balance-wheel-7");
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await page.waitForURL(/device-verification|stay-signed-in/);
    await context.close();
  });

  test("[AUTH-6] an address without an account is answered alike", async () => {
    const { context, page } = await newPage(browser);
    await visit(page, `${site.origin}/forget-cw`);
    await page.getByLabel("Email or phone").fill(mintAccount());
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.waitForURL("**/forget-cw/verification");
    await typeCode(page, "123456");
    await page.getByText("This code is wrong or has expired").waitFor();
    await context.close();
  });
});

describe("the way back", () => {
  test("[AUTH-2] no redirect trick leads off the site after signing in", async () => {
    const account = mintAccount();
    const { context, page } = await newPage(browser);
    await enter(page, quiet.origin, account);
    for (const trick of [
      "//evil.example",
      "/\\evil.example",
      "https://evil.example/",
      "/%2f%2fevil.example",
      "javascript:alert(1)",
    ]) {
      for (const name of ["redirectUrl", "forwardUrl"]) {
        // Signed in already: the page sends on, and where to is the server's decision.
        const response = await context.request.get(`${quiet.origin}/login-cw?${name}=${encodeURIComponent(trick)}`);
        expect(new URL(response.url()).href, trick).toBe(`${quiet.origin}/`);
      }
    }
    await page.goto(`${quiet.origin}/login?redirectUrl=%2Fdocs%2Fcolor%3Fa%3D1`);
    expect(page.url()).toBe(`${quiet.origin}/docs/color?a=1`);
    await context.close();
  });

  test("[AUTH-2] a page for signed-in visitors sends others to sign in and back; a no-return page without the way", async () => {
    const { context, page } = await newPage(browser);
    await page.goto(`${site.origin}/en_US/security?a=1`);
    expect(page.url()).toBe(`${site.origin}/en_US/login?redirectUrl=%2Fen_US%2Fsecurity%3Fa%3D1`);
    await page.goto(`${site.origin}/operation-cw/stay-signed-in`);
    expect(page.url()).toBe(`${site.origin}/login`);
    await context.close();
  });
});
