// The market streams: a book rebuilt from deltas is the server's to the last level, and every doubt is healed.

import { depthChecksum } from "@clockwork/kit/depth-checksum";
import {
  CONTRACT_CALLS,
  type Depth,
  type DepthDelta,
  type MarketTrade,
  type Pair,
} from "@clockwork/trading/markets/contract";
import { expect, test } from "vitest";
import { applyDelta, matchesChecksum, readBook } from "./depth-book.ts";
import { FUTURES_MARKETS } from "./futures-feeds.ts";
import { createMarketData, readCandles, SPOT_MARKET } from "./market-feeds.ts";

const pair = { pairCode: "BTC_USDT", priceDecimals: 1, quantityDecimals: 5 } as Pair;
const DEPTH: Depth = {
  pairCode: "BTC_USDT",
  sequence: 10,
  bids: [
    ["100.1", "0.50000"],
    ["100.0", "2.00000"],
  ],
  asks: [
    ["100.2", "1.25000"],
    ["100.4", "3.00000"],
  ],
  checksum: 0,
  timeMs: 1,
};

function delta(bids: string[][], asks: string[][], checksum = 0): DepthDelta {
  return { first: 11, last: 11, bids, asks, checksum, timeMs: 2 };
}

test("[NET-6] deltas add, change and remove levels in their place", () => {
  const book = readBook(DEPTH, pair);
  applyDelta(
    book,
    delta(
      [
        ["100.1", "0"],
        ["99.9", "1.00000"],
      ],
      [
        ["100.3", "0.10000"],
        ["100.2", "1.00000"],
      ],
    ),
    pair,
  );
  expect(book.bids.map(({ text }) => text.join("×"))).toEqual(["100.0×2.00000", "99.9×1.00000"]);
  expect(book.asks.map(({ text }) => text.join("×"))).toEqual(["100.2×1.00000", "100.3×0.10000", "100.4×3.00000"]);
  applyDelta(
    book,
    delta(
      [
        ["98", "0"],
        ["nonsense", "1"],
      ],
      [],
    ),
    pair,
  );
  expect(book.bids).toHaveLength(2);
});

test("[NET-6] a book that differs from the server's is detected by its checksum", () => {
  const book = readBook(DEPTH, pair);
  const right = depthChecksum(DEPTH.bids, DEPTH.asks);
  expect(matchesChecksum(book, right)).toBe(true);
  expect(matchesChecksum(book, right ^ 1)).toBe(false);
  const feed = SPOT_MARKET.depth(pair);
  const moved = delta(
    [["100.1", "0.40000"]],
    [],
    depthChecksum(
      [
        ["100.1", "0.40000"],
        ["100.0", "2.00000"],
      ],
      DEPTH.asks,
    ),
  );
  expect(feed.verify?.(feed.apply(book, moved), moved)).toBe(true);
});

test("[NET-6] depth messages read as snapshot, delta, resumption or nothing", () => {
  const { read } = SPOT_MARKET.depth(pair);
  const base = { event: "data", channel: "depth" };
  expect(read({ ...base, sequence: 10, snapshot: true, data: DEPTH })).toMatchObject({
    kind: "snapshot",
    sequence: 10,
  });
  expect(read({ ...base, sequence: 11, data: delta([], []) })).toMatchObject({ kind: "delta", first: 11, last: 11 });
  expect(read({ ...base, sequence: 11, resumed: true })).toEqual({ kind: "level", sequence: 11 });
  expect(read({ ...base, data: { bids: 1 } })).toEqual({ kind: "none" });
});

test("[NET-6] trades join by their number: repeats are dropped, a gap shows", () => {
  const trade = (id: number): MarketTrade => ({
    id,
    price: "1",
    quantity: "1",
    side: "buy",
    timeMs: id,
    aggregate: id,
  });
  const feed = SPOT_MARKET.trades("BTC_USDT");
  expect(feed.apply([trade(1), trade(2)], [trade(2), trade(3)]).map(({ id }) => id)).toEqual([1, 2, 3]);
  const message = { event: "data", data: [trade(5), trade(6)], sequence: 6 };
  expect(feed.read(message)).toMatchObject({ kind: "delta", first: 5, last: 6 });
  expect(feed.read({ ...message, snapshot: true })).toMatchObject({ kind: "snapshot", sequence: 6 });
  expect(feed.read({ event: "data", data: [] })).toEqual({ kind: "none" });
});

test("[SPOT-3] data of another shape is passed over", () => {
  const { read } = SPOT_MARKET.ticker("BTC_USDT");
  expect(read({ event: "data", data: { pairCode: 1 } })).toEqual({ kind: "none" });
  expect(readCandles("x")).toBeUndefined();
  expect(readCandles([{ timeMs: 1 }, { timeMs: 1, close: "2" }])).toHaveLength(1);
});

test("[NET-6] each product has its own streams: the same instrument of two products shares no topic", () => {
  const futures = createMarketData({ biz: "futures", api: "futures", calls: CONTRACT_CALLS });
  const topics = (data: typeof futures) =>
    [data.depth(pair), data.trades("BTC_USDT"), data.ticker("BTC_USDT"), data.allTickers].map(({ topic }) => topic.biz);
  expect([...topics(SPOT_MARKET), ...topics(futures)]).toEqual([
    ...Array.from({ length: 4 }, () => "spot"),
    ...Array.from({ length: 4 }, () => "futures"),
  ]);
});

test("[FUT-4] a demo page listens to the streams of the real contracts: its own would be refused", () => {
  const { demo } = FUTURES_MARKETS;
  const instrument = { pairCode: "BTC_USDT", priceDecimals: 1, quantityDecimals: 3 };
  const topics = [
    demo.depth(instrument).topic,
    demo.trades("BTC_USDT").topic,
    demo.ticker("BTC_USDT").topic,
    demo.allTickers.topic,
    demo.candles("BTC_USDT", "1m", "UTC0").topic,
  ];
  expect(topics.map(({ biz }) => biz)).toEqual(topics.map(() => "futures"));
});
