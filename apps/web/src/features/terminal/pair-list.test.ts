// Searching, grouping and ordering of the pair list.
import type { Pair, Quotation } from "@clockwork/domains/markets/api";
import { expect, test } from "vitest";
import { listPairRows, listPartitions, type PairQuery } from "./pair-list.ts";

const pair = (base: string, baseName: string, partitions: string[]) =>
  ({ pairCode: `${base}_USDT`, base, quote: "USDT", baseName, partitions }) as unknown as Pair;
const pairs = [
  pair("BTC", "Bitcoin", ["major"]),
  pair("ETH", "Ether", ["major", "layer1"]),
  pair("DOGE", "Dogecoin", ["meme"]),
];
const quotations = [
  { pairCode: "BTC_USDT", last: "64000", changePercent: "1.27", turnover: "500" },
  { pairCode: "ETH_USDT", last: "3200", changePercent: "-0.50", turnover: "900" },
] as unknown as Quotation[];

const find = (query: Partial<PairQuery>) =>
  listPairRows(pairs, quotations, ["DOGE_USDT"], {
    search: "",
    group: "all",
    sort: "turnover",
    isDescending: true,
    ...query,
  }).map((row) => row.pair.base);

test("[SPOT-4] pairs are found by code and name, however they are written", () => {
  for (const search of ["btcusdt", "BTC/USDT", " btc usdt ", "bitc", "btc_usdt"])
    expect(find({ search })).toEqual(["BTC"]);
  expect(find({ search: "zzz" })).toEqual([]);
});

test("[SPOT-4] groups and favourites narrow the list, a search looks everywhere", () => {
  expect(find({ group: "major" })).toEqual(["ETH", "BTC"]);
  expect(find({ group: "favourites" })).toEqual(["DOGE"]);
  expect(find({ group: "favourites", search: "eth" })).toEqual(["ETH"]);
  expect(listPartitions(pairs)).toEqual(["major", "layer1", "meme"]);
});

test("[SPOT-4] the list is sorted by any column both ways", () => {
  expect(find({ sort: "pair", isDescending: false })).toEqual(["BTC", "DOGE", "ETH"]);
  expect(find({ sort: "change", isDescending: false })).toEqual(["ETH", "DOGE", "BTC"]);
  expect(find({ sort: "last" })).toEqual(["BTC", "ETH", "DOGE"]);
});
