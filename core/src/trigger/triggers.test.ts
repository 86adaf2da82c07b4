// Conditional orders in their waiting places beside a plain list of them.
import { allOf } from "@clockwork/kit/all-of";
import { createRandom, type Random } from "@clockwork/kit/random";
import { describe, expect, it } from "vitest";
import {
  EXTRA_WORDS,
  FLAG_LIVE,
  FLAG_SELL,
  O_FLAGS,
  O_LEVEL,
  ORDER_SHIFT,
  Orders,
  X_CALLBACK,
  X_CONDITIONAL,
  X_DIRECTION,
  X_PEAK,
  X_SOURCE,
  X_TRIGGER,
} from "../book/orders.ts";
import { CONDITIONAL_STOP_MARKET, CONDITIONAL_TRAILING, DIRECTION_RISES, Triggers } from "./triggers.ts";

interface Plan {
  readonly slot: number;
  readonly market: number;
  readonly source: number;
  readonly trails: boolean;
  readonly falls: boolean;
  readonly sells: boolean;
  readonly trigger: number;
  readonly callback: number;
  peak: number;
}

type Choice = Omit<Plan, "slot" | "peak">;

const DIRECTION_FALLS = DIRECTION_RISES + 1;

/** Triggers, and beside them every plan that waits, oldest first. */
class ReferenceModel {
  readonly orders = new Orders(8);
  readonly triggers = new Triggers(this.orders);
  waiting: Plan[] = [];
  /** Slots that wait for a plan, in any order; more than ever wait at once. */
  readonly #slots = Array.from({ length: 256 }, () => this.orders.take());
  readonly #random = createRandom(7);

  constructor(markets: number) {
    for (let market = 1; market <= markets; market++) this.triggers.open(market);
  }

  add(request: Choice): Plan {
    const { orders } = this;
    const slot = this.#slots.splice(this.#random.below(this.#slots.length), 1)[0] as number;
    orders.table.i32[(slot << ORDER_SHIFT) | O_FLAGS] = FLAG_LIVE | (request.sells ? FLAG_SELL : 0);
    const extra = orders.extra(slot) * EXTRA_WORDS;
    const words = orders.extras.i32;
    words[extra + X_CONDITIONAL] = request.trails ? CONDITIONAL_TRAILING : CONDITIONAL_STOP_MARKET;
    words[extra + X_SOURCE] = request.source;
    words[extra + X_DIRECTION] = request.falls ? DIRECTION_FALLS : DIRECTION_RISES;
    words[extra + X_TRIGGER] = request.trigger;
    words[extra + X_CALLBACK] = request.callback;
    const plan = { ...request, slot, peak: 0 };
    this.triggers.add(request.market, slot);
    this.waiting.push(plan);
    return plan;
  }

  remove(plan: Plan): void {
    this.triggers.remove(plan.market, plan.slot);
    this.#end([plan]);
  }

  #end(plans: readonly Plan[]): void {
    this.waiting = this.waiting.filter((plan) => !plans.includes(plan));
    for (const { market, slot } of plans) {
      // Nowhere any more, it takes nothing else away.
      expect(this.orders.table.i32[(slot << ORDER_SHIFT) | O_LEVEL]).toBe(0);
      this.triggers.remove(market, slot);
      this.orders.give(slot);
      this.#slots.push(slot);
    }
    // Of none nothing is noted.
    expect(allOf(this.orders.table.i32.subarray(0, 1 << ORDER_SHIFT), (word) => word === 0)).toBe(true);
  }

  /** Shows a price to both and compares what each finds due, first followed and moved. */
  see(market: number, source: number, price: number): void {
    const here = this.waiting.filter((plan) => plan.market === market && plan.source === source);
    const fixed = here.filter(({ trails }) => !trails);
    const rises = fixed.filter(({ falls, trigger }) => !falls && trigger <= price);
    const falls = fixed.filter((plan) => plan.falls && plan.trigger >= price);
    const trails = here.filter((plan) => plan.trails);
    const concerns = rises.length + falls.length + trails.length > 0;
    expect(this.triggers.concerns(market, source, price)).toBe(concerns);
    const [fired, activated, moved] = [[] as Plan[], [] as number[], [] as number[]];
    for (const plan of trails) {
      if (isBack(plan, price)) fired.push(plan);
      else if (isBetter(plan, price)) {
        (plan.peak === 0 ? activated : moved).push(plan.slot);
        plan.peak = price;
      }
    }
    const due = [
      ...rises.toSorted((a, b) => a.trigger - b.trigger),
      ...falls.toSorted((a, b) => b.trigger - a.trigger),
      ...fired,
    ];
    const { triggers, orders } = this;
    triggers.collect(market, source, price);
    const peaks = trails.map(({ slot }) => orders.extras.i32[orders.extra(slot) * EXTRA_WORDS + X_PEAK]);
    expect([triggers.due, triggers.activated, triggers.moved, peaks]).toEqual([
      due.map(({ slot }) => orders.id(slot)),
      activated,
      moved,
      trails.map(({ peak }) => peak),
    ]);
    for (const list of [triggers.due, triggers.activated, triggers.moved]) list.length = 0;
    this.#end(due);
  }
}

/** Whether a price is the best a trailing stop has seen; before it follows, whether it reaches the activation. */
function isBetter({ peak, trigger, sells }: Plan, price: number): boolean {
  if (peak === 0) return sells ? price >= trigger : price <= trigger;
  return sells ? price > peak : price < peak;
}

/** Whether a price has come back from the best one by the callback, in hundredths of a percent. */
function isBack({ peak, callback, sells }: Plan, price: number): boolean {
  if (peak === 0) return false;
  const away = BigInt(sells ? peak - price : price - peak);
  return away * 10_000n >= BigInt(peak) * BigInt(callback);
}

function someTrigger(random: Random, near: number): Choice {
  return {
    market: random.between(1, 2),
    source: random.below(3),
    trails: random.chance(1, 6),
    falls: random.chance(1, 2),
    sells: random.chance(1, 2),
    // Near ones share levels; far ones lie on pages of their own.
    trigger: Math.max(1, random.chance(7, 8) ? near + random.between(-4, 4) : near + random.between(-9_000, 9_000)),
    callback: random.pick([10, 11, 50, 333, 1_000]),
  };
}

describe("waiting places of conditional orders", () => {
  it("rising ones are due lowest first, falling ones highest first, then the oldest; trailing ones last", () => {
    const random = createRandom(31);
    const reference = new ReferenceModel(2);
    const price = [0, 0, 0].map(() => 10_000);
    for (let turn = 0; turn < 2_000; turn++) {
      const market = random.between(1, 2);
      const now = price[market] as number;
      const step = random.pick([0, 0, 0, 1, 1, 2, 15, 6_000]);
      const isTaken = reference.waiting.length > 120 ? random.chance(2, 3) : random.chance(1, 6);
      if (isTaken && reference.waiting.length > 0) reference.remove(random.pick(reference.waiting));
      else reference.add({ ...someTrigger(random, now), market });
      if (random.chance(3, 4)) continue;
      price[market] = Math.max(1, now + (random.chance(1, 2) ? step : 0 - step));
      reference.see(market, random.below(3), price[market] as number);
    }
    for (const plan of [...reference.waiting]) reference.remove(plan);
    const { tops, pool } = reference.triggers;
    expect(allOf(tops.i32, (word) => word === 0)).toBe(true);
    expect(allOf(pool.bits.i32, (word) => word === 0)).toBe(true);
  });

  it.each([
    ["rises", false, 99],
    ["falls", true, 101],
  ])("one that %s is due at its price and not a tick before", (_, falls, before) => {
    const reference = new ReferenceModel(1);
    const request = { market: 1, source: 2, trails: false, falls, sells: false, trigger: 100, callback: 0 };
    for (const second of [false, true]) {
      reference.add(request);
      if (second) reference.add(request);
      reference.see(1, 2, before);
      expect(reference.waiting).toHaveLength(second ? 2 : 1);
      reference.see(1, 2, 100);
      expect(reference.waiting).toEqual([]);
    }
  });

  it.each([
    ["sell", 990_000, 1_010_000, 999_900],
    ["buy", 1_010_000, 990_000, 999_900],
  ] as const)(
    "a trailing stop to %s begins at its activation and fires one part in a hundred from its best price, exactly",
    (side, edge, better, edgeThen) => {
      const sells = side === "sell";
      const inward = sells ? 1 : -1;
      const trigger = 1_000_000;
      const reference = new ReferenceModel(1);
      const fires = (...prices: number[]): boolean => {
        const plan = reference.add({ market: 1, source: 1, trails: true, falls: sells, sells, trigger, callback: 100 });
        for (const price of prices) reference.see(1, 1, price);
        const fired = !reference.waiting.includes(plan);
        if (!fired) reference.remove(plan);
        return fired;
      };
      expect([fires(trigger, edge), fires(trigger, edge + inward), fires(trigger - inward, edge)]).toEqual([
        true,
        false,
        false,
      ]);
      // A better price carries the edge along, the same one does not.
      expect([
        fires(trigger, better, edgeThen),
        fires(trigger, better, edgeThen + inward),
        fires(trigger, trigger, edge),
      ]).toEqual([true, false, true]);
    },
  );

  it("of every market and source have six ladders of their own, in the same order, until another state is loaded", () => {
    const { triggers } = new ReferenceModel(2);
    expect(triggers.tables().map(({ name }) => name)).toEqual(["trigger-levels", "trigger-bits", "trigger-tops"]);
    const ladders = [0, 1, 2, 3, 4, 5].flatMap((side) =>
      ["directory", "pages", "summary"].map((part) => `trigger-2-${side}-${part}`),
    );
    expect(triggers.marketTables(2).map(({ name }) => name)).toEqual(ladders);
    expect([triggers.marketTables(3), triggers.tops.count]).toEqual([[], 3]);
    triggers.close();
    expect(triggers.marketTables(2)).toEqual([]);
  });
});
