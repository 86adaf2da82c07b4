// Which position a command means: the only one, a side, or the one whose id is said; and never one that came after it.
import { allOf } from "@clockwork/kit/all-of";
import { describe, expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { PO_SYMBOL_MARGIN, SM_LONG, SM_SHORT } from "../state/records.ts";

const MILLION = 1_000_000_000_000;
/** From one holder of a position's record to the next. */
const NEXT = 0x1000000;

function setUp(mode: { hedge?: boolean; split?: boolean } = {}) {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  if (mode.hedge === true) stage.sure({ kind: "setPositionMode", account: alice, hedge: true, ...mode });
  const trade = (side: "buy" | "sell", lots: number, more: object = {}): void => {
    stage[side === "buy" ? "sell" : "buy"](bob, lots, 500_000);
    stage[side](alice, lots, 500_000, more);
  };
  stage.sell(bob, 1_000, 500_100);
  stage.buy(bob, 1_000, 499_900);
  const close = (named: object): string | undefined =>
    eventsOf(
      stage.sure({ kind: "closePosition", account: alice, market: stage.linear, ...named } as Command),
      "rejected",
    )[0]?.code;
  return { stage, alice, trade, close };
}

const lotsOf = (stage: PerpStage, account: number): number[] => stage.held(account).map(({ lots }) => lots);

describe("[FUT-2] a command means", () => {
  test("in one-way mode the only position, and by an id no other than that", () => {
    const { stage, alice, trade, close } = setUp();
    expect(close({})).toBe("UNKNOWN_POSITION");
    trade("buy", 10);
    const id = stage.held(alice)[0]?.id ?? 0;
    // A side says nothing here; ids of the time before and after, and of another record, are refused.
    expect([NEXT + id, id + 1, 2 * NEXT + id].map((position) => close({ position }))).toEqual(
      Array(3).fill("UNKNOWN_POSITION"),
    );
    expect(close({ position: id, lots: 3 })).toBeUndefined();
    expect(close({ side: "short", lots: 3 })).toBeUndefined();
    expect(lotsOf(stage, alice)).toEqual([4]);
    expect(close({})).toBeUndefined();
    expect([close({}), close({ position: id })]).toEqual(["UNKNOWN_POSITION", "UNKNOWN_POSITION"]);
    trade("sell", 5);
    expect(close({ position: id })).toBe("UNKNOWN_POSITION");
    expect(close({ position: id + NEXT })).toBeUndefined();
    expect(lotsOf(stage, alice)).toEqual([]);
  });

  test("in hedge mode the side it says; none without one, whatever id stands there", () => {
    const { stage, alice, trade, close } = setUp({ hedge: true });
    trade("buy", 10);
    expect(close({ side: "short" })).toBe("UNKNOWN_POSITION");
    trade("sell", 4);
    const [long, short] = stage.held(alice);
    expect([close({}), close({ position: long?.id })]).toEqual(["UNKNOWN_POSITION", "UNKNOWN_POSITION"]);
    expect([close({ side: "short", position: long?.id }), close({ side: "long", position: short?.id })]).toEqual([
      ...["UNKNOWN_POSITION", "UNKNOWN_POSITION"],
    ]);
    expect(close({ side: "short", position: short?.id, lots: 1 })).toBeUndefined();
    expect(lotsOf(stage, alice)).toEqual([10, -3]);
    expect(close({ side: "short" })).toBeUndefined();
    expect(lotsOf(stage, alice)).toEqual([10]);
    expect(close({ side: "long" })).toBeUndefined();
    expect(lotsOf(stage, alice)).toEqual([]);
  });

  test("in split layout the position of an id, its own, open, and of this time", () => {
    const { stage, alice, trade, close } = setUp({ hedge: true, split: true });
    const carol = stage.trader(MILLION);
    stage.buy(carol, 5, 500_100);
    trade("buy", 10);
    trade("buy", 20);
    const [second, first] = stage.held(alice);
    const ids = [first?.id ?? 0, second?.id ?? 0] as const;
    // The records of both sides stay flat in this layout.
    const { perps } = coreOf(stage.machine);
    const sides = [SM_LONG, SM_SHORT].map((side) => perps.symbolMargin(perps.position(ids[0], PO_SYMBOL_MARGIN), side));
    expect(allOf(sides, (side) => side > 0)).toBe(true);
    const strange = [...sides, 0, NEXT, NEXT - 1, NEXT + ids[0], stage.held(carol)[0]?.id ?? 0, 5 * NEXT];
    expect(strange.map((position) => close({ position }))).toEqual(strange.map(() => "UNKNOWN_POSITION"));
    expect(close({ position: ids[0] })).toBeUndefined();
    expect(lotsOf(stage, alice)).toEqual([20]);
    expect(close({ position: ids[0] })).toBe("UNKNOWN_POSITION");
    // Its record is taken again: the old id still means nobody.
    trade("sell", 7);
    const again = stage.held(alice).find(({ lots }) => lots === -7)?.id ?? 0;
    expect([again % NEXT, again === ids[0]]).toEqual([ids[0] % NEXT, false]);
    expect(close({ position: ids[0] })).toBe("UNKNOWN_POSITION");
    expect(close({ position: again })).toBeUndefined();
    expect(lotsOf(stage, alice)).toEqual([20]);
  });

  test("leverages of both sides are those of the positions that open there", () => {
    const { stage, alice, trade } = setUp({ hedge: true, split: true });
    stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 10, short: 25 });
    trade("buy", 10);
    trade("sell", 10);
    expect(stage.held(alice)).toMatchObject([
      { lots: -10, margin: 20_000_000 },
      { lots: 10, margin: 50_000_000 },
    ]);
  });
});
