import { expect, test } from "vitest";
import { SESSION_COOKIE, type SessionCookie } from "./constants.ts";
import {
  carriesSession,
  cookieDomain,
  cookieName,
  formatMark,
  isMark,
  placeAt,
  readSessionCookie,
} from "./session-cookie.ts";

const ALL = Object.keys(SESSION_COOKIE) as SessionCookie[];
const PLAIN = { parentDomain: "", isSecure: false };
const SECURE = { parentDomain: "", isSecure: true };
const PARENT = { parentDomain: "exchange.example", isSecure: true };

test("[AUTH-3] the six names of the seed; over https those that authorise are bound to the host where they can be", () => {
  expect(ALL.map((cookie) => cookieName(cookie, PLAIN))).toEqual(Object.values(SESSION_COOKIE));
  expect(ALL.map((cookie) => cookieName(cookie, SECURE))).toEqual([
    "__Host-cw_correct_access_token",
    "cw_correct_token",
    "__Host-cw_futures_token",
    "__Host-cw_access_token",
    "cw_token",
    "__Host-cw_session",
  ]);
  expect(cookieName("correctedAccessToken", PARENT)).toBe("__Secure-cw_correct_access_token");
  expect(ALL.filter((cookie) => cookieDomain(cookie, PARENT) !== undefined)).toEqual([
    "correctedAccessToken",
    "correctedToken",
  ]);
});

test("[AUTH-3] a site over https reads no cookie that a plain http page could have set", () => {
  const header = "a=1; cw_access_token=planted; __Host-cw_access_token=own";
  expect(readSessionCookie(header, "accessToken", SECURE)).toBe("own");
  expect(readSessionCookie("cw_access_token=planted", "accessToken", SECURE)).toBeUndefined();
  expect(readSessionCookie("cw_access_token=own", "accessToken", PLAIN)).toBe("own");
  expect(readSessionCookie(header, "accessToken", PLAIN)).toBe("own");
  expect(readSessionCookie("__Secure-cw_correct_access_token=own", "correctedAccessToken", PARENT)).toBe("own");
  expect(readSessionCookie("cw_correct_token=", "correctedToken", PLAIN)).toBeUndefined();
});

test("[AUTH-3] a host outside the parent domain keeps its own cookies, and they are read", () => {
  for (const host of ["exchange.example", "www.exchange.example"]) expect(placeAt(host, PARENT)).toEqual(PARENT);
  for (const host of ["fast.example", "evilexchange.example", "127.0.0.1"])
    expect(placeAt(host, PARENT)).toEqual(SECURE);
  // A proxy calls the server by a number; its visitors use the public name.
  const proxied = { ...PARENT, publicHost: "www.exchange.example" };
  expect(placeAt("10.0.0.7", proxied)).toEqual(proxied);
  expect(placeAt("fast.example", proxied).parentDomain).toBe("");
  expect(readSessionCookie("__Host-cw_correct_access_token=own", "correctedAccessToken", PARENT)).toBe("own");
});

test("[AUTH-3] a session is detected by any of its cookies, under any of their names", () => {
  for (const cookie of ALL) {
    for (const place of [PLAIN, SECURE, PARENT])
      expect(carriesSession(`x=1; ${cookieName(cookie, place)}=a`)).toBe(true);
  }
  expect(carriesSession("xcw_token=1; __Host-other=2")).toBe(false);
});

test("[AUTH-3] a mark is known for a mark", () => {
  expect(isMark(formatMark("abc"))).toBe(true);
  expect(isMark("abc.def.all.ghi")).toBe(false);
});
