// A demo market beside a plain one: what players take from the copy and what comes back, who rests behind whom, and what
// every real trade fills.
import { present } from "@clockwork/kit/assert";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { demoStage } from "./demo-fixture.ts";

const MINUTE = 60_000;
const INSURANCE = 2;
type Side = "buy" | "sell";
/** Price, lots, taker and maker, the player's order, whether that is done, and the side of the taker. */
type Fill = readonly [number, number, number, number, number, boolean, Side];

interface Resting {
  readonly id: number;
  readonly account: number;
  readonly side: Side;
  readonly price: number;
  lots: number;
  ahead: number;
}

const isBetter = (side: Side, a: number, b: number): boolean => (side === "buy" ? a > b : a < b);

/** Plain lists: real orders by time, takes of each player, resting demo orders by price and time. */
class NaiveDemo {
  readonly real: { side: Side; price: number; lots: number }[] = [];
  readonly takes: { account: number; price: number; lots: number; time: number }[] = [];
  resting: Resting[] = [];

  #levels(side: Side): [number, number][] {
    const levels = new Map<number, number>();
    for (const order of this.real)
      if (order.side === side && order.lots > 0) levels.set(order.price, (levels.get(order.price) ?? 0) + order.lots);
    return [...levels].sort(([a], [b]) => (isBetter(side, a, b) ? -1 : 1));
  }

  best(side: Side): number | undefined {
    return this.#levels(side)[0]?.[0];
  }

  /** A player's order walks the copy less what he took in the last minute. */
  take(id: number, account: number, side: Side, limit: number, wanted: number, time: number): Fill[] {
    const fills: Fill[] = [];
    let left = wanted;
    for (const [price, shown] of this.#levels(side === "buy" ? "sell" : "buy")) {
      if (isBetter(side, price, limit)) break;
      let gone = 0;
      for (const take of this.takes)
        if (take.account === account && take.price === price && time - take.time < MINUTE)
          gone += Math.ceil((take.lots * (MINUTE - (time - take.time))) / MINUTE);
      const lots = Math.min(left, shown - gone);
      if (lots <= 0) continue;
      left -= lots;
      fills.push([price, lots, account, INSURANCE, id, left === 0, side]);
    }
    for (const [price, lots] of fills) this.takes.push({ account, price, lots, time });
    return fills;
  }

  rest(id: number, account: number, side: Side, price: number, lots: number): void {
    const [, ahead] = this.#levels(side).find(([at]) => at === price) ?? [0, 0];
    this.resting.push({ id, account, side, price, lots, ahead });
  }

  /** A real order takes what rests, oldest first at each price; each of its trades passes the players' orders. */
  trade(side: Side, limit: number, wanted: number): Fill[] {
    const other = side === "buy" ? "sell" : "buy";
    const fills: Fill[] = [];
    let left = wanted;
    for (const [price] of this.#levels(other)) {
      if (isBetter(side, price, limit)) break;
      for (const order of this.real) {
        if (order.side !== other || order.price !== price || order.lots === 0 || left === 0) continue;
        const lots = Math.min(left, order.lots);
        order.lots -= lots;
        left -= lots;
        for (const way of ["buy", "sell"] as const) fills.push(...this.#pass(way, price, lots));
      }
    }
    return fills;
  }

  #pass(side: Side, price: number, lots: number): Fill[] {
    const fills: Fill[] = [];
    const reached = this.resting
      .filter((order) => order.side === side && !isBetter(side, price, order.price))
      .sort((a, b) => (a.price === b.price ? a.id - b.id : isBetter(side, a.price, b.price) ? -1 : 1));
    for (const order of reached) {
      let filled = order.lots;
      if (order.price === price) {
        filled = Math.min(order.lots, Math.max(0, lots - order.ahead));
        order.ahead = Math.max(0, order.ahead - lots);
      }
      if (filled === 0) continue;
      order.lots -= filled;
      const takerSide = side === "buy" ? "sell" : "buy";
      fills.push([order.price, filled, INSURANCE, order.account, order.id, order.lots === 0, takerSide]);
    }
    this.resting = this.resting.filter((order) => order.lots > 0);
    return fills;
  }
}

function playedStage() {
  const stage = demoStage();
  return { stage, demo: stage.demo, players: [stage.player(), stage.player()] };
}

class Twins {
  readonly #own = playedStage();
  readonly naive = new NaiveDemo();
  readonly #random: ReturnType<typeof createRandom>;
  readonly #maker = this.#own.stage.trader(10 ** 13);
  readonly #taker = this.#own.stage.trader(10 ** 13);
  seen = 0;

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  #compare(events: readonly MachineEvent[], wanted: readonly Fill[]): void {
    const published = eventsOf(events, "trade").filter(({ market }) => market === this.#own.demo);
    expect(
      published.map(({ price, lots, account, makerAccount, takerSide, ...trade }) => {
        const isTaker = makerAccount === INSURANCE;
        // The house has no order, and is never done.
        expect([
          isTaker ? trade.makerOrderId : trade.takerOrderId,
          isTaker ? trade.makerDone : trade.takerDone,
        ]).toEqual([0, false]);
        const own = isTaker ? trade.takerOrderId : trade.makerOrderId;
        return [price, lots, account, makerAccount, own, isTaker ? trade.takerDone : trade.makerDone, takerSide];
      }),
    ).toEqual(
      wanted.map(([price, lots, taker, maker, id, ...rest]) => [price, lots, taker, maker, this.#idOf(id), ...rest]),
    );
    expect(published.map(({ tradeNumber }) => tradeNumber)).toEqual(wanted.map((_, i) => this.seen + i + 1));
    this.seen += wanted.length;
  }

  #make(): void {
    const { stage } = this.#own;
    const side = this.#random.pick(["buy", "sell"] as const);
    const lots = this.#random.between(1, 12);
    const price = side === "buy" ? 499_999 - this.#random.below(6) : 500_001 + this.#random.below(6);
    this.naive.real.push({ side, price, lots });
    this.#compare(stage[side](this.#maker, lots, price), []);
  }

  #trade(): void {
    const side = this.#random.pick(["buy", "sell"] as const);
    const lots = this.#random.between(1, 20);
    const limit = 500_000 + (side === "buy" ? 1 : -1) * this.#random.between(1, 7);
    const events = this.#own.stage[side](this.#taker, lots, limit, { timeInForce: "IOC" });
    this.#compare(events, this.naive.trade(side, limit, lots));
  }

  #play(): void {
    const { stage, demo, players } = this.#own;
    const account = this.#random.pick(players);
    const side = this.#random.pick(["buy", "sell"] as const);
    const lots = this.#random.between(1, 10);
    const price = 500_000 + this.#random.between(-7, 7);
    const timeInForce = this.#random.pick(["IOC", "GTC"] as const);
    const events = stage[side](account, lots, price, { market: demo, timeInForce });
    const id = this.#serial(present(eventsOf(events, "orderAccepted")[0], "TEST", "order").orderId);
    const fills = this.naive.take(id, account, side, price, lots, stage.time);
    this.#compare(events, fills);
    const left = lots - fills.reduce((sum, [, filled]) => sum + filled, 0);
    if (timeInForce === "GTC" && left > 0) this.naive.rest(id, account, side, price, left);
  }

  /** Ids are used again; the order of coming is not. */
  readonly #ids: number[] = [];
  #serial(id: number): number {
    return this.#ids.push(id);
  }

  #idOf(serial: number): number {
    return this.#ids[serial - 1] ?? 0;
  }

  #cancel(): void {
    if (this.naive.resting.length === 0) return;
    const order = this.#random.pick(this.naive.resting);
    const orderId = this.#idOf(order.id);
    const ended = this.#own.stage.sure({ kind: "cancelOrder", account: order.account, orderId });
    expect(eventsOf(ended, "orderEnded")).toMatchObject([{ orderId, lots: order.lots, price: order.price }]);
    this.naive.resting = this.naive.resting.filter((other) => other !== order);
  }

  step(): void {
    const dice = this.#random.below(20);
    if (dice < 6) this.#make();
    else if (dice < 9) this.#trade();
    else if (dice < 17) this.#play();
    else if (dice < 19) this.#cancel();
    else this.#own.stage.time += this.#random.between(1, 45_000);
  }
}

test.each([1, 2, 3])("[FUT-4] seed %i: players take, rest and are filled as plain lists say", (seed) => {
  const twins = new Twins(seed);
  for (let i = 0; i < 300; i++) twins.step();
  expect(twins.seen).toBeGreaterThan(50);
});
