import { LOCAL_LANGUAGES } from "@clockwork/kit/constants";
import { describe, expect, test } from "vitest";
import { formOf } from "./form-handlers.ts";

describe("the form of the route tree an address is in", () => {
  test.each([
    ["/", "bare"],
    ["/docs", "bare"],
    ["/_.data", "bare"],
    ["/docs.data", "bare"],
    ["/en_US", "en_US"],
    ["/en_US/", "en_US"],
    ["/en_US.data", "en_US"],
    ["/en_US/docs.data", "en_US"],
    ["/en_us/docs", "bare"],
    ["/xx_XX/docs", "bare"],
    ["/docs/en_US", "bare"],
    ["//en_US", "bare"],
  ])("[SITE-2] %s is %s", (pathname, form) => expect(formOf(pathname)).toBe(form));

  test("[SITE-2] every offered language is a form", () => {
    for (const { lang } of LOCAL_LANGUAGES) expect(formOf(`/${lang}/markets`)).toBe(lang);
  });
});
