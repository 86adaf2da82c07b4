import { expect, test } from "vitest";
import { readRedirect } from "./redirect.ts";

test.each([
  ["/", "/"],
  ["/spot/BTC_USDT?tab=open#top", "/spot/BTC_USDT?tab=open#top"],
  ["/en_US/wallet", "/en_US/wallet"],
  ["/a/../b", "/b"],
  ["/login?redirectUrl=https://evil.example", "/login?redirectUrl=https://evil.example"],
  ["/@evil.example", "/@evil.example"],
  ["/https://evil.example", "/https://evil.example"],
])("[AUTH-2] %j leads to our own %j", (text, path) => {
  expect(readRedirect(text)).toBe(path);
});

test.each([
  "",
  "https://evil.example",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\\/evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  " //evil.example",
  "\t//evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r\nSet-Cookie: a=b",
  "/\u0000/evil.example",
  "/\u200b/evil.example",
  "/a/..//evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/%2e%2e//evil.example",
  "evil.example",
  "@evil.example",
  "?next=x",
  "#x",
  "http:/evil.example",
  "／／evil.example",
  "/\\\\evil.example/..",
  `/${"a".repeat(3000)}`,
])("[AUTH-2] %j leads nowhere", (text) => {
  expect(readRedirect(text)).toBeUndefined();
});

test("[AUTH-2] an absent parameter leads nowhere", () => {
  expect([readRedirect(undefined), readRedirect(null)]).toEqual([undefined, undefined]);
});
