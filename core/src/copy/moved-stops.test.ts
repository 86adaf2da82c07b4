import { expect, test } from "vitest";
import { ORDER_SLOT_COUNT } from "../protocol/layout.ts";
import { createCopyStage } from "../testing/copy-stage.ts";
import { eventsOf } from "../testing/driver.ts";

const MARK = 500_000;

test("[COPY-1] with a mirror that its follower moves its pair is his own too", () => {
  const stage = createCopyStage();
  const one = stage.follower({ multiplier: 50_000_000 });
  stage.sell(stage.maker, 1_000, MARK);
  stage.buy(stage.leader, 20, MARK);
  const at = { kind: "setPositionStops", account: stage.leader, market: stage.linear } as const;
  const set = stage.sure({ ...at, lots: 8, stopTrigger: 490_000, profitTrigger: 510_000 });
  const plans = eventsOf(set, "conditionalAccepted");
  const idOf = (account: number, trigger: number): number =>
    plans.find((plan) => plan.account === account && plan.trigger === trigger)?.orderId ?? 0;
  const own = stage.sure({ kind: "moveStop", account: one, orderId: idOf(one, 490_000), trigger: 495_000 });
  expect([eventsOf(own, "rejected"), eventsOf(own, "conditionalAmended").length]).toEqual([[], 1]);
  const orderId = idOf(stage.leader, 510_000);
  const moved = stage.sure({ kind: "moveStop", account: stage.leader, orderId, trigger: 511_000 });
  expect(eventsOf(moved, "conditionalAmended").map(({ account }) => account)).toEqual([stage.leader]);
  const taken = stage.sure({ kind: "cancelOrder", account: stage.leader, orderId });
  expect(eventsOf(taken, "orderEnded").map(({ account }) => account)).toEqual([stage.leader]);
});

test("[COPY-3] a limit that the leader moves is moved for followers with its trigger", () => {
  const stage = createCopyStage();
  const one = stage.follower({ multiplier: 50_000_000 });
  stage.sell(stage.maker, 1_000, MARK);
  stage.buy(stage.leader, 20, MARK);
  const at = { kind: "setPositionStops", account: stage.leader, market: stage.linear } as const;
  const set = stage.sure({ ...at, lots: 8, stopTrigger: 490_000, stopPrice: 489_000 });
  const [orderId = 0] = eventsOf(set, "positionStop").flatMap((stop) =>
    stop.account === stage.leader ? [stop.orderId] : [],
  );
  const moved = stage.sure({ kind: "moveStop", account: stage.leader, orderId, trigger: 491_000, price: 488_000 });
  expect(eventsOf(moved, "conditionalAmended").map(({ account, trigger, price }) => [account, trigger, price])).toEqual(
    [
      [stage.leader, 491_000, 488_000],
      [one, 491_000, 488_000],
    ],
  );
});

test("[COPY-1] a pair that has ended takes no other mirror with it, though that stands in its place now", () => {
  const stage = createCopyStage();
  const one = stage.follower({ multiplier: 50_000_000 });
  stage.sell(stage.maker, 1_000, MARK);
  stage.buy(stage.leader, 20, MARK);
  const use = (): number => {
    const order = { kind: "placeOrder", account: stage.maker, market: stage.linear, side: "buy" } as const;
    const [placed] = eventsOf(stage.send({ ...order, quantity: 1, price: 499_000 }), "orderAccepted");
    const orderId = placed?.orderId ?? 0;
    stage.send({ kind: "cancelOrder", account: stage.maker, orderId });
    return orderId % ORDER_SLOT_COUNT;
  };
  // Two places that are free next to those of the stops.
  const [before] = [use(), use()];
  const at = { kind: "setPositionStops", account: stage.leader, market: stage.linear } as const;
  const set = stage.sure({ ...at, lots: 8, stopTrigger: 490_000, profitTrigger: 510_000 });
  const [stays = 0, ends = 0] = eventsOf(set, "conditionalAccepted")
    .filter(({ account }) => account === one)
    .map(({ orderId }) => orderId)
    .toSorted((a, b) => a - b);
  expect(eventsOf(stage.sure({ kind: "cancelOrder", account: one, orderId: ends }), "rejected")).toEqual([]);
  for (let uses = 0; use() !== before; uses++) expect(uses).toBeLessThan(5_000);
  const later = eventsOf(stage.sure({ ...at, lots: 4, stopTrigger: 480_000 }), "conditionalAccepted");
  expect(later.map(({ account }) => account)).toEqual([stage.leader, one]);
  const [orderId = 0, mirror = 0] = later.map((plan) => plan.orderId);
  expect(mirror % ORDER_SLOT_COUNT).toBe(ends % ORDER_SLOT_COUNT);
  const own = stage.sure({ kind: "moveStop", account: one, orderId: stays, trigger: 505_000 });
  expect([eventsOf(own, "rejected"), eventsOf(own, "conditionalAmended").length]).toEqual([[], 1]);
  const moved = stage.sure({ kind: "moveStop", account: stage.leader, orderId, trigger: 481_000 });
  expect(eventsOf(moved, "conditionalAmended").map((plan) => plan.account)).toEqual([stage.leader, one]);
});
