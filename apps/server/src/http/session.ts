// Whose call is it? Reads the token a call carries and asks the sessions who it stands for. Never renews anything: that
// is a call of its own. A page rendering on the server may also show the web session, which outlives the access token.
import { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { type Caller, readCookie } from "./session-cookies.ts";

export interface SessionReader {
  /** Who an access token stands for. */
  readAccess(token: string): Promise<Caller | null>;
  /** The same at once, for a token that was read a moment ago; undefined when it has to be asked for. */
  recallAccess?(token: string): Caller | undefined;
  /** Who a web session stands for, without renewing it. */
  readWebSession(secret: string): Promise<Caller | null>;
}

export function identifyBy(sessions: SessionReader): (request: FastifyRequest) => Caller | Promise<Caller | null> {
  const ask = async (request: FastifyRequest, token: string | undefined): Promise<Caller | null> => {
    const caller = token === undefined ? null : await sessions.readAccess(token);
    if (caller !== null) return caller;
    // A call injected by the page server is no IncomingMessage; no header can pretend it.
    if (request.raw instanceof IncomingMessage) return null;
    const secret = readCookie(request.headers.cookie, "webSession");
    return secret === undefined ? null : sessions.readWebSession(secret);
  };
  return (request) => {
    const token = readToken(request);
    return (token === undefined ? undefined : sessions.recallAccess?.(token)) ?? ask(request, token);
  };
}

const TOKEN_MAX = 512;

/** The header wins: a program that names a token means it. */
function readToken(request: FastifyRequest): string | undefined {
  const header = request.headers["x-authorization"] ?? request.headers.authorization;
  const named = (Array.isArray(header) ? header[0] : header)?.replace(/^Bearer /i, "").trim();
  const token = named === undefined || named === "" ? readCookie(request.headers.cookie, "accessToken") : named;
  return token !== undefined && token.length <= TOKEN_MAX ? token : undefined;
}
