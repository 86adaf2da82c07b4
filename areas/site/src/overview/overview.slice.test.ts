// The overview over HTTP and on both databases: figures of the hour, queues with their age, and for whom.
import { enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { HOUR_MS } from "@clockwork/kit/time";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { place, startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OverviewService } from "./service.ts";
import { overviewStore } from "./store.ts";

const NEEDS = {
  // A coin is worth two USDT.
  worthUnits: (_: number | string, units: bigint) => units * 2n,
  openInterest: async () => 7_000_000n,
  insuranceFund: async () => undefined,
};

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "overview", (database) => {
    test("[OPS-1] an hour is folded once however often, a flow is summed over the span and compared with the one before", async () => {
      const { kysely } = database.database();
      const overview = new OverviewService({ store: overviewStore(kysely), needs: NEEDS });
      const now = 500_000 * HOUR_MS + 60_000;
      const deposit = (id: string, atMs: number) =>
        sql`
        insert into custody_deposit (deposit_id, network, tx_hash, place, user_id, address, sender, asset, chain_units,
          units, block_number, block_hash, state, round, taken_units, taking_round, seen_ms, credited_ms, unlocked_ms)
        values (${id}, 'N', ${id}, 0, 1, 'a', 'b', 'USDT', '1', 1500000, 1, 'h', 'CREDITED', 0, 0, 0, ${atMs}, ${atMs}, null)`.execute(
          kysely,
        );
      await deposit("one", now - 1_000);
      await deposit("two", now - 2 * HOUR_MS);
      await deposit("three", now - 30 * HOUR_MS);
      await overview.fold(now);
      await overview.fold(now + 1_000);
      const read = await overview.read("24h", now + 1_000);
      const figureOf = (name: string) => read.figures.find(({ figure }) => figure === name);
      expect(read.hours).toHaveLength(24);
      expect(figureOf("deposits")).toMatchObject({ total: "6", before: "3" });
      expect(figureOf("deposits")?.values.at(-1)).toBe("3");
      expect(figureOf("openInterest")).toMatchObject({ total: "7", before: null });
      // What was not measured is no zero.
      expect(figureOf("insuranceFund")).toMatchObject({ total: null });
    });
  });
}

let server: TradingServer;
beforeAll(async () => {
  server = await startTradingServer(TWO_OPERATORS);
});
afterAll(() => server.close());

test("[OPS-1] what waits is counted for those who may act on it; volume is the taker's side of a trade", async () => {
  const { operator } = await enterAsOperator(server, 0);
  const maker = await server.trader({ BTC: "1" });
  const taker = await server.trader({ USDT: "100000" });
  await place(maker, { side: "sell", price: "90000", quantity: "0.1" });
  await place(taker, { side: "buy", price: "90000", quantity: "0.1" });
  const { queues, core } = (await operator.get("/v2/operators/queues")).data;
  expect(core.state).toBe("running");
  expect(queues).toContainEqual({ queue: "withdrawals", count: 0, oldestMs: null, promiseMs: 1_800_000 });
  expect((await maker.get("/v2/operators/queues")).code).toBe("FORBIDDEN");
  expect((await maker.get("/v2/operators/overview")).code).toBe("FORBIDDEN");
  const volumeOf = async () =>
    (await operator.get("/v2/operators/overview?span=24h")).data.figures.find(
      ({ figure }: { figure: string }) => figure === "spotVolume",
    ).total;
  // The job is due every five minutes.
  server.wait(6 * 60_000);
  await expect.poll(volumeOf).not.toBeNull();
});
