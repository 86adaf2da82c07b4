// Searching, grouping and ordering of the pair list.
import type { Quotation } from "@clockwork/trading/markets/contract";
import { expect, test } from "vitest";
import type { TradeInstrument } from "#trade/product.ts";
import { listPairRows, listPartitions, type PairQuery } from "./pair-list.ts";

const pair = (base: string, baseName: string, partitions: string[]) =>
  ({ pairCode: `${base}_USDT`, base, quote: "USDT", baseName, partitions }) as unknown as TradeInstrument;
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
  const named = ["layer1", "major", "unused"].map((key) => ({ key, name: key.toUpperCase(), pairCodes: [] }));
  expect(listPartitions(pairs, named).map(({ name }) => name)).toEqual(["LAYER1", "MAJOR"]);
});

test("[SPOT-4] the list is sorted by any column both ways", () => {
  expect(find({ sort: "pair", isDescending: false })).toEqual(["BTC", "DOGE", "ETH"]);
  expect(find({ sort: "change", isDescending: false })).toEqual(["ETH", "DOGE", "BTC"]);
  expect(find({ sort: "last" })).toEqual(["BTC", "ETH", "DOGE"]);
});

test("[SPOT-4] the turnover of a pair priced in another coin is compared and shown at its value", () => {
  const crossed = { ...pair("ETH", "Ether", []), pairCode: "ETH_BTC", quote: "BTC" };
  const quoted = [
    ...quotations,
    { pairCode: "ETH_BTC", last: "0.05", changePercent: "0", turnover: "0.01" },
  ] as Quotation[];
  const query: PairQuery = { search: "", group: "all", sort: "turnover", isDescending: true };
  const rows = listPairRows([...pairs, crossed], quoted, [], query);
  expect(rows.map(({ pair, turnover }) => [pair.pairCode, Number(turnover ?? -1)])).toEqual([
    ["ETH_USDT", 900],
    ["ETH_BTC", 640],
    ["BTC_USDT", 500],
    ["DOGE_USDT", -1],
  ]);
});
