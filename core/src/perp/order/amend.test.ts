// Changing and preventing orders on perpetual markets: what open orders ask of the margin follows every change, which the
// invariants recount after every command.
import { present } from "@clockwork/kit/assert";
import { describe, expect, test } from "vitest";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";

const RICH = 10 ** 12;
const placedId = (events: readonly MachineEvent[]): number =>
  present(eventsOf(events, "orderAccepted")[0], "TEST", "an order").orderId;
const refusal = (events: readonly MachineEvent[]): string | undefined => eventsOf(events, "rejected")[0]?.code;

describe("[AMEND-9] amends of perpetual orders", () => {
  test("smaller, larger, elsewhere: the order asks for what it is, and a refused change for what it was", () => {
    const stage = createPerpStage();
    const [alice, bob] = [stage.trader(1_000_000_000), stage.trader(RICH)];
    const orderId = placedId(stage.sell(alice, 10, 500_100));
    const amend = (change: object): MachineEvent[] =>
      stage.sure({ kind: "amendOrder", account: alice, orderId, ...change });
    expect(eventsOf(amend({ quantity: 4 }), "orderAmended")).toMatchObject([{ lots: 4, keptPriority: true }]);
    expect(eventsOf(amend({ quantity: 12 }), "orderAmended")).toMatchObject([{ lots: 12, keptPriority: false }]);
    expect(eventsOf(amend({ price: 500_200 }), "orderAmended")).toMatchObject([{ lots: 12, price: 500_200 }]);
    expect(refusal(amend({ quantity: 100_000 }))).toBe("INSUFFICIENT_MARGIN");
    stage.buy(bob, 5, 500_200);
    expect(refusal(amend({ quantity: 5 }))).toBe("AMEND_BELOW_FILLED");
    expect(eventsOf(amend({ quantity: 6 }), "orderAmended")).toMatchObject([{ lots: 1, keptPriority: true }]);
    stage.sure({ kind: "cancelOrder", account: alice, orderId });
    expect(stage.held(alice)).toMatchObject([{ lots: -5 }]);
  });

  test("a reducing order grows to what there is to reduce and no further", () => {
    const stage = createPerpStage();
    const [alice, bob] = [stage.trader(RICH), stage.trader(RICH)];
    stage.sell(bob, 10, 500_000);
    stage.buy(alice, 10, 500_000);
    const orderId = placedId(stage.sell(alice, 6, 500_500, { reduceOnly: true }));
    stage.sell(alice, 2, 500_600, { reduceOnly: true });
    const amend = (change: object): MachineEvent[] =>
      stage.sure({ kind: "amendOrder", account: alice, orderId, ...change });
    expect(eventsOf(amend({ quantity: 5 }), "orderAmended")).toMatchObject([{ lots: 5, keptPriority: true }]);
    expect(eventsOf(amend({ quantity: 30 }), "orderAmended")).toMatchObject([{ lots: 8, reduceOnly: true }]);
  });

  test("in split layout it stays with the position it named", () => {
    const stage = createPerpStage();
    const [alice, bob] = [stage.trader(RICH), stage.trader(RICH)];
    stage.sure({ kind: "setPositionMode", account: alice, hedge: true, split: true });
    stage.sell(bob, 10, 500_000);
    stage.buy(alice, 4, 500_000);
    stage.buy(alice, 6, 500_000);
    const sizeOf = (lots: number): number =>
      present(
        stage.held(alice).find((position) => position.lots === lots),
        "TEST",
        "a position",
      ).id;
    const [first, second] = [sizeOf(4), sizeOf(6)];
    const reduces = { reduceOnly: true, position: second };
    const orderId = placedId(stage.sell(alice, 5, 500_500, reduces));
    const moved = stage.sure({ kind: "amendOrder", account: alice, orderId, price: 500_400, quantity: 9 });
    expect(eventsOf(moved, "orderAmended")).toMatchObject([{ lots: 6, price: 500_400 }]);
    // An order that opens names none, and the one after it none either.
    const opening = placedId(stage.buy(alice, 2, 499_000));
    stage.sure({ kind: "amendOrder", account: alice, orderId: opening, price: 499_100 });
    expect(refusal(stage.sell(alice, 1, 500_500, { reduceOnly: true }))).toBe("UNKNOWN_POSITION");
    stage.buy(bob, 6, 500_400);
    expect(stage.held(alice)).toMatchObject([{ id: first, lots: 4 }]);
  });
});

describe("[PLAN-20] legs of an OCO on a perpetual market", () => {
  const traded = () => {
    const stage = createPerpStage();
    const [alice, bob] = [stage.trader(1_000_000_000), stage.trader(RICH)];
    stage.sell(bob, 1, 500_000);
    stage.buy(stage.trader(RICH), 1, 500_000);
    return { stage, alice, bob };
  };

  test("both change together; what they ask of the margin follows, and a refused change leaves them", () => {
    const { stage, alice, bob } = traded();
    const order = { account: alice, market: stage.linear, side: "sell", price: 501_000, quantity: 5 } as const;
    const made = stage.sure({ kind: "placeOco", ...order, trigger: 499_000 });
    const high = placedId(made);
    const stop = present(eventsOf(made, "conditionalAccepted")[0], "TEST", "a stop").orderId;
    const amend = (orderId: number, change: object): MachineEvent[] =>
      stage.sure({ kind: "amendPlan", account: alice, orderId, ...change });
    expect(eventsOf(amend(high, { price: 502_000 }), "orderAmended")).toMatchObject([{ lots: 5, price: 502_000 }]);
    expect(eventsOf(amend(stop, { quantity: 8 }), "conditionalAmended")).toMatchObject([{ quantity: 8, heldUnits: 0 }]);
    expect(eventsOf(amend(high, { quantity: 3 }), "orderAmended")).toMatchObject([{ lots: 3, keptPriority: true }]);
    expect(refusal(amend(high, { quantity: 100_000 }))).toBe("INSUFFICIENT_MARGIN");
    expect(refusal(amend(stop, { trigger: 500_000 }))).toBe("INVALID_OCO_PRICES");
    expect(stage.balance(alice)).toEqual({ available: 1_000_000_000, frozen: 0 });
    // A buying one freezes nothing for its stop either.
    const other = { ...order, account: bob, side: "buy", price: 499_500 } as const;
    const bought = stage.sure({ kind: "placeOco", ...other, trigger: 501_500 });
    expect(eventsOf(bought, "frozen")).toEqual([]);
    const moved = stage.sure({ kind: "amendPlan", account: bob, orderId: placedId(bought), price: 499_400 });
    expect(eventsOf(moved, "orderAmended")).toMatchObject([{ price: 499_400 }]);
    expect(eventsOf(moved, "frozen")).toEqual([]);
  });

  test("what it asks already is free for its new form", () => {
    const { stage, alice } = traded();
    const order = { account: alice, market: stage.linear, side: "sell", price: 501_000 } as const;
    const place = (quantity: number): MachineEvent[] =>
      stage.sure({ kind: "placeOco", ...order, trigger: 499_000, quantity });
    let lots = 0;
    for (let step = 1 << 12; step >= 1; step /= 2) {
      const [made] = eventsOf(place(lots + step), "listCreated");
      if (made === undefined) continue;
      lots += step;
      stage.sure({ kind: "cancelList", account: alice, list: made.list });
    }
    expect(lots).toBeGreaterThan(100);
    const orderId = placedId(place(lots));
    const amend = (change: object): string | undefined =>
      refusal(stage.sure({ kind: "amendPlan", account: alice, orderId, ...change }));
    expect(amend({ price: 500_900 })).toBeUndefined();
    expect(amend({ quantity: lots - 1 })).toBeUndefined();
    expect(amend({ quantity: lots })).toBeUndefined();
    expect(amend({ quantity: lots + lots })).toBe("INSUFFICIENT_MARGIN");
  });

  test("a plan changes without money; the stop of a position has a command of its own", () => {
    const { stage, alice, bob } = traded();
    const plan = { account: alice, market: stage.linear, side: "sell", quantity: 5, price: 498_000 } as const;
    const made = stage.sure({
      kind: "placeConditional",
      ...plan,
      conditional: "stopLimit",
      direction: "falls",
      trigger: 499_000,
    });
    const { orderId } = present(eventsOf(made, "conditionalAccepted")[0], "TEST", "a plan");
    const changed = stage.sure({ kind: "amendPlan", account: alice, orderId, trigger: 498_500, quantity: 7 });
    expect(eventsOf(changed, "conditionalAmended")).toMatchObject([{ trigger: 498_500, quantity: 7, heldUnits: 0 }]);
    expect(eventsOf(changed, "frozen")).toEqual([]);
    stage.sell(bob, 2, 500_000);
    stage.buy(alice, 2, 500_000);
    const stops = stage.sure({
      kind: "setPositionStops",
      account: alice,
      market: stage.linear,
      stopTrigger: 490_000,
    });
    const whole = eventsOf(stops, "conditionalAccepted")[0]?.orderId ?? 0;
    expect(whole).not.toBe(0);
    expect(refusal(stage.sure({ kind: "amendPlan", account: alice, orderId: whole, trigger: 489_000 }))).toBe(
      "AMEND_NOT_ALLOWED",
    );
  });
});

describe("[CHECK-10] orders that give way on perpetual markets", () => {
  test("ask for the margin of the price they rest at", () => {
    const stage = createPerpStage();
    const [alice, bob] = [stage.trader(1_000_000_000), stage.trader(RICH)];
    stage.buy(bob, 10, 520_000);
    /** The most lots a new order of alice may have, by trying. */
    const most = (price: number, postOnly: "no" | "reprice"): number => {
      let lots = 0;
      for (let step = 1 << 12; step >= 1; step /= 2) {
        const events = stage.sell(alice, lots + step, price, { postOnly });
        const [accepted] = eventsOf(events, "orderAccepted");
        if (accepted === undefined) continue;
        expect(accepted.price).toBe(520_001);
        lots += step;
        stage.sure({ kind: "cancelOrder", account: alice, orderId: accepted.orderId });
      }
      return lots;
    };
    const direct = most(520_001, "no");
    expect(direct).toBeGreaterThan(10);
    expect(most(500_000, "reprice")).toBe(direct);
  });
});

describe("[BOOK-9] own orders on perpetual markets", () => {
  test("what both lose to a decrement asks for no margin any more", () => {
    const stage = createPerpStage();
    const alice = stage.trader(RICH);
    stage.sell(alice, 10, 500_100);
    const events = stage.buy(alice, 4, 500_200, { selfTrade: "DECREMENT" });
    expect(eventsOf(events, "selfTradePrevented")).toMatchObject([{ lots: 4, price: 500_100 }]);
    expect(eventsOf(events, "orderEnded")).toMatchObject([{ reason: "STP_DECREMENT", lots: 0 }]);
    expect(eventsOf(events, "frozen")).toEqual([]);
    const larger = stage.buy(alice, 9, 500_200, { selfTrade: "DECREMENT" });
    expect(eventsOf(larger, "orderEnded")).toMatchObject([{ reason: "STP_DECREMENT", lots: 0 }]);
    expect(eventsOf(larger, "depth").at(-1)).toMatchObject({ side: "buy", price: 500_200, lots: 3 });
    expect(stage.held(alice)).toEqual([]);
  });

  test("lots lost after a reducing maker was measured anew are lost and not filled", () => {
    const stage = createPerpStage();
    const [alice, bob, carol] = [stage.trader(RICH), stage.trader(RICH), stage.trader(RICH)];
    stage.sell(bob, 2, 500_000);
    stage.buy(alice, 2, 500_000);
    stage.sell(bob, 1, 500_100);
    stage.sell(alice, 2, 500_100, { reduceOnly: true });
    stage.sell(carol, 3, 500_100);
    const taken = stage.buy(carol, 10, 500_100, { selfTrade: "DECREMENT" });
    expect(eventsOf(taken, "trade").map((trade) => trade.lots)).toEqual([1, 2]);
    const order = { kind: "amendOrder", account: carol, orderId: placedId(taken), quantity: 3 } as const;
    expect(eventsOf(stage.sure(order), "rejected")).toMatchObject([{ code: "AMEND_BELOW_FILLED", limit: 3 }]);
    expect(refusal(stage.sure({ ...order, quantity: 7 }))).toBe("AMEND_NO_CHANGE");
  });

  test("a scale whose first order takes a position leaves the next only what its maker still has to reduce", () => {
    const scaled = (timeInForce: "GTC" | "FOK"): MachineEvent[] => {
      const stage = createPerpStage();
      const [alice, bob, carol] = [stage.trader(RICH), stage.trader(RICH), stage.trader(RICH)];
      stage.sell(bob, 10, 500_000);
      stage.buy(alice, 10, 500_000);
      stage.sell(alice, 6, 500_010);
      stage.sell(alice, 10, 500_020, { reduceOnly: true });
      const order = { account: carol, market: stage.linear, side: "buy", price: 500_010, priceTo: 500_020 } as const;
      const events = stage.sure({ kind: "placeScaled", ...order, quantity: 12, count: 2, timeInForce });
      expect(stage.held(alice)).toMatchObject(timeInForce === "GTC" ? [] : [{ lots: 4 }]);
      return events;
    };
    const lots = (events: readonly MachineEvent[]): number[] => eventsOf(events, "trade").map((trade) => trade.lots);
    expect(lots(scaled("GTC"))).toEqual([6, 4]);
    const killed = scaled("FOK");
    expect(lots(killed)).toEqual([6]);
    expect(eventsOf(killed, "orderEnded")).toMatchObject([{ reason: "FOK_UNFILLED", lots: 6 }]);
  });
});
