// Public trades from the first on, wherever they are: memory, rows, blocks, files; on both databases.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allOf } from "@clockwork/kit/all-of";
import { done } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import type { AggregateTrade } from "../markets/contract.ts";
import { MarketProjector } from "../markets/projector.ts";
import { marketStore } from "../markets/store.ts";
import { type PastRequest, TradeHistory } from "../markets/trade-history.ts";

const MARKET = 1;
const START_MS = 1_700_000_000_000;
const TRADES = 31_000;
const PAIR = {
  pairCode: "BTC_USDT",
  market: MARKET,
  priceDecimals: 0,
  quantityDecimals: 0,
  priceMantissa: 1,
  quantityMantissa: 1,
};

forEachMigrated("trade-history", (place) => {
  test("[BOT-1] past trades and their aggregates are found once each by number and time, wherever they are", async () => {
    const folder = await mkdtemp(join(tmpdir(), "trades-"));
    const store = marketStore(place.database().kysely);
    const row = { market: MARKET, kind: "spot", tick_lot_units: 1, listed_at_ms: START_MS } as const;
    const projector = new MarketProjector(0, { pairs: [row], funds: [] }, () => undefined);
    const state = projector.states.get(MARKET);
    if (state === undefined) return expect.unreachable();
    const write = async (): Promise<void> => {
      await store.write(projector.takeChanges("journal"));
      state.storedNumber = state.lastNumber;
    };
    const needs = { findListed: () => PAIR as never };
    const history = new TradeHistory({ needs, store, projector, folder, flush: write });
    /** Two thirds of the trades of an order are at its first price; every order at a second of its own. */
    let sequence = 0;
    const trade = (): void => {
      const number = state.lastNumber + 1;
      if (number % 3 === 1) sequence += 1;
      const price = 100 + sequence + (number % 3 === 0 ? 1 : 0);
      const time_ms = START_MS + sequence * 1_000;
      state.addTrade(
        { market: MARKET, number, price, lots: number, is_sell: sequence % 2 === 0, time_ms },
        sequence,
        1,
      );
    };
    while (state.lastNumber < 16_000) trade();
    // A catch-up in one piece, then pieces as they come.
    await write();
    while (state.lastNumber < TRADES) {
      for (let count = 0; count < 1_700 && state.lastNumber < TRADES; count += 1) trade();
      if (state.lastNumber < TRADES) await write();
    }
    const endMs = START_MS + sequence * 1_000;
    await history.keep(endMs);
    expect(await readdir(folder)).toEqual([]);
    await history.keep(endMs + DAY_MS - 10_000_000);
    expect((await readdir(folder)).length).toBeGreaterThan(1);

    const numbers = (request: PastRequest) => history.readTrades("spot", "BTC_USDT", request);
    const read = async (request: PastRequest): Promise<number[]> => {
      const answer = await numbers(request);
      return answer.done ? answer.value.map(({ id }) => id) : [];
    };
    const from = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at);
    const timeOf = (number: number): number => START_MS + Math.ceil(number / 3) * 1_000;
    for (const first of [1, 2, 4_999, 5_001, 11_000, 15_998, 16_001, 20_500, TRADES - 1_400, TRADES - 3]) {
      const count = Math.min(1_000, TRADES - first + 1);
      expect(await read({ fromId: first, limit: 1_000 })).toEqual(from(first, count));
      const firstOfOrder = first - ((first - 1) % 3);
      expect(await read({ from: timeOf(first), limit: 5 })).toEqual(
        from(firstOfOrder, Math.min(5, TRADES - firstOfOrder + 1)),
      );
      // An end alone: the last ones up to it.
      const last = Math.min(firstOfOrder + 2, TRADES);
      const before = Math.min(7, last);
      expect(await read({ to: timeOf(first), limit: 7 })).toEqual(from(last - before + 1, before));
    }
    expect(await read({ limit: 1_000 })).toEqual(from(TRADES - 999, 1_000));
    expect(await read({ fromId: TRADES + 1, limit: 10 })).toEqual([]);

    // Aggregates: two of every order, numbered without a gap, paged from the first to the last.
    const groups: AggregateTrade[] = [];
    for (let fromId = 1; ; ) {
      const answer = await history.readAggregates("spot", "BTC_USDT", { fromId, limit: 1_000 });
      if (!answer.done || answer.value.length === 0) break;
      groups.push(...answer.value);
      fromId = (answer.value.at(-1)?.id ?? 0) + 1;
    }
    expect(groups.length).toBe(Math.floor(TRADES / 3) * 2 + 1);
    expect(
      allOf(groups, ({ id, firstId, lastId }, at) => {
        const previous = groups[at - 1];
        return id === at + 1 && firstId === (previous?.lastId ?? 0) + 1 && lastId >= firstId && lastId <= firstId + 1;
      }),
    ).toBe(true);
    expect(groups.at(-1)?.lastId).toBe(TRADES);
    const last = await history.readAggregates("spot", "BTC_USDT", { limit: 1_000 });
    expect(last).toEqual(done(groups.slice(-1_000)));
    const middle = groups[10_000];
    const since = await history.readAggregates("spot", "BTC_USDT", { from: middle?.timeMs ?? 0, limit: 3 });
    expect(since).toEqual(done(groups.filter(({ timeMs }) => timeMs >= (middle?.timeMs ?? 0)).slice(0, 3)));
    const pieces: number[] = [];
    for await (const rows of history.readSpan(MARKET, timeOf(4_000), timeOf(16_000))) {
      pieces.push(...rows.map(({ number }) => number));
    }
    expect(pieces).toEqual(from(4_000, 16_002 - 4_000 + 1 - 0).filter((number) => timeOf(number) <= timeOf(16_000)));
    await rm(folder, { recursive: true });
    return undefined;
  });
});
