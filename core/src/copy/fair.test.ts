// A leader and an accomplice on a thin book: what they make the book show is not what followers pay, and the leader is stopped.
import { expect, it } from "vitest";
import { COIN, createCopyStage } from "../testing/copy-stage.ts";
import { eventsOf } from "../testing/driver.ts";

const PRICE = 500_000;

/** A thin market at a price that stands for long. */
function thin() {
  const stage = createCopyStage();
  stage.send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
  const order = (account: number, side: "buy" | "sell", quantity: number, price: number) =>
    stage.sure({ kind: "placeOrder", account, market: stage.spot, side, quantity, price });
  const other = stage.open("spot", 100_000 * COIN);
  order(stage.spotMaker, "sell", 10, PRICE);
  order(other, "buy", 1, PRICE);
  for (let i = 0; i < 70; i++) {
    stage.time += 10_000;
    stage.sure({ kind: "tick" });
  }
  const accomplice = stage.open("spot", 100_000 * COIN);
  stage.send({ kind: "mint", account: accomplice, asset: stage.btc, business: "deposit", units: 1e10, reference: "a" });
  return { stage, order, accomplice };
}

it("[COPY-14] followers buy nothing of a swept book offered 15 % dearer, and the leader is suspended until an operator lets him", () => {
  const { stage, order, accomplice } = thin();
  const one = stage.spotFollower({ multiplier: 100_000_000 });
  order(accomplice, "buy", 9, PRICE);
  order(accomplice, "sell", 10_000, PRICE * 1.15);
  const bought = order(stage.spotLeader, "buy", 100, PRICE * 1.15);
  expect(eventsOf(bought, "leaderChanged")).toMatchObject([{ account: stage.spotLeader, state: "suspended" }]);
  expect(eventsOf(bought, "copyPlaced")).toEqual([]);
  expect(eventsOf(bought, "copySkipped")).toMatchObject([{ account: one, reason: "LEADER_PAUSED" }]);
  expect(stage.balance(one)).toEqual({ available: 1_000 * COIN, frozen: 0 });
  const lead = {
    kind: "setLeader",
    account: stage.spotLeader,
    asset: stage.usdt,
    shareRate: 1,
    followersMax: 9,
  } as const;
  const own = stage.sure({ ...lead, state: "active", unlessSuspended: true });
  expect(eventsOf(own, "rejected")).toMatchObject([{ code: "LEADER_NOT_ACTIVE" }]);
  expect(eventsOf(stage.sure({ ...lead, state: "active" }), "leaderChanged")).toMatchObject([{ state: "active" }]);
});

it("[COPY-14] fills a little off are copied to the fair price and no further; the third in a day suspends", () => {
  const { stage, order, accomplice } = thin();
  const one = stage.spotFollower({ multiplier: 100_000_000, slippageBps: 500 });
  order(accomplice, "buy", 9, PRICE);
  order(accomplice, "sell", 10_000, PRICE * 1.04);
  const states = [1, 2, 3].map(() => {
    const events = order(stage.spotLeader, "buy", 100, PRICE * 1.04);
    return eventsOf(events, "leaderChanged").map(({ state }) => state);
  });
  expect(states).toEqual([[], [], ["suspended"]]);
  // 4 % off lies within a slippage of 5 % and the 1 % beyond: the first two were copied.
  expect(stage.balance(one, stage.btc).available).toBe(200_000);
});

it("[COPY-14] a sale into an accomplice's low bid closes no copy, nor does the leader's end", () => {
  const { stage, order, accomplice } = thin();
  const one = stage.spotFollower({ multiplier: 100_000_000 });
  order(stage.spotMaker, "sell", 1_000, PRICE);
  order(stage.spotLeader, "buy", 100, PRICE);
  expect(stage.balance(one, stage.btc).available).toBe(100_000);
  order(accomplice, "buy", 10_000, PRICE * 0.85);
  const sold = order(stage.spotLeader, "sell", 50, PRICE * 0.85);
  expect(eventsOf(sold, "copySkipped")).toMatchObject([{ account: one, reason: "SLIPPAGE" }]);
  expect(eventsOf(sold, "leaderChanged")).toMatchObject([{ state: "suspended" }]);
  const lead = {
    kind: "setLeader",
    account: stage.spotLeader,
    asset: stage.usdt,
    shareRate: 1,
    followersMax: 9,
  } as const;
  const ended = stage.sure({ ...lead, state: "none" });
  expect(eventsOf(ended, "followChanged")).toMatchObject([{ account: one, change: "leaderClosed" }]);
  expect(stage.balance(one, stage.btc).available).toBe(100_000);
});

it("[COPY-14] futures copies stay by the mark, whatever the leader's own fill was", () => {
  const stage = createCopyStage();
  const one = stage.follower();
  stage.sell(stage.maker, 1_000, PRICE * 1.02);
  const bought = stage.buy(stage.leader, 10, PRICE * 1.02);
  expect(eventsOf(bought, "copySkipped")).toMatchObject([{ account: one, reason: "SLIPPAGE", limit: 507_500 }]);
  expect(stage.held(one)).toEqual([]);
});

it("[COPY-14] a stranger's trade on a swept book ends no follow by its stop-loss; what the coin is worth does", () => {
  const { stage, order, accomplice } = thin();
  const one = stage.spotFollower({ multiplier: 100_000_000, stopLossBps: 9_950 });
  order(stage.spotMaker, "sell", 1_000, PRICE);
  order(stage.spotLeader, "buy", 100, PRICE);
  stage.sure({ kind: "cancelAll", account: stage.spotMaker });
  const outsider = stage.open("spot", 100_000 * COIN);
  order(accomplice, "sell", 20, PRICE * 0.85);
  expect(eventsOf(order(outsider, "buy", 20, PRICE * 0.85), "trade")).toHaveLength(1);
  const look = (): unknown[] => {
    stage.time += 1_000;
    return eventsOf(stage.sure({ kind: "tick" }), "followChanged");
  };
  expect(look()).toEqual([]);
  stage.sure({ kind: "setReferencePrice", market: stage.linear, indexTicks: 425_000 });
  expect(look()).toMatchObject([{ account: one, change: "stopLoss" }]);
});
