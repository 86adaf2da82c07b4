import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_AVAILABLE_LOCALES, LOCALES, type Locale } from "./constants.ts";
import {
  decideLocale,
  formatLanguageTag,
  formatLocalePath,
  listAvailableLocales,
  parseClientLanguages,
  parseLocalePath,
} from "./locale.ts";

const english: readonly Locale[] = ["en_US"];

describe("paths", () => {
  test("[SITE-2] a supported prefix is removed, an unknown one remains in the path", () => {
    expect(parseLocalePath("/en_US/docs/color")).toEqual({ locale: "en_US", rest: "/docs/color" });
    expect(parseLocalePath("/en_US")).toEqual({ locale: "en_US", rest: "/" });
    expect(parseLocalePath("/en_US/")).toEqual({ locale: "en_US", rest: "/" });
    expect(parseLocalePath("/xx_YY/docs")).toEqual({ locale: undefined, rest: "/xx_YY/docs" });
    expect(parseLocalePath("/en_us/docs")).toEqual({ locale: undefined, rest: "/en_us/docs" });
  });

  test("[SITE-2] a path keeps the visitor's form when parsed and formatted", () => {
    fc.assert(
      fc.property(
        fc.option(fc.constantFrom(...LOCALES), { nil: undefined }),
        fc.array(fc.stringMatching(/^[a-z0-9-]{1,9}$/)),
        (prefix, segments) => {
          const rest = `/${segments.join("/")}`;
          expect(parseLocalePath(formatLocalePath(rest, prefix))).toEqual({ locale: prefix, rest });
        },
      ),
    );
  });
});

describe("choice", () => {
  test("[SITE-3] preference, else URL, else English", () => {
    const available: readonly Locale[] = ["en_US", "ja_JP", "ru_RU"];
    const ask = (pathname: string, preference?: Locale) =>
      decideLocale({ pathname, search: "?a=1", preference, available });
    expect(ask("/docs")).toMatchObject({ kind: "render", locale: "en_US", prefix: undefined, rest: "/docs" });
    expect(ask("/ja_JP/docs")).toMatchObject({ kind: "render", locale: "ja_JP", prefix: "ja_JP" });
    expect(ask("/docs", "ru_RU")).toMatchObject({ kind: "render", locale: "ru_RU", prefix: undefined });
    expect(ask("/ja_JP/docs", "ru_RU")).toEqual({ kind: "redirect", to: "/ru_RU/docs?a=1" });
  });

  test("[SITE-2] every other known locale redirects to an available one, English first", () => {
    for (const locale of LOCALES) {
      if (locale === "en_US") continue;
      const decision = decideLocale({
        pathname: `/${locale}/spot/BTC_USDT`,
        search: "",
        preference: undefined,
        available: english,
      });
      expect(decision).toEqual({ kind: "redirect", to: "/en_US/spot/BTC_USDT" });
    }
  });

  test("[SITE-3] the account's preference precedes the address, and the address the last language shown", () => {
    const available: readonly Locale[] = ["en_US", "ja_JP", "fr_FR"];
    const ask = (pathname: string, preference?: Locale) =>
      decideLocale({ pathname, search: "", preference, stored: "fr_FR", available });
    expect(ask("/docs")).toMatchObject({ kind: "render", locale: "fr_FR" });
    expect(ask("/ja_JP/docs")).toMatchObject({ kind: "render", locale: "ja_JP" });
    expect(ask("/ja_JP/docs", "en_US")).toEqual({ kind: "redirect", to: "/en_US/docs" });
  });

  test("[SITE-2] an unavailable preference never loops", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LOCALES),
        fc.option(fc.constantFrom(...LOCALES), { nil: undefined }),
        fc.uniqueArray(fc.constantFrom(...LOCALES), { minLength: 1 }),
        (prefix, preference, available) => {
          const first = decideLocale({ pathname: `/${prefix}/a`, search: "", preference, available });
          if (first.kind === "render") return;
          const second = decideLocale({ pathname: first.to, search: "", preference, available });
          expect(second.kind).toBe("render");
        },
      ),
    );
  });

  test("[SITE-3] clientSupperLanguage restricts, invalid values are ignored, and the result is never empty", () => {
    expect(parseClientLanguages("ja_JP, en_US,<script>,ja_JP")).toEqual(["ja_JP", "en_US"]);
    expect(parseClientLanguages("<script>")).toEqual([]);
    expect(parseClientLanguages(null)).toEqual([]);
    const base = { offered: LOCALES, allowed: DEFAULT_AVAILABLE_LOCALES };
    expect(listAvailableLocales({ ...base, client: ["ja_JP", "uk_UA"] })).toEqual(["ja_JP"]);
    expect(listAvailableLocales({ offered: english, allowed: english, client: ["ja_JP"] })).toEqual(["en_US"]);
    expect(listAvailableLocales({ offered: english, allowed: [], client: [] })).toEqual(["en_US"]);
  });

  test("[SITE-3] the language tag of the page is written as HTML requires", () => {
    expect(formatLanguageTag("zh_TW")).toBe("zh-TW");
  });
});
