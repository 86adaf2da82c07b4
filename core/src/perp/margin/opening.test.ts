// What an order asks and what a position begins with, at the edges: a single unit of loss, a single lot across zero, a
// leverage of one, a record that another position had before.
import { buildTiers } from "@clockwork/kit/margin";
import { describe, expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import { M_MARK, MARKET_SHIFT } from "../../market/markets.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, listAnother, type PerpStage } from "../../testing/perp-stage.ts";
import { POF_OPENED, POF_REALIZED } from "../state/records.ts";
import { crossPositions, needOf, profitOf } from "./equity.ts";
import { marginRequired, openLoss, requiredOf, symbolMarginOf } from "./exposure.ts";
import { fillPosition, RATE_NONE } from "./fill.ts";

const MILLION = 1_000_000_000_000;
const INSURANCE = 2;
/** From one holder of a position's record to the next. */
const NEXT = 0x1000000;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);
const refusal = (events: readonly MachineEvent[]): (string | number | undefined)[] => {
  const [refused] = eventsOf(events, "rejected");
  return [refused?.code, refused?.limit];
};

function trade(
  stage: PerpStage,
  side: "buy" | "sell",
  [taker, maker]: readonly [number, number],
  lots: number,
  price: number,
) {
  stage[side === "buy" ? "sell" : "buy"](maker, lots, price);
  return stage[side](taker, lots, price);
}

test.each([
  // At the mark a contract is worth 200 000 units: at 50 000.3 it is one less, at 49 999.8 one more.
  ["buy", 500_003, 10_000 + 120 + 1],
  ["sell", 499_998, 10_001 + 121 + 1],
] as const)("[FUT-2] an inverse %s that loses a single unit at once asks for it", (side, price, enough) => {
  for (const funds of [enough, enough - 1]) {
    const stage = createPerpStage();
    const alice = stage.trader(funds, { inverse: true });
    const events = stage[side](alice, 1, price, { market: stage.inverse });
    expect(refusal(events)).toEqual(funds === enough ? [undefined, undefined] : ["INSUFFICIENT_MARGIN", funds]);
  }
});

test("[FUT-2] a contract whose ladder allows a leverage of one asks for the whole value", () => {
  const tiers = buildTiers([{ cap: 10n ** 12n, leverageMax: 1, rate: 25_000_000n }]);
  for (const less of [0, 1]) {
    const stage = createPerpStage();
    const market = listAnother(stage, "ONE", tiers);
    const alice = stage.trader(usdt(50 + 0.03) - less);
    const events = stage.buy(alice, 1, 500_000, { market });
    expect(refusal(events)).toEqual(less === 0 ? [undefined, undefined] : ["INSUFFICIENT_MARGIN", usdt(50 + 0.03) - 1]);
  }
});

test("[FUT-2] an order costs what is asked with it less what its market counts for, not what that would ask now", () => {
  // 25.30 are counted for ten at 50 000 and 2.4794 for one at 49 000 elsewhere. At a mark of 49 900 the ten and another one
  // at 49 000 ask 27.8794.
  const enough = usdt(25.3 + 2.4794 + (27.8794 - 25.3));
  for (const less of [0, 1]) {
    const stage = createPerpStage();
    const market = listAnother(stage, "TWO");
    const alice = stage.trader(enough - less);
    stage.buy(alice, 10, 500_000);
    stage.buy(alice, 1, 490_000, { market });
    stage.mark(stage.linear, 499_000);
    const events = stage.buy(alice, 1, 490_000);
    expect(refusal(events)).toEqual(less === 0 ? [undefined, undefined] : ["INSUFFICIENT_MARGIN", usdt(2.5794) - 1]);
  }
});

test("[FUT-2] a position that shrinks without an order asks less at once; nothing is asked of the house", () => {
  const stage = createPerpStage();
  const market = listAnother(stage, "TWO");
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  trade(stage, "buy", [alice, bob], 10, 500_000);
  stage.buy(alice, 1, 490_000, { market });
  const core = coreOf(stage.machine);
  const position = (stage.held(alice)[0]?.id ?? 0) % NEXT;
  const marginAccount = core.perps.marginAccountOf(position);
  expect(requiredOf(core, marginAccount)).toBe(usdt(25 + 2.45 + 0.0294));
  fillPosition(core.views, position, -4, 500_000, RATE_NONE, 1);
  expect(requiredOf(core, marginAccount)).toBe(usdt(15 + 2.45 + 0.0294));
  const house = symbolMarginOf(core, core.accountMarketOf(INSURANCE, stage.linear));
  expect(marginRequired(core, house, usdt(50), 1, 0, 0)).toBe(0);
});

test("[FUT-2] a mark of one tick is a mark: profit and need are measured at it", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  trade(stage, "sell", [alice, bob], 10, 500_000);
  const core = coreOf(stage.machine);
  const position = (stage.held(alice)[0]?.id ?? 0) % NEXT;
  const set = (ticks: number): void => {
    core.markets.words[(stage.linear << MARKET_SHIFT) | M_MARK] = ticks;
  };
  set(1);
  // Ten lots are worth 1 000 units: 0.4 % and the liquidation fee of 0.06 % of them.
  expect([profitOf(core, position), needOf(core, position)]).toEqual([usdt(500) - 1_000, 5]);
  expect(openLoss(core, stage.linear, 1_000, 1, 0, 0)).toBe(900);
  expect(crossPositions(core, core.perps.marginAccountOf(position))).toEqual([position]);
  set(0);
  expect([profitOf(core, position), needOf(core, position)]).toEqual([0, 0]);
  expect(openLoss(core, stage.linear, 1_000, 1, 0, 0)).toBe(0);
  // Nor does an inverse position need anything before there is a mark.
  const market = stage.inverse;
  const [long, short] = [stage.trader(MILLION, { inverse: true }), stage.trader(MILLION, { inverse: true })];
  stage.buy(long, 1, 500_000, { market });
  stage.sell(short, 1, 500_000, { market });
  core.markets.words[(market << MARKET_SHIFT) | M_MARK] = 0;
  expect(needOf(core, (stage.held(long, market)[0]?.id ?? 0) % NEXT)).toBe(0);
});

test("[FUT-2] what would open by a single unit asks for its fee and its loss", () => {
  const stage = createPerpStage();
  const market = stage.inverse;
  const [alice, bob] = [stage.trader(MILLION, { inverse: true }), stage.trader(MILLION, { inverse: true })];
  stage.buy(alice, 1, 500_000, { market });
  stage.sell(bob, 1, 500_000, { market });
  const core = coreOf(stage.machine);
  const symbolMargin = symbolMarginOf(core, core.accountMarkets.find(alice, market));
  // Held are 200 000 units: a twentieth is asked for them, and more only for what an order is larger by.
  expect(marginRequired(core, symbolMargin, 0, 0, 400_000, 2)).toBe(10_000);
  expect(marginRequired(core, symbolMargin, 0, 0, 200_001, 1)).toBe(10_000);
  expect(marginRequired(core, symbolMargin, 0, 0, 400_001, 2)).toBe(10_001 + 1 + 1);
});

test("[FUT-2] one lot across zero ends one position and begins another, which has realised nothing", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  for (const [first, second] of [
    ["buy", "sell"],
    ["sell", "buy"],
  ] as const) {
    trade(stage, first, [alice, bob], 3, 500_000);
    const [before] = stage.held(alice);
    const events = trade(stage, second, [alice, bob], 4, 500_100);
    const way = first === "buy" ? 1 : -1;
    const published = eventsOf(events, "positionChanged").filter(({ account }) => account === alice);
    const [after] = stage.held(alice);
    expect(
      published.map(({ position, lots, costUnits, realizedUnits }) => [position, lots, costUnits, realizedUnits]),
    ).toEqual([
      [before?.id, 0, 0, way * 3 * 100 * 100],
      [after?.id, -way, 500_100 * 100, 0],
    ]);
    expect(after).toMatchObject({ lots: -way, id: (before?.id ?? 0) + NEXT });
    const { perps } = coreOf(stage.machine);
    const started = [POF_OPENED, POF_REALIZED].map((at) => perps.positionDouble((after?.id ?? 0) % NEXT, at));
    expect(started).toEqual([stage.time, 0]);
    stage.time += 1_000;
    trade(stage, first, [alice, bob], 1, 500_100);
    expect([stage.held(alice), stage.held(bob)]).toEqual([[], []]);
  }
});

test("[FUT-2] a position remembers what it has realised, gains and losses", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  trade(stage, "buy", [alice, bob], 5, 500_000);
  trade(stage, "sell", [alice, bob], 1, 500_300);
  trade(stage, "sell", [alice, bob], 2, 499_900);
  const { perps } = coreOf(stage.machine);
  const realized = [alice, bob].map((account) =>
    perps.positionDouble((stage.held(account)[0]?.id ?? 0) % NEXT, POF_REALIZED),
  );
  expect(realized).toEqual([10_000, -10_000]);
});

test("[FUT-2] an order of split layout fills into one position, whoever had its record before", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  stage.sure({ kind: "setPositionMode", account: alice, hedge: true, split: true });
  for (let round = 0; round < 3; round++) {
    stage.buy(alice, 10, 499_000);
    for (const lots of [4, 1, 5]) stage.sell(bob, lots, 499_000);
    const held = stage.held(alice);
    expect(held).toMatchObject([{ lots: 10 }]);
    expect(Math.floor((held[0]?.id ?? 0) / NEXT)).toBe(round);
    stage.buy(bob, 10, 499_000);
    stage.sure({ kind: "closePosition", account: alice, market: stage.linear, position: held[0]?.id ?? 0 });
    expect(stage.held(alice)).toEqual([]);
  }
});

describe("[FUT-2] orders that may only reduce", () => {
  const setUp = () => {
    const stage = createPerpStage();
    const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
    return { stage, alice, bob };
  };

  test.each([
    ["buy", "sell", 501_000],
    ["sell", "buy", 499_000],
  ] as const)("a single lot of them ends with the position it reduces (%s)", (side, other, price) => {
    const { stage, alice, bob } = setUp();
    trade(stage, side, [alice, bob], 3, 500_000);
    stage[other](alice, 1, price, { reduceOnly: true });
    const events = trade(stage, other, [alice, bob], 3, 500_000);
    expect(eventsOf(events, "orderEnded")).toMatchObject([{ account: alice, reason: "POSITION_REDUCED", lots: 1 }]);
  });

  test("a single stop ends with its position", () => {
    const { stage, alice, bob } = setUp();
    trade(stage, "buy", [alice, bob], 3, 500_000);
    const stops = { kind: "setPositionStops", account: alice, market: stage.linear, profitTrigger: 510_000 } as const;
    expect(refusal(stage.sure(stops))).toEqual([undefined, undefined]);
    const events = trade(stage, "sell", [alice, bob], 3, 500_000);
    expect(eventsOf(events, "orderEnded").filter(({ account }) => account === alice)).toHaveLength(1);
  });
});

describe("[FUT-2] warnings begin anew", () => {
  const warned = (events: readonly MachineEvent[]): (string | number)[] =>
    eventsOf(events, "marginWarning").map(({ percent }) => percent);
  const setUp = (isolated: boolean) => {
    const stage = createPerpStage();
    const [alice, bob] = [stage.trader(usdt(isolated ? 1_000 : 0.6)), stage.trader(MILLION)];
    stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated });
    stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 100 });
    const round = (lots: number, price: number, mark: number): MachineEvent[] => {
      trade(stage, "buy", [alice, bob], lots, price);
      const published = stage.mark(stage.linear, mark);
      stage.buy(bob, lots, mark);
      stage.sure({ kind: "closePosition", account: alice, market: stage.linear });
      expect(stage.held(alice)).toEqual([]);
      return published;
    };
    return { stage, alice, round };
  };

  test("with every position, whatever the one before in its record was told", () => {
    const { round } = setUp(true);
    // Of a margin of a hundredth nearly half is lost at once: more than 85 % are used.
    expect([round(10, 502_400, 500_000), round(10, 502_400, 500_000)].map(warned)).toEqual([[85], [85]]);
  });

  test("with an account that had nothing open when a mark came", () => {
    const { stage, alice, round } = setUp(false);
    // A thousandth at 50 000 needs 0.23 of the 0.57 left; 0.31 are lost. Later the same again from a fuller wallet.
    expect(warned(round(1, 500_000, 496_900))).toEqual([85]);
    stage.mark(stage.linear, 496_900);
    const money = { asset: stage.usdt, business: "deposit", units: 400_000, reference: "more" } as const;
    stage.sure({ kind: "mint", account: alice, ...money });
    expect(warned(round(1, 496_900, 493_500))).toEqual([85]);
  });
});
