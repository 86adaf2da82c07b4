// PostgreSQL is killed under a whole exchange: orders continue, calls that need the tables are refused with a code and
// a time, the simulated market continues, and everything catches up without a restart.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProjectedEngine } from "@clockwork/server/engine/projected-engine";
import { startTestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { startEngineWithTables } from "@clockwork/server/projectors/start";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { openWire } from "@clockwork/server/storage/wire-fixture";
import { expect, test } from "vitest";
import { place as placeOrder } from "./spot-fixture.ts";

async function until<Value>(read: () => Promise<Value>, isGood: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await read();
    if (isGood(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function openBehindWire(url: string, market: "listed" | "simulated") {
  const wire = await openWire(new URL(url));
  const folder = await mkdtemp(join(tmpdir(), "cw-away-"));
  const alarms: string[] = [];
  const held: { engine?: ProjectedEngine } = {};
  const place = await startTestServer(
    { CW_RATE_WEIGHT_PER_MINUTE: "0", CW_DATA: folder, DATABASE_URL: wire.url },
    async (options) => {
      const onAlarm = (line: string): void => void alarms.push(line);
      held.engine = await startEngineWithTables({ ...options, onAlarm, segmentBytes: 1 << 20 });
      return held.engine;
    },
    market,
  );
  const readMetric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${place.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  };
  const ask = async (path: string, visitor?: Visitor) => {
    const cookie = [...(visitor?.jar ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(`${place.url}${path}`, { headers: { cookie } });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  const close = async (): Promise<void> => {
    wire.repair();
    await place.close();
    wire.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { wire, place, engine: held.engine as ProjectedEngine, alarms, readMetric, ask, close };
}

forMigrated("postgres", "an exchange whose database is away", (database) => {
  test("[OPS-4] a killed PostgreSQL: 503 with a code and a time, reported everywhere, recovers without intervention", async () => {
    const { wire, place, engine, alarms, readMetric, ask, close } = await openBehindWire(
      database.options().url ?? "",
      "listed",
    );
    try {
      const visitor = new Visitor(place);
      await visitor.signUp("away@example.com");
      await visitor.faucet("USDT", "10000");
      const order = { side: "buy", price: "50000", quantity: "0.01" };
      expect((await placeOrder(visitor, order)).status).toBe(200);
      wire.cut();
      // Written to the journal and waiting for the tables.
      const asset = { kind: "listAsset", scale: 8, symbol: "AWAY" } as const;
      expect(await engine.submit(asset)).toMatchObject({ done: true });
      await until(
        async () => alarms,
        (lines) => lines.some((line) => line.startsWith("the tables are behind")),
      );
      for (const path of [
        "/api/v1/spot/orders",
        "/api/v1/spot/fills",
        "/api/asset/v1/api/wallet/bills",
        "/api/asset/v1/api/wallet/account",
      ]) {
        const { status, headers, body } = await ask(path, visitor);
        expect([path, status, status === 503 ? body.code : ""]).not.toContain(500);
        if (status !== 503) continue;
        expect(body.code).toMatch(/UNAVAILABLE/);
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      }
      const history = await ask("/api/v1/spot/fills", visitor);
      expect([history.status, history.body.code]).toEqual([503, "DATABASE_UNAVAILABLE"]);
      for (const who of [undefined, visitor]) {
        const { status, body } = await ask("/readyz", who);
        expect(status).toBe(503);
        expect(body.fields.tables).toMatch(/^the tables are behind for \d+ s/);
        expect((await ask("/healthz", who)).status).toBe(200);
        expect((await ask("/api/v1/system/status", who)).body.data.tables.state).toBe("behind");
      }
      expect(await readMetric("cw_tables_following")).toBe(0);
      expect(await readMetric("cw_tables_failed_tries")).toBeGreaterThan(0);
      wire.repair();
      await until(
        () => ask("/readyz", visitor),
        ({ status }) => status === 200,
      );
      expect(engine.projection.sequence).toBeGreaterThan(0);
      expect(await readMetric("cw_tables_following")).toBe(1);
      expect((await ask("/api/v1/system/status")).body.data.tables).toEqual({ state: "level", forSeconds: 0 });
      const after = await until(
        () => ask("/api/v1/spot/fills", visitor),
        ({ status }) => status !== 503,
      );
      expect(after.status).toBe(200);
    } finally {
      await close();
    }
  });
});

forMigrated("postgres", "a simulated market whose database is away", (database) => {
  test("[OPS-4] the simulated market continues to trade and saves again when the database is back", async () => {
    const { wire, place, ask, close } = await openBehindWire(database.options().url ?? "", "simulated");
    try {
      const trades = async (): Promise<number> => (await ask("/api/v1/system/status")).body.data.matched.trades;
      await until(trades, (count) => count > 3);
      wire.cut();
      // Longer than between two saves of its state.
      place.wait(10_000);
      const before = await trades();
      await until(trades, (count) => count > before + 5);
      place.wait(10_000);
      const later = await trades();
      await until(trades, (count) => count > later + 5);
      wire.repair();
      const now = await trades();
      await until(trades, (count) => count > now + 5);
    } finally {
      await close();
    }
  });
});
