// Steps that journeys through accounts share: a user's input, and the code they find in the outbox.
import { createHmac, randomInt } from "node:crypto";
import type { BrowserContext, Page } from "playwright-core";
import { visit, waitAwake } from "./site.ts";

export const PASSWORD = "pallet-fork-42";

/** A new account: journeys run side by side on one site. */
export function mintAccount(kind: "email" | "phone" = "email"): string {
  const mark = String(randomInt(1e9)).padStart(9, "0");
  return kind === "email" ? `person${mark}@journey.example` : `44${mark}`;
}

interface Message {
  readonly to: string;
  readonly kind: string;
  readonly code: string | null;
}

const OUTBOX_TRIES = 600;

/** The newest code sent to an address, once it is newer than the one seen before. */
export async function readCode(origin: string, to: string, kind: string, seen = ""): Promise<string> {
  for (let tries = 0; tries < OUTBOX_TRIES; tries++) {
    const response = await fetch(`${origin}/dev/outbox.json?to=${encodeURIComponent(to)}`);
    const messages = readMessages(await response.json());
    const code = messages.find((message) => message.kind === kind && message.code !== null)?.code;
    if (code !== undefined && code !== null && code !== seen) return code;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no ${kind} code for ${to}`);
}

function readMessages(body: unknown): readonly Message[] {
  if (Array.isArray(body)) return body as Message[];
  const { data, messages } = body as { data?: Message[]; messages?: Message[] };
  return data ?? messages ?? [];
}

export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Digit 1").click();
  await page.keyboard.type(code);
}

/** One of a list behind a button. */
export async function chooseOption(page: Page, label: string, option: string): Promise<void> {
  const button = page.getByRole("button", { name: new RegExp(`(^|\\s)${label}(\\s|$)`) });
  await waitAwake(button);
  await button.click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** One of a long list, found by typing. */
export async function searchOption(page: Page, label: string, option: string): Promise<void> {
  const button = page.getByRole("button", { name: new RegExp(`(^|\\s)${label}(\\s|$)`) });
  await waitAwake(button);
  await button.click();
  const list = page.getByRole("dialog", { name: label });
  await list.getByRole("searchbox").fill(option);
  await page.getByRole("option", { name: option, exact: true }).click();
  // Until it is gone, a press elsewhere only closes it.
  await list.waitFor({ state: "detached" });
}

/** A day, typed into its three parts: year, month, day. */
export async function typeDay(page: Page, label: string, day: string): Promise<void> {
  const year = page.getByRole("group", { name: label }).getByRole("spinbutton").first();
  // The server renders it, and input before hydration is lost.
  await waitAwake(year);
  await year.click();
  await page.keyboard.type(day.replaceAll("-", ""));
}

export async function fillRegisterStart(page: Page, account: string): Promise<void> {
  await page.getByLabel("Email or phone").fill(account);
  await searchOption(page, "Country or region of residence", "United Kingdom");
  await page.getByRole("checkbox").check({ force: true });
}

/** Through the stepwise registration, from its first screen to the page it ends on. */
export async function register(page: Page, origin: string, account: string, query = ""): Promise<void> {
  await visit(page, `${origin}/register-cw${query}`);
  await fillRegisterStart(page, account);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.waitForURL("**/register-cw/create*");
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.waitForURL("**/register-cw/verification*");
  await typeCode(page, await readCode(origin, account, "sign-up"));
  await page.waitForURL((url) => !url.pathname.includes("register-cw"));
}

/**
 * A new account without the screens, for journeys about something else on a site without a captcha: by the calls the
 * screens make, which is a fifth of their work. The page is left at a plain text of the site.
 */
export async function enter(page: Page, origin: string, account: string = mintAccount()): Promise<void> {
  const device = crypto.randomUUID();
  const headers = { origin, cwDeviceId: device };
  const post = async (path: string, data: object): Promise<void> => {
    const response = await page.context().request.post(`${origin}/api/v2/users/${path}`, { data, headers });
    if (!response.ok()) throw new Error(`${path}: ${await response.text()}`);
  };
  await post("sign-up/code", { account });
  const code = await readCode(origin, account, "sign-up");
  await post("sign-up", { account, code, password: PASSWORD, country: "GB" });
  await page.goto(`${origin}/robots.txt`);
  // The browser the account was made with: it is no new device when it signs in again.
  await page.evaluate((id) => localStorage.setItem("cw_device_id", id), device);
}

export async function fillLogin(page: Page, account: string, password: string): Promise<void> {
  await page.getByLabel("Email or phone").fill(account);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.waitForURL("**step=password*");
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

/** The one-page entry. */
export async function fillClassicLogin(page: Page, account: string, password: string): Promise<void> {
  await page.getByLabel("Email or phone").fill(account);
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

/** The empty first box of a code has the focus. */
export async function waitFirstBox(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const first = document.querySelector("fieldset input") as HTMLInputElement | null;
    return first !== null && first === document.activeElement && first.value === "";
  });
}

/** Binds an authenticator to the account that has just signed up here, and answers its secret. */
export async function bindTotp(page: Page, origin: string): Promise<string> {
  const post = async (step: string, data: object): Promise<unknown> => {
    const response = await page.context().request.post(`${origin}/api/v2/users/security/totp/${step}`, {
      data,
      headers: { origin },
    });
    if (!response.ok()) throw new Error(`${step}: ${await response.text()}`);
    return response.json();
  };
  const { data } = (await post("begin", {})) as { data: { secret: string } };
  await post("bind", { code: showTotp(data.secret) });
  return data.secret;
}

export async function isSignedIn(context: BrowserContext): Promise<boolean> {
  return (await context.cookies()).some(({ name, value }) => name === "cw_correct_token" && value !== "");
}

export const SIX_COOKIES = [
  "cw_access_token",
  "cw_correct_access_token",
  "cw_correct_token",
  "cw_futures_token",
  "cw_session",
  "cw_token",
];

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** What an authenticator app shows (RFC 6238), `ahead` steps from now: a code works once. */
export function showTotp(secret: string, ahead = 0): string {
  let bits = "";
  for (const letter of secret) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, "0");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const digest = createHmac("sha1", key).update(counter).digest();
  const offset = (digest[19] ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
