// The session's cookies as a browser may read them. Small, since the gate before every page needs it.
import { SESSION_COOKIE, type SessionCookie } from "@clockwork/kit/constants";
import { parseCookies } from "./preferences.ts";

export function readSessionCookie(header: string, cookie: SessionCookie): string | undefined {
  return parseCookies(header).get(SESSION_COOKIE[cookie]) || undefined;
}

/** Logged in ⇔ the corrected token is there (AUTH-3). */
export function hasSession(header: string): boolean {
  return readSessionCookie(header, "correctedToken") !== undefined;
}
