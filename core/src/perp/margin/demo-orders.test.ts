// Chains of a demo market beside plain lists: who rests behind whom and behind how many lots of the real book, what a player
// took of a price and what has come back of it.
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { T_ASK, T_BID, TOP_SHIFT } from "../../book/book.ts";
import { FLAG_RESTING, FLAG_SELL, O_FLAGS, O_LEVEL, O_NEXT, O_PREV, O_PRICE, ORDER_SHIFT } from "../../book/orders.ts";
import { coreOf } from "../../machine/machine.ts";
import { type Core, G_NOW } from "../../state/core.ts";
import { createPerpStage, listAnother, type PerpStage } from "../../testing/perp-stage.ts";
import { CT_DEMO_BUYS, CT_DEMO_SELLS, CT_MIRROR, SM_TAKES } from "../state/records.ts";
import {
  aheadOf,
  clearTakes,
  isDemo,
  leaseTops,
  noteTake,
  restDemo,
  returnTops,
  setAhead,
  takenAt,
  unlinkDemo,
} from "./demo-orders.ts";
import { isPlayMoney } from "./spending.ts";

const MINUTE = 60_000;
const BIDS: readonly (readonly [number, number])[] = [
  [499_995, 5],
  [499_990, 7],
];
const ASKS: readonly (readonly [number, number])[] = [
  [500_005, 3],
  [500_010, 9],
];

function demoStage() {
  const stage = createPerpStage();
  const market = listAnother(stage, "DEMO");
  const core = coreOf(stage.machine);
  core.perps.setContract(market, CT_MIRROR, stage.linear);
  return { stage, core, market };
}

function makeBook(stage: PerpStage, sides: readonly ("buy" | "sell")[] = ["buy", "sell"]): void {
  const maker = stage.trader(10 ** 13);
  for (const side of sides) for (const [price, lots] of side === "buy" ? BIDS : ASKS) stage[side](maker, lots, price);
}

interface Resting {
  readonly slot: number;
  readonly price: number;
  readonly sell: number;
  ahead: number;
}

/** One side's orders as they are chained, forward and, where that differs, backward. */
function chainOf(core: Core, market: number, sell: number): number[] {
  const orders = core.books.orderWords;
  const found: number[] = [];
  let at = core.perps.contract(market, sell !== 0 ? CT_DEMO_SELLS : CT_DEMO_BUYS);
  for (; at !== 0; at = orders[(at << ORDER_SHIFT) | O_NEXT] as number) {
    const before = orders[(at << ORDER_SHIFT) | O_PREV] as number;
    if (before !== (found.at(-1) ?? 0)) found.push(-before);
    found.push(at);
  }
  return found;
}

test.each([1, 2])(
  "[FUT-4] seed %i: demo orders rest by price and time, behind what the real book shows there",
  (seed) => {
    const { stage, core, market } = demoStage();
    const random = createRandom(seed);
    const { orders } = core.books;
    const word = (slot: number, at: number): number => core.books.orderWords[(slot << ORDER_SHIFT) | at] as number;
    let resting: Resting[] = [];
    for (let step = 0; step < 300; step++) {
      // The first find a real book with nothing in it, the next one with nothing to sell.
      if (step === 20) makeBook(stage, ["buy"]);
      if (step === 80) makeBook(stage, ["sell"]);
      if (random.chance(2, 5) && resting.length > 0) {
        const gone = random.pick(resting);
        unlinkDemo(core, gone.slot);
        resting = resting.filter((one) => one !== gone);
        expect([step, word(gone.slot, O_FLAGS) & FLAG_RESTING]).toEqual([step, 0]);
      } else {
        const sell = random.pick([0, FLAG_SELL]);
        const price = random.pick([499_989, 499_990, 499_992, 499_995, 499_997, 500_003, 500_005, 500_008, 500_010, 9]);
        const slot = orders.take();
        core.books.orderWords[(slot << ORDER_SHIFT) | O_FLAGS] = (market << 16) | sell;
        core.books.orderWords[(slot << ORDER_SHIFT) | O_LEVEL] = 77;
        restDemo(core, market, slot, price, sell);
        const shown = (sell !== 0 ? ASKS : BIDS).find(([at]) => at === price)?.[1] ?? 0;
        resting.push({ slot, price, sell, ahead: step < (sell !== 0 ? 80 : 20) ? 0 : shown });
        expect([step, word(slot, O_PRICE), word(slot, O_LEVEL)]).toEqual([step, price, 0]);
        expect(word(slot, O_FLAGS)).toBe((market << 16) | sell | FLAG_RESTING);
      }
      const moved = random.pick([...resting, undefined]);
      if (moved !== undefined) {
        moved.ahead += 1;
        setAhead(core, moved.slot, moved.ahead);
      }
      for (const sell of [0, FLAG_SELL]) {
        const side = resting.filter((one) => one.sell === sell);
        const wanted = side.sort((a, b) => (sell !== 0 ? a.price - b.price : b.price - a.price));
        expect([step, chainOf(core, market, sell)]).toEqual([step, wanted.map(({ slot }) => slot)]);
      }
      expect([step, resting.map(({ slot }) => aheadOf(core, slot))]).toEqual([step, resting.map(({ ahead }) => ahead)]);
    }
  },
);

test("[FUT-4] whoever stood behind the first is first when that one goes", () => {
  const { core, market } = demoStage();
  const slots = [500_001, 500_000].map((price) => {
    const slot = core.books.orders.take();
    core.books.orderWords[(slot << ORDER_SHIFT) | O_FLAGS] = (market << 16) | FLAG_SELL;
    restDemo(core, market, slot, price, FLAG_SELL);
    return slot;
  });
  expect(chainOf(core, market, FLAG_SELL)).toEqual(slots.toReversed());
  unlinkDemo(core, slots[1] as number);
  expect([slots[0], chainOf(core, market, FLAG_SELL)]).toEqual([1, [1]]);
});

test("[FUT-4] play money is the coin a demo market is settled in, and no other", () => {
  const stage = createPerpStage();
  const market = listAnother(stage, "DEMO");
  const core = coreOf(stage.machine);
  const play = (): boolean[] => [stage.btc, stage.usdt, stage.usdt + 1].map((asset) => isPlayMoney(core, asset));
  expect(play()).toEqual([false, false, false]);
  core.perps.setContract(market, CT_MIRROR, stage.linear);
  expect(play()).toEqual([false, true, false]);
});

test("[FUT-4] a demo market has the best prices of the real one while an order is looked at", () => {
  const { stage, core, market } = demoStage();
  makeBook(stage);
  const tops = (of: number): number[] =>
    [T_BID, T_ASK].map((at) => core.books.topWords[(of << TOP_SHIFT) | at] as number);
  expect([isDemo(core, market), isDemo(core, stage.linear)]).toEqual([true, false]);
  leaseTops(core, market);
  expect([tops(market), tops(stage.linear)]).toEqual([
    [499_995, 500_005],
    [499_995, 500_005],
  ]);
  returnTops(core, market);
  expect([tops(market), tops(stage.linear)]).toEqual([
    [0, 0],
    [499_995, 500_005],
  ]);
});

test.each([1, 2])(
  "[FUT-4] seed %i: what was taken comes back over a minute, of each price and player apart",
  (seed) => {
    const { stage, core } = demoStage();
    const alice = stage.trader(1_000);
    for (const market of [stage.linear, stage.inverse])
      stage.sure({ kind: "setLeverage", account: alice, market, long: 20 });
    const { perps } = core;
    const { takes } = perps;
    const random = createRandom(seed);
    let now = stage.time;
    let most = 0;
    const lists: { price: number; lots: number; time: number }[][] = [[], []];
    for (let step = 0; step < 400; step++) {
      const symbolMargin = random.pick([1, 2]);
      const own = lists[symbolMargin - 1] as (typeof lists)[number];
      const dice = random.below(10);
      now += random.pick([0, 1, 500, 20_000, MINUTE - 1, MINUTE]) * (dice < 3 ? 1 : 0);
      core.clock[G_NOW] = now;
      if (dice < 8) {
        const [price, lots] = [random.pick([499_990, 500_000, 500_001]), random.between(1, 50)];
        noteTake(core, symbolMargin, price, lots);
        own.unshift({ price, lots, time: now });
      } else {
        clearTakes(core, symbolMargin);
        lists[symbolMargin - 1] = own.filter(({ time }) => now - time < MINUTE);
      }
      most = Math.max(most, lists.flat().length);
      expect([step, takes.table.count]).toEqual([step, most + 1]);
      for (const [i, list] of lists.entries()) {
        const found: number[][] = [];
        for (let at = perps.symbolMargin(i + 1, SM_TAKES); at !== 0; at = takes.table.i32[at * 8 + 1] as number)
          found.push([
            takes.table.i32[at * 8 + 2] as number,
            takes.table.f64[at * 4 + 2] as number,
            takes.table.f64[at * 4 + 3] as number,
          ]);
        expect([step, found]).toEqual([step, list.map(({ price, lots, time }) => [price, lots, time])]);
        for (const price of [499_990, 500_000, 500_001]) {
          const gone = list.filter((take) => take.price === price && now - take.time < MINUTE);
          const left = gone.reduce(
            (sum, { lots, time }) => sum + Math.ceil((lots * (MINUTE - (now - time))) / MINUTE),
            0,
          );
          expect([step, takenAt(core, i + 1, price)]).toEqual([step, left]);
        }
      }
    }
  },
);
