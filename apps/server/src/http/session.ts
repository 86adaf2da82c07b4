// Whose call is it? Reads the token a call carries and asks the sessions who it stands for. Never renews anything: that
// is a call of its own. A page rendering on the server may also show the web session, which outlives the access token.
import type { Call } from "./call.ts";
import { type Caller, readCookie } from "./session-cookies.ts";

export interface SessionReader {
  /** Who an access token stands for. */
  readAccess(token: string): Promise<Caller | null>;
  /** The same at once, for a token that was read a moment ago; undefined when it has to be asked for. */
  recallAccess?(token: string): Caller | undefined;
  /** Who a web session stands for, without renewing it. */
  readWebSession(secret: string): Promise<Caller | null>;
}

type AskingCall = Pick<Call, "headers" | "isInProcess">;

export function identifyBy(sessions: SessionReader): (call: AskingCall) => Caller | Promise<Caller | null> {
  const ask = async (call: AskingCall, token: string | undefined): Promise<Caller | null> => {
    const caller = token === undefined ? null : await sessions.readAccess(token);
    if (caller !== null) return caller;
    if (!call.isInProcess) return null;
    const secret = readCookie(call.headers.cookie, "webSession");
    return secret === undefined ? null : sessions.readWebSession(secret);
  };
  return (call) => {
    const token = readToken(call);
    return (token === undefined ? undefined : sessions.recallAccess?.(token)) ?? ask(call, token);
  };
}

const TOKEN_MAX = 512;

/** The header wins: a program that names a token means it. */
function readToken(call: AskingCall): string | undefined {
  const header = call.headers["x-authorization"] ?? call.headers.authorization;
  const named = (Array.isArray(header) ? header[0] : header)?.replace(/^Bearer /i, "").trim();
  const token = named === undefined || named === "" ? readCookie(call.headers.cookie, "accessToken") : named;
  return token !== undefined && token.length <= TOKEN_MAX ? token : undefined;
}
