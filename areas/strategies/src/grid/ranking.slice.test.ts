// The ranking of any number of bots: sorted in the database, on both of them.

import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { GridNeeds } from "./needs.ts";
import { rankStore } from "./rank-store.ts";
import { RankingService } from "./ranking-service.ts";

const NOW = 1_800_000_000_000;
const COIN = 1_000_000;
const BOTS = 620;

const market = {
  pairCode: "BTC_USDT",
  market: 1,
  tickDecimals: 1,
  priceDecimals: 1,
  quantityDecimals: 5,
  factor: 1,
  stepUnits: 1_000,
  settle: { asset: 2, symbol: "USDT", scale: 6 },
  quote: { asset: 2, symbol: "USDT", scale: 6 },
  base: { asset: 1, symbol: "BTC", scale: 8 },
} as unknown as MarketPair;

interface Planted {
  readonly bot: number;
  readonly grid?: string;
  readonly market?: number;
  readonly pairs?: number;
  readonly invested?: number;
  readonly ageMs?: number;
  /** Of the last week, in coins. */
  readonly profit: number;
}

forEachMigrated("grid ranking", (place) => {
  const kysely = () => place.database().kysely;
  const plant = async (rows: readonly Planted[]): Promise<void> => {
    const insert = (into: string, values: readonly (readonly unknown[])[]) =>
      sql`insert into ${sql.raw(into)} values ${sql.join(values.map((row) => sql`(${sql.join(row)})`))}`.execute(
        kysely(),
      );
    await insert(
      "engine_accounts",
      rows.map(({ bot }) => [bot + 10_000, bot + 5_000, "bot", bot, 0, 0, 0]),
    );
    const prices = [0, 0, 0, 0, 0, sql.lit(false), 0, "RUNNING", "none", 900_000, 1_100_000, 5];
    await insert(
      `engine_bots (bot, account, market, source, grid, spacing, cells, leverage, trigger_ticks, stop_above_ticks,
        stop_below_ticks, trail_up_ticks, trail_down_ticks, keeps, ends_ms, status, reason, low_ticks, high_ticks, lots,
        invested_units, taken_units, fees_units, profit_units, pairs, start_ticks, created_ms, updated_sequence, updated_ms)`,
      rows.map(({ bot, grid = "spot", market: at = 1, pairs = 30, invested = 1_000, ageMs = 20 * DAY_MS, profit }) => [
        ...[bot, bot + 10_000, at, 1, grid, "arithmetic", 10, 1],
        ...prices,
        ...[invested * COIN, 0, 0, profit * COIN, pairs, 1_000_000, NOW - ageMs, 1, NOW],
      ]),
    );
    // Half of it early in the week, half of it now; anything older does not count.
    await insert(
      "engine_bot_pairs",
      rows.flatMap(({ bot, profit }) => [
        [bot, 1, "sell", 1, 2, 5, COIN * COIN, 0, NOW - 9 * DAY_MS],
        [bot, 2, "sell", 1, 2, 5, (profit * COIN) / 2, 0, NOW - 6 * DAY_MS],
        [bot, 3, "sell", 1, 2, 5, (profit * COIN) / 2, 0, NOW - HOUR_MS],
      ]),
    );
  };
  const service = () =>
    new RankingService({
      store: rankStore(kysely()),
      needs: {
        now: () => NOW,
        marketOf: (of: number) => (of === 1 || of === 3 ? { ...market, market: of } : undefined),
        findMarket: (_: string, pairCode: string) => (pairCode === "BTC_USDT" ? market : undefined),
      } as unknown as GridNeeds,
    });

  beforeAll(async () => {
    // The newest are the best, and some of them do not count.
    const many = Array.from({ length: BOTS }, (_, i) => ({ bot: i + 1, profit: i + 2 }));
    for (let from = 0; from < BOTS; from += 100) await plant(many.slice(from, from + 100));
    await plant([
      { bot: 2_001, profit: 4_000, pairs: 19 },
      { bot: 2_002, profit: 4_000, ageMs: DAY_MS - 1 },
      { bot: 2_003, profit: 4_000, invested: 99 },
      { bot: 2_004, profit: 900, grid: "neutral", market: 3 },
      { bot: 2_005, profit: 178, ageMs: 2 * DAY_MS },
    ]);
    for (const [hour, total] of [
      [3, 0],
      [2, 500],
      [1, 200],
    ] as const)
      await sql`insert into grid_worth values (620, ${NOW - hour * HOUR_MS}, ${total * COIN}, 0)`.execute(kysely());
    await sql`insert into grid_clone values (1, 620)`.execute(kysely());
    await sql`insert into grid_clone values (2, 620)`.execute(kysely());
  });

  test("[GRID-1] the best of many bots are found however late they were created", async () => {
    const { bots, young } = await service().ranking(5_620, "spot", { limit: 3 });
    expect(bots.map(({ id, rank, profit }) => [id, rank, profit])).toEqual([
      // Two days count as two days: 178 in them are more than 621 in seven.
      [2_005, 1, "178"],
      [620, 2, "621"],
      [619, 3, "620"],
    ]);
    // 621 of 1 000 in seven days, annualised; from 1 500 it fell by 300.
    expect(bots[1]).toMatchObject({
      apr: "32.380714",
      drawdown: "0.200000",
      usedBy: 2,
      isYours: true,
      isSimulated: false,
    });
    expect(bots[1]?.spark).toHaveLength(24);
    expect([bots[1]?.spark[0], bots[1]?.spark[3], bots[1]?.spark[23]]).toEqual([0, 500, 1_000]);
    expect(young).toEqual([]);
    const all = (await service().ranking(undefined, "spot", {})).bots;
    expect(all).toHaveLength(100);
    expect(all.filter(({ id }) => id > 2_000).map(({ id }) => id)).toEqual([2_005]);
  });

  test("[GRID-1] kinds, pairs and futures are ranked among themselves", async () => {
    const futures = await service().ranking(undefined, "futures", {});
    expect(futures.bots.map(({ id, kind }) => [id, kind])).toEqual([[2_004, "neutral"]]);
    expect((await service().ranking(undefined, "futures", { kind: "long" })).bots).toEqual([]);
    expect((await service().ranking(undefined, "spot", { pairCode: "BTC_USDT", limit: 1 })).bots).toHaveLength(1);
    expect((await service().ranking(undefined, "spot", { pairCode: "NOPE_USDT" })).bots).toEqual([]);
  });
});
