// Which ended orders produce a notice, and which do not.
import { expect, test } from "vitest";
import type { EndedOrder } from "./rules.ts";
import { describeEnding, firedAs } from "./rules.ts";

const ORDER: EndedOrder = {
  market: "spot",
  fired: null,
  orderId: "7",
  pairCode: "BTC_USDT",
  side: "buy",
  type: "limit",
  status: "FILLED",
  endReason: null,
  filledQuantity: "0.50000",
  averagePrice: "64050.1",
  isInstant: false,
  endedAtMs: 1,
};

test("[USR-3] a notice of a filled order gives what was bought at which price", () => {
  expect(describeEnding(ORDER)).toEqual({
    kind: "fills",
    reference: "spot:7",
    path: "/spot/BTC_USDT",
    title: "Bought 0.5 BTC",
    body: "Your order in BTC/USDT was filled: 0.5 BTC at 64050.1 USDT on average.",
  });
});

test.each([
  ["GTD_EXPIRED", "0", null, "ended: it expired. It was not filled."],
  ["DEAD_MAN", "0.1", "3", "ended: your cancel-after countdown ended. Filled: 0.1 BTC at 3 USDT on average."],
  ["SOMETHING_NEW", "0.0", null, "ended. It was not filled."],
])("[USR-3] an order that ended by %s says so", (endReason, filledQuantity, averagePrice, words) => {
  const order = { ...ORDER, status: "EXPIRED", endReason, filledQuantity, averagePrice };
  expect(describeEnding(order)).toMatchObject({ kind: "orderEnded", body: expect.stringContaining(words) });
});

test.each(["USER", "CANCEL_ALL", "AMEND_REPLACED", "LIST_SIBLING"])(
  "[USR-3] %s is not notified: the owner did it",
  (reason) => {
    expect(describeEnding({ ...ORDER, status: "CANCELED", endReason: reason })).toBeUndefined();
  },
);

test.each([
  [{ market: "futures", fired: "profit", side: "sell" }, "Take profit: sold 0.5 BTC", "futures:7", "/futures/BTC_USDT"],
  [{ market: "futures", fired: "stop" }, "Stop loss: bought 0.5 BTC", "futures:7", "/futures/BTC_USDT"],
  [
    { market: "delivery", pairCode: "BTC_USD", fired: "plan" },
    "Conditional order triggered: bought 0.5 USD",
    "delivery:7",
    "/delivery/BTC_USD",
  ],
] as const)("[FUT-1] a contract's order says what it was and where: %j", (change, title, reference, path) => {
  const notice = describeEnding({ ...ORDER, ...change });
  expect(notice).toMatchObject({ kind: "fills", title, reference, path });
  expect(notice?.body).toContain(`${change.market === "delivery" ? "BTCUSD" : "BTCUSDT"} perpetual was filled`);
});

test("[FUT-1] a fired order is described by its leg, or by the direction it waited for", () => {
  const stop = { type: "stopMarket", side: "sell", listLeg: null, reduceOnly: true, triggerDirection: "rises" };
  expect(firedAs(stop)).toBe("profit");
  expect(firedAs({ ...stop, triggerDirection: "falls" })).toBe("stop");
  expect(firedAs({ ...stop, side: "buy", triggerDirection: "falls" })).toBe("profit");
  expect(firedAs({ ...stop, reduceOnly: false })).toBe("plan");
  expect(firedAs({ ...stop, type: "trailingStop" })).toBe("plan");
  expect(firedAs({ ...stop, type: "limit", listLeg: "profit" })).toBe("profit");
  expect(firedAs({ ...stop, type: "limit", triggerDirection: null })).toBeNull();
});

test("[USR-3] a plan that was rejected when its price came is described as such", () => {
  const order = { ...ORDER, status: "REJECTED", endReason: "INSUFFICIENT_BALANCE", filledQuantity: "0" };
  expect(describeEnding(order)?.body).toContain("ended: it was rejected when it triggered.");
});
