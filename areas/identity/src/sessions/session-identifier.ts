// Identifies callers by session: reads the token of a call and resolves it. Never renews anything: that is a call of
// its own. Cookies count while the login's mark is among them (AUTH-3). A page rendered on the server may also show the
// web session, which outlives the token.

import type { Call, Identifier } from "@clockwork/host/call";
import type { Caller } from "@clockwork/kit/caller";
import { type CookiePlace, isMark, readSessionCookie } from "@clockwork/kit/session-cookie";

/** The caller, and their session. */
interface Holder {
  readonly userId: string;
  readonly sessionId?: string;
}

/** The scope of a call: the whole API, or the futures API, which also takes tokens valid for it only. */
export type RequestedScope = "all" | "futures";

export interface SessionReader {
  /** The holder of an access token. */
  readAccess(token: string, scope: RequestedScope): Promise<Holder | null>;
  /** The same, synchronously, for a recently read token; undefined when it must be read. */
  recallAccess?(token: string, scope: RequestedScope): Holder | undefined;
  /** The holder of a web session, without renewing it. */
  readWebSession(secret: string): Promise<Holder | null>;
}

type RequestingCall = Pick<Call, "headers" | "isInProcess" | "url">;

const HOST: CookiePlace = { parentDomain: "", isSecure: false };

export function sessionIdentifier(sessions: SessionReader, place: CookiePlace = HOST): Identifier {
  const ask = async (
    call: RequestingCall,
    tokens: readonly string[],
    scope: RequestedScope,
  ): Promise<Caller | undefined> => {
    for (const token of tokens) {
      const holder = await sessions.readAccess(token, scope);
      if (holder !== null) return userOf(holder);
    }
    const secret = call.isInProcess ? readWebSession(call.headers.cookie, place) : undefined;
    const owner = secret === undefined ? null : await sessions.readWebSession(secret);
    return owner === null ? undefined : userOf(owner);
  };
  return {
    name: "session",
    identify(call) {
      const scope = call.url.startsWith(FUTURES_BASE) ? "futures" : "all";
      const tokens = readTokens(call, scope, place);
      const first = tokens[0];
      if (first === undefined && !call.isInProcess) return undefined;
      const known = first === undefined ? undefined : sessions.recallAccess?.(first, scope);
      return known === undefined ? ask(call, tokens, scope) : userOf(known);
    },
  };
}

function userOf({ userId, sessionId }: Holder): Caller {
  return sessionId === undefined ? { kind: "user", userId } : { kind: "user", userId, sessionId };
}

const FUTURES_BASE = "/futuresapi/";
const TOKEN_MAX = 512;
const NAMING_HEADERS: Readonly<Record<RequestedScope, readonly string[]>> = {
  all: ["x-authorization", "authorization"],
  // The futures token, else the login token (AUTH-13, NET-1).
  futures: ["authorization", "thirdapptoken", "x-authorization", "logintoken"],
};

/**
 * Headers win over cookies: a program that sends a token means it. A browser sends only marks, and its cookies prove
 * them.
 */
function readTokens(call: RequestingCall, scope: RequestedScope, place: CookiePlace): readonly string[] {
  const { headers } = call;
  const named: string[] = [];
  for (const name of NAMING_HEADERS[scope]) {
    const token = readToken(headers[name]);
    if (token !== undefined && !named.includes(token)) named.push(token);
  }
  return named.length > 0 ? named : readCookieTokens(headers.cookie, scope, place);
}

function readToken(header: string | readonly string[] | undefined): string | undefined {
  const text = typeof header === "string" ? header : header?.[0];
  const token = text?.replace(/^Bearer /i, "").trim();
  return token === undefined || token === "" || token.length > TOKEN_MAX || isMark(token) ? undefined : token;
}

/** The tokens of a browser that is logged in. */
export function readCookieTokens(
  cookie: string | undefined,
  scope: RequestedScope,
  place: CookiePlace,
): readonly string[] {
  if (cookie === undefined || readSessionCookie(cookie, "correctedToken", place) === undefined) return [];
  const names = scope === "futures" ? FUTURES_COOKIES : ACCESS_COOKIES;
  return names.flatMap((name) => readToken(readSessionCookie(cookie, name, place)) ?? []);
}

const ACCESS_COOKIES = ["accessToken", "correctedAccessToken"] as const;
const FUTURES_COOKIES = ["futuresToken", ...ACCESS_COOKIES] as const;

function readWebSession(cookie: string | undefined, place: CookiePlace): string | undefined {
  const isLoggedIn = readSessionCookie(cookie, "correctedToken", place) !== undefined;
  return isLoggedIn ? readSessionCookie(cookie, "webSession", place) : undefined;
}
