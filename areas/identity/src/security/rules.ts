// Pure rules of security: codes of authenticators (RFC 6238), how long withdrawals rest, the freeze link.
import { createHmac, timingSafeEqual } from "node:crypto";

const HOUR_MS = 3_600_000;
export const STEP_MS = 30_000;
const DIGITS = 6;
/** One step to either side: a phone's clock may be half a minute off. */
const DRIFT_STEPS = 1;
export const SECRET_BYTES = 20;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function encodeBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      text += BASE32.charAt((value >>> (bits - 5)) & 31);
      bits -= 5;
    }
    value &= 0xff;
  }
  return bits > 0 ? text + BASE32.charAt((value << (5 - bits)) & 31) : text;
}

/** RFC 4226: the code of a counter. */
export function hotp(secret: Uint8Array, counter: number, digits: number = DIGITS): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac("sha1", secret).update(message).digest();
  const offset = (digest[digest.length - 1] ?? 0) & 15;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** The time step of a code among the current ones; undefined when it matches none. */
export function findStep(secret: Uint8Array, code: string, timeMs: number): number | undefined {
  const now = Math.floor(timeMs / STEP_MS);
  let found: number | undefined;
  for (let step = now - DRIFT_STEPS; step <= now + DRIFT_STEPS; step += 1) {
    const wanted = Buffer.from(hotp(secret, step));
    const given = Buffer.from(code);
    if (wanted.length === given.length && timingSafeEqual(wanted, given)) found = step;
  }
  return found;
}

/** The content of the QR code for an authenticator app. */
export function totpUri(secret: string, issuer: string, label: string): string {
  const query = new URLSearchParams({ secret, issuer, algorithm: "SHA1", digits: String(DIGITS), period: "30" });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(label)}?${query}`;
}

export type LockCause =
  | "password-reset"
  | "password-changed"
  | "totp-bound"
  | "totp-removed"
  | "email-bound"
  | "email-changed"
  | "phone-bound"
  | "phone-changed"
  | "trade-password-changed"
  | "passkey-bound"
  | "passkey-removed"
  | "social-bound"
  | "social-removed"
  | "new-device"
  | "released"
  | "closed"
  | "whitelist-left";

/** A first binding suspends withdrawals for six hours, every other change for a day. */
export function restMs(cause: LockCause): number {
  return cause.endsWith("-bound") ? 6 * HOUR_MS : 24 * HOUR_MS;
}

// The freeze link of security mails

const LINK_MS = 30 * 24 * HOUR_MS;

type Mark = (text: string, context: string) => string;

export function formatFreezeToken(userId: number, timeMs: number, mark: Mark): string {
  const head = `${userId.toString(36)}.${(timeMs + LINK_MS).toString(36)}`;
  return `${head}.${mark(head, "freeze")}`;
}

export function readFreezeToken(token: string, timeMs: number, mark: Mark): number | undefined {
  const parts = token.split(".");
  const [user = "", end = "", given = ""] = parts;
  const wanted = Buffer.from(mark(`${user}.${end}`, "freeze"));
  const found = Buffer.from(given);
  if (parts.length !== 3 || wanted.length !== found.length || !timingSafeEqual(wanted, found)) return undefined;
  return Number.parseInt(end, 36) > timeMs ? Number.parseInt(user, 36) : undefined;
}
