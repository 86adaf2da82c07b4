// The order form's arithmetic: fields that follow one another, the slider, the most that can be ordered.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  divideFloor,
  floorToGrid,
  isOnGrid,
  multiply,
  readServed,
  readTyped,
  subtract,
  writeShown,
  writeTrimmed,
} from "#trade/order/exact.ts";
import { ORDER_KINDS } from "#trade/order/form-kinds.ts";
import {
  applyPercent,
  chooseKind,
  chooseSide,
  clearAmounts,
  editText,
  maxQuantity,
  percentOf,
  protectiveLimit,
  settleAmount,
  takePick,
} from "./form-model.ts";
import { type FormState, fieldsOf, settleOptions } from "./form-state.ts";
import { formOf, WORLD } from "./test-world.ts";

describe("amounts", () => {
  test("[SPOT-2] typed amounts are read exactly, grouped or plain", () => {
    expect(readTyped("1,000.5")).toEqual({ units: 10005n, scale: 1 });
    expect(readTyped("1000.")).toEqual({ units: 1000n, scale: 0 });
    expect(readTyped("0.1")).toEqual({ units: 1n, scale: 1 });
    for (const bad of ["", "1e3", "-1", "+1", "1,00", "1.2.3", "0x1", "½", "1 000", "01"]) {
      expect(readTyped(bad), bad).toBeUndefined();
    }
  });

  test("[SPOT-2] steps are counted without a float: 0.3 is three steps of 0.1", () => {
    expect(isOnGrid(readServed("0.3"), readServed("0.1"))).toBe(true);
    expect(isOnGrid(readServed("0.35"), readServed("0.1"))).toBe(false);
    expect(writeTrimmed(floorToGrid(readServed("0.35"), readServed("0.1")))).toBe("0.3");
    expect(writeTrimmed(subtract(readServed("0.3"), readServed("0.1")))).toBe("0.2");
    expect(writeShown(readServed("1234567.5"), 2)).toBe("1,234,567.50");
    expect(writeShown(readServed("0.12345678"), 2)).toBe("0.12345678");
  });

  test("[SPOT-2] a quotient cut to a grid never exceeds what it was cut from", () => {
    const amount = fc.tuple(fc.bigInt(0n, 10n ** 18n), fc.integer({ min: 0, max: 8 }));
    fc.assert(
      fc.property(
        amount,
        fc.bigInt(1n, 10n ** 12n),
        fc.integer({ min: 0, max: 8 }),
        ([units, scale], divisor, places) => {
          const value = { units, scale };
          const quotient = divideFloor(value, { units: divisor, scale: 3 }, places);
          const back = multiply(quotient, { units: divisor, scale: 3 });
          expect(subtract(value, back).units >= 0n).toBe(true);
        },
      ),
    );
  });
});

describe("fields that follow", () => {
  test("[SPOT-4] the total follows price and quantity", () => {
    const priced = editText(formOf({}), WORLD, "price", "64050.0");
    expect(editText(priced, WORLD, "quantity", "0.1").texts.amount).toBe("6405.00");
    expect(editText(priced, WORLD, "quantity", "0.00003").texts.amount).toBe("1.9215");
    expect(editText(editText(priced, WORLD, "quantity", "0.1"), WORLD, "quantity", "").texts.amount).toBe("");
  });

  test("[SPOT-4] the quantity follows the total, cut to the step, and the typed total remains until it is left", () => {
    const priced = editText(formOf({}), WORLD, "price", "64050");
    const typed = editText(priced, WORLD, "amount", "100");
    expect(typed.texts.quantity).toBe("0.00156");
    expect(typed.texts.amount).toBe("100");
    expect(settleAmount(typed, WORLD).texts.amount).toBe("99.918");
  });

  test("[SPOT-4] a price picked in the book goes to the field the kind is about", () => {
    const take = (form: FormState) => takePick(form, WORLD, { source: "trades", price: "64110.0" }, "affordable");
    expect(take(formOf({})).texts.price).toBe("64110.0");
    expect(take(formOf({ kind: "stopMarket" })).texts.stopPrice).toBe("64110.0");
    const market = formOf({ kind: "market" });
    expect(take(market)).toBe(market);
    expect(take(formOf({}, { quantity: "0.1" })).texts.amount).toBe("6411.00");
  });

  test("[SPOT-4] a level brings at most what can be paid, the price alone where that is wanted, and never over what was typed", () => {
    const pick = { source: "book", price: "64120.0", quantity: "50", side: "buy" } as const;
    // 25,620 USDT pay for 0.39956 at 64,120.
    expect(takePick(formOf({}), WORLD, pick, "affordable").texts.quantity).toBe("0.39956");
    expect(takePick(formOf({ side: "sell" }), WORLD, pick, "affordable").texts.quantity).toBe("0.38240");
    const small = { ...pick, quantity: "0.2" };
    expect(takePick(formOf({}), WORLD, small, "affordable").texts.quantity).toBe("0.20000");
    expect(takePick(formOf({}), WORLD, pick, "price").texts).toMatchObject({ price: "64120.0", quantity: "" });
    expect(takePick(formOf({}, { quantity: "0.1" }), WORLD, pick, "affordable").texts.quantity).toBe("0.1");
    const poor = { ...WORLD, availableQuote: "0" };
    expect(takePick(formOf({}), poor, pick, "affordable").texts.quantity).toBe("");
    const unknown = { ...WORLD, availableQuote: undefined };
    expect(takePick(formOf({}), unknown, pick, "affordable").texts.quantity).toBe("");
  });

  test("[SPOT-4] the menu of the chart brings kind, side and price", () => {
    const pick = { source: "chart", price: "60000.0", side: "sell", kind: "stopMarket" } as const;
    expect(takePick(formOf({}), WORLD, pick, "affordable")).toMatchObject({
      kind: "stopMarket",
      side: "sell",
      texts: { stopPrice: "60000.0" },
    });
  });

  test("[SPOT-4] a kind with a price starts from the last one and keeps what was typed", () => {
    expect(chooseKind(formOf({ kind: "market" }), WORLD, "limit").texts.price).toBe("64118.4");
    expect(chooseKind(formOf({ kind: "market" }, { price: "60000" }), WORLD, "limit").texts.price).toBe("60000");
  });

  test("[SPOT-4] a stop's trigger does not become a trailing stop's activation price, nor the other way round", () => {
    const stop = formOf({ kind: "stopLimit" }, { stopPrice: "60000", price: "59900" });
    expect(chooseKind(stop, WORLD, "trailingStop").texts.stopPrice).toBe("");
    expect(chooseKind(stop, WORLD, "stopMarket").texts.stopPrice).toBe("60000");
    const trailing = formOf({ kind: "trailingStop" }, { stopPrice: "70000" });
    expect(chooseKind(trailing, WORLD, "stopLimit").texts.stopPrice).toBe("");
  });

  test("[SPOT-4] after an order the amounts are empty and the price remains", () => {
    const cleared = clearAmounts(formOf({ percent: 25 }, { price: "64050", quantity: "0.1", amount: "6405.00" }));
    expect(cleared.texts).toMatchObject({ price: "64050", quantity: "", amount: "" });
    expect(cleared.percent).toBeUndefined();
  });
});

describe("the most", () => {
  test("[SPOT-4] max buy is what the quote buys at the price, max sell is what is held", () => {
    const form = formOf({}, { price: "64050" });
    expect(writeTrimmed(maxQuantity(form, WORLD) ?? { units: -1n, scale: 0 })).toBe("0.4");
    expect(writeTrimmed(maxQuantity(chooseSide(form, "sell"), WORLD) ?? { units: -1n, scale: 0 })).toBe("0.3824");
  });

  test("[SPOT-4] a market order by quantity is bound by its protective price and the pair's largest market order", () => {
    const form = formOf({ kind: "market", sizeIn: "base" });
    expect(writeTrimmed(protectiveLimit(form, WORLD) ?? { units: -1n, scale: 0 })).toBe("67324.4");
    expect(writeTrimmed(protectiveLimit({ ...form, side: "sell" }, WORLD) ?? { units: -1n, scale: 0 })).toBe("60912.4");
    expect(writeTrimmed(maxQuantity(form, WORLD) ?? { units: -1n, scale: 0 })).toBe("0.38054");
    const rich = { ...WORLD, availableQuote: "100000000000" };
    expect(writeTrimmed(maxQuantity(form, rich) ?? { units: -1n, scale: 0 })).toBe("90");
  });

  test("[SPOT-4] without a balance or a price there is no most", () => {
    expect(maxQuantity(formOf({}), WORLD)).toBeUndefined();
    expect(maxQuantity(formOf({}, { price: "0" }), WORLD)).toBeUndefined();
    expect(maxQuantity(formOf({}, { price: "1" }), { ...WORLD, availableQuote: undefined })).toBeUndefined();
  });

  test("[SPOT-4] a buying OCO is bound by its dearer leg", () => {
    const form = formOf({ kind: "oco" }, { price: "60000", stopPrice: "70000" });
    expect(writeTrimmed(maxQuantity(form, WORLD) ?? { units: -1n, scale: 0 })).toBe("0.34857");
  });
});

describe("the slider", () => {
  test("[SPOT-4] a share of the most becomes quantity and total", () => {
    const quarter = applyPercent(formOf({}, { price: "64050" }), WORLD, 25);
    expect(quarter.texts).toMatchObject({ quantity: "0.10000", amount: "6405.00" });
    expect(percentOf(quarter, WORLD)).toBe(25);
  });

  test("[SPOT-4] a market buy by amount takes a share of the quote", () => {
    const half = applyPercent(formOf({ kind: "market", sizeIn: "quote" }), WORLD, 50);
    expect(half.texts.amount).toBe("12810.00");
  });

  test("[SPOT-4] an amount typed moves the slider to the share it is", () => {
    const form = formOf({}, { price: "64050" });
    expect(percentOf(editText(form, WORLD, "quantity", "0.2"), WORLD)).toBe(50);
    expect(percentOf(editText(form, WORLD, "quantity", "9"), WORLD)).toBe(100);
    expect(percentOf(form, WORLD)).toBe(0);
  });

  test("[SPOT-4] the whole of the slider never needs more than there is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 5_000_000 }), (percent, ticks) => {
        const price = writeTrimmed({ units: BigInt(ticks), scale: 1 });
        const form = applyPercent(formOf({}, { price }), WORLD, percent);
        const cost = multiply(readServed(price), readServed(form.texts.quantity));
        expect(subtract(readServed(WORLD.availableQuote), cost).units >= 0n).toBe(true);
      }),
    );
  });
});

describe("options", () => {
  test("[SPOT-2] options that do not go together let one another go", () => {
    expect(settleOptions(formOf({ postOnly: true, timeInForce: "IOC" })).postOnly).toBe(false);
    expect(settleOptions(formOf({ iceberg: true, exits: true })).iceberg).toBe(false);
    expect(settleOptions(formOf({ exits: true, timeInForce: "GTD" })).timeInForce).toBe("GTC");
    expect(settleOptions(formOf({ kind: "market", postOnly: true, iceberg: true, timeInForce: "FOK" }))).toMatchObject({
      postOnly: false,
      iceberg: false,
      timeInForce: "GTC",
    });
  });

  test("[SPOT-2] every kind has a field for how much", () => {
    for (const kind of ORDER_KINDS) {
      expect(fieldsOf(formOf({ kind })).some((field) => field === "quantity" || field === "amount")).toBe(true);
    }
  });
});
