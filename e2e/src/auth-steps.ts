// Steps that journeys through accounts share: what a person types, and the code they find in the outbox.
import { createHmac } from "node:crypto";
import type { BrowserContext, Page } from "playwright-core";
import { visit } from "./site.ts";

export const PASSWORD = "pallet-fork-42";

let people = 0;

/** Somebody nobody has met: journeys run side by side on one site. */
export function mintAccount(kind: "email" | "phone" = "email"): string {
  people += 1;
  const mark = `${process.pid}${people}`.padStart(9, "0").slice(-9);
  return kind === "email" ? `person${mark}@journey.example` : `44${mark}`;
}

interface Message {
  readonly to: string;
  readonly kind: string;
  readonly code: string | null;
}

const OUTBOX_TRIES = 50;

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

export async function fillRegisterStart(page: Page, account: string): Promise<void> {
  await page.getByLabel("Email or phone").fill(account);
  await page.getByLabel("Country or region of residence").selectOption("GB");
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

export async function fillLogin(page: Page, account: string, password: string): Promise<void> {
  await page.getByLabel("Email or phone").fill(account);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.waitForURL("**step=password*");
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
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
