// What the form refuses before the server would: every rule with its code next to its field.
import { describe, expect, test } from "vitest";
import { countSlices, findFaults, findNeed } from "./form-rules.ts";
import type { FormState, FormWorld, TextField } from "./form-state.ts";
import { formOf, WORLD } from "./test-world.ts";

type Options = Partial<Omit<FormState, "texts">>;
type Texts = Partial<Record<TextField, string>>;

function codesOf(options: Options, texts: Texts, world: FormWorld = WORLD): Readonly<Record<string, string>> {
  const faults = findFaults(formOf(options, texts), world);
  return Object.fromEntries(Object.entries(faults).map(([field, fault]) => [field, fault.code]));
}

const GOOD: Texts = { price: "64050", quantity: "0.1" };

describe("limit orders", () => {
  test("[SPOT-2] a whole order has no faults", () => {
    expect(codesOf({}, GOOD)).toEqual({});
  });

  test("[SPOT-2] missing input is reported next to its field", () => {
    expect(codesOf({}, {})).toEqual({ price: "REQUIRED", quantity: "REQUIRED" });
    expect(codesOf({}, { price: "0", quantity: "0" })).toEqual({ price: "REQUIRED", quantity: "REQUIRED" });
    expect(codesOf({}, { price: "abc", quantity: "1e3" })).toEqual({ price: "ILLEGAL", quantity: "ILLEGAL" });
  });

  const table: readonly (readonly [string, Texts, Readonly<Record<string, string>>])[] = [
    ["off the tick", { price: "64050.05", quantity: "0.1" }, { price: "INVALID_PRICE" }],
    ["off the step", { price: "64050", quantity: "0.000001" }, { quantity: "INVALID_QUANTITY" }],
    ["too much", { price: "20000", quantity: "901" }, { quantity: "QUANTITY_TOO_LARGE" }],
    ["too little money", { price: "64050", quantity: "0.00007" }, { quantity: "NOTIONAL_TOO_SMALL" }],
    ["above the band", { price: "80000", quantity: "0.1" }, { price: "PRICE_TOO_HIGH" }],
    ["below the band", { price: "12000", quantity: "0.1" }, { price: "PRICE_TOO_LOW" }],
    ["more than is there", { price: "64050", quantity: "0.41" }, { quantity: "INSUFFICIENT_BALANCE" }],
  ];
  for (const [name, texts, expected] of table) {
    test(`[SPOT-2] ${name} is refused with its code`, () => expect(codesOf({}, texts)).toEqual(expected));
  }

  test("[SPOT-2] the least worth is exact: five dollars pass, a tick less does not", () => {
    expect(codesOf({}, { price: "50000", quantity: "0.0001" })).toEqual({});
    expect(codesOf({}, { price: "49999.9", quantity: "0.0001" })).toEqual({ quantity: "NOTIONAL_TOO_SMALL" });
  });

  test("[SPOT-2] the last unit of the balance may be spent and no more", () => {
    const world = { ...WORLD, availableQuote: "6405" };
    expect(codesOf({}, GOOD, world)).toEqual({});
    expect(codesOf({}, { price: "64050.1", quantity: "0.1" }, world)).toEqual({ quantity: "INSUFFICIENT_BALANCE" });
  });

  test("[SPOT-2] a selling limit is judged by what is held and by the seller's band", () => {
    expect(codesOf({ side: "sell" }, { price: "80000", quantity: "0.1" })).toEqual({});
    expect(codesOf({ side: "sell" }, { price: "50000", quantity: "0.1" })).toEqual({ price: "PRICE_TOO_LOW" });
    expect(codesOf({ side: "sell" }, { price: "64120", quantity: "0.5" })).toEqual({
      quantity: "INSUFFICIENT_BALANCE",
    });
  });

  test("[SPOT-2] post-only may not cross unless it may be moved", () => {
    expect(codesOf({ postOnly: true }, { price: "64118.5", quantity: "0.1" })).toEqual({
      price: "POST_ONLY_WOULD_CROSS",
    });
    expect(codesOf({ postOnly: true }, { price: "64118.4", quantity: "0.1" })).toEqual({});
    expect(codesOf({ postOnly: true, reprice: true }, { price: "64118.5", quantity: "0.1" })).toEqual({});
    expect(codesOf({ postOnly: true, side: "sell" }, { price: "64118.3", quantity: "0.1" })).toEqual({
      price: "POST_ONLY_WOULD_CROSS",
    });
  });

  test("[SPOT-2] an expiry is a minute to ninety days ahead, in the user's time zone", () => {
    const at = (expiresAt: string, world = WORLD) => codesOf({ timeInForce: "GTD" }, { ...GOOD, expiresAt }, world);
    expect(at("")).toEqual({ expiresAt: "REQUIRED" });
    expect(at("2026-11-15T12:00")).toEqual({ expiresAt: "INVALID_EXPIRY" });
    expect(at("2026-11-15T12:01")).toEqual({});
    expect(at("2027-02-13T12:00")).toEqual({});
    expect(at("2027-02-13T12:01")).toEqual({ expiresAt: "INVALID_EXPIRY" });
    expect(at("2026-02-30T12:00")).toEqual({ expiresAt: "ILLEGAL" });
    expect(at("2026-11-15T20:01", { ...WORLD, zone: "UTC8" })).toEqual({});
  });

  test("[SPOT-2] an iceberg shows at least a twentieth and at most all of it", () => {
    const at = (visibleQuantity: string) => codesOf({ iceberg: true }, { ...GOOD, visibleQuantity });
    expect(at("0.005")).toEqual({});
    expect(at("0.00499")).toEqual({ visibleQuantity: "INVALID_ICEBERG" });
    expect(at("0.10001")).toEqual({ visibleQuantity: "INVALID_ICEBERG" });
    expect(
      findFaults(formOf({ iceberg: true }, { ...GOOD, visibleQuantity: "0.00001" }), WORLD).visibleQuantity,
    ).toEqual({
      code: "INVALID_ICEBERG",
      limit: "0.00500",
    });
  });

  test("[SPOT-2] exits are on their sides of the entry, and one is enough", () => {
    const at = (texts: Texts, side: "buy" | "sell" = "buy") => codesOf({ exits: true, side }, { ...GOOD, ...texts });
    expect(at({})).toEqual({ takeProfitPrice: "REQUIRED", stopLossPrice: "REQUIRED" });
    expect(at({ takeProfitPrice: "65400" })).toEqual({});
    expect(at({ stopLossPrice: "63200" })).toEqual({});
    expect(at({ takeProfitPrice: "64050", stopLossPrice: "64050" })).toEqual({
      takeProfitPrice: "EXIT_ABOVE_ENTRY",
      stopLossPrice: "EXIT_BELOW_ENTRY",
    });
    expect(at({ takeProfitPrice: "65400", stopLossPrice: "63200" }, "sell")).toEqual({
      takeProfitPrice: "EXIT_BELOW_ENTRY",
      stopLossPrice: "EXIT_ABOVE_ENTRY",
    });
  });

  test("[SPOT-2] open orders are counted", () => {
    expect(codesOf({}, GOOD, { ...WORLD, openOrders: 200 })).toEqual({ form: "TOO_MANY_ORDERS" });
    expect(codesOf({ timeInForce: "IOC" }, GOOD, { ...WORLD, openOrders: 200 })).toEqual({});
  });

  test("[SPOT-2] a ladder of orders counts as many as it has rungs", () => {
    const ladder: Texts = { price: "60000", priceTo: "61000", count: "5", quantity: "0.1" };
    const at = (openOrders: number) => codesOf({ kind: "scaled" }, ladder, { ...WORLD, openOrders });
    expect(at(195)).toEqual({});
    expect(at(196)).toEqual({ form: "TOO_MANY_ORDERS" });
  });

  test("[SPOT-2] a price out of the band by no more than the average may move is left to the core", () => {
    const world = { ...WORLD, bandPrice: "50000", availableQuote: "90000" };
    const buy = (price: string) => codesOf({}, { price, quantity: "0.1" }, world);
    const sell = (price: string) => codesOf({ side: "sell" }, { price, quantity: "0.1" }, world);
    // Bounds of 60,000 and 40,000, and two in a thousand of them.
    expect(buy("60120")).toEqual({});
    expect(buy("60120.1")).toEqual({ price: "PRICE_TOO_HIGH" });
    expect(sell("39920")).toEqual({});
    expect(sell("39919.9")).toEqual({ price: "PRICE_TOO_LOW" });
  });

  test("[SPOT-2] a market that does not trade takes nothing", () => {
    expect(codesOf({}, GOOD, { ...WORLD, pair: { ...WORLD.pair, status: "HALT" } })).toEqual({
      form: "MARKET_NOT_TRADING",
    });
  });

  test("[SPOT-2] the band is computed from the core's published average, not from the last trade", () => {
    const world = { ...WORLD, bandPrice: "50000", availableQuote: "90000" };
    expect(codesOf({}, { price: "60000", quantity: "0.1" }, world)).toEqual({});
    expect(codesOf({}, { price: "60200", quantity: "0.1" }, world)).toEqual({ price: "PRICE_TOO_HIGH" });
    expect(codesOf({ side: "sell" }, { price: "40000", quantity: "0.1" }, world)).toEqual({});
    expect(codesOf({ side: "sell" }, { price: "39900", quantity: "0.1" }, world)).toEqual({ price: "PRICE_TOO_LOW" });
  });

  test("[SPOT-2] an amount has no more decimals than the ledger keeps", () => {
    const buy = (amount: string) => codesOf({ kind: "market" }, { amount });
    expect(buy("100.000001")).toEqual({});
    expect(buy("100.0000001")).toEqual({ amount: "INVALID_AMOUNT" });
  });

  test("[SPOT-2] missing data is not validated", () => {
    const bare = {
      ...WORLD,
      availableQuote: undefined,
      last: undefined,
      bandPrice: undefined,
      openOrders: undefined,
      asks: [],
      bids: [],
    };
    expect(codesOf({}, { price: "1", quantity: "9" }, bare)).toEqual({});
  });
});

describe("market orders", () => {
  test("[SPOT-2] by amount: at least the least worth, at most what is there", () => {
    const at = (amount: string) => codesOf({ kind: "market", sizeIn: "quote" }, { amount });
    expect(at("")).toEqual({ amount: "REQUIRED" });
    expect(at("4.99")).toEqual({ amount: "NOTIONAL_TOO_SMALL" });
    expect(at("5")).toEqual({});
    expect(at("25620")).toEqual({});
    expect(at("25620.01")).toEqual({ amount: "INSUFFICIENT_BALANCE" });
  });

  test("[SPOT-2] by quantity: what it may cost at worst must be there", () => {
    const at = (quantity: string) => codesOf({ kind: "market", sizeIn: "base" }, { quantity });
    expect(at("0.38054")).toEqual({});
    expect(at("0.38055")).toEqual({ quantity: "INSUFFICIENT_BALANCE" });
    expect(at("91")).toEqual({ quantity: "QUANTITY_TOO_LARGE" });
  });

  test("[SPOT-2] slippage has its bounds, and an empty side has nothing to give", () => {
    const at = (slippagePercent: string) => codesOf({ kind: "market" }, { amount: "10", slippagePercent });
    expect(at("0.01")).toEqual({});
    expect(at("10.01")).toEqual({ slippagePercent: "INVALID_SLIPPAGE" });
    expect(codesOf({ kind: "market" }, { amount: "10" }, { ...WORLD, asks: [] })).toEqual({ form: "NO_LIQUIDITY" });
  });
});

describe("plans", () => {
  test("[SPOT-2] a stop at the last price would fire at once", () => {
    expect(codesOf({ kind: "stopMarket" }, { stopPrice: "64118.4", quantity: "0.1" })).toEqual({
      stopPrice: "TRIGGER_ALREADY_TRUE",
    });
    expect(codesOf({ kind: "stopMarket" }, { stopPrice: "65000", quantity: "0.1" })).toEqual({});
    expect(
      codesOf({ kind: "stopMarket" }, { stopPrice: "65000", quantity: "0.1" }, { ...WORLD, last: undefined }),
    ).toEqual({
      form: "NO_REFERENCE_PRICE",
    });
  });

  test("[SPOT-2] a buying plan freezes nothing, a selling one what it protects", () => {
    const plan = formOf({ kind: "stopLimit" }, { stopPrice: "65000", price: "65100", quantity: "9" });
    expect(findNeed(plan, WORLD)).toBeUndefined();
    expect(findFaults(plan, WORLD)).toEqual({});
    expect(codesOf({ kind: "stopLimit", side: "sell" }, { stopPrice: "60000", price: "59900", quantity: "9" })).toEqual(
      {
        quantity: "INSUFFICIENT_BALANCE",
      },
    );
  });

  test("[SPOT-2] a trailing stop requires a callback of 0.1 to 10 per cent", () => {
    const at = (callbackPercent: string) =>
      codesOf({ kind: "trailingStop", side: "sell" }, { callbackPercent, quantity: "0.1" });
    expect(at("0.1")).toEqual({});
    expect(at("0.09")).toEqual({ callbackPercent: "INVALID_CALLBACK" });
    expect(at("10.1")).toEqual({ callbackPercent: "INVALID_CALLBACK" });
    expect(at("1.005")).toEqual({ callbackPercent: "INVALID_CALLBACK" });
  });

  test("[SPOT-2] the legs of an OCO are on both sides of the last price", () => {
    const sell = (price: string, stopPrice: string) =>
      codesOf({ kind: "oco", side: "sell" }, { price, stopPrice, quantity: "0.1" });
    expect(sell("66000", "62000")).toEqual({});
    expect(sell("64000", "62000")).toEqual({ price: "OCO_ABOVE_LAST" });
    expect(sell("66000", "65000")).toEqual({ stopPrice: "OCO_BELOW_LAST" });
    const buy = (price: string, stopPrice: string) => codesOf({ kind: "oco" }, { price, stopPrice, quantity: "0.1" });
    expect(buy("62000", "66000")).toEqual({});
    expect(buy("66000", "62000")).toEqual({ price: "OCO_BELOW_LAST", stopPrice: "OCO_ABOVE_LAST" });
  });

  test("[SPOT-2] a TWAP is judged by its even slice", () => {
    const at = (quantity: string, durationMinutes = "30", intervalSeconds = "60") =>
      codesOf({ kind: "twap" }, { price: "65000", quantity, durationMinutes, intervalSeconds });
    expect(at("0.1")).toEqual({});
    expect(at("0.002")).toEqual({ quantity: "PART_NOTIONAL_TOO_SMALL" });
    expect(at("0.0002")).toEqual({ quantity: "PART_TOO_SMALL" });
    expect(at("0.1", "4")).toEqual({ durationMinutes: "INVALID_DURATION" });
    expect(at("0.1", "30", "301")).toEqual({ intervalSeconds: "INVALID_INTERVAL" });
    expect(countSlices(formOf({ kind: "twap" }, { durationMinutes: "5", intervalSeconds: "70" }))).toBe(4);
  });

  test("[SPOT-2] a scaled order is judged by its smallest rung, its spread and the sum of its rungs", () => {
    const at = (texts: Texts) =>
      codesOf({ kind: "scaled" }, { price: "60000", priceTo: "61000", count: "5", quantity: "0.1", ...texts });
    expect(at({})).toEqual({});
    expect(at({ quantity: "0.0002" })).toEqual({ quantity: "PART_NOTIONAL_TOO_SMALL" });
    expect(at({ priceTo: "60000.3" })).toEqual({ priceTo: "INVALID_SCALE" });
    expect(at({ quantity: "1" })).toEqual({ quantity: "INSUFFICIENT_BALANCE" });
    expect(at({ count: "51" })).toEqual({ count: "INVALID_COUNT" });
    expect(at({ priceTo: "90000" })).toEqual({ priceTo: "PRICE_TOO_HIGH" });
  });
});
