// Which pending orders the exchange has: exits of the working order.
import { expect, test } from "vitest";
import { DialectRefusal } from "../refusal.ts";
import { Parameters } from "../request.ts";
import { readPending } from "./pending.ts";

const WORKING = {
  workingType: "LIMIT",
  workingTimeInForce: "GTC",
  workingSide: "BUY",
  workingPrice: "100",
  workingQuantity: "2",
  pendingSide: "SELL",
  pendingQuantity: "2",
};
const read = (kind: "oto" | "otoco", more: Readonly<Record<string, string>>) =>
  readPending(new Parameters(new Map(Object.entries({ ...WORKING, ...more }))), kind);
const ENTRY = { side: "buy", type: "limit", price: "100", quantity: "2", timeInForce: "GTC" };

test("[BOT-1] a pending order takes profit or stops a loss, two do both", () => {
  expect(read("oto", { pendingType: "LIMIT_MAKER", pendingPrice: "110" })).toEqual({
    ...ENTRY,
    takeProfitPrice: "110",
  });
  expect(read("oto", { pendingType: "STOP_LOSS", pendingStopPrice: "90" })).toEqual({ ...ENTRY, stopLossPrice: "90" });
  const above = { pendingAboveType: "LIMIT_MAKER", pendingAbovePrice: "110" };
  const below = { pendingBelowType: "STOP_LOSS_LIMIT", pendingBelowStopPrice: "90", pendingBelowPrice: "89" };
  expect(read("otoco", { ...above, ...below })).toEqual({
    ...ENTRY,
    takeProfitPrice: "110",
    stopLossPrice: "90",
    stopLossLimitPrice: "89",
  });
});

test.each([
  ["on the same side", { pendingSide: "BUY" }],
  ["of another quantity", { pendingQuantity: "1" }],
  ["of another type", { pendingType: "MARKET" }],
  ["with a name of its own", { pendingClientOrderId: "mine" }],
  ["that ends at once", { pendingTimeInForce: "IOC" }],
])("[BOT-1] a pending order %s is refused", (_, more) => {
  expect(() => read("oto", { pendingType: "LIMIT", pendingPrice: "110", ...more })).toThrow(DialectRefusal);
});

test("[BOT-1] two pending orders of one kind are refused", () => {
  const both = {
    pendingAboveType: "LIMIT",
    pendingAbovePrice: "110",
    pendingBelowType: "LIMIT",
    pendingBelowPrice: "90",
  };
  expect(() => read("otoco", both)).toThrow("the other stop a loss");
});
