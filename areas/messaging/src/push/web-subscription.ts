// A browser's push subscription as a push token, and which push services may be sent to: a request goes where the
// subscription says, so it must name a service of a browser, never any address. Pure.
import { ECDH } from "node:crypto";
import type { WebPushBody } from "./contract.ts";

const PREFIX = "web:";
/** An uncompressed point of P-256. */
const POINT_BYTES = 65;
const SECRET_BYTES = 16;

/** The push services of Chromium, Firefox, Safari and Edge. A leading dot matches hosts below. */
const SERVICES = [
  "fcm.googleapis.com",
  "updates.push.services.mozilla.com",
  "web.push.apple.com",
  ".push.apple.com",
  ".notify.windows.com",
] as const;

export interface WebSubscription {
  readonly endpoint: string;
  /** The browser's public key, and the secret it shares with the sender. */
  readonly p256dh: string;
  readonly auth: string;
}

export const isWebToken = (token: string): boolean => token.startsWith(PREFIX);

/** `origins`: services beyond the browsers' own, such as one inside a company. */
export function isPushService(endpoint: string, origins: readonly string[]): boolean {
  const url = URL.parse(endpoint);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (origins.includes(url.origin)) return true;
  if (url.protocol !== "https:" || url.port !== "") return false;
  return SERVICES.some((host) => (host.startsWith(".") ? url.hostname.endsWith(host) : url.hostname === host));
}

/** The token under which a subscription is stored; undefined where it cannot be sent to. */
export function packSubscription(
  { endpoint, p256dh, auth }: WebPushBody,
  origins: readonly string[],
): string | undefined {
  if (!isPushService(endpoint, origins)) return undefined;
  const point = Buffer.from(p256dh, "base64url");
  if (point.length !== POINT_BYTES || Buffer.from(auth, "base64url").length !== SECRET_BYTES) return undefined;
  try {
    ECDH.convertKey(point, "prime256v1");
  } catch {
    return undefined;
  }
  return PREFIX + Buffer.from(JSON.stringify([endpoint, p256dh, auth])).toString("base64url");
}

export function unpackSubscription(token: string): WebSubscription {
  const [endpoint, p256dh, auth] = JSON.parse(Buffer.from(token.slice(PREFIX.length), "base64url").toString());
  return { endpoint, p256dh, auth };
}
