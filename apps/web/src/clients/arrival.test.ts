import { afterEach, beforeEach, expect, test } from "vitest";
import { readPageFrame } from "#boot/page-frame.ts";
import { buildRootData, fetchStartData } from "#boot/start-data.ts";
import { createGlobalStore } from "#boot/state.ts";
import { arrive } from "./arrival.ts";

const before = { document: globalThis.document, location: globalThis.location };
beforeEach(() => {
  Object.assign(globalThis, { document: { cookie: "" }, location: { protocol: "http:" } });
});
afterEach(() => {
  Object.assign(globalThis, before);
});

test("[SITE-3] [AUTH-12] a language chosen while the account's own is being asked for stays", async () => {
  const query = new URLSearchParams();
  const frame = readPageFrame({ cookie: undefined, userAgent: undefined, colorSchemeHint: undefined, query });
  const start = await fetchStartData(async () => undefined, frame, "x.example");
  const store = createGlobalStore(
    buildRootData({ version: "1", origin: "https://x.example", frame, start, locale: "en_US", prefix: undefined }),
  );
  const state = store.getState();
  store.setState({ topInfo: { ...state.topInfo, id: "7" }, availableLanguages: ["en_US", "fr_FR"] });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const gone: string[] = [];
  const arriving = arrive({
    store,
    request: { get: () => promise as never },
    go: (path) => void gone.push(path),
    here: () => "/",
  });
  store.setState({ language: { ...state.language, lang: "fr_FR" } });
  resolve({ ok: true, data: { userLanguage: "en_US", pricingCurrency: state.currency } });
  await arriving;
  expect(store.getState().language.lang).toBe("fr_FR");
  expect(gone).toEqual([]);
});
