// One's orders as rows: filters, sums, exports, and what fetched and live rows make together.
import { describe, expect, test } from "vitest";
import { canAmend, isPlan, type TradeOrder } from "#trade/trade-order.ts";
import {
  countCleared,
  endsWith,
  exitsOf,
  filledPercent,
  keepOrders,
  mergeOrders,
  NO_FILTERS,
  orderAmount,
  orderExport,
  orderTotal,
  shortTime,
} from "./orders-model.ts";

function order(changes: Partial<TradeOrder> = {}): TradeOrder {
  return {
    orderId: "1",
    clientOrderId: null,
    pairCode: "BTC_USDT",
    side: "buy",
    type: "limit",
    timeInForce: "GTC",
    postOnly: false,
    isIceberg: false,
    price: "60000",
    quantity: "0.5",
    amount: null,
    filledQuantity: "0.1",
    filledAmount: "6000",
    averagePrice: "60000",
    status: "PARTIALLY_FILLED",
    endReason: null,
    stopPrice: null,
    triggerDirection: null,
    callbackPercent: null,
    takeProfitPrice: null,
    stopLossPrice: null,
    listId: null,
    listLeg: null,
    createdAtMs: Date.UTC(2026, 2, 18, 14, 21, 40),
    updatedAtMs: 1,
    ...changes,
  };
}

describe("cells", () => {
  test("[SPOT-4] the filled share is cut, never rounded up to done", () => {
    expect(filledPercent(order())).toBe("20%");
    expect(filledPercent(order({ quantity: "3", filledQuantity: "2.9999" }))).toBe("99%");
    expect(filledPercent(order({ quantity: null, amount: "200", filledAmount: "100" }))).toBe("50%");
  });

  test("[SPOT-4] an order by amount that is done reads done, and shows what it got", () => {
    const done = order({
      type: "market",
      price: null,
      quantity: null,
      amount: "500",
      filledAmount: "499.948",
      filledQuantity: "0.00780",
      status: "FILLED",
    });
    expect(filledPercent(done)).toBe("100%");
    expect(orderAmount(done, "USDT")).toBe("0.00780");
    expect(orderAmount({ ...done, filledQuantity: "0", status: "NEW" }, "USDT")).toBe("500.00 USDT");
    expect(orderAmount(order(), "USDT")).toBe("0.5");
  });

  test("[SPOT-4] cancelling one leg of a list names the others that end with it", () => {
    const profit = order({ orderId: "2", listId: "9", listLeg: "profit" });
    const stop = order({ orderId: "3", listId: "9", listLeg: "stop" });
    const other = order({ orderId: "4", listId: "10", listLeg: "stop" });
    expect(endsWith(profit, [profit, stop, other])).toEqual([stop]);
    expect(endsWith(order(), [order({ orderId: "5" }), profit])).toEqual([]);
  });

  test("[SPOT-4] cancel all ends what was chosen and nothing else", () => {
    const plan = order({ orderId: "2", status: "PENDING_TRIGGER", type: "stopLimit" });
    const away = order({ orderId: "3", pairCode: "ETH_USDT" });
    const all = [order(), plan, away];
    expect(countCleared(all, { scope: "orders", pairCode: undefined })).toBe(2);
    expect(countCleared(all, { scope: "orders", pairCode: "BTC_USDT" })).toBe(1);
    expect(countCleared(all, { scope: "plans", pairCode: undefined })).toBe(1);
    expect(countCleared(all, { scope: "all", pairCode: "BTC_USDT" })).toBe(2);
  });

  test("[SPOT-4] a total is what the whole order comes to", () => {
    expect(orderTotal(order())).toBe("30,000.00");
    expect(orderTotal(order({ quantity: null, amount: "200", price: null }))).toBe("200.00");
    expect(orderTotal(order({ price: null, filledAmount: "0", filledQuantity: "0" }))).toBe("–");
    expect(orderTotal(order({ price: null, stopPrice: "50000" }))).toBe("25,000.00");
  });

  test("[SPOT-4] times are shown in the time zone the user chose", () => {
    expect(shortTime(order().createdAtMs, "UTC0")).toBe("03-18 14:21:40");
    expect(shortTime(order().createdAtMs, "UTC8")).toBe("03-18 22:21:40");
  });

  test("[SPOT-4] exits are identified by the plans of the same list", () => {
    const entry = order({ listId: "9", listLeg: "entry" });
    const legs = [
      order({ orderId: "2", listId: "9", listLeg: "profit", price: "65200" }),
      order({ orderId: "3", listId: "9", listLeg: "stop", stopPrice: "62900", price: null }),
    ];
    expect(exitsOf(entry, [entry, ...legs])).toBe("65,200 / 62,900");
    expect(exitsOf(order(), legs)).toBe("–");
    const unfilled = order({ listId: "9", listLeg: "entry", takeProfitPrice: "66000", stopLossPrice: null });
    expect(exitsOf(unfilled, [unfilled])).toBe("66,000 / –");
  });

  test("[SPOT-4] only resting limit orders are changed in place; plans are distinguished", () => {
    expect(canAmend(order())).toBe(true);
    expect(canAmend(order({ status: "FILLED" }))).toBe(false);
    expect(canAmend(order({ type: "stopLimit", status: "PENDING_TRIGGER" }))).toBe(false);
    expect(isPlan(order({ type: "twap", status: "NEW" }))).toBe(true);
    expect(isPlan(order({ status: "PENDING_TRIGGER" }))).toBe(true);
    expect(isPlan(order())).toBe(false);
  });
});

describe("lists", () => {
  test("[SPOT-4] filters leave what they say", () => {
    const rows = [order(), order({ orderId: "2", pairCode: "ETH_USDT", side: "sell", type: "market", createdAtMs: 5 })];
    const ids = (filters: object) =>
      keepOrders(rows, { ...NO_FILTERS, ...filters }, Date.UTC(2026, 2, 19)).map((one) => one.orderId);
    expect(ids({})).toEqual(["1", "2"]);
    expect(ids({ pairCode: "BTC_USDT" })).toEqual(["1"]);
    expect(ids({ side: "sell" })).toEqual(["2"]);
    expect(ids({ type: "market" })).toEqual(["2"]);
    expect(ids({ span: "day" })).toEqual(["1"]);
  });

  test("[SPOT-4] live rows replace fetched ones unless they are older", () => {
    const fetched = [order({ status: "CANCELED", updatedAtMs: 9 }), order({ orderId: "2", createdAtMs: 5 })];
    expect(mergeOrders(fetched, [order({ updatedAtMs: 3 })]).find((one) => one.orderId === "1")?.status).toBe(
      "CANCELED",
    );
    const grown = mergeOrders(fetched, [order({ orderId: "3", createdAtMs: 7 })]);
    expect(grown.map((one) => one.orderId)).toEqual(["1", "3", "2"]);
  });

  test("[SPOT-4] an export holds plain figures", () => {
    expect(orderExport(order({ clientOrderId: "=1+1" }), "UTC0", "BTC/USDT")).toEqual([
      "2026-03-18 14:21:40",
      "BTC/USDT",
      "limit",
      "buy",
      "60000",
      "",
      "0.5",
      "0.1",
      "60000",
      "6000",
      "PARTIALLY_FILLED",
      "",
      "1",
      "=1+1",
    ]);
  });
});
