import { allOf } from "@clockwork/kit/all-of";
import { describe, expect, it } from "vitest";
import { createMachine, restoreMachine } from "../machine/machine.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { COIN, createCopyStage } from "../testing/copy-stage.ts";
import { eventsOf } from "../testing/driver.ts";

const MARK = 500_000;

describe("futures copies", () => {
  it("[COPY-3] a leader's opening fill becomes followers' orders in the same command, by multiplier, fixed and share", () => {
    const stage = createCopyStage();
    const twice = stage.follower({ multiplier: 200_000_000 });
    const fixed = stage.follower({ mode: "fixed", fixedUnits: 100 * COIN });
    const smart = stage.follower({ mode: "proportional", units: 100 * COIN });
    stage.sure({ kind: "setLeverage", account: stage.leader, market: stage.linear, long: 10, short: 10 });
    stage.sell(stage.maker, 1_000, MARK);
    const events = stage.buy(stage.leader, 20, MARK);
    expect(eventsOf(events, "copyStarted")).toMatchObject([{ what: "open", followers: 3, lots: 20 }]);
    expect(eventsOf(events, "copyPlaced")).toHaveLength(3);
    expect(stage.held(stage.leader)).toMatchObject([{ lots: 20, cost: 1_000 * COIN }]);
    expect(stage.held(twice)).toMatchObject([{ lots: 40 }]);
    // 100 of margin at 10× buys 1 000 of value: 0.02 BTC.
    expect(stage.held(fixed)).toMatchObject([{ lots: 20 }]);
    // The leader's margin is 100 of 1 000, so a follower of 100 puts in 10: 100 of value.
    expect(stage.held(smart)).toMatchObject([{ lots: 2, cost: 100 * COIN }]);
  });

  it("[COPY-3] a leader who closes a part closes that part of every copy, reducing only; crossing zero turns copies", () => {
    const stage = createCopyStage();
    const one = stage.follower({ multiplier: 50_000_000 });
    stage.sell(stage.maker, 1_000, MARK);
    stage.buy(stage.maker, 1_000, MARK - 10);
    stage.buy(stage.leader, 20, MARK);
    expect(stage.held(one)).toMatchObject([{ lots: 10 }]);
    stage.sell(stage.leader, 5, MARK - 10);
    expect(stage.held(one)).toMatchObject([{ lots: 8 }]);
    const turned = stage.sell(stage.leader, 25, MARK - 10);
    expect(eventsOf(turned, "copyStarted").map(({ what, short, lots }) => [what, short, lots])).toEqual([
      ["close", false, 15],
      ["open", true, 10],
    ]);
    expect(stage.held(stage.leader)).toMatchObject([{ lots: -10 }]);
    expect(stage.held(one)).toMatchObject([{ lots: -5 }]);
  });

  it("[COPY-3] the slippage cap, caps on margin, excluded markets and the minimum skip with their reason", () => {
    const stage = createCopyStage();
    const small = stage.follower({ multiplier: 1_000_000 });
    const excluded = stage.follower({ maxOrderUnits: 1 });
    const capped = stage.follower({ maxSymbolUnits: 10 * COIN, leverage: 10 });
    stage.follower({ slippageBps: 10 });
    stage.sell(stage.maker, 10, MARK);
    stage.sell(stage.maker, 4, MARK + 100);
    stage.sell(stage.maker, 1_000, MARK + 5_000);
    const events = stage.buy(stage.leader, 10, MARK);
    const reasons = new Map(eventsOf(events, "copySkipped").map(({ account, reason }) => [account, reason]));
    expect(reasons.get(small)).toBe("BELOW_MINIMUM");
    expect(reasons.get(excluded)).toBe("ORDER_CAP");
    // 10 of margin at 10× carries 100 of value: two lots.
    expect(stage.held(capped)).toMatchObject([{ lots: 2 }]);
    // The last one may go 0.1 % up: 500 500. It gets what is left at 500 100, never the 505 000.
    const last = eventsOf(events, "copyPlaced").find(({ account }) => account !== capped);
    expect(last).toMatchObject({ leaderTicks: MARK, limitTicks: MARK + 500 });
    expect([2, 4]).toContain(last?.filledLots);
    const none = stage.buy(stage.leader, 10, MARK + 5_000);
    expect(eventsOf(none, "trade").length).toBeGreaterThan(0);
  });

  it("[COPY-3] a copy goes no farther than the market's band, and is made where the leader could trade", () => {
    const stage = createCopyStage();
    const one = stage.follower({ slippageBps: 500 });
    stage.mark(stage.linear, MARK);
    // The band ends 5 % from the mark; 5 % from the leader's price would be beyond it.
    const [above, below] = [510_000, 490_000];
    stage.sell(stage.maker, 100, above);
    const bought = stage.buy(stage.leader, 10, above);
    expect(eventsOf(bought, "copyPlaced")).toMatchObject([{ account: one, filledLots: 10, limitTicks: 525_000 }]);
    stage.buy(stage.maker, 100, below);
    const sold = stage.sell(stage.leader, 10, below);
    expect(eventsOf(sold, "copyPlaced")).toMatchObject([{ account: one, filledLots: 10, limitTicks: 475_000 }]);
  });

  it("[COPY-3] copies are skipped when the book has moved past the cap", () => {
    const stage = createCopyStage();
    const one = stage.follower({ slippageBps: 50 });
    stage.sell(stage.maker, 10, MARK);
    stage.sell(stage.maker, 100, MARK + 3_000);
    const events = stage.buy(stage.leader, 10, MARK);
    expect(eventsOf(events, "copySkipped")).toMatchObject([
      { account: one, reason: "SLIPPAGE", limit: MARK + 2_500, what: "open", market: stage.linear },
    ]);
    expect(stage.held(one)).toEqual([]);
  });

  it("[COPY-3] a follower may close alone but open nothing; what he closed the leader does not open again", () => {
    const stage = createCopyStage();
    const one = stage.follower();
    stage.sell(stage.maker, 1_000, MARK);
    stage.buy(stage.maker, 1_000, MARK - 10);
    expect(eventsOf(stage.buy(one, 1, MARK), "rejected")).toMatchObject([{ code: "COPY_BOOK_CLOSES_ONLY" }]);
    stage.buy(stage.leader, 10, MARK);
    expect(stage.held(one)).toMatchObject([{ lots: 10 }]);
    stage.sure({ kind: "closePosition", account: one, market: stage.linear, side: "long" });
    expect(stage.held(one)).toEqual([]);
    const more = stage.buy(stage.leader, 5, MARK);
    expect(eventsOf(more, "copySkipped")).toMatchObject([{ reason: "CLOSED_BY_FOLLOWER" }]);
    const closed = stage.sell(stage.leader, 15, MARK - 10);
    expect(eventsOf(closed, "copySkipped")).toEqual([]);
    // His next position is another one.
    stage.buy(stage.leader, 5, MARK);
    expect(stage.held(one)).toMatchObject([{ lots: 5 }]);
  });

  it("[COPY-3] margin and stops are mirrored, leverage and margin mode followed or the follower's own", () => {
    const stage = createCopyStage();
    const one = stage.follower({ multiplier: 50_000_000 });
    const own = stage.follower({ leverage: 5, marginMode: "cross", mirrorMargin: false });
    const modest = stage.follower({ leverageMax: 8 });
    stage.sure({ kind: "setMarginMode", account: stage.leader, market: stage.linear, isolated: true });
    stage.sure({ kind: "setLeverage", account: stage.leader, market: stage.linear, long: 10, short: 10 });
    stage.sell(stage.maker, 1_000, MARK);
    stage.buy(stage.leader, 10, MARK);
    expect(stage.held(one)).toMatchObject([{ lots: 5, margin: 25 * COIN }]);
    expect(stage.held(own)).toMatchObject([{ lots: 10, margin: 0 }]);
    expect(stage.held(modest)).toMatchObject([{ lots: 10, margin: 62.5 * COIN }]);
    stage.sure({ kind: "changeMargin", account: stage.leader, market: stage.linear, units: 10 * COIN });
    // A fifth of the leader's 50.
    expect(stage.held(one)).toMatchObject([{ margin: 30 * COIN }]);
    expect(stage.held(own)).toMatchObject([{ margin: 0 }]);
    const stops = stage.sure({
      kind: "setPositionStops",
      account: stage.leader,
      market: stage.linear,
      profitTrigger: 510_000,
      stopTrigger: 490_000,
    });
    const accounts = eventsOf(stops, "positionStop").map(({ account }) => account);
    expect(accounts.filter((account) => account === one)).toHaveLength(2);
    expect(accounts.filter((account) => account === own)).toHaveLength(2);
    const part = stage.sure({
      kind: "setPositionStops",
      account: stage.leader,
      market: stage.linear,
      lots: 4,
      profitTrigger: 520_000,
      profitPrice: 520_000,
    });
    expect(eventsOf(part, "conditionalAccepted").find(({ account }) => account === one)).toMatchObject({
      quantity: 2,
      trigger: 520_000,
    });
  });

  it("[COPY-3] a paused leader's openings are not copied, his closes are; a resting order is copied as it fills", () => {
    const stage = createCopyStage();
    const one = stage.follower({ mode: "fixed", fixedUnits: 100 * COIN, leverage: 10 });
    stage.sell(stage.maker, 1_000, MARK + 100);
    stage.buy(stage.leader, 40, MARK);
    // Half of the order is filled, so half of the margin is put in: 50 at 10× is 0.01 BTC.
    const other = stage.trader(1_000_000 * COIN);
    stage.sell(other, 20, MARK);
    expect(stage.held(one)).toMatchObject([{ lots: 10 }]);
    const lead = { kind: "setLeader", account: stage.leader, asset: stage.usdt, shareRate: 10_000_000 } as const;
    stage.sure({ ...lead, state: "paused", followersMax: 100 });
    const paused = stage.sell(other, 20, MARK);
    expect(eventsOf(paused, "copySkipped")).toMatchObject([{ reason: "LEADER_PAUSED" }]);
    stage.buy(stage.maker, 1_000, MARK - 10);
    stage.sell(stage.leader, 40, MARK - 10);
    expect(stage.held(one)).toEqual([]);
  });

  it("[COPY-3] a leader's stop for a part closes that part of every copy once, at the market, and ends its mirrors", () => {
    const stage = createCopyStage();
    const one = stage.follower({ multiplier: 50_000_000, slippageBps: 10 });
    stage.sell(stage.maker, 1_000, MARK);
    stage.buy(stage.leader, 20, MARK);
    expect(stage.held(one)).toMatchObject([{ lots: 10 }]);
    const at = { kind: "setPositionStops", account: stage.leader, market: stage.linear } as const;
    const set = stage.sure({ ...at, lots: 8, stopTrigger: 490_000 });
    const mirror = eventsOf(set, "conditionalAccepted").find(({ account }) => account === one);
    expect(mirror).toMatchObject({ quantity: 4, trigger: 490_000 });
    // The leader takes the only lots at 489 000; a copy bound to 0.1 % of it would find nothing.
    stage.buy(stage.maker, 8, 489_000);
    stage.buy(stage.maker, 1_000, 486_000);
    const fired = stage.sure({ kind: "setReferencePrice", market: stage.linear, markTicks: 489_900 });
    expect(stage.held(stage.leader)).toMatchObject([{ lots: 12 }]);
    expect(stage.held(one)).toMatchObject([{ lots: 6 }]);
    expect(eventsOf(fired, "orderEnded").find(({ orderId }) => orderId === mirror?.orderId)).toMatchObject({
      account: one,
      reason: "LIST_SIBLING",
    });
    expect(eventsOf(fired, "copyPlaced")).toMatchObject([{ account: one, what: "close", lots: 4, filledLots: 4 }]);
  });

  it("[COPY-3] what a plan or a bracket of the leader's stops is copied as a stop: at the market, and told without a limit", () => {
    const stage = createCopyStage();
    const one = stage.follower({ multiplier: 50_000_000, slippageBps: 10 });
    stage.sell(stage.maker, 1_000, MARK);
    const at = { account: stage.leader, market: stage.linear } as const;
    const entry = { kind: "placeBracket", ...at, side: "buy", price: MARK, quantity: 10, source: "mark" } as const;
    stage.sure({ ...entry, stopTrigger: 490_000 });
    stage.buy(stage.leader, 10, MARK);
    expect(stage.held(one)).toMatchObject([{ lots: 10 }]);
    const plan = { kind: "placeConditional", ...at, conditional: "stopMarket", side: "sell", quantity: 10 } as const;
    stage.sure({ ...plan, source: "mark", direction: "falls", trigger: 485_000, type: "market", reduceOnly: true });
    stage.sure({ kind: "cancelAll", account: stage.maker });
    // The leader takes the best; what is left is beyond a tenth of a per cent.
    for (const price of [489_000, 484_000]) {
      stage.buy(stage.maker, 10, price);
      stage.buy(stage.maker, 100, price - 2_000);
      const fired = stage.sure({ kind: "setReferencePrice", market: stage.linear, markTicks: price + 500 });
      expect(eventsOf(fired, "copyPlaced")).toMatchObject([
        { account: one, what: "close", filledLots: 5, limitTicks: 0 },
      ]);
      stage.sure({ kind: "cancelAll", account: stage.maker });
    }
    expect(stage.held(one)).toEqual([]);
  });

  it("[COPY-3] a mirror of a stop that acts itself is told as a close by stop", () => {
    const stage = createCopyStage();
    const one = stage.follower({ multiplier: 50_000_000 });
    stage.sell(stage.maker, 1_000, MARK);
    stage.buy(stage.leader, 20, MARK);
    stage.sure({ kind: "setPositionStops", account: stage.leader, market: stage.linear, stopTrigger: 490_000 });
    stage.buy(stage.maker, 1_000, 489_000);
    const fired = stage.sure({ kind: "setReferencePrice", market: stage.linear, markTicks: 489_900 });
    expect([stage.held(stage.leader), stage.held(one)]).toEqual([[], []]);
    expect(eventsOf(fired, "copyPlaced")).toMatchObject([
      { account: one, leader: stage.leader, what: "close", lots: 10, filledLots: 10, limitTicks: 0 },
    ]);
  });

  it("[COPY-1] a follower's own stops on one trade stand in the place of the leader's until he takes them back", () => {
    const stage = createCopyStage();
    const [one, two] = [stage.follower({ multiplier: 50_000_000 }), stage.follower({ multiplier: 50_000_000 })];
    stage.sell(stage.maker, 1_000, MARK);
    stage.buy(stage.leader, 20, MARK);
    const at = { kind: "setPositionStops", market: stage.linear } as const;
    stage.sure({ ...at, account: stage.leader, stopTrigger: 480_000 });
    const own = stage.sure({ ...at, account: one, side: "long", stopTrigger: 490_000, profitTrigger: 520_000 });
    expect(eventsOf(own, "conditionalAccepted").map(({ trigger }) => trigger)).toEqual([520_000, 490_000]);
    expect(eventsOf(own, "orderEnded")).toMatchObject([{ account: one, reason: "AMEND_REPLACED" }]);
    const moved = stage.sure({ ...at, account: stage.leader, stopTrigger: 485_000 });
    expect(eventsOf(moved, "copySkipped")).toMatchObject([{ account: one, what: "stops", reason: "OWN_STOPS" }]);
    expect(eventsOf(moved, "conditionalAccepted").map(({ account }) => account)).toEqual([stage.leader, two]);
    stage.buy(stage.maker, 1_000, 489_000);
    const fired = stage.sure({ kind: "setReferencePrice", market: stage.linear, markTicks: 489_900 });
    expect([stage.held(one), stage.held(two)]).toMatchObject([[], [{ lots: 10 }]]);
    // His own doing is no copy, and what he closed the leader does not open again.
    expect(eventsOf(fired, "copyPlaced")).toEqual([]);
    stage.mark(stage.linear, MARK);
    const more = stage.buy(stage.leader, 2, MARK);
    expect(eventsOf(more, "copySkipped")).toMatchObject([{ account: one, reason: "CLOSED_BY_FOLLOWER" }]);
    stage.sure({ ...at, account: two, side: "long", stopTrigger: 486_000 });
    stage.sure({ ...at, account: two, side: "long" });
    const again = stage.sure({ ...at, account: stage.leader, stopTrigger: 487_000 });
    expect(eventsOf(again, "conditionalAccepted").map(({ account }) => account)).toEqual([stage.leader, two]);
  });

  it("[COPY-3] stops a leader takes back are taken back for followers; a kept position's act alone", () => {
    const stage = createCopyStage();
    const one = stage.follower({ multiplier: 50_000_000 });
    const kept = stage.follower({ multiplier: 50_000_000 });
    stage.sell(stage.maker, 1_000, MARK);
    stage.buy(stage.leader, 20, MARK);
    const at = { kind: "setPositionStops", account: stage.leader, market: stage.linear } as const;
    const set = stage.sure({ ...at, lots: 8, stopTrigger: 490_000, profitTrigger: 510_000 });
    const plans = eventsOf(set, "conditionalAccepted");
    const planOf = (account: number, trigger: number): number =>
      plans.find((plan) => plan.account === account && plan.trigger === trigger)?.orderId ?? 0;
    expect(plans).toHaveLength(6);
    const { leader } = stage;
    stage.sure({ kind: "unfollow", account: kept, positions: "keep" });
    const ended = stage.sure({ kind: "cancelOrder", account: leader, orderId: planOf(leader, 510_000) });
    expect(eventsOf(ended, "orderEnded").map(({ orderId }) => orderId)).toEqual([
      planOf(leader, 510_000),
      planOf(one, 510_000),
    ]);
    const all = stage.sure({ kind: "cancelAll", account: leader });
    expect(eventsOf(all, "orderEnded").map(({ orderId }) => orderId)).toEqual([
      planOf(leader, 490_000),
      planOf(one, 490_000),
    ]);
    stage.buy(stage.maker, 1_000, 489_000);
    stage.sure({ kind: "setReferencePrice", market: stage.linear, markTicks: 489_900 });
    expect([stage.held(leader), stage.held(one), stage.held(kept)]).toMatchObject([
      [{ lots: 20 }],
      [{ lots: 10 }],
      [{ lots: 6 }],
    ]);
  });

  it("[COPY-3] a stop the leader moves is moved for followers, and its mirrors still end with it", () => {
    const stage = createCopyStage();
    const one = stage.follower({ multiplier: 50_000_000 });
    stage.sell(stage.maker, 1_000, MARK);
    stage.buy(stage.leader, 20, MARK);
    const at = { kind: "setPositionStops", account: stage.leader, market: stage.linear } as const;
    const set = stage.sure({ ...at, lots: 8, stopTrigger: 490_000, profitTrigger: 510_000 });
    const idOf = (account: number, trigger: number): number =>
      eventsOf(set, "conditionalAccepted").find((plan) => plan.account === account && plan.trigger === trigger)
        ?.orderId ?? 0;
    const [stop, profit] = [idOf(stage.leader, 490_000), idOf(stage.leader, 510_000)];
    const mirrors = [idOf(one, 490_000), idOf(one, 510_000)];
    const move = (trigger: number): MachineEvent[] =>
      stage.sure({ kind: "moveStop", account: stage.leader, orderId: stop, trigger });
    for (const trigger of [492_000, 491_000]) {
      expect(eventsOf(move(trigger), "conditionalAmended")).toMatchObject([
        { account: stage.leader, orderId: stop, trigger, quantity: 8 },
        { account: one, orderId: mirrors[0], trigger, quantity: 4 },
      ]);
    }
    // The other leg was never moved: its mirror is known as ever.
    const taken = stage.sure({ kind: "cancelOrder", account: stage.leader, orderId: profit });
    expect(eventsOf(taken, "orderEnded").map(({ orderId }) => orderId)).toEqual([profit, mirrors[1]]);
    stage.buy(stage.maker, 1_000, 489_000);
    const fired = stage.sure({ kind: "setReferencePrice", market: stage.linear, markTicks: 490_900 });
    expect([stage.held(stage.leader), stage.held(one)]).toMatchObject([[{ lots: 12 }], [{ lots: 6 }]]);
    expect(eventsOf(fired, "orderEnded").map(({ orderId }) => orderId)).toContain(mirrors[0]);
  });

  it("[COPY-3] a moved stop that is taken back takes its mirror along, whatever was moved in between", () => {
    const stage = createCopyStage();
    const one = stage.follower({ multiplier: 50_000_000 });
    stage.sell(stage.maker, 1_000, MARK);
    stage.buy(stage.leader, 20, MARK);
    const set = stage.sure({
      kind: "setPositionStops",
      account: stage.leader,
      market: stage.linear,
      lots: 8,
      stopTrigger: 490_000,
    });
    const [stop, mirror] = eventsOf(set, "conditionalAccepted").map(({ orderId }) => orderId);
    stage.sure({ kind: "moveStop", account: stage.leader, orderId: stop ?? 0, trigger: 480_000 });
    const taken = stage.sure({ kind: "cancelOrder", account: stage.leader, orderId: stop ?? 0 });
    expect(eventsOf(taken, "orderEnded").map(({ orderId }) => orderId)).toEqual([stop, mirror]);
    expect(stage.held(one)).toMatchObject([{ lots: 10 }]);
  });

  it("[COPY-1] a mirror that its follower moves is his own: the leader's moves pass it by", () => {
    const stage = createCopyStage();
    const one = stage.follower({ multiplier: 50_000_000 });
    stage.sell(stage.maker, 1_000, MARK);
    stage.buy(stage.leader, 20, MARK);
    const at = { kind: "setPositionStops", account: stage.leader, market: stage.linear } as const;
    const set = stage.sure({ ...at, stopTrigger: 490_000, profitTrigger: 510_000 });
    const plans = eventsOf(set, "conditionalAccepted");
    const stopOf = (account: number): number =>
      plans.find((plan) => plan.account === account && plan.trigger === 490_000)?.orderId ?? 0;
    stage.sure({ kind: "moveStop", account: one, orderId: stopOf(one), trigger: 495_000 });
    const moved = stage.sure({
      kind: "moveStop",
      account: stage.leader,
      orderId: stopOf(stage.leader),
      trigger: 485_000,
    });
    expect(eventsOf(moved, "conditionalAmended").map(({ account }) => account)).toEqual([stage.leader]);
    expect(eventsOf(moved, "copySkipped")).toMatchObject([{ account: one, what: "stops", reason: "OWN_STOPS" }]);
    const taken = stage.sure({ ...at, stopTrigger: 0 });
    expect(allOf(eventsOf(taken, "orderEnded"), ({ account }) => account === stage.leader)).toBe(true);
  });

  it("[COPY-3] the same commands copy the same, with snapshots anywhere between, on the general path too", () => {
    const stage = createCopyStage(10_000_000, createMachine({ fastPathsAfter: 0 }));
    for (let i = 0; i < 40; i++) stage.follower({ multiplier: 10_000_000 * (1 + (i % 7)) });
    stage.send({ kind: "setSeed", seed: "ab".repeat(32) });
    stage.sell(stage.maker, 100_000, MARK);
    stage.buy(stage.maker, 100_000, MARK - 10);
    const orders: Command[] = [];
    for (let i = 0; i < 12; i++) {
      const side = i % 3 === 2 ? "sell" : "buy";
      orders.push({
        kind: "placeOrder",
        account: stage.leader,
        market: stage.linear,
        side,
        price: side === "buy" ? MARK : MARK - 10,
        quantity: 5 + i,
      });
    }
    for (const order of orders) stage.sure(order);
    const hash = stage.machine.stateHash();
    let machine = createMachine({ orderCapacity: 4, fastPathsAfter: 1_000_000 });
    for (const [i, bytes] of stage.journal.entries()) {
      machine.apply(bytes, 0);
      machine.events.clear();
      if (i % 17 === 0) machine = restoreMachine(machine.snapshot());
    }
    expect(machine.stateHash()).toBe(hash);
  });
});
