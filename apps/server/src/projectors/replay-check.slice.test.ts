// What a replay by another release would change is found against the tables, and only that.
import { readBalances } from "@clockwork/core/inspect/balances";
import { readOpen } from "@clockwork/core/inspect/open";
import type { Machine } from "@clockwork/core/protocol/contract";
import { createPerpStage } from "@clockwork/core/testing/perp-stage";
import type { EventBatch } from "@clockwork/host/engine";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { openProjection } from "../engine/projection/projection.ts";
import { projectionStore } from "../engine/projection/store.ts";
import { migrate } from "../storage/migrations.ts";
import { forEachDatabase } from "../storage/test-databases.ts";
import { JOURNAL, listBatches, PROJECTION_MIGRATIONS, runSession } from "./projection-fixture.ts";
import { PROJECTORS } from "./projectors.ts";
import { findChanges } from "./replay-check.ts";

forEachDatabase("a replay by another release", (given) => {
  beforeAll(() => migrate(given.database(), PROJECTION_MIGRATIONS));
  const open = async () => {
    const projection = await openProjection({ kysely: given.database().kysely, projectors: PROJECTORS, pauseMs: 0 });
    projection.bind(JOURNAL);
    return projection;
  };
  beforeEach(async () => (await open()).clear());
  const project = async (batches: readonly EventBatch[]): Promise<void> => {
    const projection = await open();
    for (const batch of batches) await projection.listen(batch);
    await projection.close();
  };
  const change = (text: string) => sql.raw(text).execute(given.database().kysely);
  const changesOf = (machine: Machine) =>
    findChanges(projectionStore(given.database().kysely).read, readBalances(machine), readOpen(machine));

  test("[RECOVER-1] balances and orders of every kind agree, and each that would change is named", async () => {
    const { stage, batches } = runSession(31, 1_500, 1);
    await project(batches);
    const { orders } = readOpen(stage.machine);
    expect(new Set(orders.map(({ kind }) => kind))).toEqual(new Set(["order", "conditional", "twap"]));
    expect(await changesOf(stage.machine)).toEqual([]);
    const kept = await projectionStore(given.database().kysely).read<{ order_id: number }>(
      "select order_id from engine_orders where state = 'NEW' and kind = 'order' order by order_id limit 3",
    );
    const [price, quantity, gone] = kept.map(({ order_id }) => Number(order_id));
    await change(`update engine_orders set price_ticks = price_ticks + 1 where order_id = ${price}`);
    await change(`update engine_orders set quantity = quantity + 1 where order_id = ${quantity}`);
    await change(`update engine_orders set state = 'CANCELED' where order_id = ${gone}`);
    await change(`update engine_orders set state = 'NEW' where order_id =
      (select max(order_id) from engine_orders where state = 'FILLED')`);
    await change(`update engine_balances set available_units = available_units + 1 where account =
      (select min(account) from engine_orders)`);
    const changes = await changesOf(stage.machine);
    expect(changes).toHaveLength(5);
    expect(changes.filter((line) => line.includes("would be gone"))).toHaveLength(1);
    expect(changes).toContainEqual(expect.stringMatching(new RegExp(`^order ${price} of account \\d+ would stand at`)));
    expect(changes).toContainEqual(expect.stringMatching(new RegExp(`^order ${quantity} of account \\d+ would have`)));
    expect(changes).toContainEqual(expect.stringMatching(new RegExp(`^order ${gone} of account \\d+ would be open`)));
    expect(changes).toContainEqual(expect.stringMatching(/^\d+ balances in the tables differed from the core's/));
  });

  test("[RECOVER-1] positions agree, and each that would change is named", async () => {
    const stage = createPerpStage();
    const [long, short] = [stage.trader(10 ** 12), stage.trader(10 ** 12)];
    stage.sell(short, 700, 500_000);
    stage.buy(long, 500, 500_000);
    stage.buy(long, 100, 500_000);
    await project(listBatches(stage.journal));
    expect(
      readOpen(stage.machine)
        .positions.map(({ lots }) => lots)
        .sort(),
    ).toEqual([-600, 600]);
    expect(await changesOf(stage.machine)).toEqual([]);
    const { id } = stage.held(long)[0] ?? { id: 0 };
    await change(`update engine_positions set cost_units = cost_units + 1 where position_id = ${id}`);
    expect(await changesOf(stage.machine)).toEqual([
      expect.stringMatching(`^position ${id} of account ${long} would cost \\d+ with 0, not \\d+ with 0$`),
    ]);
    await change(`update engine_positions set lots = lots + 1 where position_id = ${id}`);
    expect(await changesOf(stage.machine)).toEqual([`position ${id} of account ${long} would have 600 lots, not 601`]);
    await change(`update engine_positions set closed_sequence = 1 where position_id = ${id}`);
    expect(await changesOf(stage.machine)).toEqual([`position ${id} of account ${long} would be open`]);
  });
});
