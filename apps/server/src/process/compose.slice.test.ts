import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CoreHealth } from "@clockwork/host/engine";
import { SILENT_LOG } from "@clockwork/host/log";
import { readConfig } from "@clockwork/host/settings/config";
import { FREE_PASSWORDS } from "@clockwork/identity/accounts/hash-fixture";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EnginePart } from "../engine/handle.ts";
import type { ProjectedEngine } from "../engine/projected-engine.ts";
import { startEngineWithTables } from "../projectors/start.ts";
import { openClient } from "../socket/socket-fixture.ts";
import { forDatabase } from "../storage/test-databases.ts";
import { copyTables } from "../storage/test-template.ts";
import { type Clockwork, type ComposeOptions, compose } from "./compose.ts";

let folder: string;
let running: Clockwork[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cw-compose-"));
});
afterEach(async () => {
  for (const one of running) await one.close();
  running = [];
  await rm(folder, { recursive: true, force: true });
});

class ScriptedEngine implements EnginePart {
  state: CoreHealth = { state: "replaying", sequence: 3, durableSequence: 3 };
  closed = 0;

  health(): CoreHealth {
    return this.state;
  }

  async close(): Promise<void> {
    this.closed += 1;
  }
}

/** A test that counts commands must account for every one. */
const QUIET = { CW_SEED_SECONDS: "0" };

async function start(
  engine?: EnginePart | ComposeOptions["startEngine"],
  steps: string[] = [],
  environment: Record<string, string> = {},
) {
  const { config } = readConfig({ CW_DATA: folder, CW_CHAIN: "off", CW_MODE: "development", ...QUIET, ...environment });
  const one = await compose({
    config,
    log: SILENT_LOG,
    version: "1.2.3",
    passwords: FREE_PASSWORDS,
    report: (step) => steps.push(step),
    ...(engine === undefined ? {} : { startEngine: typeof engine === "function" ? engine : async () => engine }),
  });
  running.push(one);
  await one.app.listen({ host: "127.0.0.1", port: 0 });
  const address = one.app.server.address();
  return { one, port: typeof address === "object" && address !== null ? address.port : 0 };
}

test("[OPS-4] the parts come up in order on a fresh folder and say so", async () => {
  const steps: string[] = [];
  const { port } = await start(new ScriptedEngine(), steps);
  const first = ["locking the data folder", "opening the embedded database"];
  expect(steps.slice(0, 2)).toEqual(first);
  expect(steps.some((step) => step.startsWith("migrating the database 1/"))).toBe(true);
  expect(steps.slice(-2)).toEqual(["starting the engine", "preparing the server"]);
  const status = await fetch(`http://127.0.0.1:${port}/api/v1/system/status`);
  expect(await status.json()).toMatchObject({ code: 200, data: { version: "1.2.3", core: { sequence: 3 } } });
});

describe("a composed process", () => {
  const engine = new ScriptedEngine();
  let one: Clockwork;
  let port: number;
  let shared: string;
  // It outlives each test, and its folder with it.
  beforeAll(async () => {
    shared = await mkdtemp(join(tmpdir(), "cw-compose-"));
    await copyTables(shared);
    ({ one, port } = await start(engine, [], { CW_DATA: shared }));
    running = [];
  });
  afterAll(async () => {
    await one?.close();
    await rm(shared, { recursive: true, force: true });
  });

  test("[OPS-3] readiness follows database and engine", async () => {
    const ask = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      return [response.status, ((await response.json()) as { fields?: unknown }).fields];
    };
    expect(await ask()).toEqual([503, { engine: "replaying" }]);
    engine.state = { state: "running", sequence: 4, durableSequence: 4 };
    expect(await ask()).toEqual([200, undefined]);
    engine.state = { state: "halted", sequence: 4, durableSequence: 4, reason: "disk full" };
    expect(await ask()).toEqual([503, { engine: "halted: disk full" }]);
  });

  test("[OPS-10] readiness probes a write to the data folder", async () => {
    engine.state = { state: "running", sequence: 1, durableSequence: 1 };
    const ask = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
    expect(await ask()).toBe(200);
    // Blocks what is written there.
    await mkdir(join(shared, "write-probe.tmp", "in"), { recursive: true });
    await expect.poll(ask, { interval: 200 }).toBe(503);
    await rm(join(shared, "write-probe.tmp"), { recursive: true });
    await expect.poll(ask, { interval: 200 }).toBe(200);
  });

  test("[NET-8] a visitor's event goes through the edge into the database", async () => {
    const url = `http://127.0.0.1:${port}/api/open/activity/statistics`;
    const own = { headers: { cwdeviceid: "a-device" } };
    const good = await fetch(`${url}?event=page_view&request_source=PC&utm_source=test`, own);
    expect([good.status, await good.json()]).toEqual([200, { code: 200, data: null, message: "success" }]);
    expect((await fetch(`${url}?event=page_view&request_source=TV`, own)).status).toBe(400);
    // A picture on another site counts nothing.
    const foreign = await fetch(`${url}?event=page_view&request_source=PC`);
    expect([foreign.status, await foreign.json()]).toMatchObject([403, { code: "CROSS_SITE_REFUSED" }]);
  });

  test("[SITE-14] root data is served by the composed process", async () => {
    const base = `http://127.0.0.1:${port}/api/v2/users`;
    const info = await fetch(`${base}/top-info`, { method: "POST" });
    expect(await info.json()).toMatchObject({ code: 0, data: { id: null, userInfo: null } });
    const menu = await fetch(`${base}/language-menu`);
    expect(await menu.json()).toMatchObject({ code: 0, data: { whiteList: [{ lang: "en_US" }] } });
  });

  test("[NET-6] the socket of the composed process publishes the core's health, and the shutdown", async () => {
    engine.state = { state: "replaying", sequence: 3, durableSequence: 3 };
    const client = await openClient(`ws://127.0.0.1:${port}/ws`);
    client.send({ event: "sub", channel: "system", type: "status" });
    expect((await client.until(({ event }) => event === "data")).data).toMatchObject({ core: { state: "replaying" } });
    engine.state = { state: "running", sequence: 4, durableSequence: 4 };
    await client.until(({ data }) => (data as { core?: CoreHealth } | undefined)?.core?.state === "running");
    await one.close();
    expect((await client.closed).code).toBe(1001);
    expect(engine.closed).toBe(1);
  });
});

test("[OPS-4] the folder is free again once the parts are closed", async () => {
  await copyTables(folder);
  const { one } = await start(new ScriptedEngine());
  await one.close();
  const again = await start(new ScriptedEngine());
  expect(again.port).toBeGreaterThan(0);
});

test("[OPS-4] a part that fails to start takes the earlier ones down with it", async () => {
  await copyTables(folder);
  const { config } = readConfig({ CW_DATA: folder, CW_CHAIN: "off", PORT: "0" });
  const failing = compose({
    config,
    log: SILENT_LOG,
    version: "1",
    startEngine: () => Promise.reject(new Error("journal damaged")),
  });
  await expect(failing).rejects.toThrow("journal damaged");
  // The lock and the database were given back, or this could not start.
  await start(new ScriptedEngine());
});

async function tradeAndRestart(environment: Record<string, string>): Promise<void> {
  let engine: ProjectedEngine | undefined;
  const startReal: ComposeOptions["startEngine"] = async (options) => {
    engine = await startEngineWithTables({ ...options, segmentBytes: 1 << 20 });
    return engine;
  };
  const read = async (port: number) => {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    const status = await fetch(`http://127.0.0.1:${port}/api/v1/system/status`);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const { data } = (await status.json()) as { data: { core: CoreHealth } };
    return {
      ready: ready.status,
      state: data.core.state,
      sequence: data.core.sequence,
      durable: Number(/^cw_engine_durable_sequence (\d+)$/m.exec(metrics)?.[1]),
    };
  };
  /** Two calls return the two numbers: a job that runs between them, or has just started, shows in the next two. */
  const readLevel = async (port: number) => {
    let now = await read(port);
    await expect
      .poll(async () => {
        now = await read(port);
        return now.durable - now.sequence;
      })
      .toBe(0);
    return now;
  };
  const first = await start(startReal, [], environment);
  const before = await readLevel(first.port);
  expect(before).toMatchObject({ ready: 200, state: "running" });
  const ack = await engine?.submit({ kind: "listAsset", scale: 8, symbol: "BTC" });
  if (ack?.done !== true) throw new Error("the command was refused");
  expect(ack.sequence).toBeGreaterThan(before.sequence);
  const after = await readLevel(first.port);
  expect(after.sequence).toBeGreaterThanOrEqual(ack.sequence);
  const assets = (await engine?.readListing())?.assets;
  expect(assets).toHaveLength(1);
  await first.one.close();
  const second = await start(startReal, [], environment);
  const again = await readLevel(second.port);
  expect(again).toMatchObject({ ready: 200, state: "running" });
  expect(again.sequence).toBeGreaterThanOrEqual(after.sequence);
  expect((await engine?.readListing())?.assets).toEqual(assets);
}

test("[OPS-4] with the real engine the process is ready, and a restart continues from the same state", () =>
  tradeAndRestart({}));

forDatabase("postgres", "composed process", (place) => {
  test("[OPS-4] the same on PostgreSQL", () => tradeAndRestart({ DATABASE_URL: place.options().url ?? "" }));
});
