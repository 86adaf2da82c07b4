// Which orders the lists show as belonging together.
import { ladderKey, rungId } from "@clockwork/kit/scaled";
import { expect, test } from "vitest";
import type { TradeOrder } from "#trade/trade-order.ts";
import { groupOf } from "./order-groups.ts";

const order = (more: Partial<TradeOrder>): TradeOrder =>
  ({
    orderId: "1",
    pairCode: "BTC_USDT",
    side: "buy",
    type: "limit",
    listId: null,
    clientOrderId: null,
    ...more,
  }) as TradeOrder;

test("[SPOT-4] legs of one list share a mark; a leg alone has none", () => {
  const legs = [
    order({ orderId: "7", listId: "120045" }),
    order({ orderId: "8", listId: "120045", type: "stopMarket" }),
  ];
  expect(legs.map((leg) => groupOf(leg, legs))).toEqual([
    { kind: "list", mark: "0045" },
    { kind: "list", mark: "0045" },
  ]);
  expect(groupOf(legs[0] as TradeOrder, legs.slice(0, 1))).toBeUndefined();
});

test("[SPOT-4] rungs of one ladder are counted by price, however long their name was", () => {
  for (const name of ["c-1", "5f0c1de2-77aa-4b43-9a51-6f2f1a6d2c11"]) {
    const rungs = Array.from({ length: 12 }, (_, rung) =>
      order({ orderId: String(rung + 1), price: String(100 + rung), clientOrderId: rungId(name, rung) }),
    );
    const groups = rungs.map((rung) => groupOf(rung, [...rungs, order({ orderId: "99", clientOrderId: "other" })]));
    expect(groups.map((group) => group?.kind === "ladder" && [group.place, group.count])).toEqual(
      rungs.map((_, rung) => [rung + 1, 12]),
    );
    expect(new Set(rungs.map(({ clientOrderId }) => ladderKey(clientOrderId ?? ""))).size).toBe(1);
  }
  expect(groupOf(order({ clientOrderId: "other" }), [order({ clientOrderId: "other" })])).toBeUndefined();
});
