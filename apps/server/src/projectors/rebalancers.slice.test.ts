// The tables of rebalancing bots say what the journal's events say, on both databases, however the events are cut.
import { createMachine } from "@clockwork/core/machine/machine";
import { COIN } from "@clockwork/core/testing/bot-stage";
import { eventsOf } from "@clockwork/core/testing/driver";
import { createRebalanceStage } from "@clockwork/core/testing/rebalance-stage";
import type { EventBatch } from "@clockwork/host/engine";
import { type Kysely, sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { openProjection } from "../engine/projection/projection.ts";
import { migrate } from "../storage/migrations.ts";
import { forEachDatabase } from "../storage/test-databases.ts";
import { JOURNAL, listBatches, PROJECTION_MIGRATIONS } from "./projection-fixture.ts";
import { PROJECTORS } from "./projectors.ts";

/** Two bots, one by threshold that trades twice more and is sold, one by time that runs on. */
function runBaskets() {
  const stage = createRebalanceStage(createMachine());
  stage.price(stage.markets[0], 1_000_000);
  stage.price(stage.markets[1], 400_000);
  const [first] = eventsOf(stage.create(), "rebalancerChanged");
  stage.create({ thresholdBps: 0, intervalMs: 1_800_000, quoteUnits: 500 * COIN });
  for (const ticks of [1_230_000, 1_000_000]) {
    stage.price(stage.markets[0], ticks);
    stage.pass(10_000);
  }
  stage.price(stage.markets[1], 500_000);
  stage.pass(1_800_000);
  const account = first?.account as number;
  stage.sure({ kind: "stopBot", account, sells: true });
  return { stage, account, batches: listBatches(stage.journal) };
}

async function rowsOf(kysely: Kysely<unknown>, table: string): Promise<readonly Record<string, unknown>[]> {
  const order = { engine_rebalancers: "1", engine_rebalancer_legs: "1, 2, 3" }[table] ?? "1, 2";
  return (
    await sql<Record<string, unknown>>`select * from ${sql.ref(table)} order by ${sql.raw(order)}`.execute(kysely)
  ).rows;
}

forEachDatabase("rebalancers", (given) => {
  beforeAll(() => migrate(given.database(), PROJECTION_MIGRATIONS));
  const tables = PROJECTORS.projectors.find(({ name }) => name === "rebalancers")?.tables ?? [];
  const project = async (lots: readonly (readonly EventBatch[])[]) => {
    const { kysely } = given.database();
    const first = await openProjection({ kysely, projectors: PROJECTORS, pauseMs: 0 });
    first.bind(JOURNAL);
    await first.clear();
    await first.close();
    for (const batches of lots) {
      // A new projection each time, as after a crash.
      const projection = await openProjection({ kysely, projectors: PROJECTORS, pauseMs: 0 });
      projection.bind(JOURNAL);
      for (const batch of batches) await projection.listen(batch);
      await projection.close();
    }
    return Promise.all(tables.map((table) => rowsOf(kysely, table)));
  };

  test("[GRID-1] rows of rebalancing bots are the same however the events are cut, and their money adds up", async () => {
    const { stage, account, batches } = runBaskets();
    const middle = batches.length >> 1;
    const whole = await project([batches]);
    expect(await project([batches.slice(0, middle), batches.slice(middle, -1), batches.slice(-1)])).toEqual(whole);
    const [bots = [], coins = [], rounds = [], legs = []] = whole;
    expect(bots).toMatchObject([
      { rebalancer: 1, account, status: "CLOSED", threshold_bps: 500, rounds: 4 },
      { rebalancer: 2, status: "RUNNING", interval_ms: 1_800_000 },
    ]);
    const first = rounds.filter(({ rebalancer }) => rebalancer === 1);
    expect(first.map(({ number, change }) => [number, change])).toEqual([
      [0, "created"],
      [1, "rebalanced"],
      [2, "rebalanced"],
      [3, "rebalanced"],
      [4, "rebalanced"],
      [5, "closed"],
    ]);
    for (const { rebalancer, place, market, held_lots } of coins) {
      const own = legs.filter((leg) => leg.rebalancer === rebalancer && leg.place === place);
      expect(new Set(own.map((leg) => leg.market))).toEqual(new Set([market]));
      expect(own.reduce((sum, { traded_lots }) => sum + BigInt(traded_lots as bigint), 0n)).toBe(
        BigInt(held_lots as bigint),
      );
    }
    const { kysely } = given.database();
    const moved = await sql<{ business: string; units: string }>`
      select business, cast(sum(delta_units) as text) as units from engine_bills
      where account = ${account} and asset = ${stage.usdt} group by business
    `.execute(kysely);
    const units = moved.rows.reduce((sum, row) => sum + BigInt(row.units), 0n);
    // All deposits have left, and the trading result equals the one its end event reports.
    expect(units).toBe(0n);
    const made = moved.rows.filter(({ business }) => business !== "botFund");
    const [bot] = bots as readonly { value_units: bigint; invested_units: bigint }[];
    expect(made.reduce((sum, row) => sum + BigInt(row.units), 0n)).toBe(
      BigInt(bot?.value_units ?? 0n) - BigInt(bot?.invested_units ?? 0n),
    );
  });
});
