// A user's type for support, and the signed data for the chat. Pure; the secret remains outside.
import type { UserType } from "./contract.ts";
import type { Person } from "./needs.ts";

/** Long enough to open a window, too short to be worth stealing. */
export const CHAT_TOKEN_SECONDS = 300;
const NAME_LENGTH_MAX = 60;

export function userTypeOf(person: Person | undefined): UserType {
  if (person === undefined) return "visitor";
  if (person.isOperator) return "operator";
  return person.kycLevel > 0 ? "verified" : "ordinary";
}

export interface ChatSubject {
  readonly userId: number;
  readonly person: Person;
  readonly locale: string;
  readonly appId: string;
}

/** The signed part of the token: no address, no phone number, nothing of the account's money. */
export function writeClaims({ userId, person, locale, appId }: ChatSubject, timeMs: number): string {
  const issuedSeconds = Math.floor(timeMs / 1000);
  const name = person.nickname.replace(/\p{Cc}+/gu, " ").slice(0, NAME_LENGTH_MAX);
  const claims = {
    scope: "user",
    aud: appId,
    sub: String(userId),
    external_id: String(userId),
    name,
    user_type: userTypeOf(person),
    locale,
    iat: issuedSeconds,
    exp: issuedSeconds + CHAT_TOKEN_SECONDS,
  };
  return `${encodePart({ alg: "HS256", typ: "JWT", kid: appId })}.${encodePart(claims)}`;
}

function encodePart(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
