// The ranking's order and what is left out of it.
import type { RankedBot } from "@clockwork/strategies/grid/contract";
import { expect, test } from "vitest";
import { chooseRanked, FIRST_CHOICE, pageOf, type RankChoice } from "./rank-model.ts";

const bot = (id: number, own: Partial<RankedBot>): RankedBot => ({
  rank: id,
  id,
  kind: "spot",
  pairCode: "BTC_USDT",
  spacing: "geometric",
  leverage: 1,
  apr: "0.1",
  profit: "1",
  invested: "100",
  spark: [],
  lower: "1",
  upper: "2",
  count: 10,
  pairs: 20,
  drawdown: "0.01",
  ageMs: 1,
  usedBy: 0,
  isYours: false,
  isSimulated: false,
  ...own,
});
const bots = [
  bot(1, { apr: "0.5", profit: "9", drawdown: "0.06", ageMs: 5 }),
  bot(2, { apr: "0.7", profit: "10", pairCode: "ETH_USDT", kind: "neutral", usedBy: 3 }),
  bot(3, { rank: 0, apr: "9", profit: "99", usedBy: 9, ageMs: 99, drawdown: "0" }),
];
const ids = (own: Partial<RankChoice>): number[] => chooseRanked(bots, { ...FIRST_CHOICE, ...own }).map(({ id }) => id);

test("[GRID-1] the ranking is sorted by the selected column, amounts as numbers, and the unranked last", () => {
  expect(ids({})).toEqual([2, 1, 3]);
  expect(ids({ sort: "profit" })).toEqual([2, 1, 3]);
  expect(ids({ sort: "age" })).toEqual([1, 2, 3]);
  expect(ids({ sort: "drawdown" })).toEqual([2, 1, 3]);
  expect(ids({ sort: "usedBy" })).toEqual([2, 1, 3]);
});

test("[GRID-1] kind, drawdown and a pair however it is typed leave the others out", () => {
  expect(ids({ kind: "spot" })).toEqual([1, 3]);
  expect(ids({ drawdown: "5" })).toEqual([2, 3]);
  for (const pair of ["eth", "ETH/USDT", "ethusdt", " eth-"]) expect(ids({ pair })).toEqual([2]);
  expect(ids({ pair: "doge" })).toEqual([]);
});

test("[GRID-1] pages end with what there is", () => {
  expect(pageOf([1, 2, 3], 2, 2)).toEqual({ page: 2, pageCount: 2, from: 2, shown: [3] });
  expect(pageOf([1], 9, 2)).toMatchObject({ page: 1, shown: [1] });
  expect(pageOf([], 1, 2)).toMatchObject({ page: 1, pageCount: 1, shown: [] });
});
