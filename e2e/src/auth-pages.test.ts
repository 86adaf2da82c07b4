// The screens of accounts as pages: whole without JavaScript, hydrated without a warning, clean for axe, no wider than
// the screen, with the flags of their routes, in both forms.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter, mintAccount, readCode, typeCode } from "./auth-steps.ts";
import { followSystem, inspectPage, SIZES, sizesAtTurn } from "./axe-find.ts";
import { joinSite, measureOverflow, newPage, openBrowser, type Site, visit } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

/** Public screens; a step that needs its flow is in the journeys. */
const OPEN = [
  ["/login", "Log in"],
  ["/login-cw", "Log in"],
  ["/login-cw/passkey", "Use your passkey"],
  ["/register", "Create your account"],
  ["/register-cw", "Create your account"],
  ["/forget-cw", "Reset your password"],
  ["/account/freeze", "Freeze your account?"],
  ["/account/release", "Release your account"],
] as const;

const STEPS = [
  ["/login-cw/verification", "Enter your authenticator code"],
  ["/login-cw/device-verification", "Is this you?"],
  ["/login-cw/social-verification", "Link your account"],
  ["/register/create", "Choose a password"],
  ["/register/verification", "Confirm it is yours"],
  ["/register-cw/create", "Choose a password"],
  ["/register-cw/verification", "Confirm it is yours"],
  ["/forget-cw/verification", "Enter the code"],
  ["/forget-cw/reset", "Choose a new password"],
] as const;

const OWN = ["/account", "/identity", "/security", "/preferences", "/devices", "/activity", "/letters"] as const;
const OWN_STEPS = [
  "/bind-passkey-verification",
  "/operation-cw/enable-passkey",
  "/operation-cw/scan-login",
  "/operation-cw/stay-signed-in",
] as const;

test("[SITE-1] [AUTH-1] every screen is whole HTML without JavaScript, in both forms, kept out of indexes", async () => {
  for (const [path, title] of [...OPEN, ...STEPS]) {
    for (const prefix of ["", "/en_US"]) {
      const response = await fetch(site.origin + prefix + path);
      const html = await response.text();
      expect(response.status, path).toBe(200);
      expect(html.replaceAll("&#x27;", "'"), path).toContain(`${title}</h1>`);
      expect(html, path).toContain('name="robots" content="noindex"');
      // A form that is sent before its script woke must not put a password into an address.
      expect(html, path).not.toMatch(/<form(?![^>]*method="post")/);
      expect(html, path).not.toMatch(/<input[^>]*type="password"[^>]*name=/);
    }
  }
});

test("[SITE-10] the footer is on the classic entries alone; steps have the small header", async () => {
  for (const [path] of [...OPEN, ...STEPS]) {
    const html = await (await fetch(site.origin + path)).text();
    expect(html.includes("<footer"), path).toBe(path === "/login" || path === "/register");
  }
  expect(await (await fetch(`${site.origin}/login-cw`)).text()).toContain('data-sticky="true"');
});

test("[SITE-20] [SITE-16] axe finds nothing and nothing is too wide, light and dark, 1440 and 390 px", async () => {
  const { context, page, watch } = await newPage(browser);
  await followSystem(page, site.origin);
  const overflow = async ({ width }: { readonly width: number }) => {
    const wide = await measureOverflow(page);
    return wide > 0 ? [`${wide} px too wide at ${width}`] : [];
  };
  let turn = 0;
  const inspect = async (name: string) => {
    const { troubles, isRepainted } = await inspectPage(page, sizesAtTurn(turn++), overflow);
    expect(troubles, name).toEqual([]);
    expect(isRepainted, name).toBe(true);
    expect(watch.troubles, name).toEqual([]);
  };
  const look = async (path: string) => {
    await visit(page, site.origin + path);
    await inspect(path);
  };
  for (const [path] of OPEN) await look(path);
  await look("/login-cw?step=scan");
  const account = mintAccount();
  await page.setViewportSize(SIZES.wide);
  await enter(page, site.origin, account);
  for (const path of [...OWN, ...OWN_STEPS]) await look(path);
  await page.setViewportSize(SIZES.wide);
  await visit(page, `${site.origin}/security`);
  await page.getByRole("button", { name: "Set up: Authenticator app" }).click();
  await page.getByRole("dialog").waitFor();
  if ((await page.getByRole("heading", { name: "Confirm it is you" }).count()) > 0) {
    await inspect("proof");
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByLabel("Digit 1").waitFor();
    await typeCode(page, await readCode(site.origin, account, "step-up"));
  }
  await page.locator("[data-totp-secret]").waitFor();
  await inspect("authenticator");
  await context.close();
});
