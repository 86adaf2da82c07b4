// What is confirmed is what is sent: every member of every kind of order is written in the confirmation.
import { allOf } from "@clockwork/kit/all-of";
import { describe, expect, test } from "vitest";
import { tradeCatalogue } from "#locales/en-us-trade.ts";
import { writeTrimmed } from "#trade/order/exact.ts";
import { ORDER_KINDS, type OrderKind } from "#trade/order/form-kinds.ts";
import { describeMembers, type WordsParts } from "#trade/order/order-words.ts";
import { buildOrder } from "./form-order.ts";
import { holdOf, previewOrder } from "./form-preview.ts";
import type { FormState } from "./form-state.ts";
import { formOf, WORLD } from "./test-world.ts";

const PARTS: WordsParts = {
  text: (key, values) =>
    tradeCatalogue[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values?.[name] ?? whole)),
  assets: { price: "USDT", quantity: "BTC", value: "USDT" },
  priceDecimals: 1,
  quantityDecimals: 5,
  zone: "UTC0",
  slippageDefault: "5",
};

function linesOf(form: FormState) {
  return describeMembers(buildOrder(form, WORLD), PARTS);
}

function replyOf(form: FormState, label: string): string | undefined {
  return linesOf(form).find((line) => line.label === label)?.value;
}

const EXITS = { takeProfitPrice: "66000", stopLossPrice: "62000", stopLossLimitPrice: "61900" };

/** Each kind with everything it can carry. */
const FULL: Readonly<Record<OrderKind, FormState>> = {
  limit: formOf(
    { exits: true, postOnly: true, reprice: true, selfTrade: "EXPIRE_BOTH" },
    { price: "64050", quantity: "0.1", ...EXITS },
  ),
  market: formOf({ kind: "market", sizeIn: "quote", exits: true }, { amount: "500", slippagePercent: "0.5", ...EXITS }),
  stopLimit: formOf({ kind: "stopLimit" }, { stopPrice: "65000", price: "65100", quantity: "0.1" }),
  stopMarket: formOf({ kind: "stopMarket", side: "sell" }, { stopPrice: "60000", quantity: "0.1" }),
  trailingStop: formOf(
    { kind: "trailingStop", side: "sell" },
    { callbackPercent: "1.5", stopPrice: "66000", quantity: "0.1" },
  ),
  oco: formOf(
    { kind: "oco", side: "sell" },
    { price: "66000", stopPrice: "62000", stopLimitPrice: "61900", quantity: "0.1" },
  ),
  twap: formOf({ kind: "twap" }, { price: "65000", quantity: "0.5", durationMinutes: "30", intervalSeconds: "60" }),
  scaled: formOf(
    { kind: "scaled", shape: "rising" },
    { price: "60000", priceTo: "62000", count: "5", quantity: "0.5" },
  ),
};

describe("the question before an order", () => {
  test.each(ORDER_KINDS)("[SPOT-2] contains every member of a %s order as text", (kind) => {
    const order = buildOrder(FULL[kind], WORLD);
    const lines = linesOf(FULL[kind]);
    const reply = new Set(lines.flatMap((line) => line.members));
    const unsaid = Object.keys(order).filter((member) => !reply.has(member));
    expect(unsaid).toEqual(["pairCode", "side", "type"]);
    // As text: no line is labelled with a member's name on the wire.
    expect(lines.filter((line) => line.members.includes(line.label))).toEqual([]);
    expect(allOf(lines, (line) => line.value !== "" && !line.value.includes("{"))).toBe(true);
  });

  test("[SPOT-2] names triggers, callbacks, legs, schedules and both ends of a ladder", () => {
    expect(replyOf(FULL.stopLimit, "Trigger")).toBe("When the last price rises to 65,000.0 USDT");
    expect(replyOf(FULL.stopMarket, "Trigger")).toBe("When the last price falls to 60,000.0 USDT");
    expect(replyOf(FULL.trailingStop, "Callback")).toBe("1.5% below the highest price");
    expect(replyOf(FULL.trailingStop, "Activation")).toBe("66,000.0 USDT");
    expect(replyOf(FULL.oco, "Stop")).toBe("62,000.0 USDT, then limit 61,900.0 USDT");
    expect(replyOf(FULL.twap, "Schedule")).toBe("30 slices over 30 min, one every 60 s");
    expect(replyOf(FULL.scaled, "Prices")).toBe("60,000.0 to 62,000.0 USDT");
    expect(replyOf(FULL.limit, "Take profit")).toBe("66,000.0 USDT");
    expect(replyOf(FULL.limit, "Stop loss")).toBe("62,000.0 USDT, then limit 61,900.0 USDT");
    expect(replyOf(FULL.market, "Spend")).toBe("500.00 USDT");
  });

  test("[SPOT-2] a member without words is listed by its name, never left out", () => {
    const order = { ...buildOrder(FULL.limit, WORLD), newMember: 7 };
    expect(describeMembers(order, PARTS)).toContainEqual({ members: ["newMember"], label: "newMember", value: "7" });
  });

  test("[SPOT-2] only what is frozen is taken from what is left", () => {
    const held = (form: FormState) => {
      const effect = previewOrder(form, WORLD);
      return effect === undefined ? undefined : writeTrimmed(holdOf(form, WORLD, effect).value);
    };
    expect(held(FULL.stopLimit)).toBe("0");
    expect(held(formOf({ kind: "trailingStop" }, { quantity: "0.1" }))).toBe("0");
    expect(held(FULL.twap)).toBe("0");
    expect(held(FULL.stopMarket)).toBe("0.1");
    // The dearer leg of a buying OCO.
    const oco = { price: "62000", stopPrice: "66000", stopLimitPrice: "66100", quantity: "0.1" };
    expect(held(formOf({ kind: "oco" }, oco))).toBe("6610");
  });
});
