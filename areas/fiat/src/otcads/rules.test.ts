// The reach of an ad, in money and in coins: for any terms, price and request, the offered alternative is accepted.
import fc from "fast-check";
import { expect, test } from "vitest";
import { centsText, coinText, dealOf, findDealBar, reachOf, readChoice } from "./rules.ts";
import type { AdRow } from "./store.ts";

const COIN = { asset: 1, symbol: "USDT", scale: 6 };
const ad = (more: Partial<AdRow>): AdRow => ({
  ad_id: 1,
  user_id: 1,
  client_id: "1",
  slot: 1,
  side: "sell",
  asset: "USDT",
  fiat: "AED",
  price_e4: 0n,
  premium_bps: 10_000,
  quantity_units: 1_000_000_000n,
  stock_units: 1_000_000_000n,
  min_cents: 10_000n,
  max_cents: 300_000n,
  payments: "",
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
const reach = (row: AdRow, requested: { amount?: string; quantity?: string }, priceE4 = 36_725n) => {
  const request = readChoice(requested, COIN, row.fiat);
  if (request === "AMOUNT_INVALID") return request;
  const found = reachOf(row, request, COIN, priceE4);
  const write = (value: bigint) => (request.by === "amount" ? centsText(value, row.fiat) : coinText(value, COIN.scale));
  return found === undefined ? undefined : [found.least, found.most, found.nearest].map(write);
};

test("[OTC-1] a request beyond an ad's limits or stock is moved to the nearest accepted one, in money or in coins", () => {
  expect(reach(ad({}), { amount: "5000" })).toEqual(["100.00", "3000.00", "3000.00"]);
  expect(reach(ad({}), { amount: "20" })).toEqual(["100.00", "3000.00", "100.00"]);
  expect(reach(ad({}), { amount: "250.5" })).toEqual(["100.00", "3000.00", "250.50"]);
  // By the stock: all of it is worth 1 836.25, and a round amount still fits when the price has moved a little.
  const half = ad({ stock_units: 500_000_000n });
  expect(reach(half, { amount: "5000" })).toEqual(["100.00", "1836.25", "1836.00"]);
  expect(reach(half, { quantity: "900" })).toEqual(["27.226685", "500", "500"]);
  expect(reach(half, { quantity: "1" })).toEqual(["27.226685", "500", "27.23"]);
  expect(reach(ad({}), { quantity: "900" })).toEqual(["27.226685", "816.882232", "816.8"]);
  expect(reach(ad({ stock_units: 1_000_000n }), { amount: "50" })).toBeUndefined();
  for (const wrong of [
    { amount: "0" },
    { amount: "1.234" },
    { quantity: "0.0000001" },
    {},
    { amount: "1", quantity: "1" },
  ])
    expect(reach(ad({}), wrong)).toBe("AMOUNT_INVALID");
});

const upTo = (max: number) => fc.bigInt({ min: 1n, max: BigInt(max) });

test("[OTC-1] for any terms, price and request: the offered alternative is accepted, and nothing nearer beyond a thousandth", () => {
  fc.assert(
    fc.property(
      fc.record({
        fiat: fc.constantFrom("AED", "JPY"),
        by: fc.constantFrom("amount", "quantity"),
        requested: upTo(50_000_000_000),
        min: upTo(500_000),
        span: upTo(5_000_000),
        stock: upTo(5_000_000_000),
        priceE4: upTo(20_000_000),
      }),
      ({ fiat, by, requested, min, span, stock, priceE4 }) => {
        const row = ad({ fiat, min_cents: min * 100n, max_cents: (min + span) * 100n, stock_units: stock });
        const grain = fiat === "JPY" && by === "amount" ? 100n : 1n;
        const text = (value: bigint) => (by === "amount" ? centsText(value, fiat) : coinText(value, COIN.scale));
        const isTaken = (value: bigint): boolean => {
          const deal = dealOf({ [by]: text(value) }, COIN, fiat, priceE4);
          return deal !== "AMOUNT_INVALID" && findDealBar(row, deal) === undefined;
        };
        const request = readChoice({ [by]: text(requested - (requested % grain)) }, COIN, fiat);
        fc.pre(request !== "AMOUNT_INVALID");
        const found = reachOf(row, request, COIN, priceE4);
        if (found === undefined) {
          expect(isTaken(request.value)).toBe(false);
          return;
        }
        const { least, most, nearest } = found;
        expect([least, most, nearest].map(isTaken)).toEqual([true, true, true]);
        expect([least - grain, most + grain].map(isTaken)).toEqual([false, false]);
        const edge = isTaken(request.value) ? request.value : request.value < least ? least : most;
        const far = nearest > edge ? nearest - edge : edge - nearest;
        expect(far <= (edge === request.value ? 0n : edge / 1_000n)).toBe(true);
      },
    ),
    { numRuns: 3_000 },
  );
});
