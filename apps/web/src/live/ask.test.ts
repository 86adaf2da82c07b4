// Market data goes through the page's one client: with its headers, and to whichever address lives.
import { MARKET_CALLS, type Pair } from "@clockwork/trading/markets/contract";
import { afterEach, beforeEach, expect, test } from "vitest";
import { askData, leaseClient } from "./ask.ts";
import { pickedBases } from "./bases.ts";
import { systemClock } from "./clock.ts";
import { createDomainPicker, type Domain } from "./domains.ts";
import { FUTURES_MARKETS } from "./feeds/futures-feeds.ts";
import { SPOT_MARKET } from "./feeds/market-feeds.ts";
import { createRequestClient, type RequestClient } from "./request.ts";
import { userHeaders } from "./test-headers.ts";
import { TestHttp } from "./test-http.ts";

const PAIR = { pairCode: "BTC_USDT", priceDecimals: 1, quantityDecimals: 5 } as Pair;
let first: TestHttp;
let second: TestHttp;
let takeBack: (() => void) | undefined;

beforeEach(async () => {
  [first, second] = await Promise.all([TestHttp.start(), TestHttp.start()]);
});
afterEach(async () => {
  takeBack?.();
  takeBack = undefined;
  await Promise.all([first.close(), second.close()]);
});

function domainAt({ url }: TestHttp): Domain {
  const socket = `${url.replace("http", "ws")}/ws`;
  return { api: `${url}/api`, futuresApi: `${url}/futuresapi`, socket, futuresSocket: socket };
}

function openClient(): RequestClient {
  const picker = createDomainPicker({
    listUrls: [`${second.url}/domain-list.json`],
    fallback: domainAt(first),
    fetch,
    clock: systemClock,
    storage: undefined,
    probePath: "/v1/common/ping",
  });
  return createRequestClient({
    fetch,
    headers: userHeaders,
    bases: pickedBases(picker),
    clock: systemClock,
    random: (bytes) => bytes.fill(7),
    retryDelayMs: 0,
  });
}

test("[NET-1] market data carries the headers of every call, and futures those of its API", async () => {
  takeBack = leaseClient(openClient());
  first.serve = () => ({ body: { code: 200, data: [], message: "" } });
  const query = { pairCode: "BTC_USDT", interval: "1m", timezone: "0", limit: 2 } as const;
  expect(await SPOT_MARKET.fetchCandles({ ...query, toMs: 9 })).toEqual([]);
  expect(first.last.url).toBe("/api/v1/spot/candles?pairCode=BTC_USDT&interval=1m&timezone=0&limit=2&to=9");
  expect(first.last.headers).toMatchObject({ "x-authorization": "access-1", deviceid: "device-1", clienttag: "web" });
  await FUTURES_MARKETS.delivery.fetchCandles({ ...query, price: "mark" });
  expect(first.last.url).toBe(
    "/futuresapi/v1/futuresc/candles?biz=delivery&pairCode=BTC_USDT&interval=1m&timezone=0&limit=2&kind=mark",
  );
  expect(first.last.headers).toMatchObject({ authorization: "login-1", thirdapptoken: "login-1" });
});

test("[NET-7] market data moves to the address that lives, like any other call", async () => {
  takeBack = leaseClient(openClient());
  first.serve = () => ({ fault: "reset" });
  second.serve = ({ url }) =>
    url === "/domain-list.json"
      ? { body: { domains: [domainAt(first), domainAt(second)] } }
      : {
          body: {
            code: 200,
            data: { pairCode: "BTC_USDT", sequence: 3, bids: [], asks: [], checksum: 0 },
            message: "",
          },
        };
  const depth = SPOT_MARKET.depth(PAIR);
  await expect.poll(() => depth.fetch?.(new AbortController().signal)).toMatchObject({ sequence: 3 });
  expect(second.last.url).toBe("/api/v1/spot/depth?pairCode=BTC_USDT&limit=500");
});

test("[NET-1] a caller before the page's client is there waits for it; a refusal is no data", async () => {
  const requested = askData(MARKET_CALLS.pairs, {});
  expect(first.seen).toEqual([]);
  first.serve = () => ({ body: { code: 200, data: ["x"], message: "" } });
  takeBack = leaseClient(openClient());
  expect(await requested).toEqual(["x"]);
  first.serve = () => ({ status: 404, body: { code: "NOT_FOUND", data: null, message: "no" } });
  expect(await askData(MARKET_CALLS.pairs, {})).toBeUndefined();
});
