// What the core publishes once and products read later is in the tables, on both databases.
import { createStage } from "@clockwork/core/testing/stage";
import { publishedReader } from "@clockwork/trading/ledger/published";
import { beforeAll, expect, test } from "vitest";
import { openProjection } from "../engine/projection/projection.ts";
import { migrate } from "../storage/migrations.ts";
import { forEachDatabase } from "../storage/test-databases.ts";
import { dumpTables, JOURNAL, listBatches, PROJECTION_MIGRATIONS } from "./projection-fixture.ts";
import { PROJECTORS } from "./projectors.ts";

forEachDatabase("told", (given) => {
  beforeAll(() => migrate(given.database(), PROJECTION_MIGRATIONS));

  test("[PROJECTION-12] expired holds, restrictions, debts, exchange accounts and replaced seeds", async () => {
    const stage = createStage({ anchorTicks: 1_000 });
    const alice = stage.trader(10 ** 9, 10 ** 9, { user: 7 });
    const end = stage.time + 5_000;
    const hold = { kind: "hold", account: alice, asset: stage.quote, business: "otcEscrow", expiresAt: end } as const;
    for (const [index, units] of [100, 200].entries()) stage.send({ ...hold, units, reference: `hold-${index}` });
    stage.send({
      kind: "hold",
      account: alice,
      asset: stage.quote,
      business: "earnSubscribe",
      units: 5,
      reference: "kept",
    });
    stage.send({ kind: "restrict", user: 7, units: 900, reference: "bonus-1" });
    stage.send({ kind: "restrict", user: 7, units: 50, reference: "bonus-2" });
    stage.send({ kind: "unrestrict", reference: "lift-1", restriction: "bonus-1" });
    for (const [index, units] of [10 ** 9, 700].entries())
      stage.send({ kind: "owe", user: 7, asset: stage.quote, units, reference: `owe-${index}` });
    const [house] = stage.send({ kind: "openHouseAccount", purpose: "couponTreasury" });
    for (const digit of ["a", "b", "c"]) stage.send({ kind: "setSeed", seed: digit.repeat(64) });
    stage.time = end;
    stage.send({ kind: "tick" });

    const { kysely } = given.database();
    const projection = await openProjection({ kysely, projectors: PROJECTORS, transactionEvents: 3, pauseMs: 0 });
    projection.bind(JOURNAL);
    for (const batch of listBatches(stage.journal)) await projection.listen(batch);
    await projection.close();

    const tables = await dumpTables(kysely);
    expect(tables.engine_restrictions).toMatchObject([{ user_id: 7, total_units: 50n }]);
    // What was held came back when its time was over; the rest of the hold is kept.
    expect(tables.engine_debts).toMatchObject([{ user_id: 7, asset: stage.quote, owed_units: 705n }]);
    expect(tables.engine_house_accounts).toContainEqual({
      account: house?.kind === "houseAccountOpened" ? house.account : 0,
      purpose: "couponTreasury",
      sub: 0,
    });
    // The seed in force is secret.
    expect(tables.engine_seeds).toMatchObject([
      { number: 1, seed: "a".repeat(64) },
      { number: 2, seed: "b".repeat(64) },
    ]);
    const reader = publishedReader(kysely, { subscribe: () => () => undefined });
    const start = { sequence: 0, line: 0 };
    const expired = await reader.expiredHolds.list("otcEscrow", { sequence: 0, line: -1 }, 10);
    expect(expired).toMatchObject([
      { account: alice, asset: stage.quote, business: "otcEscrow" },
      { account: alice, asset: stage.quote, business: "otcEscrow" },
    ]);
    expect(new Set(expired.map(({ hold: name }) => name))).toEqual(new Set(["hold-0", "hold-1"]));
    expect(expired.reduce((sum, { units }) => sum + units, 0n)).toBe(300n);
    expect(await reader.expiredHolds.list("otcEscrow", expired[0] ?? start, 10)).toEqual(expired.slice(1));
    expect(await reader.expiredHolds.list("otcEscrow", expired[1] ?? start, 10)).toEqual([]);
    expect(await reader.expiredHolds.list("earnSubscribe", start, 10)).toEqual([]);
    expect([await reader.readRestricted(7), await reader.readRestricted(8)]).toEqual([50n, 0n]);
  });
});
