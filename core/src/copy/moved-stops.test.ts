import { expect, test } from "vitest";
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
