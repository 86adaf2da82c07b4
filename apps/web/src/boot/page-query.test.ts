import { describe, expect, test } from "vitest";
import { trimQuery } from "./page-query.ts";

describe("[SITE-1] the part of a query a page reads", () => {
  test.each([
    ["/spot/BTC_USDT?x=1", "/spot/BTC_USDT", "x=1"],
    ["/en_US/spot/BTC_USDT?utm_source=a&utm_term=b%20c", "/en_US/spot/BTC_USDT", "utm_source=a&utm_term=b%20c"],
    ["/markets?page=2&x=1&q=b%20t&q=again", "/markets?q=b+t&page=2", "x=1"],
    ["/markets/_payload.json?page=2&x=1", "/markets/_payload.json?page=2", "x=1"],
    ["/sitemap.xml?x=1", "/sitemap.xml", "x=1"],
    ["/?clientSupperLanguage=fr_FR,xx,en_US,fr_FR&x", "/?clientSupperLanguage=fr_FR%2Cen_US", "x"],
    ["/?clientSupperLanguage=random", "/", ""],
    ["/?", "/", ""],
  ])("%s is %s", (requested, url, dropped) => {
    expect(trimQuery(requested)).toEqual({ url, dropped });
  });

  test.each([
    "/login?redirectUrl=%2Fwallet&inviteCode=1&utm_source=a",
    "/wallet/history?asset=BTC&anything=1",
    "/login-cw/social-verification?code=1&state=2",
    "/_manifest.json?p=%2F&version=1",
    "/no-such-page?x=1",
  ])("%s keeps all of it", (url) => {
    expect(trimQuery(url)).toEqual({ url, dropped: "" });
  });
});
