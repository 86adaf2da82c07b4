// The six cookies of a session, and the plain ones of a visitor's choices: how they are written, emptied and read. Owns
// their flags; what a token means is the business of whoever checks it. Only the web session is kept from scripts, since
// only it can renew the others.
import { SESSION_COOKIE, type SessionCookie } from "@clockwork/kit/constants";
import type { ChoiceCookie, SessionTokens } from "@clockwork/kit/route";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Who is calling, and in which session. */
export interface Caller {
  readonly userId: string;
  readonly sessionId?: string;
}

export interface CookieRules {
  /** Where the corrected tokens live; empty means the host itself. */
  readonly parentDomain: string;
  /** True when visitors come over https whatever this process sees. */
  readonly isSecure: boolean;
}

const CORRECTED: ReadonlySet<SessionCookie> = new Set<SessionCookie>(["correctedAccessToken", "correctedToken"]);

/** Writes the cookies of new tokens, or empties all six. */
export function writeSession(
  request: FastifyRequest,
  reply: FastifyReply,
  tokens: SessionTokens | null,
  rules: CookieRules,
  nowMs: number,
): void {
  const isSecure = rules.isSecure || request.protocol === "https";
  const keep = tokens?.keepUntilMs === undefined ? "" : `; Max-Age=${secondsLeft(tokens.keepUntilMs, nowMs)}`;
  const life = tokens === null ? "; Max-Age=0" : keep;
  for (const [cookie, value] of cookieValues(tokens)) {
    const domain = CORRECTED.has(cookie) && rules.parentDomain !== "" ? `; Domain=${rules.parentDomain}` : "";
    const flags = `${isSecure ? "; Secure" : ""}${cookie === "webSession" ? "; HttpOnly" : ""}; SameSite=Lax`;
    reply.header("set-cookie", `${SESSION_COOKIE[cookie]}=${value}; Path=/${domain}${life}${flags}`);
  }
}

/** A choice is no secret: the page reads it too. */
export function writeChoice(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, keepSeconds }: ChoiceCookie,
  rules: CookieRules,
): void {
  if (!/^[\w.-]{1,64}$/.test(name) || !/^[\w.-]{0,256}$/.test(value)) throw new Error(`${name} is no choice`);
  const secure = rules.isSecure || request.protocol === "https" ? "; Secure" : "";
  reply.header("set-cookie", `${name}=${value}; Max-Age=${keepSeconds}; Path=/; SameSite=Lax${secure}`);
}

function cookieValues(tokens: SessionTokens | null): readonly (readonly [SessionCookie, string])[] {
  if (tokens === null) return (Object.keys(SESSION_COOKIE) as SessionCookie[]).map((cookie) => [cookie, ""]);
  const { accessToken, futuresToken, plainToken, refreshSecret } = tokens;
  return [
    ["correctedAccessToken", accessToken],
    ["correctedToken", plainToken],
    ["futuresToken", futuresToken],
    ["accessToken", accessToken],
    ["plainToken", plainToken],
    ...(refreshSecret === undefined ? [] : [["webSession", refreshSecret] as const]),
  ];
}

function secondsLeft(untilMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((untilMs - nowMs) / 1000));
}

const COOKIE_HEADER_MAX = 16_384;

/** The first cookie of that name; our own values never need decoding. */
export function readCookie(header: string | undefined, cookie: SessionCookie): string | undefined {
  if (header === undefined || header.length > COOKIE_HEADER_MAX) return undefined;
  const start = `${SESSION_COOKIE[cookie]}=`;
  for (const part of header.split(";")) {
    const text = part.trim();
    if (text.startsWith(start)) return text.length > start.length ? text.slice(start.length) : undefined;
  }
  return undefined;
}

const SESSION_NAMES: readonly string[] = Object.values(SESSION_COOKIE);

/** True when any cookie of a session is there, whatever it holds; also when the header is too long to be looked through. */
export function carriesSession(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.length > COOKIE_HEADER_MAX) return true;
  return header.split(";").some((part) => SESSION_NAMES.includes(part.split("=", 1)[0]?.trim() ?? ""));
}
