import { expect, test } from "vitest";
import { readPageFrame } from "./page-frame.ts";
import { readTotalAsset, TOTAL_ASSET_BODY } from "./root-data.ts";
import { buildRootData, fetchStartData, preferredLocale } from "./start-data.ts";
import { clearApplicationError, createGlobalStore, raiseApplicationError } from "./state.ts";

const frame = readPageFrame({
  cookie: "theme=dark; cw_currency=EUR",
  userAgent: "ClockworkIos/2.0",
  colorSchemeHint: undefined,
  query: new URLSearchParams(),
});

async function makeRoot(answers: Readonly<Record<string, unknown>> = {}, visitor = frame) {
  const requested: string[] = [];
  const start = await fetchStartData(
    async ({ path }) => {
      requested.push(path);
      return answers[path];
    },
    visitor,
    "x.example",
  );
  const root = buildRootData({
    version: "1",
    origin: "https://x.example",
    frame,
    start,
    locale: "en_US",
    prefix: undefined,
  });
  return { requested, root };
}

test("[SITE-14] top-info and the language menu are requested once each", async () => {
  const { requested, root } = await makeRoot({
    "/v2/users/top-info": { code: 0, data: { id: "7", userInfo: { nick: "a" }, availableLanguage: ["en_US"] } },
    "/v2/users/language-menu": { code: 0, data: { whiteList: [{ lang: "en_US" }, { lang: "ja_JP" }] } },
  });
  expect(requested.filter((path) => path === "/v2/users/top-info")).toHaveLength(1);
  expect(requested.filter((path) => path === "/v2/users/language-menu")).toHaveLength(1);
  expect(root.topInfo.id).toBe("7");
  expect(root.available).toEqual(["en_US"]);
});

test("[SITE-14] a failing API leaves a page that is signed out and in English", async () => {
  const { root } = await makeRoot({ "/v2/users/top-info": { code: "UNAVAILABLE", data: null } });
  expect(root.topInfo.id).toBeNull();
  expect(root.available).toEqual(["en_US"]);
});

test("[SITE-22] the global state holds every field, made from the server's data", async () => {
  const { root } = await makeRoot();
  const state = createGlobalStore(root).getState();
  expect(state).toMatchObject({
    theme: "dark",
    terminalTheme: undefined,
    availableLanguages: ["en_US"],
    language: { name: "English", lang: "en_US", fiatCurrency: "USD" },
    currency: "EUR",
    domain: "x.example",
    protocol: "https:",
    shell: "ios",
    globalConfig: {},
    priceRate: { USD: "1" },
    unreadLetters: 0,
    totalAsset: undefined,
    marketData: [],
    systemOut: false,
    socketUrls: { spot: "wss://x.example/ws", futures: "wss://x.example/ws" },
    fastTradeUrls: ["/api"],
    inviteNumber: undefined,
    signUpAccount: "",
  });
});

const BTC = { pairCode: "BTC_USDT", last: "64120.0", changePercent: "1.84" };

test("[SITE-22] the total asset and the market data are sent with the page", async () => {
  const wallet = "/asset/v1/api/wallet/account";
  const answers = {
    "/v1/spot/quotations": { code: 200, data: [BTC, { pairCode: 7 }, null] },
    [wallet]: { code: 200, data: { totalUsdt: "1", allUsdt: "117073.5", accounts: [] } },
  };
  const visitor = await makeRoot(answers);
  expect(visitor.requested).not.toContain(wallet);
  expect(createGlobalStore(visitor.root).getState()).toMatchObject({ totalAsset: undefined, marketData: [BTC] });
  const owner = await makeRoot(answers, { ...frame, hasSession: true });
  expect(owner.requested.filter((path) => path === wallet)).toHaveLength(1);
  expect(createGlobalStore(owner.root).getState().totalAsset).toEqual({ amount: "117073.5" });
});

test("[SITE-22] a total that is no amount counts as missing; the spot wallet alone is named", () => {
  for (const allUsdt of [undefined, 7, "", "1e9", "-5", "<b>"]) expect(readTotalAsset({ allUsdt })).toBeNull();
  expect(readTotalAsset(null)).toBeNull();
  expect(TOTAL_ASSET_BODY.walletTypeList).toEqual(["1"]);
});

const RATES = { CNY: "7.12", USD: "9", EUR: "0.86", JPY: "-1", KRW: 5 };

test("[SITE-7] [SITE-22] served rates, switches, addresses and the inviter reach the state, broken ones do not", async () => {
  const other = {
    api: "https://fast.example/api",
    futuresApi: "https://fast.example/futuresapi",
    socket: "wss://fast.example/ws",
    futuresSocket: "wss://fast.example/ws",
  };
  const own = { api: "/api", futuresApi: "/futuresapi", socket: "/ws", futuresSocket: "/ws", invite: "AB12" };
  const { requested, root } = await makeRoot({
    "/v1/common/exchange-rate": {
      code: 200,
      data: { base: "USD", rates: RATES, asOf: "2026-03-09T12:00:00.000Z", source: "built-in", simulated: true },
    },
    "/v1/common/global-config": { code: 200, data: { hbtSwitch: "1", systemOut: "1", odd: 3 } },
    "/v1/common/domain-list?host=x.example": { code: 200, data: { domains: [own, other], invite: "AB12" } },
    "/v1/common/social-media": {
      code: 200,
      data: {
        links: [
          { title: "Talk", url: "https://chat.example" },
          { title: "Bad", url: "javascript:1" },
        ],
      },
    },
  });
  expect(new Set(requested).size).toBe(requested.length);
  const state = createGlobalStore(root).getState();
  expect(state).toMatchObject({
    priceRate: { CNY: "7.12", USD: "1", EUR: "0.86" },
    rateOrigin: { asOf: "2026-03-09T12:00:00.000Z", source: "built-in", simulated: true },
    globalConfig: { hbtSwitch: "1", systemOut: "1" },
    systemOut: true,
    fastTradeUrls: ["/api", "https://fast.example/api"],
    inviteNumber: "AB12",
  });
  expect(Object.keys(state.priceRate).sort()).toEqual(["CNY", "EUR", "USD"]);
  expect(root.social).toEqual([{ title: "Talk", url: "https://chat.example" }]);
});

test("[AUTH-13] the user's id is taken from id, else from fid", async () => {
  const { root } = await makeRoot({ "/v2/users/top-info": { code: 0, data: { fid: 42 } } });
  expect(root.topInfo.id).toBe("42");
});

test("[SITE-7] [SITE-3] the account's currency and language go before the browser's", async () => {
  const { root } = await makeRoot({
    "/v2/users/top-info": { code: 0, data: { id: "7", userInfo: { pricingCurrency: "JPY", userLanguage: "ja_JP" } } },
  });
  expect(root.currency).toBe("JPY");
  expect(preferredLocale(root.topInfo)).toBe("ja_JP");
  expect(preferredLocale({ id: "7", userInfo: { userLanguage: "<b>" }, availableLanguage: [] })).toBeUndefined();
});

test("[SITE-11] the application error is held in shared state and cleared with an optional redirect", async () => {
  const store = createGlobalStore((await makeRoot()).root);
  raiseApplicationError(store, { status: 503, message: "resting" });
  expect(store.getState().applicationError).toEqual({ status: 503, message: "resting" });
  let gone = 0;
  clearApplicationError(store, () => gone++);
  expect(store.getState().applicationError).toBeUndefined();
  expect(gone).toBe(1);
  clearApplicationError(store);
});
