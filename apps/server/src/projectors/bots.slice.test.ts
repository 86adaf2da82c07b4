// The tables of grid bots say what the journal's events say, on both databases, however the events are cut.
import { createMachine } from "@clockwork/core/machine/machine";
import { createBotStage } from "@clockwork/core/testing/bot-stage";
import type { EventBatch } from "@clockwork/host/engine";
import { type Kysely, sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { openProjection } from "../engine/projection/projection.ts";
import { migrate } from "../storage/migrations.ts";
import { forEachDatabase } from "../storage/test-databases.ts";
import { JOURNAL, listBatches, PROJECTION_MIGRATIONS } from "./projection-fixture.ts";
import { PROJECTORS } from "./projectors.ts";

/**
 * Of spot and of futures, one that has moved its range and one that has ended, with fills since any of them last
 * published its state.
 */
function runBots() {
  const stage = createBotStage(createMachine());
  stage.moveTo(1_004_000);
  stage.moveTo(500_000, stage.linear);
  const grid = { lowTicks: 480_000, highTicks: 520_000, cells: 10, leverage: 2 } as const;
  const bots = [
    {},
    { cells: 8, trailUpTicks: 1_300_000 },
    { cells: 7 },
    { grid: "neutral", ...grid } as const,
    { grid: "long", ...grid } as const,
  ].map((own) => {
    stage.create(own);
    return stage.bot();
  });
  for (const ticks of [950_000, 1_020_000, 1_150_000, 1_060_000, 985_000, 1_030_000]) stage.moveTo(ticks);
  for (const ticks of [485_000, 515_000, 482_000, 501_000]) stage.moveTo(ticks, stage.linear);
  const ended = bots[2]?.account as number;
  stage.sure({ kind: "stopBot", account: ended, sells: true });
  for (const ticks of [1_010_000, 1_045_000]) stage.moveTo(ticks);
  const fees = bots.map(({ bot }) => [bot, BigInt(stage.state(bot).feesUnits)]);
  return { fees, batches: listBatches(stage.journal) };
}

async function rowsOf(kysely: Kysely<unknown>, table: string): Promise<readonly Record<string, unknown>[]> {
  const order = { engine_bots: "1", engine_bot_pairs: "1, 2" }[table] ?? "1, 2, 3";
  return (
    await sql<Record<string, unknown>>`select * from ${sql.ref(table)} order by ${sql.raw(order)}`.execute(kysely)
  ).rows;
}

forEachDatabase("bots", (given) => {
  beforeAll(() => migrate(given.database(), PROJECTION_MIGRATIONS));
  const tables = PROJECTORS.projectors.find(({ name }) => name === "bots")?.tables ?? [];
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

  test("[GRID-1] a bot's fees are those of its fills at any time, however the events are cut", async () => {
    const { fees, batches } = runBots();
    const cut = Math.floor(batches.length * 0.6);
    const whole = await project([batches]);
    expect(await project([batches.slice(0, cut), batches.slice(cut, -5), batches.slice(-5)])).toEqual(whole);
    // Events from before the restart are published once more after it.
    expect(await project([batches.slice(0, cut), batches.slice(cut - 20, -5), batches.slice(-30)])).toEqual(whole);
    const [bots = []] = whole;
    expect(bots.map(({ bot, fees_units }) => [bot, BigInt(fees_units as bigint)])).toEqual(fees);
    expect(bots.map(({ status }) => status)).toEqual(["RUNNING", "RUNNING", "CLOSED", "RUNNING", "RUNNING"]);
  });
});
