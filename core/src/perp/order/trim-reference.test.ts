// Positions that shrink under orders that only reduce them, beside a plain list of these orders: the newest gives way first,
// what is hidden before what is shown, in split layout each with the position it names. And orders that must be filled whole
// beside the same order that need not.
import { present } from "@clockwork/kit/assert";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";

const RICH = 10 ** 13;
type Layout = "one-way" | "hedge" | "split";

interface Reducer {
  readonly id: number;
  readonly isBuy: boolean;
  readonly price: number;
  /** Of split layout, else 0. */
  readonly position: number;
  shown: number;
  hidden: number;
}

/** What becomes of an order: its lots now, or how it ended. */
type Fate = readonly [number, number | string];

class Twins {
  readonly #stage = createPerpStage();
  readonly #random;
  readonly #layout: Layout;
  readonly #alice = this.#stage.trader(RICH);
  readonly #house = this.#stage.trader(10 ** 14);
  #reducers: Reducer[] = [];
  /** The book's lots by side and price, as told. */
  readonly #depth = new Map<string, number>();
  /** How often a level must have been told anew. */
  #shows = 0;
  readonly seen = { trimmed: 0, ended: 0, hidden: 0, over: 0, cut: 0, refused: 0 };

  constructor(seed: number, layout: Layout) {
    this.#random = createRandom(seed);
    this.#layout = layout;
    if (layout !== "one-way") {
      const split = layout === "split";
      this.#stage.sure({ kind: "setPositionMode", account: this.#alice, hedge: true, split });
    }
    // Plans that wait are no orders that rest: nothing is taken off them.
    if (layout !== "split") this.#plan();
    // Who takes the other side of everything, without end and nearest to the mark.
    this.#stage.sell(this.#house, 100_000, 500_000);
    this.#stage.buy(this.#house, 100_000, 499_999);
  }

  #plan(): void {
    const base = {
      kind: "placeConditional",
      account: this.#alice,
      market: this.#stage.linear,
      quantity: 1_000,
    } as const;
    const far = { conditional: "stopMarket", source: "mark", reduceOnly: true } as const;
    this.#stage.sure({ ...base, ...far, side: "sell", direction: "falls", trigger: 100_000 });
    this.#stage.sure({ ...base, ...far, side: "buy", direction: "rises", trigger: 900_000 });
  }

  #held(): { id: number; lots: number }[] {
    return this.#stage.held(this.#alice).map(({ id, lots }) => ({ id, lots }));
  }

  #trade(side: "buy" | "sell", lots: number, more: object = {}): MachineEvent[] {
    const price = side === "buy" ? 500_000 : 499_999;
    return this.#follow(this.#stage[side](this.#alice, lots, price, { timeInForce: "IOC", ...more }));
  }

  #follow(events: MachineEvent[]): MachineEvent[] {
    for (const { side, market, price, lots } of eventsOf(events, "depth"))
      if (market === this.#stage.linear) this.#depth.set(`${side} ${price}`, lots);
    return events;
  }

  #grow(): void {
    const held = this.#held()[0]?.lots ?? 0;
    const isFree = this.#layout !== "one-way" || held === 0;
    const side = isFree ? this.#random.pick(["buy", "sell"] as const) : held > 0 ? "buy" : "sell";
    this.#trade(side, this.#random.between(1, 60));
  }

  #reduce(): void {
    if (this.#layout !== "split" && this.#random.chance(1, 6)) this.#plan();
    const held = this.#held();
    if (held.length === 0) return;
    const { id, lots } = this.#random.pick(held);
    const side = lots > 0 ? "sell" : "buy";
    const price = 500_000 + (side === "buy" ? -1 : 1) * this.#random.between(10, 13);
    const position = this.#layout === "split" ? { position: id } : {};
    const visible = this.#random.chance(1, 2) ? this.#random.between(4, 8) : 0;
    const quantity = this.#random.between(1, 40);
    const more = { reduceOnly: true, ...position, ...(visible === 0 || visible > quantity ? {} : { visible }) };
    const order = {
      kind: "placeOrder",
      account: this.#alice,
      market: this.#stage.linear,
      side,
      quantity,
      price,
    } as const;
    // Those of one command are as old as each other: the one that came behind gives way first.
    const batch = Array.from({ length: this.#random.chance(1, 4) ? 3 : 1 }, () => ({ ...order, ...more }));
    const events = this.#follow(this.#stage.batch(this.#alice, batch));
    const accepted = eventsOf(events, "orderAccepted");
    let next = 0;
    for (const { quantity: requested } of batch) {
      // However many there are, together they never reduce more than there is.
      const free = Math.abs(lots) - this.#promised(side === "buy", position.position ?? 0);
      if (free <= 0) continue;
      const { orderId, quantity: rests } = present(accepted[next++], "TEST", "an order that rests");
      expect(rests).toBe(Math.min(requested, free));
      const shown = visible === 0 || visible > quantity ? rests : Math.min(visible, rests);
      const rested = { id: orderId, isBuy: side === "buy", price, position: position.position ?? 0 };
      this.#reducers.push({ ...rested, shown, hidden: rests - shown });
      this.seen.cut += rests < requested ? 1 : 0;
    }
    expect(accepted).toHaveLength(next);
    this.seen.refused += batch.length - next;
  }

  /** Lots that those which rest take off a side, or off one position, already. */
  #promised(isBuy: boolean, position: number): number {
    const same = this.#reducers.filter((order) => order.isBuy === isBuy && order.position === position);
    return same.reduce((sum, { shown, hidden }) => sum + shown + hidden, 0);
  }

  /** Less of a position, or none: by an order of its own or by closing it. */
  #shrink(): void {
    const held = this.#held();
    if (held.length === 0) return;
    const { id, lots } = this.#random.pick(held);
    const size = this.#random.chance(1, 4) ? Math.abs(lots) : this.#random.between(1, Math.abs(lots));
    const side = lots > 0 ? "sell" : "buy";
    const position = this.#layout === "split" ? { position: id } : {};
    const named = this.#layout === "hedge" ? { side: lots > 0 ? ("long" as const) : ("short" as const) } : position;
    const isOrder = this.#random.chance(1, 2);
    const reduceOnly = this.#layout !== "one-way" || this.#random.chance(1, 2);
    const command = { kind: "closePosition", account: this.#alice, market: this.#stage.linear, lots: size } as const;
    const events = isOrder
      ? this.#trade(side, size, { reduceOnly, ...position })
      : this.#follow(this.#stage.sure({ ...command, ...named }));
    expect(eventsOf(events, "trade").reduce((sum, trade) => sum + trade.lots, 0)).toBe(size);
    this.#compare(events);
  }

  #compare(events: readonly MachineEvent[]): void {
    const known = new Set(this.#reducers.map(({ id }) => id));
    const published: Fate[] = [];
    for (const event of events) {
      if (event.kind === "orderAmended" && known.has(event.orderId)) {
        expect(event).toMatchObject({ keptPriority: true, reduceOnly: true, heldUnits: 0, account: this.#alice });
        published.push([event.orderId, event.lots]);
      }
      if (event.kind === "orderEnded" && known.has(event.orderId)) published.push([event.orderId, event.reason]);
      if (event.kind === "orderEnded") expect(event.market).toBe(this.#stage.linear);
    }
    this.#shows = 0;
    expect(published).toEqual(this.#layout === "split" ? this.#trimSplit() : this.#trimSides());
    for (const [, fate] of published)
      this.seen[fate === "POSITION_CLOSED" ? "over" : typeof fate === "string" ? "ended" : "trimmed"]++;
    for (const isBuy of [true, false]) this.#compareDepth(isBuy);
    const away = eventsOf(events, "depth").filter(({ price }) => price < 499_999 || price > 500_000);
    expect(away).toHaveLength(this.#shows);
    const ended = eventsOf(events, "orderEnded").filter(({ orderId }) => !known.has(orderId));
    expect(ended.map(({ reason }) => reason)).toEqual([]);
  }

  #compareDepth(isBuy: boolean): void {
    for (let away = 10; away <= 13; away++) {
      const price = 500_000 + (isBuy ? -away : away);
      const shown = this.#reducers
        .filter((order) => order.isBuy === isBuy && order.price === price)
        .reduce((sum, order) => sum + order.shown, 0);
      expect([price, this.#depth.get(`${isBuy ? "buy" : "sell"} ${price}`) ?? 0]).toEqual([price, shown]);
    }
  }

  #trimSides(): Fate[] {
    const held = this.#held().map(({ lots }) => lots);
    return [false, true].flatMap((isBuy) => {
      const size = held.reduce((sum, lots) => sum + Math.max(0, isBuy ? -lots : lots), 0);
      return this.#trim(
        this.#reducers.filter((order) => order.isBuy === isBuy),
        size,
      );
    });
  }

  /** Orders whose position is over end first; then each position, that of its newest order first. */
  #trimSplit(): Fate[] {
    const sizes = new Map(this.#held().map(({ id, lots }) => [id, Math.abs(lots)]));
    const newest = [true, false].flatMap((isBuy) => this.#reducers.filter((order) => order.isBuy === isBuy).reverse());
    const over = newest.filter(({ position }) => !sizes.has(position));
    this.#shows += over.length;
    this.#reducers = this.#reducers.filter((order) => !over.includes(order));
    const positions = new Set(newest.filter((order) => !over.includes(order)).map(({ position }) => position));
    return [
      ...over.map(({ id }): Fate => [id, "POSITION_CLOSED"]),
      ...[...positions].flatMap((one) =>
        this.#trim(
          this.#reducers.filter(({ position }) => position === one),
          sizes.get(one) as number,
        ),
      ),
    ];
  }

  #trim(orders: readonly Reducer[], size: number): Fate[] {
    let over = orders.reduce((sum, { shown, hidden }) => sum + shown + hidden, 0) - size;
    const fates: Fate[] = [];
    for (const order of [...orders].reverse()) {
      if (over <= 0) break;
      const open = order.shown + order.hidden;
      const cut = Math.min(open, over);
      over -= cut;
      if (cut < open && order.hidden > 0) this.seen.hidden++;
      if (cut > order.hidden) this.#shows++;
      order.shown -= Math.max(0, cut - order.hidden);
      order.hidden = Math.max(0, order.hidden - cut);
      fates.push([order.id, cut === open ? "POSITION_REDUCED" : open - cut]);
      if (cut === open) this.#reducers = this.#reducers.filter((other) => other !== order);
    }
    return fates;
  }

  step(): void {
    const dice = this.#random.below(10);
    if (dice < 3) this.#grow();
    else if (dice < 7) this.#reduce();
    else this.#shrink();
  }
}

test("[FUT-2] orders that only reduce give way newest first, what is hidden before what is shown, and end with the position", () => {
  const seen = { trimmed: 0, ended: 0, hidden: 0, over: 0, cut: 0, refused: 0 };
  for (const [seed, layout] of (["one-way", "hedge", "split", "one-way", "hedge", "split"] as const).entries()) {
    const twins = new Twins(seed, layout);
    for (let i = 0; i < 60; i++) twins.step();
    for (const what of ["trimmed", "ended", "hidden", "over", "cut", "refused"] as const)
      seen[what] += twins.seen[what];
  }
  expect(Object.values(seen).map((times) => times > 5)).toEqual(Array(6).fill(true));
});

test("[FUT-2] what was hidden gives way unseen to the last lot of it", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(RICH), stage.trader(RICH)];
  stage.sell(bob, 10, 500_000);
  stage.buy(alice, 10, 500_000);
  stage.sell(alice, 10, 500_100, { reduceOnly: true, visible: 4 });
  const shows = (lots: number): unknown[] => {
    stage.buy(bob, lots, 499_000);
    const events = stage.sell(alice, lots, 499_000);
    return eventsOf(events, "depth").flatMap(({ price, lots: shown }) => (price === 500_100 ? [shown] : []));
  };
  expect([shows(6), shows(1)]).toEqual([[], [3]]);
});

test("[FUT-2] an order that was replaced is as new as its change: it gives way before one that came after it", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(RICH), stage.trader(RICH)];
  stage.sell(bob, 10, 500_000);
  stage.buy(alice, 10, 500_000);
  const place = (price: number): number =>
    present(eventsOf(stage.sell(alice, 5, price, { reduceOnly: true }), "orderAccepted")[0], "TEST", "an order")
      .orderId;
  const [first] = [place(500_100), place(500_200)];
  stage.sure({ kind: "amendOrder", account: alice, orderId: first, price: 500_300 });
  stage.buy(bob, 3, 499_000);
  const published = stage.sell(alice, 3, 499_000);
  expect(eventsOf(published, "orderAmended")).toMatchObject([{ orderId: first, lots: 2 }]);
});

test("[FUT-2] a single hidden lot gives way too", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(RICH), stage.trader(RICH)];
  stage.sell(bob, 10, 500_000);
  stage.buy(alice, 10, 500_000);
  stage.sell(alice, 10, 500_100, { reduceOnly: true, visible: 9 });
  stage.buy(bob, 1, 499_000);
  expect(eventsOf(stage.sell(alice, 1, 499_000), "orderAmended")).toMatchObject([{ lots: 9 }]);
  // All that is left is what the position has, shown in one piece.
  expect(eventsOf(stage.buy(bob, 20, 500_100), "trade").map(({ lots }) => lots)).toEqual([9]);
});

test.each(["long", "short"] as const)("[FUT-2] a split %s of a single lot keeps one lot of what reduces it", (side) => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(RICH), stage.trader(RICH)];
  stage.sure({ kind: "setPositionMode", account: alice, hedge: true, split: true });
  const [opens, closes] = side === "long" ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
  stage[closes](bob, 2, 500_000);
  stage[opens](alice, 2, 500_000);
  const position = stage.held(alice)[0]?.id;
  const [far, near] = side === "long" ? [500_100, 499_900] : [499_900, 500_100];
  stage[closes](alice, 2, far, { reduceOnly: true, position });
  stage[opens](bob, 1, near);
  const published = stage[closes](alice, 1, near, { reduceOnly: true, position, timeInForce: "IOC" });
  expect(eventsOf(published, "orderAmended")).toMatchObject([{ lots: 1 }]);
  expect(stage.held(alice).map(({ lots }) => Math.abs(lots))).toEqual([1]);
});

test("[FUT-2] what fill-or-kill counts on: reducing orders behind plain ones to the last lot, both sides of a hedge, no own ones", () => {
  const stage = createPerpStage();
  const [bob, other, taker] = [stage.trader(RICH), stage.trader(RICH), stage.trader(RICH)];
  const filled = (lots: number, more: object = {}): number =>
    eventsOf(stage.buy(taker, lots, 500_300, { timeInForce: "FOK", ...more }), "trade").reduce(
      (sum, one) => sum + one.lots,
      0,
    );
  const holder = (lots: number, hedge: boolean): number => {
    const account = stage.trader(RICH);
    if (hedge) stage.sure({ kind: "setPositionMode", account, hedge });
    stage.sell(bob, lots, 500_000);
    stage.buy(account, lots, 500_000);
    return account;
  };
  // Fifteen held: five that open take as many off the first five that only reduce, and ten are left.
  const one = holder(15, false);
  stage.sell(one, 5, 500_100);
  for (const [lots, price] of [
    [5, 500_200],
    [10, 500_300],
  ] as const)
    stage.sell(one, lots, price, { reduceOnly: true });
  expect([filled(16), filled(15)]).toEqual([0, 15]);
  const both = holder(10, true);
  stage.sell(both, 5, 500_100);
  stage.sell(both, 10, 500_200, { reduceOnly: true });
  expect([filled(16), filled(15)]).toEqual([0, 15]);
  stage.sell(taker, 5, 500_100);
  stage.sell(other, 5, 500_200);
  expect([filled(6, { selfTrade: "EXPIRE_MAKER" }), filled(5, { selfTrade: "EXPIRE_MAKER" })]).toEqual([0, 5]);
});

/** A book of makers of every kind on one side. Who only reduces does so with all he holds. */
function mixedBook(seed: number) {
  const random = createRandom(seed);
  const stage = createPerpStage();
  const taker = stage.trader(RICH);
  const [side, against] = random.pick([
    ["buy", "sell"],
    ["sell", "buy"],
  ] as const);
  const isBuy = side === "buy";
  const price = (): number => 500_000 + (isBuy ? 1 : -1) * random.between(1, 4);
  for (let i = 0; i < 4; i++) {
    const [holder, other] = [stage.trader(RICH), stage.trader(RICH)];
    const held = random.between(1, 30);
    if (random.chance(1, 3)) stage.sure({ kind: "setPositionMode", account: holder, hedge: true });
    stage[against](other, held, 500_000);
    stage[side](holder, held, 500_000);
    const kinds = ["plain", "plain", "iceberg", "reducing"] as const;
    const chosen = [random.pick(kinds), "reducing", random.pick(kinds)].slice(random.below(3));
    const shapes = chosen.filter((kind, at) => kind !== "reducing" || chosen.indexOf(kind) === at);
    for (const kind of shapes)
      stage[against](holder, kind === "reducing" ? held : random.between(2, 20), price(), {
        ...(kind === "reducing" ? { reduceOnly: true } : {}),
        ...(kind === "iceberg" ? { visible: 2 } : {}),
      });
    if (random.chance(1, 4)) stage[against](taker, random.between(1, 5), price());
  }
  return { stage, random, taker, side, price };
}

test("[FUT-2] fill-or-kill is filled whole where the same order without it would be, and else not at all", () => {
  const seen = { whole: 0, killed: 0 };
  for (let seed = 1; seed <= 14; seed++) {
    const { stage, random, taker, side, price } = mixedBook(seed);
    const before = stage.machine.snapshot();
    for (let i = 0; i < 4; i++) {
      const selfTrade = random.pick(["EXPIRE_TAKER", "EXPIRE_MAKER", "EXPIRE_MAKER", "DECREMENT"] as const);
      const [lots, limit] = [random.between(1, 70), price()];
      const send = (timeInForce: "IOC" | "FOK"): number => {
        stage.machine.restore(before);
        const events = stage[side](taker, lots, limit, { timeInForce, selfTrade });
        expect(eventsOf(events, "rejected")).toEqual([]);
        return eventsOf(events, "trade").reduce((sum, trade) => sum + trade.lots, 0);
      };
      const isWhole = send("IOC") === lots;
      expect([seed, lots, limit, send("FOK")]).toEqual([seed, lots, limit, isWhole ? lots : 0]);
      seen[isWhole ? "whole" : "killed"]++;
    }
  }
  expect(present(Object.values(seen).sort((a, b) => a - b)[0], "TEST", "times")).toBeGreaterThan(8);
});
