// The clock moved on purpose over a listening exchange: orders, sessions and codes age together, and a restart keeps it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SILENT_LOG } from "@clockwork/host/log";
import { readConfig } from "@clockwork/host/settings/config";
import { FREE_PASSWORDS } from "@clockwork/identity/accounts/hash-fixture";
import { HOUR_MS } from "@clockwork/kit/time";
import { place, startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Visitor } from "../process/account-fixture.ts";
import { type Clockwork, compose } from "../process/compose.ts";
import { startEngineWithTables } from "../projectors/start.ts";

let site: TradingServer;
beforeAll(async () => {
  site = await startTradingServer();
});
afterAll(() => site?.close());

interface ClockAnswer {
  readonly code: unknown;
  readonly data: { readonly nowMs: number; readonly aheadMs: number };
}

async function ask(url: string, advanceMs?: unknown): Promise<ClockAnswer> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advanceMs }),
  };
  return (await fetch(`${url}/dev/clock`, advanceMs === undefined ? {} : init)).json() as Promise<ClockAnswer>;
}

async function openOrders(trader: Visitor): Promise<number> {
  return (await trader.get("/v1/spot/orders?state=open")).data.orders.length;
}

test("[OPS-4] moved ahead, the core's timers fire and sessions age by the same clock", async () => {
  const trader = await site.trader({ USDT: "100000" });
  expect((await place(trader, { side: "buy", price: "80000", quantity: "0.01" })).status).toBe(200);
  const set = await trader.post("/v1/spot/orders/cancel-after", { timeoutSeconds: 300 });
  const before = await ask(site.url);
  expect(set.data.firesAtMs - before.data.nowMs).toBeGreaterThan(240_000);
  expect(await openOrders(trader)).toBe(1);
  const moved = await ask(site.url, 300_000);
  expect(moved.data.nowMs).toBeGreaterThanOrEqual(set.data.firesAtMs);
  expect(moved.data.aheadMs).toBe(before.data.aheadMs + 300_000);
  await expect.poll(() => openOrders(trader)).toBe(0);
  const status = (await (await fetch(`${site.url}/api/v1/system/status`)).json()) as { data: { clock: unknown } };
  expect(status.data.clock).toMatchObject({ aheadMs: moved.data.aheadMs });
  const metrics = await (await fetch(`${site.url}/metrics`)).text();
  expect(metrics).toContain(`cw_clock_ahead_ms ${moved.data.aheadMs}`);
  await ask(site.url, 400 * 24 * HOUR_MS - 40 * 24 * HOUR_MS);
  expect((await trader.get("/v1/spot/balance")).status).toBe(401);
});

test("[OPS-4] the clock is not set back, not to an invalid time, not too far, not without a right", async () => {
  const { data } = await ask(site.url);
  for (const wrong of [0, -1, 1.5, "60000", null, 1e15]) {
    expect([wrong, (await ask(site.url, wrong)).code]).toEqual([wrong, "VALIDATION_FAILED"]);
  }
  expect((await ask(site.url)).data.aheadMs).toBe(data.aheadMs);
  for (let year = 0; year < 10; year += 1) await ask(site.url, 366 * 24 * HOUR_MS);
  expect((await ask(site.url, 366 * 24 * HOUR_MS)).code).toBe("CLOCK_TOO_FAR");
});

async function serve(folder: string, mode: "development" | "production"): Promise<{ one: Clockwork; url: string }> {
  const origin = mode === "production" ? { CW_PUBLIC_ORIGIN: "http://localhost:3000" } : {};
  const { config } = readConfig({
    CW_DATA: folder,
    CW_MODE: mode,
    CW_CAPTCHA: "off",
    CW_CHAIN: "off",
    CW_MARKET_HISTORY_DAYS: "1",
    ...origin,
  });
  const startEngine = (options: Parameters<typeof startEngineWithTables>[0]) =>
    startEngineWithTables({ ...options, segmentBytes: 1 << 20 });
  const one = await compose({ config, log: SILENT_LOG, version: "1", passwords: FREE_PASSWORDS, startEngine });
  await one.app.listen({ host: "127.0.0.1", port: 0 });
  const address = one.app.server.address();
  return { one, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` };
}

test("[OPS-4] a restart keeps the clock where it was, and production has no such call", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cw-clock-"));
  const first = await serve(folder, "development");
  const moved = await ask(first.url, 72 * HOUR_MS);
  await first.one.close();
  const second = await serve(folder, "development");
  const after = await ask(second.url);
  expect(after.data.aheadMs).toBe(72 * HOUR_MS);
  expect(after.data.nowMs).toBeGreaterThanOrEqual(moved.data.nowMs);
  expect(after.data.nowMs - Date.now() - 72 * HOUR_MS).toBeLessThan(60_000);
  await second.one.close();
  const real = await serve(folder, "production");
  expect((await ask(real.url, 1_000)).code).toBe("NOT_FOUND");
  await real.one.close();
  await rm(folder, { recursive: true, force: true });
});
