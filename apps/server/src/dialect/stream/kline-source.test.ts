import type { CandleInterval } from "@clockwork/kit/time";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import { MarketState } from "@clockwork/trading/markets/projector";
import { expect, test } from "vitest";
import { handClock } from "../../clock/clock-fixture.ts";
import { klineSource, type PublishedCandle } from "./kline-source.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MONDAY_MS = Date.UTC(2026, 2, 9);
const PAIR = {
  priceMantissa: 1,
  priceDecimals: 1,
  quantityMantissa: 1,
  quantityDecimals: 2,
  settle: { scale: 3 },
} as unknown as MarketPair;

/** A market whose trades are published at once, and all that one subscriber of its candles received. */
function openMarket(interval: CandleInterval, startMs: number, zone: "UTC0" | "UTC8" = "UTC0") {
  const state = new MarketState({ market: 1, kind: "spot", tick_lot_units: 1, listed_at_ms: 0 });
  const { clock, moveTo } = handClock(startMs);
  const received: PublishedCandle[] = [];
  let news = (): void => undefined;
  let number = 0;
  const live = {
    tap: (_: object, tap: (data: unknown) => void) => {
      news = () => tap([]);
      return () => undefined;
    },
  };
  const parts = { live: live as never, clock };
  const trades = { channel: "trades" };
  const source = klineSource(parts, { pair: PAIR, state, trades, interval, zone, describe: (answer) => answer });
  return {
    state,
    received,
    moveTo,
    listen: () => source((answer) => void received.push(answer as PublishedCandle)),
    trade(timeMs: number, price: number, lots = 1, isSell = false): void {
      number += 1;
      state.addTrade({ market: 1, number, price, lots, is_sell: isSell, time_ms: timeMs }, number, number);
      news();
    },
    ends: () => received.filter(({ isClosed }) => isClosed),
  };
}

const brief = ({ candle, firstTrade, lastTrade }: PublishedCandle) => [
  (candle.timeMs - MONDAY_MS) / MINUTE_MS,
  candle.close,
  candle.trades,
  firstTrade,
  lastTrade,
];

test("[BOT-1] a candle ends by the clock without trading, and so does one without a trade", async () => {
  const market = openMarket("1m", MONDAY_MS + 10_000);
  market.trade(MONDAY_MS + 5_000, 100);
  const stop = market.listen();
  expect(market.received.map(({ isClosed }) => isClosed)).toEqual([false]);
  market.trade(MONDAY_MS + 11_000, 101, 3, true);
  market.moveTo(MONDAY_MS + MINUTE_MS + 200);
  await expect.poll(() => market.ends().map(brief)).toEqual([[0, "10.1", 2, 1, 2]]);
  expect(market.ends()[0]).toMatchObject({
    endMs: MONDAY_MS + MINUTE_MS - 1,
    candle: { volume: "0.04", boughtVolume: "0.01", turnover: "0.403", boughtTurnover: "0.1" },
  });
  market.moveTo(MONDAY_MS + 2 * MINUTE_MS + 200);
  await expect
    .poll(() => market.ends().map(brief))
    .toEqual([
      [0, "10.1", 2, 1, 2],
      [1, "10.1", 0, -1, -1],
    ]);
  stop();
});

test("[BOT-1] the first trade of the next candle ends the one before at once, and numbers continue", async () => {
  const market = openMarket("1m", MONDAY_MS + 59_990);
  market.trade(MONDAY_MS + 59_000, 100);
  market.trade(MONDAY_MS + 59_001, 100);
  const stop = market.listen();
  // The clock has not ticked yet: only the trade shows that the minute is over.
  market.trade(MONDAY_MS + MINUTE_MS, 102);
  await expect.poll(() => market.received.map(({ isClosed }) => isClosed)).toEqual([false, true, false]);
  expect(market.received.slice(1).map(brief)).toEqual([
    [0, "10.0", 2, 1, 2],
    [1, "10.2", 1, 3, 3],
  ]);
  stop();
});

test("[BOT-1] a trade that arrives after its candle was ended ends it once more", async () => {
  const market = openMarket("1m", MONDAY_MS);
  market.trade(MONDAY_MS + 1_000, 100);
  const stop = market.listen();
  market.moveTo(MONDAY_MS + MINUTE_MS + 100);
  await expect.poll(() => market.ends().length).toBe(1);
  market.trade(MONDAY_MS + MINUTE_MS - 1, 105);
  await expect
    .poll(() => market.ends().map(brief))
    .toEqual([
      [0, "10.0", 1, 1, 1],
      [0, "10.5", 2, 1, 2],
    ]);
  stop();
});

test("[BOT-1] generated candles have no trade numbers, and one continued by trades starts with the first", () => {
  const market = openMarket("1h", MONDAY_MS + 30 * MINUTE_MS);
  const generated = { timeMs: MONDAY_MS, open: 90, high: 90, low: 90, close: 90, lots: 5, quoteUnits: 450n };
  market.state.loadBars(3_600_000, [{ ...generated, boughtLots: 0, boughtUnits: 0n, trades: 4, isGenerated: true }]);
  const [first, second] = [market.listen(), market.listen()];
  expect(market.received.map(brief)).toEqual([
    [0, "9.0", 4, -1, -1],
    [0, "9.0", 4, -1, -1],
  ]);
  for (const stop of [first, second]) stop();
  market.trade(MONDAY_MS + 31 * MINUTE_MS, 91);
  market.listen()();
  expect(market.received.slice(2).map(brief)).toEqual([[0, "9.1", 5, 1, 1]]);
});

test("[BOT-1] days in the east start at local midnight, and a clock jump publishes few ends", async () => {
  const east = openMarket("1d", MONDAY_MS, "UTC8");
  east.trade(MONDAY_MS, 100);
  east.listen()();
  expect(east.received[0]).toMatchObject({
    candle: { timeMs: MONDAY_MS - 8 * 3_600_000 },
    endMs: MONDAY_MS + 16 * 3_600_000 - 1,
  });
  const market = openMarket("1s", MONDAY_MS);
  market.trade(MONDAY_MS, 100);
  const stop = market.listen();
  market.moveTo(MONDAY_MS + DAY_MS + 500);
  await expect.poll(() => market.ends().length).toBe(100);
  expect(market.ends().at(-1)?.candle.timeMs).toBe(MONDAY_MS + DAY_MS - 1_000);
  stop();
});
