// Back-tests of futures grids over the stored settlements of funding, as the service requests them.

import { backTest } from "@clockwork/kit/grid/back-test";
import type { FundingPoint } from "@clockwork/kit/grid/simulate";
import { readInstrument } from "@clockwork/kit/instrument";
import { HOUR_MS } from "@clockwork/kit/time";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import { expect, test } from "vitest";
import { BackTestService } from "./back-test-service.ts";
import type { GridNeeds } from "./needs.ts";

const HOURS = 200;
const NOW_MS = 1_700_006_400_000;
const FIRST_MS = NOW_MS - HOURS * HOUR_MS;

const read = readInstrument({
  kind: "linear",
  base: { symbol: "BTC", scale: 8 },
  quote: { symbol: "USDT", scale: 6 },
  tickSize: "0.1",
  stepSize: "0.001",
  minQuantity: "0.001",
  maxQuantity: "1000",
  maxMarketQuantity: "1000",
  minNotional: "0",
  band: { buyMax: "1.05", buyMin: "0.95", sellMin: "0.95", sellMax: "1.05" },
});
if (!read.done) throw new Error(read.code);
const coin = {
  base: { symbol: "BTC", name: "Bitcoin", scale: 8, asset: 1 },
  quote: { symbol: "USDT", name: "Tether", scale: 6, asset: 2 },
};
const market: MarketPair = {
  ...read.value,
  ...coin,
  settle: coin.quote,
  biz: "futures",
  pairCode: "BTC_USDT",
  market: 1,
  status: "TRADING",
  anchorTicks: 0,
  restingMax: 200,
  conditionalMax: 50,
  listMax: 10,
  makerRate: 20_000,
  takerRate: 60_000,
  partitions: [],
  listedAtMs: 0,
  isSimulated: true,
  contract: undefined,
};

/** Hours that move up and down by two hundredths, and any settlements. */
function serviceOf(fundings: readonly FundingPoint[]): BackTestService {
  const candles = Array.from({ length: HOURS }, (_, i) => {
    const close = i % 2 === 0 ? 495_000 : 505_000;
    return { timeMs: FIRST_MS + i * HOUR_MS, open: close, high: close, low: close, close };
  });
  const needs = {
    now: () => NOW_MS,
    randomId: () => "0000000000000001",
    findMarket: () => market,
    contractOf: () => undefined,
    seenTicks: () => 500_000,
    readCandles: async () => candles,
    readFundings: async (_: number, fromMs: number) => fundings.filter(({ timeMs }) => timeMs >= fromMs),
    runBackTest: async (task: Parameters<GridNeeds["runBackTest"]>[0]) => backTest(task, candles),
  };
  return new BackTestService({ needs: needs as unknown as GridNeeds });
}

const body = {
  kind: "long",
  pairCode: "BTC_USDT",
  lower: "48000",
  upper: "52000",
  count: 10,
  spacing: "arithmetic",
  investment: "5000",
  leverage: 2,
} as const;

async function testOf(fundings: readonly FundingPoint[]) {
  const tests = serviceOf(fundings).of("futures");
  const started = await tests.start(1, body);
  if (!started.done) throw new Error(started.code);
  const state = () => {
    const answer = tests.read(1, started.value.taskId);
    return answer.done ? answer.value.result : null;
  };
  await expect.poll(state).not.toBeNull();
  return state();
}

test("[GRID-1] a back-test and a suggestion of futures have funding from the stored settlements; without any they report so", async () => {
  const every = Array.from({ length: 24 }, (_, i) => ({
    timeMs: FIRST_MS + (i + 1) * 8 * HOUR_MS,
    rate: 10_000,
    markTicks: 500_000,
  }));
  const [paid, none, late] = [await testOf(every), await testOf([]), await testOf(every.slice(12))];
  expect(Number(paid?.funding)).toBeLessThan(0);
  expect(paid?.fundingFromMs).toBe(FIRST_MS + 8 * HOUR_MS);
  expect(none).toMatchObject({ funding: "0", fundingFromMs: null });
  expect(Number(paid?.total)).toBeCloseTo(Number(none?.total) + Number(paid?.funding), 6);
  expect(late?.fundingFromMs).toBe(FIRST_MS + 13 * 8 * HOUR_MS);
  expect(Number(late?.funding)).toBeGreaterThan(Number(paid?.funding));
  const suggested = await serviceOf(every).suggest("futures", "BTC_USDT", 7);
  expect(suggested.done && suggested.value.backTest?.fundingFromMs).toBe(FIRST_MS + 8 * HOUR_MS);
});
