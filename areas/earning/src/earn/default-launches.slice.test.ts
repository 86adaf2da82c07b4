// The launches of the default run on a young exchange: complete or absent, and created without a query per participant.

import { openHouseAccount } from "@clockwork/identity/accounts/house";
import { checkDraw } from "@clockwork/kit/earn/draw";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import { createAccountResolver } from "@clockwork/trading/ledger/account-resolver";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LaunchStore, launchStore } from "../launchpad/store.ts";
import { launchDefaults } from "./default-launches.ts";

let server: TradingServer;
beforeAll(async () => {
  server = await startTradingServer();
}, 180_000);
afterAll(() => server?.close());

const STATES = ["UPCOMING", "PREHEAT", "SUBSCRIBE", "CALCULATING", "PAY", "DISTRIBUTED", "CANCELLED"];

type Context = Parameters<typeof launchDefaults>[0];
type Books = Parameters<typeof launchDefaults>[1];

/** The store, and the number of reads. */
function counted(store: LaunchStore): { readonly store: LaunchStore; readonly requested: () => number } {
  let requested = 0;
  const get = (target: LaunchStore, name: string | symbol): unknown => {
    requested += 1;
    return Reflect.get(target, name);
  };
  return { store: new Proxy(store, { get }), requested: () => requested };
}

test("[EARN-2] a young exchange has its launches at once with all participants in them, or retries from the start", async () => {
  const { engine, kysely } = server;
  if (kysely === undefined) throw new Error("no database");
  const listing = async () => (await engine.readListing())?.assets ?? [];
  let assets = await listing();
  const refresh = async () => {
    assets = await listing();
  };
  const findAsset = (symbol: string) => assets.find((one) => one.symbol === symbol);
  const context = { engine, clock: { now: server.nowMs }, market: { pairs: { findAsset }, data: { refresh } } };
  const resolver = createAccountResolver({ kysely, submit: engine.submit });
  let opened = 0;
  let openedMax = 100;
  const books = {
    house: (purpose: Parameters<typeof openHouseAccount>[1], sub: number) =>
      openHouseAccount(engine.submit, purpose, sub),
    user: async (userId: number) => {
      opened += 1;
      return opened > openedMax ? undefined : resolver.open(userId, "spot");
    },
  };
  const { store, requested } = counted(launchStore(kysely));
  const make = () => launchDefaults(context as unknown as Context, books as unknown as Books, store);
  await expect(make()).rejects.toThrow("launches wait");
  expect(await launchStore(kysely).listProjects()).toEqual([]);
  openedMax = Number.POSITIVE_INFINITY;
  await make();
  // Seven projects, the snapshots of five and two lists of existing ones.
  expect(requested()).toBeLessThanOrEqual(15);
  const draw = await launchStore(kysely).findRound("tidewater-1");
  const entries = await launchStore(kysely).listEntries("tidewater-1");
  expect(entries).toHaveLength(240);
  expect(draw?.tickets).toBe(entries.reduce((sum, { tickets }) => sum + tickets, 0));
  const visitor = await server.trader();
  const seed = async () => {
    server.wait(6_000);
    return (await visitor.get("/open/seckill/draw?id=tidewater-1")).data?.seed;
  };
  await expect.poll(seed, { interval: 300 }).toMatch(/^[0-9a-f]{64}$/);
  await make();
  expect(await launchStore(kysely).listProjects()).toHaveLength(7);
  // Coins of launches come out of the one deposit each coin had.
  const { rows } = await sql<{
    count: number;
  }>`select count(distinct sequence) as count from engine_bills where business = 'deposit'
    and asset = ${findAsset("TIDE")?.asset ?? 0}`.execute(kysely);
  expect(Number(rows[0]?.count)).toBe(1);
  // The exchange registers the coins with the first market.
  const [base, quote] = [findAsset("LUMEN")?.asset ?? 0, findAsset("USDT")?.asset ?? 0];
  const market = { base, quote, tickDecimals: 4, tickMantissa: 1, stepUnits: 1_000, symbol: "LUMEN/USDT" };
  expect((await engine.submit({ kind: "listMarket", ...market })).done).toBe(true);
  // The listed one was drawn among users who paid, and distributes their coins.
  const lumen = async () => {
    server.wait(5_000);
    const { state, rounds } = (await visitor.get("/open/seckill/project?id=lumen-light")).data;
    return { state, isPaid: rounds[0].paid > 0, winners: rounds[0].winners };
  };
  await expect.poll(lumen, { interval: 1_000 }).toMatchObject({ isPaid: true, winners: 500 });
  server.wait(15 * MINUTE_MS);
  await expect.poll(lumen, { interval: 1_000 }).toMatchObject({ state: "DISTRIBUTED", isPaid: true });
  const shown = (await visitor.get("/open/seckill/draw?id=lumen-light-1")).data;
  expect(checkDraw(shown, () => undefined)).toBe(true);
  // One in each state; the tickets of the one whose winners are announced tomorrow are fixed.
  const states = async () => {
    server.wait(1_000);
    const { projects } = (await visitor.get("/open/seckill/projects")).data as { projects: { state: string }[] };
    return new Set(projects.map(({ state }) => state));
  };
  // Another draw may still be under way.
  await expect.poll(states).toEqual(new Set(STATES));
  const bound = (await visitor.get("/open/seckill/draw?id=estuary-1")).data;
  expect(bound).toMatchObject({ root: expect.stringMatching(/^[0-9a-f]{64}$/), seed: null, serverSeed: null });
  expect(bound.winners).toEqual([]);
  // A project's name identifies its lottery.
  expect((await visitor.get("/open/seckill/draw?id=lumen-light")).data).toEqual(shown);
  expect(await visitor.get("/open/seckill/draw?id=harbour-1")).toMatchObject({ status: 422, code: "ROUND_UNDRAWN" });
  expect(await visitor.get("/open/seckill/draw?id=nothing")).toMatchObject({ status: 404, code: "ROUND_UNKNOWN" });
  // Days later the next is announced, once.
  server.wait(6 * DAY_MS);
  await make();
  await make();
  const later = await launchStore(kysely).listProjects();
  expect(later.map(({ project_id }) => project_id)).toContain("coral");
  expect(later).toHaveLength(8);
}, 120_000);
