import { expect, test } from "vitest";
import type { Recommendation } from "./contract.ts";
import { choose } from "./rules.ts";

const RANKED = {
  rise: ["SOL_USDT", "BTC_USDT", "XRP_USDT"],
  turnover: ["BTC_USDT", "ETH_USDT", "SOL_USDT"],
  newest: ["NEW_USDT"],
};
const say = (items: readonly Recommendation[]) => items.map(({ id, reason }) => `${id} ${reason}`);

test("[PAGE-2] a visitor sees the market, and each item once", () => {
  const visitor = { isSignedIn: false, favourites: [], held: [] };
  expect(say(choose(visitor, RANKED, []))).toEqual([
    "BTC_USDT busy",
    "ETH_USDT busy",
    "SOL_USDT rising",
    "NEW_USDT newest",
    "college learn",
  ]);
});

test("[PAGE-2] a user without funds sees how to start, a trader their own pairs first", () => {
  expect(say(choose({ isSignedIn: true, favourites: [], held: [] }, RANKED, []))[0]).toBe("begin begin");
  const trader = { isSignedIn: true, favourites: ["XRP_USDT"], held: ["USDT", "ETH", "GONE"] };
  expect(say(choose(trader, RANKED, []))).toEqual([
    "XRP_USDT favourite",
    "ETH_USDT held",
    "BTC_USDT busy",
    "SOL_USDT rising",
    "NEW_USDT newest",
    "security protect",
  ]);
});

test("[PAGE-2] leaders and products are mixed in, and the list remains short", () => {
  const leader = (id: string): Recommendation => ({
    kind: "leader",
    id,
    title: id,
    reason: "busy",
    path: `/copy/${id}`,
  });
  const many = choose({ isSignedIn: false, favourites: [], held: [] }, RANKED, [leader("1"), leader("2"), leader("1")]);
  expect(say(many)).toContain("1 busy");
  expect(many.length).toBeLessThanOrEqual(8);
  expect(choose({ isSignedIn: false, favourites: [], held: [] }, RANKED, [..."abcdefghij"].map(leader))).toHaveLength(
    8,
  );
});
