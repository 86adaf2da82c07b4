// The profit of a bot in the calls equals the result of its fills, to the unit: walks with partial fills and gaps on a
// served exchange that is closed and opened again, or restored from the state a kill leaves. Many more walks, in the
// core only: npm run soak -- grids.
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { decodeEvents } from "@clockwork/core/protocol/codec";
import type { Command } from "@clockwork/core/protocol/command";
import { Calculation } from "@clockwork/core/testing/fill-calculation";
import { type WalkServer, walkSteps } from "@clockwork/core/testing/fill-walk";
import type { EventBatch } from "@clockwork/host/engine";
import { isSpotGrid } from "@clockwork/kit/grid/plan";
import { drawWalk } from "@clockwork/kit/grid/walk-fixture";
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import type { ProjectedEngine } from "@clockwork/server/engine/projected-engine";
import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { startEngineWithTables } from "@clockwork/server/projectors/start";
import { copyTables } from "@clockwork/server/storage/test-template";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GRID_CALLS, type GridBiz } from "./contract.ts";

/** One of each kind of grid, spot twice: with invested coins, and following the price. */
const SEEDS: readonly number[] = [3, 5, 6, 14, 19, 29];
const POLL_EVERY = 7;
const SCALE = 6;
/**
 * It is one o'clock at night when the walks start, whenever they are run, and they last less than an hour: at midnight
 * their turnover would earn a VIP level with other fees, and every eight hours funding would be paid.
 */
const AHEAD_MS = DAY_MS + HOUR_MS - (Date.now() % DAY_MS);

let root: string;
let folder: string;
let folders = 0;
let server: TestServer;
/** The owner of the bots: no other user sees them, since they are too young to be ranked. */
const owner = new Visitor({
  get url() {
    return server.url;
  },
});
let engine: ProjectedEngine;
let seen: Calculation | undefined;
/** Commands up to here were received: a start delivers the last ones again. */
let received = 0;
const places: Record<"spot" | "futures", WalkServer> = { spot: none(), futures: none() };

function none(): WalkServer {
  return { market: 0, contract: 0, source: 0, maker: 0, other: 0 };
}

function listen(batch: EventBatch): void {
  const events = decodeEvents(batch.bytes, 0, batch.bytes.length, batch.timeBeforeMs);
  seen?.observe(events.filter(({ sequence }) => sequence > received));
  received = Math.max(received, batch.lastSequence);
}

async function open(): Promise<void> {
  server = await startTestServer(
    { CW_DATA: folder, CW_RATE_WEIGHT_PER_MINUTE: "0" },
    async (options) => {
      engine = await startEngineWithTables({ ...options, segmentBytes: 1 << 20, listeners: [listen] });
      return engine;
    },
    "listed",
    undefined,
    undefined,
    AHEAD_MS,
  );
}

/** Submits, and waits for the resulting events too. Refusals are a part of a walk. */
async function send(command: Command) {
  const ack = await engine.submit(command);
  while (ack.done && received < ack.sequence) await setImmediate();
  return ack;
}

async function account(
  user: number,
  book: "spot" | "linear",
  funds: Readonly<Record<number, number>>,
): Promise<number> {
  const made = await send({ kind: "createAccount", user, book });
  const opened = made.done ? made.events.find((event) => event.kind === "accountCreated")?.account : undefined;
  if (opened === undefined) throw new Error(`no ${book} account for ${user}`);
  for (const [asset, units] of Object.entries(funds)) {
    const reference = `fund:${opened}:${asset}`;
    const paid = await send({
      kind: "mint",
      account: opened,
      asset: Number(asset),
      business: "deposit",
      units,
      reference,
    });
    if (!paid.done) throw new Error(`no money for ${opened}: ${paid.code}`);
  }
  return opened;
}

async function furnish(): Promise<void> {
  const user = Number((await owner.signUp("walker@example.com")).data.id);
  const { assets = [], markets = [] } = (await engine.readListing()) ?? {};
  const assetOf = (symbol: string): number => assets.find((one) => one.symbol === symbol)?.asset ?? 0;
  const marketOf = (symbol: string): number => markets.find((one) => one.symbol === symbol)?.market ?? 0;
  const [usdt, btc, linear] = [assetOf("USDT"), assetOf("BTC"), marketOf("BTC_USDT-PERP")];
  await send({ kind: "setReferencePrice", market: linear, markTicks: 500_000, indexTicks: 500_000 });
  await send({ kind: "setMarketStatus", market: linear, status: "TRADING" });
  const coins = { [usdt]: 1e14, [btc]: 1e13 };
  places.spot = {
    market:
      markets.find(({ base, quote, marketKind }) => base === btc && quote === usdt && marketKind === "spot")?.market ??
      0,
    contract: linear,
    source: await account(user, "spot", coins),
    maker: await account(5_002, "spot", coins),
    other: await account(5_003, "spot", coins),
  };
  places.futures = {
    market: linear,
    contract: linear,
    source: await account(user, "linear", { [usdt]: 1e14 }),
    maker: await account(5_002, "linear", { [usdt]: 1e14 }),
    other: await account(5_003, "linear", { [usdt]: 1e14 }),
  };
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "cw-profit-"));
  folder = join(root, "0");
  await mkdir(folder);
  await copyTables(folder);
  await open();
  await furnish();
});
afterAll(async () => {
  await server?.close();
  await rm(root, { recursive: true, force: true });
});

/** Closed in order, or from a copy of its folder while it ran: what a kill leaves. */
async function restart(isKill: boolean): Promise<void> {
  const nowMs = server.nowMs();
  if (isKill) {
    folders += 1;
    const copy = join(root, String(folders));
    await cp(folder, copy, { recursive: true });
    folder = copy;
  }
  await server.close();
  await open();
  server.wait(Math.max(0, nowMs - server.nowMs()));
}

const unitsOf = (text: string): bigint => {
  const [whole = "0", part = ""] = text.replace("-", "").split(".");
  const size = BigInt(whole + part.padEnd(SCALE, "0"));
  return text.startsWith("-") ? 0n - size : size;
};

async function readShown(biz: GridBiz, bot: number) {
  const { data }: { readonly data: Readonly<Record<string, string>> | null } = await owner.get(
    `${GRID_CALLS[biz].detail.path}?id=${bot}`,
  );
  if (data === null) return undefined;
  const [grid, float, total, fees] = ["grid", "float", "total", "fees"].map((name) => unitsOf(data[name] ?? ""));
  return { pairs: Number(data.pairs), gridUnits: grid, feesUnits: fees, totalUnits: total, floatUnits: float };
}

const totals = { pairs: 0, parts: 0, mostLines: 0, kinds: new Set<string>() };

test.each(SEEDS)(
  "[GRID-1] a walk's profit, float and fees are shown as its fills give them, through a restart: %i",
  async (seed) => {
    const walk = drawWalk(seed);
    const isSpot = isSpotGrid(walk.requested.kind);
    const own = places[isSpot ? "spot" : "futures"];
    const calculation = new Calculation(walk, own.market);
    seen = calculation;
    const look = async (): Promise<void> => {
      // A walk may outlast its initial session.
      await owner.post("/v2/users/session/refresh");
      await expect.poll(() => readShown(isSpot ? "spot" : "futures", calculation.bot)).toEqual(calculation.computed);
    };
    let [looks, restarts] = [0, 0];
    for (const step of walkSteps(walk, seed, own, calculation)) {
      if (step.kind === "send") await send(step.command);
      else if (step.kind === "wait") {
        server.wait(step.ms);
        await send({ kind: "tick" });
      } else if (step.kind === "restart" && restarts === 0 && looks > POLL_EVERY) {
        restarts++;
        await look();
        await restart(seed % 2 === 0);
        await look();
      } else if (step.kind === "look" && looks++ % POLL_EVERY === 0 && calculation.account !== 0) await look();
    }
    expect(restarts).toBe(1);
    await send({ kind: "stopBot", account: calculation.account, sells: true });
    await look();
    const { parts, mostLines, computed } = calculation;
    totals.pairs += computed.pairs;
    totals.parts += parts;
    totals.mostLines = Math.max(totals.mostLines, mostLines);
    totals.kinds.add(walk.requested.kind);
  },
);

test("[GRID-1] these walks were of every kind, with partial fills and gaps through many lines", () => {
  expect([...totals.kinds].toSorted()).toEqual(["infinity", "long", "neutral", "short", "spot"]);
  expect(Math.min(totals.pairs, totals.parts)).toBeGreaterThan(20);
  expect(totals.mostLines).toBeGreaterThan(3);
});
