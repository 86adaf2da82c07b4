// At which price everybody is watched, until when, and that a restored machine watches the same.
import { describe, expect, test } from "vitest";
import { coreOf, restoreMachine } from "../../machine/machine.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { createDriver, eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import {
  LOOK_END,
  LOOK_WARN,
  PO_KEY,
  PO_PLACE,
  PO_WARN_KEY,
  PO_WARN_PLACE,
  POF_MARGIN,
  POSITION_IDS,
} from "../state/records.ts";
import { crossEquity, needOf, profitOf } from "./equity.ts";
import { keyOf } from "./watch.ts";

const MILLION = 1_000_000_000_000;
const INSURANCE = 2;
const MARK = 500_000;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);
const warned = (events: readonly MachineEvent[]): number[] =>
  eventsOf(events, "marginWarning").map(({ percent }) => percent);
const ended = (events: readonly MachineEvent[]): number[] =>
  eventsOf(events, "liquidationStarted").map(({ account }) => account);

interface Held {
  readonly stage: PerpStage;
  readonly alice: number;
  readonly bob: number;
  readonly trade: (side: "buy" | "sell", lots: number, price?: number) => MachineEvent[];
  readonly positions: () => number[];
}

function setUp(units: number, leverage: number, modes: { isolated?: boolean; hedge?: boolean } = {}): Held {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(units), stage.trader(MILLION)];
  const market = stage.linear;
  const endow = { asset: stage.usdt, business: "adjustment", units: usdt(1_000), reference: "endow" } as const;
  stage.sure({ kind: "mint", account: INSURANCE, ...endow });
  if (modes.hedge === true) stage.sure({ kind: "setPositionMode", account: alice, hedge: true });
  if (modes.isolated === true) stage.sure({ kind: "setMarginMode", account: alice, market, isolated: true });
  stage.sure({ kind: "setLeverage", account: alice, market, long: leverage, short: leverage });
  const trade = (side: "buy" | "sell", lots: number, price = MARK): MachineEvent[] => {
    stage[side === "buy" ? "sell" : "buy"](bob, lots, price);
    return stage[side](alice, lots, price);
  };
  const positions = (): number[] => stage.held(alice).map(({ id }) => id % POSITION_IDS);
  return { stage, alice, bob, trade, positions };
}

describe("[FUT-2] the prices somebody is watched at", () => {
  test("are where the whole budget ends, and the one to the next warning; of cross positions each has its share", () => {
    const { stage, trade, positions } = setUp(usdt(60), 50, { hedge: true });
    trade("buy", 10);
    trade("sell", 4);
    stage.mark(stage.linear, MARK);
    const core = coreOf(stage.machine);
    const both = positions();
    const equity = crossEquity(core, core.perps.marginAccountOf(both[0] as number));
    const need = both.reduce((sum, position) => sum + needOf(core, position), 0);
    for (const position of both)
      expect([PO_KEY, PO_WARN_KEY].map((key) => core.perps.position(position, key))).toEqual([
        keyOf(core, position, Math.floor((equity - need) / 2), 100),
        keyOf(core, position, Math.floor((equity - Math.ceil((need * 100) / 70)) / 2), 70),
      ]);
  });

  test.each([
    [false, 100],
    [true, 80],
  ])("are an isolated position's own (appending margin: %s)", (on, stageOf) => {
    const { stage, alice, trade, positions } = setUp(usdt(100), 50, { isolated: true });
    stage.sure({ kind: "setAutoAppend", account: alice, market: stage.linear, on });
    trade("buy", 10);
    stage.mark(stage.linear, MARK);
    const core = coreOf(stage.machine);
    const [position = 0] = positions();
    const equity = core.perps.positionDouble(position, POF_MARGIN) + profitOf(core, position);
    const to = (percent: number): number => equity - Math.ceil((needOf(core, position) * 100) / percent);
    expect([PO_KEY, PO_WARN_KEY].map((key) => core.perps.position(position, key))).toEqual([
      keyOf(core, position, to(stageOf), stageOf),
      keyOf(core, position, to(70), 70),
    ]);
  });

  test("are none for a warning after the last one, and none at all once all is closed", () => {
    const { stage, alice, bob, trade, positions } = setUp(usdt(0.6), 100);
    trade("buy", 1);
    expect(warned(stage.mark(stage.linear, 496_900))).toEqual([85]);
    const { perps } = coreOf(stage.machine);
    const places = positions().map((position) => [PO_PLACE, PO_WARN_PLACE].map((at) => perps.position(position, at)));
    expect(places).toEqual([[1, 0]]);
    stage.buy(bob, 1, 496_900);
    stage.sure({ kind: "closePosition", account: alice, market: stage.linear });
    for (const look of [LOOK_END, LOOK_WARN])
      expect([0, 1].map((side) => perps.heap(stage.linear, side, look).count - 1)).toEqual([0, 0]);
  });
});

test("[FUT-2] who was given a bonus is warned anew", () => {
  const { stage, alice, trade } = setUp(usdt(0.6), 100);
  stage.fundTreasury(usdt(10));
  trade("buy", 1);
  expect(warned(stage.mark(stage.linear, 496_900))).toEqual([85]);
  const money = { asset: stage.usdt, units: 340_000, reference: "g" } as const;
  stage.sure({ kind: "grantBonus", account: alice, ...money, expiresAt: stage.time + 1_000_000 });
  expect(warned(stage.mark(stage.linear, 496_900))).toEqual([]);
  expect(warned(stage.mark(stage.linear, 493_500))).toEqual([85]);
});

test("[FUT-2] whose bonus is over is ended where what is left ends", () => {
  const { stage, alice, trade } = setUp(usdt(25), 20);
  stage.fundTreasury(usdt(1_000));
  const money = { asset: stage.usdt, units: usdt(1_000), reference: "g" } as const;
  stage.sure({ kind: "grantBonus", account: alice, ...money, expiresAt: stage.time + 10_000 });
  trade("buy", 10);
  stage.mark(stage.linear, MARK);
  stage.time += 10_000;
  expect(eventsOf(stage.sure({ kind: "tick" }), "bonusChanged")).toMatchObject([{ state: "EXPIRED" }]);
  expect(ended(stage.mark(stage.linear, 477_196))).toEqual([]);
  expect(ended(stage.mark(stage.linear, 477_195))).toEqual([alice]);
});

test("[FUT-2] no more initial margins are appended than bring it below 80 %", () => {
  const { stage, alice, trade } = setUp(usdt(1_000), 100, { isolated: true });
  stage.sure({ kind: "setAutoAppend", account: alice, market: stage.linear, on: true });
  trade("buy", 10);
  const published = eventsOf(stage.mark(stage.linear, 497_800), "marginChanged");
  expect(published.map(({ deltaUnits, marginUnits }) => [deltaUnits, marginUnits])).toEqual([[usdt(5), usdt(10)]]);
  const own = stage.sure({ kind: "changeMargin", account: alice, market: stage.linear, units: 1 });
  expect([published, eventsOf(own, "marginChanged")].flatMap((all) => all.map(({ automatic }) => automatic))).toEqual([
    true,
    false,
  ]);
});

test("[FUT-2] at a mark of one tick isolated longs end", () => {
  const { stage, alice, trade } = setUp(usdt(1_000), 20, { isolated: true });
  trade("buy", 10);
  expect(ended(stage.mark(stage.linear, 1))).toEqual([alice]);
});

test("[FUT-2] a restored machine ends whom the original would have", () => {
  const { stage, alice, trade } = setUp(usdt(25.3), 20);
  trade("buy", 10);
  stage.mark(stage.linear, MARK);
  const copy = createDriver(restoreMachine(stage.machine.snapshot()), stage.time);
  const { touched, realTrades } = coreOf(copy.machine).perps;
  expect([touched, realTrades]).toEqual([[], []]);
  const fall = { kind: "setReferencePrice", market: stage.linear, markTicks: 477_195 } as const;
  expect([ended(copy.send(fall)), ended(stage.sure(fall))]).toEqual([[alice], [alice]]);
  expect(copy.machine.stateHash()).toBe(stage.machine.stateHash());
});

test("[FUT-2] a split position of a single lot is held, found by its id and closed", () => {
  const { stage, alice, bob, trade } = setUp(usdt(1_000), 20, { hedge: true });
  stage.sure({ kind: "setPositionMode", account: alice, hedge: true, split: true });
  trade("buy", 1);
  const [held] = stage.held(alice);
  expect(held).toMatchObject({ lots: 1 });
  stage.buy(bob, 1, MARK);
  stage.sure({ kind: "closePosition", account: alice, market: stage.linear, position: held?.id ?? 0 });
  expect([stage.held(alice), coreOf(stage.machine).perps.lots(0)]).toEqual([[], 0]);
});
