// Profit against the BTC benchmark, over given days.
import { type DayRecord, NO_SOURCES } from "@clockwork/kit/accounting/days";
import { DAY_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import { ProfitService } from "./service.ts";

const COINS = [
  { asset: 1, symbol: "USDT", name: "Tether", scale: 6 },
  { asset: 2, symbol: "BTC", name: "Bitcoin", scale: 8 },
];
/** At the end of days 9 to 12. */
const CLOSES = new Map([
  [9, 100n],
  [10, 120n],
  [11, 150n],
  [12, 180n],
]);
const BEGIN = 10;
const standing: DayRecord = {
  day: BEGIN,
  held: new Map(),
  committedUnits: 0n,
  inUnits: 0n,
  outUnits: 0n,
  moved: new Map(),
  sources: NO_SOURCES,
};

const service = new ProfitService({
  needs: {
    now: () => 12 * DAY_MS + 1,
    async readDays(_, today, days) {
      const first = Math.max(BEGIN, today - days + 1);
      const results = Array.from({ length: today - first + 1 }, (__, at) => ({
        day: first + at,
        equityUnits: 0n,
        inUnits: 0n,
        outUnits: 0n,
        pnlUnits: 0n,
        returnRate: 0n,
        sources: NO_SOURCES,
      }));
      const ends = { opening: standing, closing: standing, gainOf: () => 0n, worthAt: () => 0n };
      return { results, first, isWhole: first === BEGIN, ...ends };
    },
    findAsset: (symbol) => COINS.find((coin) => coin.symbol === symbol),
    findAssetById: (asset) => COINS.find((coin) => coin.asset === asset),
    readCloses: async (asset, from, to) => {
      const known = asset === 2 ? [...CLOSES].filter(([day]) => day >= from && day <= to) : [];
      return new Map(known.map(([day, price]) => [day, (amount: bigint) => (amount * price) / 100_000_000n]));
    },
    worthUnits: () => 0n,
  },
});

test("[WAL-3] the BTC benchmark starts where the user's line does: at the end of the first day, else at the end of the day before", async () => {
  const whole = await service.read(1, 30);
  expect(whole.days.map(({ btcRate }) => btcRate)).toEqual(["0.00000000", "0.25000000", "0.50000000"]);
  const later = await service.read(1, 2);
  expect(later.days.map(({ btcRate }) => btcRate)).toEqual(["0.25000000", "0.50000000"]);
});
