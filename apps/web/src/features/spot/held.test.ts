// What open orders hold, by asset.
import { expect, test } from "vitest";
import { writeTrimmed } from "#trade/order/exact.ts";
import type { TradeOrder } from "#trade/trade-order.ts";
import { sumHeld } from "./held.ts";

function order(changes: Partial<TradeOrder>): TradeOrder {
  const plain = { pairCode: "BTC_USDT", side: "buy", type: "limit", price: "60000", quantity: "0.5" } as const;
  return { ...plain, filledQuantity: "0.1", status: "PARTIALLY_FILLED", listId: null, ...changes } as TradeOrder;
}

test("[SPOT-4] what open orders hold is summed by asset, exactly", () => {
  const held = sumHeld([
    order({ price: "0.1", quantity: "0.3", filledQuantity: "0.1" }),
    order({ price: "0.1", quantity: "0.1", filledQuantity: "0" }),
    order({ side: "sell", quantity: "0.7", filledQuantity: "0.2" }),
    order({ status: "PENDING_TRIGGER", quantity: "9" }),
    order({ side: "sell", status: "PENDING_TRIGGER", quantity: "1", filledQuantity: "0" }),
    order({ side: "sell", status: "PENDING_TRIGGER", quantity: "1", filledQuantity: "0", listId: "4" }),
  ]);
  expect([...held].map(([asset, amount]) => `${writeTrimmed(amount)} ${asset}`)).toEqual(["0.03 USDT", "1.5 BTC"]);
});
