import type { RouteContext } from "@clockwork/kit/route";
import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { LanguageMenu, TopInfo } from "./api.ts";
import { usersRoutes } from "./routes.ts";
import { usersService } from "./service.ts";

const CONTEXT: RouteContext = {
  requestId: "test",
  ip: "127.0.0.1",
  userId: null,
  timeMs: 0,
  locale: "en_US",
  header: () => undefined,
};

async function call(method: string, path: string): Promise<unknown> {
  const route = usersRoutes(usersService()).find((one) => one.method === method && one.path === path);
  const outcome = await route?.handle({ query: {}, params: {}, body: {} }, CONTEXT);
  return outcome?.ok === true ? outcome.data : undefined;
}

test("[SITE-14] top-info of an anonymous visitor has no id, no user and the nine available languages", async () => {
  const data = await call("POST", "/v2/users/top-info");
  expect(Value.Check(TopInfo, data)).toBe(true);
  expect(data).toEqual({
    id: null,
    userInfo: null,
    availableLanguage: "ru_RU zh_TW en_US tr_TR zh_CN es_ES ja_JP fr_FR pt_PT".split(" "),
  });
});

test("[SITE-14] the language menu offers the local list: English alone", async () => {
  const data = await call("GET", "/v2/users/language-menu");
  expect(Value.Check(LanguageMenu, data)).toBe(true);
  expect(data).toEqual({ whiteList: [{ name: "English", lang: "en_US", fiatCurrency: "USD" }] });
});
