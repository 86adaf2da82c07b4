// The simulated market in a process of its own: its books can be rebuilt from the socket, and killing it in the middle
// of trading neither loses nor doubles a candle.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { decodeEvents } from "@clockwork/core/protocol/codec";
import { createRandom } from "@clockwork/kit/random";
import { localFiles } from "@clockwork/server/engine/journal/files";
import { recover } from "@clockwork/server/engine/recovery/recovery";
import { type ServedProgram, serveProgram } from "@clockwork/server/process/program-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Candle, Depth, Pair, Quotation } from "../markets/contract.ts";
import { rebuildBooks } from "./book-client.ts";
import { startMarketServer } from "./market-fixture.ts";

let folder: string;
let served: ServedProgram | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cw-simulation-"));
});
afterAll(async () => {
  await served?.kill();
  await rm(folder, { recursive: true, force: true });
});

async function serveMarket(): Promise<ServedProgram> {
  served = await serveProgram(folder, {
    CW_MARKET: "on",
    CW_MARKET_HISTORY_DAYS: "1",
    CW_MARKET_SPEED: "40",
    CW_SOCKET_OPENS_PER_MINUTE: "0",
    CW_SOCKETS_PER_ADDRESS: "1000",
  });
  return served;
}

const read = async <Data>(url: string, path: string): Promise<Data> =>
  ((await (await fetch(`${url}/api${path}`)).json()) as { data: Data }).data;

async function untilTrading(url: string): Promise<void> {
  for (;;) {
    const trades = await read<unknown[]>(url, "/v1/spot/trades?pairCode=BTC_USDT");
    if (trades.length > 20) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What the journal itself shows as traded: lots and trades by market and minute. */
function foldJournal(): Map<string, { lots: number; trades: number }> {
  const found = new Map<string, { lots: number; trades: number }>();
  const options = {
    files: localFiles,
    journalFolder: join(folder, "journal"),
    snapshotFolder: join(folder, "snapshots"),
    factory: { createMachine, restoreMachine },
    withoutSnapshots: true,
    eventsAfter: 0,
  };
  recover(options, ({ machine, timeBeforeMs }) => {
    for (const event of decodeEvents(machine.events.bytes, 0, machine.events.length, timeBeforeMs)) {
      if (event.kind !== "trade") continue;
      const key = `${event.market}:${event.time - (event.time % 60_000)}`;
      const bar = found.get(key) ?? { lots: 0, trades: 0 };
      found.set(key, { lots: bar.lots + event.lots, trades: bar.trades + 1 });
    }
  });
  return found;
}

test("[NET-6] books rebuilt from updates with random disconnects equal the plain call at the same sequence", async () => {
  const { url } = await serveMarket();
  await untilTrading(url);
  const quotations = await read<Quotation[]>(url, "/v1/spot/quotations");
  expect(quotations.length).toBeGreaterThanOrEqual(12);
  const random = createRandom(4);
  const report = await rebuildBooks({
    socketUrl: `${url.replace("http", "ws")}/ws`,
    readDepth: (pairCode) => read<Depth>(url, `/v1/spot/depth?pairCode=${pairCode}&limit=500`),
    pairCodes: ["BTC_USDT", "ETH_USDT", "DOGE_USDT", "ETH_BTC"],
    rounds: 60,
    isEnough: ({ compared, updates }) => compared > 30 && updates > 50,
    pauseMs: 40,
    below: (bound) => random.below(bound),
  });
  expect(report.differences).toEqual([]);
  expect(report.compared).toBeGreaterThan(30);
  expect(report.cuts).toBeGreaterThan(5);
  expect(report.updates).toBeGreaterThan(50);
}, 300_000);

test("[OPS-2] killed in the middle of trading: candles equal the journal's trades, none lost, none doubled", async () => {
  await served?.kill();
  const { url, kill } = await serveMarket();
  await untilTrading(url);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await kill();
  // The test runs from sources, which are another release than the build.
  const environment = { CW_REPLAY_OTHER_RELEASES: "on" };
  const place = await startMarketServer({ folder, mode: "listed", environment });
  try {
    const pairs = (await place.get("/v1/spot/pairs")).data as Pair[];
    const stored = new Map<string, { lots: number; trades: number }>();
    for (const { pairCode, stepSize } of pairs) {
      const market = await place.market(pairCode);
      const candles = (await place.get(`/v1/spot/candles?pairCode=${pairCode}&interval=1m&limit=1000`))
        .data as Candle[];
      for (const { timeMs, volume, trades, isGenerated } of candles) {
        if (isGenerated || trades === 0) continue;
        stored.set(`${market}:${timeMs}`, { lots: Math.round(Number(volume) / Number(stepSize)), trades });
      }
    }
    await place.close();
    const spot = new Set([...stored.keys()].map((key) => key.split(":")[0]));
    const expected = new Map([...foldJournal()].filter(([key]) => spot.has(key.split(":")[0])));
    expect(expected.size).toBeGreaterThan(5);
    expect([...stored].sort()).toEqual([...expected].sort());
  } finally {
    await place.close();
  }
}, 300_000);
