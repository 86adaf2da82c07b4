// A taker never meets more of an order that only reduces than there is left to reduce, whatever it took before.
import { present } from "@clockwork/kit/assert";
import { beforeEach, describe, expect, it } from "vitest";
import type { MachineEvent } from "../../protocol/event.ts";
import { ORDER_SLOT_COUNT } from "../../protocol/layout.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { drawBook } from "../../testing/stage.ts";

const RICH = 1e12;
const FIRST = 500_000;
const NEXT = 500_010;

let stage: PerpStage;
let alice: number;
let bob: number;

const fills = (events: readonly MachineEvent[]): unknown[] =>
  eventsOf(events, "trade").map(({ price, lots }) => [price, lots]);
const lotsOf = (account: number): number => stage.held(account)[0]?.lots ?? 0;

/** Holds ten lots, sells some of them plainly and behind that all ten by an order that only reduces. */
function seller(plain: number): void {
  stage = createPerpStage();
  [alice, bob] = [stage.trader(RICH), stage.trader(RICH)];
  const other = stage.trader(RICH);
  stage.sell(other, 10, FIRST);
  stage.buy(alice, 10, FIRST);
  stage.sell(alice, plain, FIRST);
  stage.sell(alice, 10, NEXT, { reduceOnly: true });
}

beforeEach(() => seller(6));

describe("an order that only reduces", () => {
  it("[REDUCE-1] is cut to what is left within the same match", () => {
    const events = stage.buy(bob, 16, NEXT);
    expect(fills(events)).toEqual([
      [FIRST, 6],
      [NEXT, 4],
    ]);
    expect([lotsOf(alice), lotsOf(bob)]).toEqual([0, 10]);
    const taker = present(eventsOf(events, "orderAccepted")[0], "TEST", "an order");
    // Margin is reckoned: nothing is frozen for an order.
    expect(taker.heldUnits).toBe(0);
    // Ten of sixteen are filled: fewer cannot be asked for, and as many in all are what there is.
    const amend = (quantity: number): unknown =>
      eventsOf(stage.sure({ kind: "amendOrder", account: bob, orderId: taker.orderId, quantity }), "rejected").map(
        ({ code, limit }) => [code, limit],
      );
    expect(amend(10)).toEqual([["AMEND_BELOW_FILLED", 10]]);
    expect(amend(16)).toEqual([["AMEND_NO_CHANGE", 0]]);
  });

  it("[REDUCE-1] is cut before the next order of the same command meets it", () => {
    const scaled = { kind: "placeScaled", account: bob, market: stage.linear, side: "buy", count: 2 } as const;
    const events = stage.sure({ ...scaled, price: FIRST, priceTo: NEXT, quantity: 16 });
    expect(fills(events)).toEqual([
      [FIRST, 6],
      [NEXT, 4],
    ]);
    expect([lotsOf(alice), lotsOf(bob)]).toEqual([0, 10]);
  });

  it("[REDUCE-1] counts for an order that fills whole or not at all with what is left", () => {
    seller(8);
    const scaled = { kind: "placeScaled", account: bob, market: stage.linear, side: "buy", count: 2 } as const;
    const events = stage.sure({ ...scaled, price: FIRST, priceTo: NEXT, quantity: 16, timeInForce: "FOK" });
    expect(fills(events)).toEqual([[FIRST, 8]]);
    expect(eventsOf(events, "orderEnded").filter(({ account }) => account === bob)).toMatchObject([
      { reason: "FOK_UNFILLED", lots: 8 },
    ]);
    expect([lotsOf(alice), lotsOf(bob)]).toEqual([2, 8]);
  });
});

describe("an order that names its position", () => {
  it("[REDUCE-2] closes that one, though another had its place before", () => {
    stage.sure({ kind: "cancelAll", account: alice });
    const owner = stage.trader(RICH);
    stage.sure({ kind: "setPositionMode", account: owner, hedge: true, split: true });
    const open = (lots: number): number => {
      stage.sell(bob, lots, FIRST);
      stage.buy(owner, lots, FIRST);
      return stage.held(owner).find((position) => position.lots === lots)?.id ?? 0;
    };
    const close = (position: number, lots: number): void => {
      expect(eventsOf(stage.sell(owner, lots, NEXT, { reduceOnly: true, position }), "orderAccepted")).toHaveLength(1);
      stage.buy(bob, lots, NEXT);
    };
    const first = open(5);
    close(first, 5);
    expect(stage.held(owner)).toEqual([]);
    const second = open(6);
    expect(second).toBeGreaterThan(ORDER_SLOT_COUNT);
    close(second, 2);
    expect(stage.held(owner)).toMatchObject([{ id: second, lots: 4 }]);
  });
});

describe("after a fill", () => {
  it("[REDUCE-3] orders that only reduce are cut in the command of the fill, each time", () => {
    expect(fills(stage.buy(bob, 6, FIRST))).toEqual([[FIRST, 6]]);
    expect(drawBook(stage.machine, stage.linear)).toBe(`${NEXT} 4\n--`);
    stage.sell(alice, 3, FIRST + 1);
    expect(fills(stage.buy(bob, 3, FIRST + 1))).toEqual([[FIRST + 1, 3]]);
    expect(drawBook(stage.machine, stage.linear)).toBe(`${NEXT} 1\n--`);
  });
});
