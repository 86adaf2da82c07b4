import { afterEach, beforeEach, expect, test } from "vitest";
import { readPageFrame } from "#boot/page-frame.ts";
import { buildRootData, fetchStartData } from "#boot/start-data.ts";
import { createGlobalStore, type GlobalStore } from "#boot/state.ts";
import type { RequestClient } from "#live/request.ts";
import { chooseCurrency, chooseLanguage } from "#session/settings.ts";
import { arrive } from "./arrival.ts";

const before = { document: globalThis.document, location: globalThis.location, matchMedia: globalThis.matchMedia };
beforeEach(() => {
  Object.assign(globalThis, {
    document: { cookie: "", documentElement: {}, body: { className: "lang-en_US" } },
    location: { protocol: "http:", pathname: "/", search: "" },
    matchMedia: () => ({ matches: false }),
  });
});
afterEach(() => {
  Object.assign(globalThis, before);
});

async function openStore(): Promise<GlobalStore> {
  const query = new URLSearchParams();
  const frame = readPageFrame({ cookie: undefined, userAgent: undefined, colorSchemeHint: undefined, query });
  const start = await fetchStartData(async () => undefined, frame, "x.example");
  const store = createGlobalStore(
    buildRootData({ version: "1", origin: "https://x.example", frame, start, locale: "ja_JP", prefix: undefined }),
  );
  const { topInfo, language } = store.getState();
  store.setState({
    topInfo: { ...topInfo, id: "7" },
    availableLanguages: ["en_US", "ja_JP"],
    language: { ...language, lang: "ja_JP" },
  });
  return store;
}

/** An account that prefers Japanese and yen, whose answer the test gives, and a page that records where it was sent. */
function arriveWith(store: GlobalStore) {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const gone: string[] = [];
  const arriving = arrive({
    store,
    request: { call: () => promise as never },
    go: (path) => void gone.push(path),
    here: () => "/here",
  });
  return {
    gone,
    answered: async () => {
      resolve({ ok: true, data: { userLanguage: "ja_JP", pricingCurrency: "JPY" } });
      await arriving;
    },
  };
}

/** Calls that never come through: the choice is painted and still on its way to the account. */
const calls = (): Promise<RequestClient> => new Promise(() => {});
const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

for (const order of ["before", "while"] as const) {
  test(`[SITE-3] [AUTH-12] a language chosen ${order} the account's own is requested remains`, async () => {
    const store = await openStore();
    const choose = async () => {
      void chooseLanguage(store, "en_US", calls);
      await tick();
    };
    if (order === "before") await choose();
    const page = arriveWith(store);
    if (order === "while") await choose();
    await page.answered();
    expect(store.getState().language.lang).toBe("en_US");
    expect(page.gone).toEqual([]);
  });

  test(`[SITE-7] [AUTH-12] a currency chosen ${order} the account's own is requested remains`, async () => {
    const store = await openStore();
    if (order === "before") void chooseCurrency(store, "EUR", calls);
    const page = arriveWith(store);
    if (order === "while") void chooseCurrency(store, "EUR", calls);
    await page.answered();
    expect(store.getState().currency).toBe("EUR");
  });
}

test("[AUTH-12] the account's own goes before what the browser knew where nothing was chosen", async () => {
  const store = await openStore();
  store.setState({ language: { ...store.getState().language, lang: "en_US" }, currency: "USD" });
  const page = arriveWith(store);
  await page.answered();
  expect(store.getState().currency).toBe("JPY");
  expect(page.gone).toEqual(["/"]);
});
