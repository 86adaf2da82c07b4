// The visitor's invite code, kept for a week in a cookie of this browser: also for another tab, another day and the way
// back from another site.
import { parseCookies } from "#boot/preferences.ts";

const NAME = "cw_invite";
const KEPT_SECONDS = 7 * 86_400;
const CODE = /^[A-Za-z0-9]{1,32}$/;

/** Undefined for what is no code. */
export function formatInviteCookie(code: string, isSecure: boolean): string | undefined {
  if (!CODE.test(code)) return undefined;
  const kept = [`${NAME}=${code}`, `Max-Age=${KEPT_SECONDS}`, "Path=/", "SameSite=Lax"];
  return [...kept, ...(isSecure ? ["Secure"] : [])].join("; ");
}

export function readInviteCookie(cookies: string): string {
  const code = parseCookies(cookies).get(NAME) ?? "";
  return CODE.test(code) ? code : "";
}
