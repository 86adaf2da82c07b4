import { expect, test } from "vitest";
import { readReturnPath } from "./return-path.ts";

/** Known attacks on redirects: other hosts, other schemes, and paths that resolve to one of them. */
const TRICKS: readonly string[] = [
  "https://evil.example",
  "http://evil.example/login",
  "//evil.example",
  "///evil.example",
  "////evil.example/%2e%2e",
  "/\\evil.example",
  "\\/evil.example",
  "\\\\evil.example",
  "/\\/evil.example",
  "/a\\b",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r\nSet-Cookie: a=b",
  "\t//evil.example",
  " //evil.example",
  " /wallet",
  "/wallet ",
  "/ /evil.example",
  "/./\\evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/a//evil.example",
  "/../evil",
  "/a/..",
  "/.",
  "/%2f%2fevil.example",
  "/%2F/evil.example",
  "/%5cevil.example",
  "/%5Cevil.example",
  "/%252f%252fevil.example",
  "/%09/evil.example",
  "/%0d%0aLocation:%20https://evil.example",
  "/%2e%2e//evil.example",
  "/%2e/evil",
  "/%00/evil",
  "/%zz",
  "/%",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "/javascript:\nalert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "mailto:a@b.example",
  "blob:https://site.example/1",
  "https:/evil.example",
  "https:evil.example",
  "http:\\\\evil.example",
  "evil.example",
  "@evil.example",
  ":evil.example",
  "?redirectUrl=//evil.example",
  "#/evil",
  ".",
  "",
  "/\u2215evil.example",
  "/\u3002evil.example",
  "\u3000//evil.example",
  "/\u00a0/evil.example",
  "/\u0000",
  "/\u202eevil",
  `/${"a".repeat(2048)}`,
];

test("[AUTH-2] no known trick leads off the site", () => {
  for (const trick of TRICKS) expect(readReturnPath(trick), JSON.stringify(trick)).toBeUndefined();
  expect(readReturnPath(null)).toBeUndefined();
  expect(readReturnPath(undefined)).toBeUndefined();
});

test("[AUTH-2] paths of the site are followed unchanged, with query and fragment", () => {
  const paths = [
    "/",
    "/wallet",
    "/en_US/wallet",
    "/spot/BTC_USDT",
    "/security?tab=devices&page=2",
    "/a?next=//evil.example/#//evil",
    "/a#top",
    "/@name",
    "/javascript:alert(1)",
    "/news/%E4%BD%A0",
    "/a.b/..c/.well-known",
    "/a/",
  ];
  for (const path of paths) expect(readReturnPath(path), path).toBe(path);
});

test("[AUTH-2] any followed path remains on the site when a browser resolves it", () => {
  const pieces = ["/", "\\", ".", "..", "%2f", "%5c", "@", ":", "evil.example", "a", "\t", "?", "#", " ", "//"];
  const origin = "https://site.example";
  for (const first of pieces) {
    for (const second of pieces) {
      for (const third of pieces) {
        for (const fourth of pieces) {
          const text = readReturnPath(`${first}${second}${third}${fourth}`);
          if (text === undefined) continue;
          const resolved = new URL(text, origin);
          expect(resolved.origin, text).toBe(origin);
          expect(new URL(resolved.pathname, origin).origin, text).toBe(origin);
        }
      }
    }
  }
});
