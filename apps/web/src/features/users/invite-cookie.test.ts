import { expect, test } from "vitest";
import { formatInviteCookie, readInviteCookie } from "./invite-cookie.ts";

test("[USR-4] a code is kept for seven days for the whole browser, and nothing else is", () => {
  expect(formatInviteCookie("AB2CD3EF", true)).toBe("cw_invite=AB2CD3EF; Max-Age=604800; Path=/; SameSite=Lax; Secure");
  expect(formatInviteCookie("AB2CD3EF", false)).not.toContain("Secure");
  expect(formatInviteCookie("x; Path=/evil", false)).toBeUndefined();
  expect(readInviteCookie("theme=dark; cw_invite=AB2CD3EF")).toBe("AB2CD3EF");
  expect(readInviteCookie("cw_invite=%3Cscript%3E")).toBe("");
  expect(readInviteCookie("")).toBe("");
});
