// Profit beside the line of BTC, over tables in memory.
import { DAY_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import { ProfitService } from "./service.ts";
import type { ProfitStore } from "./store.ts";

const COINS = [
  { asset: 1, symbol: "USDT", name: "Tether", scale: 6 },
  { asset: 2, symbol: "BTC", name: "Bitcoin", scale: 8 },
];
/** At the end of days 9 to 12. */
const CLOSES = new Map([
  [9, 100],
  [10, 120],
  [11, 150],
  [12, 180],
]);

const service = new ProfitService({
  store: {
    sumByDay: async () => [{ account: 7, day: 10, asset: 1, business: "deposit", units: 5_000_000n }],
  } as unknown as ProfitStore,
  needs: {
    now: () => 12 * DAY_MS + 1,
    listBooks: async () => [{ account: 7, isBot: false }],
    settled: async () => undefined,
    findAsset: (symbol) => COINS.find((coin) => coin.symbol === symbol),
    findAssetById: (asset) => COINS.find((coin) => coin.asset === asset),
    readCloses: async (asset, from, to) =>
      new Map(asset === 2 ? [...CLOSES].filter(([day]) => day >= from && day <= to) : []),
    worthAtTicks: () => 0n,
    worthUnits: () => 0n,
  },
});

test("[WAL-3] the line of BTC begins where one's own does: at the end of the day one came, else at the end of the day before", async () => {
  const whole = await service.read(1, 30);
  expect(whole.days.map(({ btcRate }) => btcRate)).toEqual(["0.00000000", "0.25000000", "0.50000000"]);
  const later = await service.read(1, 2);
  expect(later.days.map(({ btcRate }) => btcRate)).toEqual(["0.25000000", "0.50000000"]);
});
