// The order a form becomes and its effect in exact money.
import { describe, expect, test } from "vitest";
import { writeTrimmed } from "#trade/order/exact.ts";
import { exitDistance } from "#trade/order/exits.ts";
import { buildOrder, placeRefusal } from "./form-order.ts";
import { type Money, previewOrder } from "./form-preview.ts";
import { findFaults } from "./form-rules.ts";
import { formOf, WORLD } from "./test-world.ts";

function say(money: Money | undefined): string {
  return money === undefined ? "nothing" : `${writeTrimmed(money.value)} ${money.asset}`;
}

describe("the order that is sent", () => {
  test("[SPOT-2] a limit order contains what was typed and nothing else", () => {
    const form = formOf({ postOnly: true }, { price: "64,050.0", quantity: "0.10000", amount: "6405" });
    expect(buildOrder(form, WORLD)).toEqual({
      pairCode: "BTC_USDT",
      side: "buy",
      type: "limit",
      price: "64050",
      quantity: "0.1",
      timeInForce: "GTC",
      postOnly: true,
    });
  });

  test("[SPOT-2] options travel with their members only", () => {
    const form = formOf(
      { timeInForce: "GTD", iceberg: true, postOnly: true, reprice: true, selfTrade: "EXPIRE_MAKER" },
      { price: "64050", quantity: "0.1", visibleQuantity: "0.01", expiresAt: "2026-11-16T00:00" },
    );
    expect(buildOrder(form, WORLD)).toMatchObject({
      timeInForce: "GTD",
      expiresAtMs: Date.UTC(2026, 10, 16),
      visibleQuantity: "0.01",
      postOnly: "reprice",
      selfTrade: "EXPIRE_MAKER",
    });
  });

  test("[SPOT-2] a market buy contains either an amount or a quantity", () => {
    const byAmount = formOf({ kind: "market", sizeIn: "quote" }, { amount: "100", quantity: "0.5" });
    expect(buildOrder(byAmount, WORLD)).toEqual({ pairCode: "BTC_USDT", side: "buy", type: "market", amount: "100" });
    const sell = formOf({ kind: "market", side: "sell", sizeIn: "quote" }, { amount: "100", quantity: "0.5" });
    expect(buildOrder(sell, WORLD)).toEqual({ pairCode: "BTC_USDT", side: "sell", type: "market", quantity: "0.5" });
  });

  test("[SPOT-2] a plan contains the direction the user saw", () => {
    const at = (stopPrice: string) =>
      buildOrder(formOf({ kind: "stopMarket", side: "sell" }, { stopPrice, quantity: "0.1" }), WORLD).triggerDirection;
    expect(at("60000")).toBe("falls");
    expect(at("70000")).toBe("rises");
  });

  test("[SPOT-2] OCO, trailing stop, TWAP and scaled orders carry their own members", () => {
    const oco = formOf({ kind: "oco", side: "sell" }, { price: "66000", stopPrice: "62000", quantity: "0.1" });
    expect(buildOrder(oco, WORLD)).toEqual({
      pairCode: "BTC_USDT",
      side: "sell",
      type: "oco",
      price: "66000",
      stopPrice: "62000",
      quantity: "0.1",
    });
    const trail = formOf({ kind: "trailingStop", side: "sell" }, { callbackPercent: "1.50", quantity: "0.1" });
    expect(buildOrder(trail, WORLD)).toMatchObject({ type: "trailingStop", callbackPercent: "1.5", quantity: "0.1" });
    const twap = formOf({ kind: "twap" }, { price: "65000", quantity: "0.1" });
    expect(buildOrder(twap, WORLD)).toMatchObject({ durationSeconds: 1800, intervalSeconds: 60, price: "65000" });
    const scaled = formOf({ kind: "scaled", shape: "rising" }, { price: "60000", priceTo: "61000", quantity: "0.1" });
    expect(buildOrder(scaled, WORLD)).toMatchObject({ priceTo: "61000", count: 5, shape: "rising" });
  });

  test("[SPOT-2] exits make a bracket; a stop limit goes only with its stop", () => {
    const form = formOf(
      { exits: true },
      { price: "64050", quantity: "0.1", takeProfitPrice: "65400", stopLossLimitPrice: "63000" },
    );
    const order = buildOrder(form, WORLD);
    expect(order).toMatchObject({ takeProfitPrice: "65400" });
    expect(order).not.toHaveProperty("stopLossLimitPrice");
  });
});

describe("the effect", () => {
  test("[SPOT-4] a sale names what is given, what comes back and the fee to the last cent", () => {
    const effect = previewOrder(formOf({ side: "sell" }, { price: "64120.0", quantity: "0.5" }), WORLD);
    expect([say(effect?.pay), say(effect?.receive), say(effect?.fee)]).toEqual([
      "0.5 BTC",
      "32027.94 USDT",
      "32.06 USDT",
    ]);
    expect(effect?.role).toBe("maker");
  });

  test("[SPOT-4] a purchase pays its fee in the coin, rounded up to the ledger's unit", () => {
    const effect = previewOrder(formOf({}, { price: "64050", quantity: "0.1" }), WORLD);
    expect([say(effect?.pay), say(effect?.receive), say(effect?.fee)]).toEqual([
      "6405 USDT",
      "0.0999 BTC",
      "0.0001 BTC",
    ]);
    const tiny = previewOrder(formOf({}, { price: "64050", quantity: "0.00001" }), { ...WORLD, makerRate: "0.00065" });
    expect(say(tiny?.fee)).toBe("0.00000001 BTC");
  });

  test("[SPOT-4] a limit that trades at once pays the taker's rate of this user", () => {
    const world = { ...WORLD, makerRate: "0.0008", takerRate: "0.0009" };
    expect(previewOrder(formOf({}, { price: "64118.5", quantity: "0.1" }), world)).toMatchObject({
      role: "taker",
      rate: "0.0009",
    });
    expect(previewOrder(formOf({}, { price: "64118.4", quantity: "0.1" }), world)).toMatchObject({
      role: "maker",
      rate: "0.0008",
    });
    expect(previewOrder(formOf({ postOnly: true }, { price: "64118.5", quantity: "0.1" }), world)?.role).toBe("maker");
  });

  test("[SPOT-4] a market order by quantity walks the book", () => {
    const effect = previewOrder(formOf({ kind: "market", sizeIn: "base" }, { quantity: "0.4" }), WORLD);
    // 0.2 at 64 118.5 and 0.2 at 64 120.0
    expect(say(effect?.pay)).toBe("25647.7 USDT");
    expect(writeTrimmed(effect?.price ?? { units: 0n, scale: 0 })).toBe("64119.2");
    expect(effect).toMatchObject({ isEstimate: true, isPartial: false });
  });

  test("[SPOT-4] a market order by amount buys whole steps and shows the result", () => {
    const effect = previewOrder(formOf({ kind: "market", sizeIn: "quote" }, { amount: "100" }), WORLD);
    expect(say(effect?.pay)).toBe("99.383675 USDT");
    expect(say(effect?.receive)).toBe("0.00154845 BTC");
  });

  test("[SPOT-4] more than the book holds within the slippage is shown as partial", () => {
    const world = {
      ...WORLD,
      availableBase: "9",
      bids: [
        ["64118.3", "0.5"],
        ["50000", "9"],
      ],
    };
    const effect = previewOrder(formOf({ kind: "market", side: "sell" }, { quantity: "1" }), world);
    expect(effect?.isPartial).toBe(true);
    expect(say(effect?.pay)).toBe("0.5 BTC");
  });

  test("[SPOT-4] a scaled order costs the sum of its rungs", () => {
    const form = formOf({ kind: "scaled" }, { price: "60000", priceTo: "61000", count: "5", quantity: "0.1" });
    expect(say(previewOrder(form, WORLD)?.pay)).toBe("6050 USDT");
  });

  test("[SPOT-4] nothing is promised before enough is typed", () => {
    expect(previewOrder(formOf({}), WORLD)).toBeUndefined();
    expect(previewOrder(formOf({}, { quantity: "1" }), WORLD)).toBeUndefined();
    expect(previewOrder(formOf({ kind: "market" }, { amount: "10" }), { ...WORLD, asks: [] })).toBeUndefined();
  });

  test("[SPOT-4] the distance of an exit is signed and cut", () => {
    expect(exitDistance("65400", "64050")).toEqual({ units: 210n, scale: 2 });
    expect(exitDistance("63200", "64050")).toEqual({ units: -132n, scale: 2 });
    expect(exitDistance("", "64050")).toBeUndefined();
  });
});

describe("refusals of the server", () => {
  test("[SPOT-4] a code is shown next to its field, where the kind has one", () => {
    const limit = formOf({});
    expect(placeRefusal("PRICE_TOO_HIGH", limit)).toBe("price");
    expect(placeRefusal("INSUFFICIENT_BALANCE", limit)).toBe("quantity");
    expect(placeRefusal("INSUFFICIENT_BALANCE", formOf({ kind: "market", sizeIn: "quote" }))).toBe("amount");
    expect(placeRefusal("TRIGGER_ALREADY_TRUE", formOf({ kind: "stopMarket" }))).toBe("stopPrice");
    expect(placeRefusal("PRICE_TOO_HIGH", formOf({ kind: "market" }))).toBe("form");
    expect(placeRefusal("INVALID_BRACKET_PRICES", formOf({ exits: true }, { stopLossPrice: "1" }))).toBe(
      "stopLossPrice",
    );
    expect(placeRefusal("ENGINE_BUSY", limit)).toBe("form");
  });

  test("[SPOT-2] a form without faults builds an order for every kind", () => {
    const texts = { price: "60000", priceTo: "61000", stopPrice: "70000", quantity: "0.1", amount: "100" };
    for (const kind of [
      "limit",
      "market",
      "stopLimit",
      "stopMarket",
      "trailingStop",
      "oco",
      "twap",
      "scaled",
    ] as const) {
      const form = formOf({ kind }, texts);
      expect(findFaults(form, WORLD), kind).toEqual({});
      expect(buildOrder(form, WORLD).type).toBe(kind);
    }
  });
});
