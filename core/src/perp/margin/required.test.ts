// What open orders and positions ask of a margin account, and so what is free and what may leave, beside plain sums over
// lists of orders: in one-way and hedge mode, cross and isolated, over two markets and both kinds of contract.
import { profitFloor, valueCeil } from "@clockwork/kit/margin";
import { createRandom, type Random } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, listAnother } from "../../testing/perp-stage.ts";
import { contractOf } from "./equity.ts";

const TAKER = 60_000n;
const ONE = 100_000_000n;
const MARK = 500_000;
type Side = "buy" | "sell";

interface Order {
  readonly id: number;
  readonly market: number;
  readonly side: Side;
  readonly price: number;
  lots: number;
}

interface Mode {
  readonly hedge: boolean;
  readonly isolated: boolean;
  readonly inverse: boolean;
}

const divideCeil = (over: bigint, under: bigint): bigint => (over + under - 1n) / under;
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

class World {
  readonly stage = createPerpStage();
  readonly markets: readonly number[];
  readonly random: Random;
  readonly alice: number;
  readonly #bob: number;
  readonly #mode: Mode;
  readonly #coin: number;
  readonly #marks = new Map<number, number>();
  readonly #leverages = new Map<number, readonly [bigint, bigint]>();
  /** What a market asked when another one began to change; the one that changed last is asked at the mark of now. */
  readonly #measured = new Map<number, bigint>();
  #waiting = 0;
  orders: Order[] = [];

  constructor(seed: number, mode: Mode) {
    const { stage } = this;
    this.random = createRandom(seed);
    this.#mode = mode;
    this.#coin = mode.inverse ? stage.btc : stage.usdt;
    this.markets = mode.inverse ? [stage.inverse] : [stage.linear, listAnother(stage, "BTCUSDT2")];
    this.alice = stage.trader(mode.inverse ? 200_000_000 : 40_000_000_000, mode);
    this.#bob = stage.trader(10 ** 13, mode);
    if (mode.hedge) stage.sure({ kind: "setPositionMode", account: this.alice, hedge: true });
    for (const market of this.markets) {
      this.#marks.set(market, MARK);
      const [long, short] = [this.random.between(10, 20), this.random.between(10, 20)];
      this.#leverages.set(market, [BigInt(long), BigInt(mode.hedge ? short : long)]);
      if (mode.isolated) stage.sure({ kind: "setMarginMode", account: this.alice, market, isolated: true });
      stage.sure({ kind: "setLeverage", account: this.alice, market, long, ...(mode.hedge ? { short } : {}) });
    }
  }

  #contract(market: number) {
    return contractOf(coreOf(this.stage.machine), market);
  }

  #sums(market: number, side: Side): { value: bigint; lots: bigint } {
    let [value, lots] = [0n, 0n];
    for (const order of this.orders) {
      if (order.market !== market || order.side !== side) continue;
      value += BigInt(order.lots) * valueCeil(this.#contract(market), 1n, BigInt(order.price));
      lots += BigInt(order.lots);
    }
    return { value, lots };
  }

  #ask(market: number): bigint {
    const { hedge, isolated, inverse } = this.#mode;
    const [buys, sells] = [this.#sums(market, "buy"), this.#sums(market, "sell")];
    const [long, short] = this.#leverages.get(market) as readonly [bigint, bigint];
    const held = this.stage.held(this.alice, market);
    const costOf = (isLong: boolean): bigint => BigInt(held.find(({ lots }) => lots > 0 === isLong)?.cost ?? 0);
    let margin: bigint;
    let growth: bigint;
    if (hedge) {
      const own = (isLong: boolean): bigint => (isolated ? 0n : costOf(isLong));
      margin = divideCeil(own(true) + buys.value, long) + divideCeil(own(false) + sells.value, short);
      growth = buys.value + sells.value;
    } else {
      const signed = costOf(true) - costOf(false);
      const size = most(signed, -signed);
      const larger = most(
        most(signed + buys.value, -signed - buys.value),
        most(signed - sells.value, sells.value - signed),
      );
      margin = divideCeil(larger, long);
      if (isolated) margin = most(0n, margin - divideCeil(size, long));
      growth = most(0n, larger - size);
    }
    if (growth === 0n) return margin;
    const one = valueCeil(this.#contract(market), 1n, BigInt(this.#marks.get(market) as number));
    const worse = (sum: bigint): bigint => most(0n, inverse ? -sum : sum);
    const loss = worse(buys.value - buys.lots * one) + worse(sells.lots * one - sells.value);
    return margin + divideCeil(growth * TAKER, ONE) + loss;
  }

  /** Notes that something of a market has changed: before anything has. */
  #change(market: number): void {
    if (this.#waiting !== 0 && this.#waiting !== market) this.#measured.set(this.#waiting, this.#ask(this.#waiting));
    this.#waiting = market;
  }

  #place(): void {
    const market = this.random.pick(this.markets);
    const side = this.random.pick(["buy", "sell"] as const);
    const lots = this.random.between(1, 200);
    const price = side === "buy" ? MARK - this.random.between(1, 900) : MARK + this.random.between(1, 900);
    const events = this.stage[side](this.alice, lots, price, { market });
    const [accepted] = eventsOf(events, "orderAccepted");
    if (accepted === undefined) return;
    this.#change(market);
    this.orders.push({ id: accepted.orderId, market, side, price, lots });
  }

  #fill(): void {
    const order = this.random.pick(this.orders);
    const best = this.orders.filter(({ market, side }) => market === order.market && side === order.side);
    best.sort((a, b) =>
      a.price === b.price ? a.id - b.id : order.side === "buy" ? b.price - a.price : a.price - b.price,
    );
    const [first] = best;
    if (first === undefined) return;
    const { market, price } = first;
    const lots = this.random.between(1, first.lots);
    this.#change(market);
    const events = this.stage[first.side === "buy" ? "sell" : "buy"](this.#bob, lots, price, {
      market,
      timeInForce: "IOC",
    });
    for (const trade of eventsOf(events, "trade")) {
      const met = this.orders.find(({ id }) => id === trade.makerOrderId) as Order;
      met.lots -= trade.lots;
    }
    this.orders = this.orders.filter((one) => one.lots > 0);
  }

  #cancel(): void {
    const order = this.random.pick(this.orders);
    this.#change(order.market);
    this.stage.sure({ kind: "cancelOrder", account: this.alice, orderId: order.id });
    this.orders = this.orders.filter((one) => one !== order);
  }

  step(): void {
    const dice = this.random.below(20);
    if (dice < 9 || this.orders.length === 0) this.#place();
    else if (dice < 14) this.#fill();
    else if (dice < 17) this.#cancel();
    else this.#moveMark();
  }

  #moveMark(): void {
    const market = this.random.pick(this.markets);
    const ticks = MARK + this.random.between(-600, 600);
    this.#marks.set(market, ticks);
    this.stage.mark(market, ticks);
  }

  #refusal(events: readonly MachineEvent[]): (string | number | undefined)[] {
    const [refused] = eventsOf(events, "rejected");
    return [refused?.code, refused?.limit];
  }

  /** What a withdrawal and an order of too much are told is what there is. */
  compare(): void {
    const { stage, alice, markets } = this;
    let required = 0n;
    let profit = 0n;
    for (const market of markets) {
      required += market === this.#waiting ? this.#ask(market) : (this.#measured.get(market) ?? 0n);
      const contract = this.#contract(market);
      if (this.#mode.isolated) continue;
      for (const { lots, cost, excess } of stage.held(alice, market)) {
        const holding = {
          side: lots > 0 ? 1n : -1n,
          lots: BigInt(Math.abs(lots)),
          cost: BigInt(cost),
          excess: BigInt(excess),
        } as const;
        profit += profitFloor(contract, holding, BigInt(this.#marks.get(market) as number));
      }
    }
    const own = BigInt(stage.balance(alice, this.#coin).available);
    const leaves = most(0n, own + (profit < 0n ? profit : 0n) - required);
    const money = { asset: this.#coin, business: "withdrawal", units: 10 ** 15, reference: "all" } as const;
    const burn = stage.sure({ kind: "burn", account: alice, ...money });
    const side = this.random.pick(["buy", "sell"] as const);
    const order = stage[side](alice, this.#mode.inverse ? 150_000 : 60_000, MARK, {
      market: this.random.pick(markets),
    });
    const free = Number(most(0n, own + profit - required));
    expect([this.#refusal(burn), this.#refusal(order)]).toEqual([
      ["INSUFFICIENT_BALANCE", Number(leaves)],
      ["INSUFFICIENT_MARGIN", free],
    ]);
  }
}

const modes = [false, true].flatMap((hedge) =>
  [false, true].flatMap((isolated) => [false, true].map((inverse) => ({ hedge, isolated, inverse }))),
);

test.each(modes)(
  "[FUT-2] hedge $hedge, isolated $isolated, inverse $inverse: what is asked is what plain sums ask",
  (mode) => {
    const world = new World(5, mode);
    for (let i = 0; i < 120; i++) {
      world.step();
      world.compare();
    }
  },
);
