// What is told of an order that is over, and what is not.
import { expect, test } from "vitest";
import type { EndedOrder } from "./needs.ts";
import { describeEnding } from "./rules.ts";

const ORDER: EndedOrder = {
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

test("[USR-3] a filled order says what was bought at which price", () => {
  expect(describeEnding(ORDER)).toEqual({
    kind: "fills",
    reference: "spot:7",
    path: "/spot/BTC_USDT",
    title: "Bought 0.5 BTC",
    body: "Your order in BTC/USDT is filled: 0.5 BTC at 64050.1 USDT on average.",
  });
});

test.each([
  ["GTD_EXPIRED", "0", null, "ended: its time was over. Nothing of it was filled."],
  ["DEAD_MAN", "0.1", "3", "ended: your countdown ran out. Filled before: 0.1 BTC at 3 USDT on average."],
  ["SOMETHING_NEW", "0.0", null, "ended. Nothing of it was filled."],
])("[USR-3] an order that ended by %s says so", (endReason, filledQuantity, averagePrice, words) => {
  const order = { ...ORDER, status: "EXPIRED", endReason, filledQuantity, averagePrice };
  expect(describeEnding(order)).toMatchObject({ kind: "orderEnded", body: expect.stringContaining(words) });
});

test.each(["USER", "CANCEL_ALL", "AMEND_REPLACED", "LIST_SIBLING"])(
  "[USR-3] %s is not told: the owner knows",
  (reason) => {
    expect(describeEnding({ ...ORDER, status: "CANCELED", endReason: reason })).toBeUndefined();
  },
);
