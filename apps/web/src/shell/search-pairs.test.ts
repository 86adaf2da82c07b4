import type { Pair, Quotation } from "@clockwork/trading/markets/contract";
import { expect, test } from "vitest";
import { findPairs, listBusiest } from "./search-pairs.ts";

const pair = (base: string, quote: string, baseName: string): Pair =>
  ({ pairCode: `${base}_${quote}`, base, quote, baseName }) as Pair;
const PAIRS = [pair("ETH", "BTC", "Ethereum"), pair("BTC", "USDT", "Bitcoin"), pair("DOGE", "USDT", "Dogecoin")];

test("[SITE-21] the header's search finds pairs by code, by both coins and by name", () => {
  const paths = (query: string) => findPairs(PAIRS, query).map(({ path }) => path);
  expect(paths("btc")).toEqual(["/spot/BTC_USDT", "/spot/ETH_BTC"]);
  for (const query of ["BTC/USDT", "btc usdt", "btcusdt", "Bitcoin"]) expect(paths(query)).toEqual(["/spot/BTC_USDT"]);
  expect(paths(" ")).toEqual([]);
  expect(paths("nothing")).toEqual([]);
});

test("[SITE-21] an empty search shows what is traded most against the dollar coin", () => {
  const quotations = [
    { pairCode: "DOGE_USDT", turnover: "900" },
    { pairCode: "ETH_BTC", turnover: "99999" },
    { pairCode: "BTC_USDT", turnover: "12000.5" },
    { pairCode: "GONE_USDT", turnover: "5" },
  ] as Quotation[];
  expect(listBusiest(PAIRS, quotations).map(({ path }) => path)).toEqual(["/spot/BTC_USDT", "/spot/DOGE_USDT"]);
  expect(listBusiest(PAIRS, [])).toEqual([]);
});
