import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatFrameKey, isTerminalUrl, readPageFrame } from "./page-frame.ts";
import { formatPreferenceCookie, parseCookies, readPreferences } from "./preferences.ts";

function read(cookie: string) {
  return readPreferences(parseCookies(cookie));
}

describe("stored choices", () => {
  test("[SITE-5] [SITE-6] [SITE-7] [SITE-19] what was stored is read back", () => {
    expect(
      read("theme=dark; cw_updown=red-up; cw_currency=JPY; cw_timezone=1; cw_language=ja_JP; cw_notice=1"),
    ).toEqual({
      theme: "dark",
      terminalTheme: undefined,
      pair: undefined,
      layout: undefined,
      updown: "red-up",
      currency: "JPY",
      timezone: "1",
      language: "ja_JP",
      noticeSeen: true,
    });
  });

  test("[SITE-5] for any content of the cookies, only valid values come out", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.string({ maxLength: 30 }), (junk, more) => {
        const got = read(`theme=${junk}; cw_updown=${more}; cw_currency=${junk};${more}`);
        expect(["light", "dark", "system"]).toContain(got.theme);
        expect(["green-up", "red-up"]).toContain(got.updown);
        expect(got.timezone).toMatch(/^([01]|m-?\d+)$/);
      }),
    );
  });

  test("[SPOT-1] the last pair and the layout are read back when they have the shape of one", () => {
    const got = read("cw_spot_pair=ETH_USDT; cw_layout=b1000.c658-o342.f1000~0~0~a");
    expect(got).toMatchObject({ pair: "ETH_USDT", layout: "b1000.c658-o342.f1000~0~0~a", terminalTheme: undefined });
    expect(read("cw_spot_pair=../x; cw_layout=<b>")).toMatchObject({ pair: undefined, layout: undefined });
  });

  test("[SITE-4] the cookie lives 365 days, on the whole site, and is sent to it alone", () => {
    expect(formatPreferenceCookie("language", "en_US", false)).toBe(
      "cw_language=en_US; Max-Age=31536000; Path=/; SameSite=lax",
    );
    expect(formatPreferenceCookie("theme", "a;b", true)).toBe(
      "theme=a%3Bb; Max-Age=31536000; Path=/; SameSite=lax; Secure",
    );
  });
});

describe("the frame of a page", () => {
  const base = { userAgent: undefined, colorSchemeHint: undefined, query: new URLSearchParams() };

  test("[SITE-5] the browser's hint gives the system preference, any other value nothing", () => {
    const dark = (hint: string | undefined) => readPageFrame({ ...base, cookie: "", colorSchemeHint: hint }).systemDark;
    expect([dark('"dark"'), dark("light"), dark(undefined), dark("<script>")]).toEqual([
      true,
      false,
      undefined,
      undefined,
    ]);
  });

  test("[SPOT-1] pair and layout vary the terminal's pages and no others", () => {
    const frame = (cookie: string) => readPageFrame({ ...base, cookie });
    const other = "cw_spot_pair=ETH_USDT";
    expect(formatFrameKey(frame(other), true)).not.toBe(formatFrameKey(frame(""), true));
    expect(formatFrameKey(frame(other))).toBe(formatFrameKey(frame("")));
    for (const url of ["/spot", "/spot/BTC_USDT", "/en_US/spot?x=1", "/spot/BTC_USDT/_payload.json"])
      expect(isTerminalUrl(url), url).toBe(true);
    for (const url of ["/", "/spots", "/docs/spot"]) expect(isTerminalUrl(url), url).toBe(false);
    const own = "cw_terminal_theme=light";
    expect(formatFrameKey(frame(own), true)).not.toBe(formatFrameKey(frame(""), true));
    expect(formatFrameKey(frame(own))).toBe(formatFrameKey(frame("")));
  });

  test("[SITE-1] pages that look different never share a key, pages that look the same do", () => {
    const key = (cookie: string, userAgent?: string) => formatFrameKey(readPageFrame({ ...base, cookie, userAgent }));
    const seen = [
      key(""),
      key("theme=dark"),
      key("cw_currency=EUR"),
      key("cw_updown=red-up"),
      key("cw_timezone=1"),
      key("cw_notice=1"),
      key("cw_language=ja_JP"),
      key("", "ClockworkIos/1.0"),
      key("", "ClockworkAndroid/1.0"),
      key("", "ClockworkFlutter/1.0 (Android)"),
    ];
    expect(new Set(seen).size).toBe(seen.length);
    expect(key("theme=nonsense; other=1", "Mozilla/5.0 x")).toBe(key("", "Mozilla/5.0 y"));
  });
});
