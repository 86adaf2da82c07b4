// The six cookies of a session, and the plain ones of a visitor's choices: how they are written and cleared. Owns their
// flags; the meaning of a token belongs to its verifier. Credentials are hidden from scripts; two marks without power
// state what scripts need.

import type { ChoiceCookie, SessionTokens } from "@clockwork/host/route";
import { SESSION_COOKIE, type SessionCookie } from "@clockwork/kit/constants";
import { type CookiePlace, cookieDomain, cookieName, isMarkCookie, placeAt } from "@clockwork/kit/session-cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Writes the cookies of new tokens, or empties all six. */
export function writeSession(
  request: FastifyRequest,
  reply: FastifyReply,
  tokens: SessionTokens | null,
  rules: CookiePlace,
  nowMs: number,
): void {
  const isSecure = rules.isSecure || request.protocol === "https";
  const keep = tokens?.keepUntilMs === undefined ? "" : `; Max-Age=${secondsLeft(tokens.keepUntilMs, nowMs)}`;
  const life = tokens === null ? "; Max-Age=0" : keep;
  const place = placeAt(request.hostname, { ...rules, isSecure });
  for (const [cookie, value] of cookieValues(tokens)) {
    const domain = cookieDomain(cookie, place);
    const where = domain === undefined ? "" : `; Domain=${domain}`;
    const flags = `${isSecure ? "; Secure" : ""}${isMarkCookie(cookie) ? "" : "; HttpOnly"}; SameSite=Lax`;
    reply.header("set-cookie", `${cookieName(cookie, place)}=${value}; Path=/${where}${life}${flags}`);
  }
}

/** Empties all six. */
export function emptySession(request: FastifyRequest, reply: FastifyReply, rules: CookiePlace): void {
  writeSession(request, reply, null, rules, 0);
}

/** A choice is no secret: the page reads it too. */
export function writeChoice(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, keepSeconds }: ChoiceCookie,
  rules: CookiePlace,
): void {
  if (!/^[\w.-]{1,64}$/.test(name) || !/^[\w.-]{0,256}$/.test(value)) throw new Error(`${name} is no choice`);
  const secure = rules.isSecure || request.protocol === "https" ? "; Secure" : "";
  reply.header("set-cookie", `${name}=${value}; Max-Age=${keepSeconds}; Path=/; SameSite=Lax${secure}`);
}

function cookieValues(tokens: SessionTokens | null): readonly (readonly [SessionCookie, string])[] {
  if (tokens === null) return (Object.keys(SESSION_COOKIE) as SessionCookie[]).map((cookie) => [cookie, ""]);
  const { accessToken, futuresToken, plainToken, loginToken, refreshSecret } = tokens;
  return [
    ["correctedAccessToken", accessToken],
    ["correctedToken", loginToken],
    ["futuresToken", futuresToken],
    ["accessToken", accessToken],
    ["plainToken", plainToken],
    ...(refreshSecret === undefined ? [] : [["webSession", refreshSecret] as const]),
  ];
}

function secondsLeft(untilMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((untilMs - nowMs) / 1000));
}
