// The result of a long catch-up is returned completely.
import { SECOND_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import { MarketProjector } from "./projector.ts";
import { BLOCK_TRADES, packTrades, unpackTrades, untilGap } from "./trade-block.ts";

test("[MARKET-9] a catch-up over more candles than a call can have arguments loses none of them", () => {
  const pairs = [{ market: 1, kind: "spot", tick_lot_units: 1, listed_at_ms: 0 }] as const;
  const projector = new MarketProjector(0, { pairs, funds: [] }, () => undefined);
  const count = 200_000;
  for (let number = 1; number <= count; number++) {
    const trade = { market: 1, number, price: 100, lots: 1, is_sell: false, time_ms: number * SECOND_MS };
    projector.states.get(1)?.addTrade(trade, number, number);
  }
  const { bars, trades, blocks } = projector.takeChanges("journal");
  expect(bars.filter(({ spanMs }) => spanMs === SECOND_MS)).toHaveLength(count);
  // Older ones would leave the rows at once: they are blocks already, each after the other.
  expect(trades.length).toBeGreaterThanOrEqual(BLOCK_TRADES);
  expect(trades.length).toBeLessThanOrEqual(2 * BLOCK_TRADES);
  expect(blocks.map(({ first }) => first)).toEqual(blocks.map((_, place) => place * BLOCK_TRADES + 1));
  expect(blocks.at(-1)?.last).toBe((trades[0]?.number ?? 0) - 1);
  expect(trades.at(-1)?.number).toBe(count);
  expect(projector.takeChanges("journal")).toMatchObject({ bars: [], trades: [], blocks: [] });
});

test("[BOT-1] a block of trades comes back as it was packed, and has no gap", async () => {
  const row = (number: number) => ({
    market: 7,
    number,
    aggregate: Math.ceil(number / 2),
    price: 2_000_000_000 - number,
    lots: 2 ** 50 + number,
    is_sell: number % 3 === 0,
    time_ms: 1_700_000_000_000 + number * 7,
  });
  const rows = Array.from({ length: 100 }, (_, place) => row(place + 41));
  const block = await packTrades(rows);
  expect(block).toMatchObject({ market: 7, first: 41, last: 140, first_aggregate: 21, last_aggregate: 70 });
  expect(await unpackTrades(7, block.bytes ?? new Uint8Array())).toEqual(rows);
  const torn = [...rows.slice(0, 10), ...rows.slice(11)];
  expect(untilGap(torn)).toEqual(rows.slice(0, 10));
  expect(untilGap(rows)).toEqual(rows);
  await expect(packTrades(torn)).rejects.toThrow("gap");
});

test("[BOT-1] what one order trades at one price is one aggregate, and aggregates are numbered without a gap", () => {
  const pairs = [{ market: 1, kind: "spot", tick_lot_units: 1, listed_at_ms: 0 }] as const;
  const state = new MarketProjector(0, { pairs, funds: [] }, () => undefined).states.get(1);
  const trades = [
    { sequence: 5, taker: 9, price: 100 },
    { sequence: 5, taker: 9, price: 100 },
    { sequence: 5, taker: 9, price: 101 },
    { sequence: 5, taker: 10, price: 101 },
    { sequence: 6, taker: 10, price: 101 },
  ];
  trades.forEach(({ sequence, taker, price }, place) => {
    state?.addTrade({ market: 1, number: place + 1, price, lots: 1, is_sell: false, time_ms: 1 }, sequence, taker);
  });
  expect(state?.trades.map(({ aggregate }) => aggregate)).toEqual([1, 1, 2, 3, 4]);
});
