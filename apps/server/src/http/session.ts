// Callers in a session: reads the token a call carries and asks the sessions who it stands for. Never renews anything:
// that is a call of its own. A page rendering on the server may also show the web session, which outlives the token.
import type { Caller } from "@clockwork/kit/caller";
import type { Call } from "./call.ts";
import type { Identifier } from "./identify.ts";
import { type Caller as Holder, readCookie } from "./session-cookies.ts";

export interface SessionReader {
  /** Who an access token stands for. */
  readAccess(token: string): Promise<Holder | null>;
  /** The same at once, for a token that was read a moment ago; undefined when it has to be asked for. */
  recallAccess?(token: string): Holder | undefined;
  /** Who a web session stands for, without renewing it. */
  readWebSession(secret: string): Promise<Holder | null>;
}

type AskingCall = Pick<Call, "headers" | "isInProcess">;

export function sessionIdentifier(sessions: SessionReader): Identifier {
  const ask = async (call: AskingCall, token: string | undefined): Promise<Caller | undefined> => {
    const holder = token === undefined ? null : await sessions.readAccess(token);
    if (holder !== null) return userOf(holder);
    const secret = call.isInProcess ? readCookie(call.headers.cookie, "webSession") : undefined;
    const owner = secret === undefined ? null : await sessions.readWebSession(secret);
    return owner === null ? undefined : userOf(owner);
  };
  return {
    name: "session",
    identify(call) {
      const token = readToken(call);
      if (token === undefined && !call.isInProcess) return undefined;
      const known = token === undefined ? undefined : sessions.recallAccess?.(token);
      return known === undefined ? ask(call, token) : userOf(known);
    },
  };
}

function userOf({ userId, sessionId }: Holder): Caller {
  return sessionId === undefined ? { kind: "user", userId } : { kind: "user", userId, sessionId };
}

const TOKEN_MAX = 512;

/** The header wins: a program that names a token means it. */
function readToken(call: AskingCall): string | undefined {
  const header = call.headers["x-authorization"] ?? call.headers.authorization;
  const named = (Array.isArray(header) ? header[0] : header)?.replace(/^Bearer /i, "").trim();
  const token = named === undefined || named === "" ? readCookie(call.headers.cookie, "accessToken") : named;
  return token !== undefined && token.length <= TOKEN_MAX ? token : undefined;
}
