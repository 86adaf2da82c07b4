// Pairs of stops where places of orders and positions are taken again: each is named by its own number, and nobody is ended
// for who stood in his place before.
import { expect, test } from "vitest";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { hold, take } from "./hold-fixture.ts";

/** A round has 1 024 places. */
const ROUND = 1_024;
const slotOf = (id: number): number => id % 2 ** 24;

/** Places and withdraws until the place that was last given is this one. */
function takeUpTo(stage: PerpStage, account: number, slot: number): void {
  const order = {
    kind: "placeOrder",
    side: "buy",
    quantity: 1,
    price: 480_000,
    account,
    market: stage.linear,
  } as const;
  for (let last = 0; slotOf(last) !== slot; ) {
    last = eventsOf(stage.send(order), "orderAccepted")[0]?.orderId ?? 0;
    stage.send({ kind: "cancelOrder", account, orderId: last });
  }
}

test("[FUT-2] orders and positions that came after others in their place are named by their own numbers", () => {
  const stage = createPerpStage();
  const { alice, bob } = hold(stage, 5);
  const { linear: market } = stage;
  stage.buy(bob, 5, 500_000);
  stage.sure({ kind: "closeAll", account: alice });
  take(stage, alice, bob, 5);
  takeUpTo(stage, bob, ROUND);
  const pair = { lots: 2, profitTrigger: 510_000, stopTrigger: 490_000 } as const;
  const set = stage.sure({ kind: "setPositionStops", account: alice, market, ...pair });
  const [profit, stop] = eventsOf(set, "conditionalAccepted").map(({ orderId }) => orderId);
  expect([slotOf(profit ?? 0), (profit ?? 0) > 2 ** 24]).toEqual([1, true]);
  const position = stage.held(alice)[0]?.id ?? 0;
  expect(position).toBeGreaterThan(2 ** 24);
  expect(eventsOf(set, "positionStop")).toMatchObject([
    { position, orderId: profit, pair: 0 },
    { position, orderId: stop, pair: profit },
  ]);
  const moved = stage.sure({ kind: "moveStop", account: alice, orderId: profit ?? 0, trigger: 511_000 });
  expect(eventsOf(moved, "conditionalAmended")).toMatchObject([{ orderId: profit, trigger: 511_000, quantity: 2 }]);
  stage.buy(bob, 10, 489_000);
  const less = stage.sure({ kind: "closePosition", account: alice, market, lots: 1, slippageBps: 500 });
  expect([eventsOf(less, "trade").length, eventsOf(less, "orderEnded")]).toEqual([1, []]);
  const events = stage.mark(market, 490_000);
  expect(eventsOf(events, "orderEnded").map(({ orderId, reason }) => [orderId, reason])).toEqual([
    [profit, "LIST_SIBLING"],
  ]);
});

/** A pair whose profit was taken back, and whose place comes next. */
function takeBackProfit() {
  const stage = createPerpStage();
  const { alice, bob } = hold(stage, 5);
  const { linear: market } = stage;
  const stops = { kind: "setPositionStops", account: alice, market } as const;
  const set = stage.sure({ ...stops, lots: 2, profitTrigger: 510_000, stopTrigger: 490_000 });
  const [profit = 0] = eventsOf(set, "conditionalAccepted").map(({ orderId }) => orderId);
  stage.sure({ kind: "cancelOrder", account: alice, orderId: profit });
  takeUpTo(stage, bob, slotOf(profit) - 1);
  return { stage, bob, market, stops, profit };
}

test("[FUT-2] a stop whose sibling was taken back ends nobody who came to that place since", () => {
  const { stage, bob, market, stops, profit } = takeBackProfit();
  const [other] = eventsOf(stage.sure({ ...stops, lots: 1, stopTrigger: 485_000 }), "conditionalAccepted");
  expect([slotOf(other?.orderId ?? 0), other?.orderId === profit]).toEqual([slotOf(profit), false]);
  stage.buy(bob, 10, 489_000);
  const events = stage.mark(market, 490_000);
  expect([eventsOf(events, "trade").map(({ lots }) => lots), eventsOf(events, "orderEnded")]).toEqual([[2], []]);
});

test("[FUT-2] nor an order of somebody else that rests there", () => {
  const { stage, bob, market, profit } = takeBackProfit();
  const [resting] = eventsOf(stage.buy(bob, 10, 489_000), "orderAccepted");
  expect(slotOf(resting?.orderId ?? 0)).toBe(slotOf(profit));
  const events = stage.mark(market, 490_000);
  expect(eventsOf(events, "trade").map(({ lots, makerOrderId }) => [lots, makerOrderId])).toEqual([
    [2, resting?.orderId],
  ]);
  expect(eventsOf(events, "orderEnded")).toEqual([]);
});
