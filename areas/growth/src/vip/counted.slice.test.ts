// What a day's count reads of the ledger's tables: users' own books, whoever they traded with; never play money,
// bonuses, the exchange or simulated traders.
import { SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import { DAY_MS } from "@clockwork/kit/time";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import { CountService } from "./count-service.ts";
import type { VipNeeds } from "./needs.ts";
import { vipStore } from "./store.ts";

const DAY = 20_000;
const [PERSON, SIMULATED] = [7, SIMULATED_USER_MIN];
const [SPOT_MARKET, CONTRACT, DEMO_CONTRACT, FREE_MARKET] = [1, 2, 3, 4];
type Tables = Record<"engine_accounts" | "engine_turnover" | "engine_balances" | "vip_user", Record<string, unknown>>;

forMigrated("sqlite", "the daily count", ({ database }) => {
  test("[USR-1] counts a user's books against simulated traders, and nothing of theirs, of demo, of gold or of free markets", async () => {
    const tables = database().kysely.$extendTables<Tables>();
    const traded: readonly (readonly [user: number, book: string, market: number, notional: bigint])[] = [
      [PERSON, "spot", SPOT_MARKET, 400n],
      [PERSON, "linear", CONTRACT, 3_000n],
      [PERSON, "copyF", CONTRACT, 50n],
      [PERSON, "demo", DEMO_CONTRACT, 1_000_000n],
      [PERSON, "bonus", CONTRACT, 2_000_000n],
      [PERSON, "bot", FREE_MARKET, 4_000_000n],
      [SIMULATED, "spot", SPOT_MARKET, 400n],
      [SIMULATED, "linear", CONTRACT, 3_000n],
    ];
    for (const [at, [user_id, book, market, notional_units]] of traded.entries()) {
      const account = 5_000 + at;
      const opened = { account, user_id, book, sub: 0, group_id: 0, flags: 0, created_ms: 0 };
      await tables.insertInto("engine_accounts").values(opened).execute();
      const row = { hour: DAY * 24 + at, account, market, role: "taker", fee_asset: 2, notional_units, fee_units: 1n };
      await tables.insertInto("engine_turnover").values(row).execute();
      const held = { account, asset: 2, available_units: notional_units, frozen_units: 5n };
      await tables
        .insertInto("engine_balances")
        .values({ ...held, updated_sequence: 1 })
        .execute();
    }
    const needs: Partial<VipNeeds> = {
      now: () => (DAY + 1) * DAY_MS,
      findMarket: (market) => ({
        kind: market === SPOT_MARKET ? "spot" : "futures",
        settle: 2,
        isFree: market === DEMO_CONTRACT || market === FREE_MARKET,
      }),
      worthUnits: (_, units) => units,
      isPerson: (userId) => userId < SIMULATED_USER_MIN,
      settledAt: async () => undefined,
    };
    const count = new CountService({ store: vipStore(database().kysely), needs: needs as VipNeeds });
    await count.takeAssets(DAY + 1);
    await count.count((DAY + 1) * DAY_MS + 600_000);
    const rows = await tables.selectFrom("vip_user").selectAll().execute();
    expect(rows).toHaveLength(1);
    // 400, 3 000, 50 and 4 000 000 held with 5 more of each, over thirty midnights.
    const assets_units = (400n + 3_000n + 50n + 4_000_000n + 4n * 5n) / 30n;
    expect(rows[0]).toMatchObject({ user_id: PERSON, spot_units: 400n, futures_units: 3_050n, assets_units });
  });
});
