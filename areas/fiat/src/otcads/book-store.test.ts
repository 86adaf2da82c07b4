// A cached list is never outdated: prices follow the index and the rate, ads and makers their rows, and every visitor
// sees what they may.
import { floatingPrice } from "@clockwork/kit/otc/price";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AdBook } from "./book-store.ts";
import type { AdNeeds, MakerInfo, TakerInfo } from "./needs.ts";
import type { AdRow, AdStore } from "./store.ts";

const MAKER: MakerInfo = {
  name: "Desk",
  level: 1,
  isSimulated: false,
  mayPost: true,
  state: "ACTIVE",
  bondText: "1000",
  adsMax: 2,
  orderMaxUnits: 1_000_000_000n,
  opensMinute: 0,
  closesMinute: 0,
  orders: 0,
  completionBps: undefined,
  releaseMs: undefined,
  restsUntilMs: 0,
};
const row = (ad_id: number, user_id: number, more: Partial<AdRow>): AdRow => ({
  ad_id,
  user_id,
  client_id: String(ad_id),
  slot: ad_id,
  side: "sell",
  asset: "USDT",
  fiat: "AED",
  price_e4: 0n,
  premium_bps: 0,
  quantity_units: 100_000_000n,
  stock_units: 100_000_000n,
  min_cents: 100n,
  max_cents: 10_000n,
  payments: "0123456789abcdef",
  payment_kinds: "bank",
  window_minutes: 15,
  note: "",
  need_level: 2,
  need_days: 0,
  need_orders: 0,
  need_completion: 0,
  need_traded: false,
  state: "ONLINE",
  reason: "",
  version: 1,
  round: 1,
  created_ms: 0,
  changed_ms: 0,
  ...more,
});

async function openBook(rows: readonly AdRow[]) {
  const world = { indexE6: 1_000_000n, rateE8: 367_250_000n, makers: new Map<number, MakerInfo>() };
  const needs: Partial<AdNeeds> = {
    now: () => 0,
    coin: () => ({ asset: 1, symbol: "USDT", scale: 6 }),
    indexE6: () => world.indexE6,
    rateE8: () => world.rateE8,
    maker: async (userId) => world.makers.get(userId) ?? MAKER,
    seenMs: () => 0,
    isWithinHours: () => true,
    changed: () => undefined,
  };
  const store: Partial<AdStore> = { listStates: async () => [...rows] };
  const book = new AdBook({ store: store as AdStore, needs: needs as AdNeeds });
  await book.load();
  const list = (taker?: TakerInfo) => {
    const page = book.page({}, taker);
    return { ids: page.ads.map(({ adId }) => adId), prices: page.ads.map(({ price }) => price), hidden: page.hidden };
  };
  return { world, book, list };
}

const FIXED = row(1, 11, { price_e4: 36_900n });
const FLOATING = row(2, 12, { premium_bps: 10_100 });

test("[OTC-1] a list follows the index and the rate between two calls", async () => {
  const { world, list } = await openBook([FIXED, FLOATING]);
  expect(list()).toMatchObject({ ids: ["1", "2"], prices: ["3.6900", "3.7092"] });
  world.indexE6 = 990_000n;
  expect(list()).toMatchObject({ ids: ["2", "1"], prices: ["3.6721", "3.6900"] });
  world.indexE6 = 1_000_000n;
  world.rateE8 = 360_000_000n;
  expect(list()).toMatchObject({ ids: ["2", "1"], prices: ["3.6360", "3.6900"] });
});

test("[OTC-1] a list follows its ads and their makers, and hides a blocked user only from the one who blocks", async () => {
  const { world, book, list } = await openBook([FIXED, FLOATING]);
  expect(list().ids).toEqual(["1", "2"]);
  const blocking = {
    userId: 5,
    level: 2,
    createdMs: 0,
    orders: 0,
    completionBps: undefined,
    unmet: new Set([11]),
    partners: new Set<number>(),
    hasFactor: true,
  };
  expect(list(blocking)).toMatchObject({ ids: ["2"], hidden: 1 });
  expect(list()).toMatchObject({ ids: ["1", "2"], hidden: 0 });
  await book.note({ ...FIXED, price_e4: 38_000n, version: 2, changed_ms: 1 });
  expect(list()).toMatchObject({ ids: ["2", "1"], prices: ["3.7092", "3.8000"] });
  await book.note({ ...FLOATING, state: "OFFLINE", version: 2, changed_ms: 1 });
  expect(list().ids).toEqual(["1"]);
  world.makers.set(11, { ...MAKER, mayPost: false });
  await book.refreshMaker(11);
  expect(list().ids).toEqual([]);
});

test("[OTC-1] after any change between two calls, the list equals a newly sorted one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 9_000, max: 11_000 }), { minLength: 2, maxLength: 20 }),
      fc.array(fc.record({ at: fc.nat(19), premium: fc.integer({ min: 9_000, max: 11_000 }), move: fc.nat(3) }), {
        maxLength: 12,
      }),
      async (premiums, changes) => {
        const { world, book, list } = await openBook(premiums.map((bps, i) => row(i + 1, 11, { premium_bps: bps })));
        const now = [...premiums];
        for (const [index, { at, premium, move }] of changes.entries()) {
          const changed = at % now.length;
          if (move === 0) world.indexE6 += 1_234n;
          else {
            now[changed] = premium;
            const newer = { version: index + 2, changed_ms: index + 1 };
            await book.note(row(changed + 1, 11, { premium_bps: premium, ...newer }));
          }
          const prices = list().prices.map(Number);
          expect(prices).toEqual([...prices].sort((left, right) => left - right));
          expect(prices).toHaveLength(Math.min(20, now.length));
          const best = floatingPrice(world.indexE6, world.rateE8, Math.min(...now));
          expect(prices[0]).toBe(Number(best) / 10_000);
        }
      },
    ),
    { numRuns: 60 },
  );
});
