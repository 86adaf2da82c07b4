// Orders of accounts in every mode, linear and inverse, beside what plain sums over positions, orders and money allow: each
// refusal with its limit, each reducing order cut to what there is, and the last lot that passes.
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";
import { Watched } from "../account/standing-fixture.ts";
import { checkOrder, type Requested } from "./checks-fixture.ts";

const BAND = 21_000;
const LEVERAGES = [2, 20, 20, 50, 100] as const;
const MET = ["BANKRUPTCY_PRICE", "INSUFFICIENT_MARGIN", "POSITION_LIMIT", "REDUCE_ONLY_REJECTED", "passed", "cut"];

class Twins {
  readonly #stage = createPerpStage();
  readonly #random;
  readonly #own: Watched;
  readonly #bob: number;
  readonly #market: number;
  readonly seen = new Map<string, number>();

  constructor(seed: number) {
    this.#random = createRandom(seed);
    const inverse = seed % 4 > 1;
    const hedge = seed % 2 === 0;
    this.#market = inverse ? this.#stage.inverse : this.#stage.linear;
    this.#bob = this.#stage.trader(10 ** 14, { inverse });
    const coins = this.#random.pick([5_000, 50_000, 1_000_000]);
    const account = this.#stage.trader(coins * (inverse ? 2_000 : 1_000_000), { inverse });
    if (hedge) this.#stage.sure({ kind: "setPositionMode", account, hedge });
    this.#own = new Watched(this.#stage, account, this.#market, hedge);
  }

  #note(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  #send(side: "buy" | "sell", lots: number, price: number, more: object): MachineEvent[] {
    return this.#own.follow(this.#stage[side](this.#own.account, lots, price, { market: this.#market, ...more }));
  }

  #trade(): void {
    const [side, against] = this.#random.pick([
      ["buy", "sell"],
      ["sell", "buy"],
    ] as const);
    const lots = this.#random.pick([1, 7, 100, 900, 3_000, 9_000]);
    const price = this.#own.standing().mark;
    const reduceOnly = this.#own.hedge && this.#random.chance(1, 3);
    this.#own.follow(this.#stage[against](this.#bob, lots, price, { market: this.#market }));
    this.#send(side, lots, price, { timeInForce: "IOC", reduceOnly });
    this.#own.follow(this.#stage.send({ kind: "cancelAll", account: this.#bob }));
  }

  #move(): void {
    const ticks = Math.min(
      560_000,
      Math.max(440_000, this.#own.standing().mark + this.#random.between(-13_000, 13_000)),
    );
    this.#own.follow(this.#stage.mark(this.#market, ticks));
  }

  #set(): void {
    const own = this.#own;
    const base = { account: own.account, market: this.#market } as const;
    const isOpen = this.#random.chance(1, 2);
    const [long, short] = [this.#random.pick(LEVERAGES), this.#random.pick(LEVERAGES)];
    const isolated = this.#random.chance(1, 2);
    const events = isOpen
      ? this.#stage.sure({ kind: "setLeverage", ...base, long, short })
      : this.#stage.sure({ kind: "setMarginMode", ...base, isolated });
    if (eventsOf(events, "rejected").length > 0) return;
    if (isOpen) own.leverage = [long, short];
    else own.isolated = isolated;
  }

  /** The most lots that still pass, by halving. */
  #mostOf(requested: Requested): number {
    const [own, wallet] = [this.#own.standing(), this.#own.wallet];
    let [passes, fails] = [0, 1 << 18];
    while (fails - passes > 1) {
      const middle = (passes + fails) >> 1;
      if ("lots" in checkOrder(wallet, own, { ...requested, lots: middle })) passes = middle;
      else fails = middle;
    }
    return passes;
  }

  #ask(): void {
    const own = this.#own.standing();
    const [held] = own.sides.filter(({ lots }) => lots !== 0);
    const closes = held !== undefined && this.#random.chance(1, 3);
    const isBuy = closes ? held.lots < 0 : this.#random.chance(1, 2);
    const worst = this.#random.between(BAND / 2, BAND) * (isBuy ? 1 : -1);
    const price = closes
      ? own.mark + worst
      : own.mark + this.#random.pick([-BAND, -700, -1, 0, 1, 700, BAND, this.#random.between(-BAND, BAND)]);
    const timeInForce = this.#random.pick(["GTC", "GTC", "IOC", "FOK"] as const);
    const reduces = this.#random.chance(2, 5);
    const lots = closes ? Math.abs(held.lots) : this.#random.pick([1, 40, 700, 4_000]);
    const any = { isBuy, price, lots, reduces, rests: timeInForce === "GTC" };
    const edge = this.#random.chance(1, 2) ? this.#mostOf(any) + this.#random.below(2) : 0;
    const requested = edge > 0 && !reduces ? { ...any, lots: edge } : any;
    this.#place(requested, timeInForce);
    const verdict = checkOrder(this.#own.wallet, this.#own.standing(), requested);
    if ("limit" in verdict && verdict.code === "BANKRUPTCY_PRICE")
      for (const nearer of [0, 1, -1]) this.#place({ ...requested, price: verdict.limit + nearer }, timeInForce);
  }

  #place(requested: Requested, timeInForce: "GTC" | "IOC" | "FOK"): void {
    const wanted = checkOrder(this.#own.wallet, this.#own.standing(), requested);
    const { isBuy, lots, price, reduces: reduceOnly } = requested;
    const events = this.#send(isBuy ? "buy" : "sell", lots, price, { timeInForce, reduceOnly });
    const [refused] = eventsOf(events, "rejected");
    const [accepted] = eventsOf(events, "orderAccepted");
    const published =
      refused === undefined ? { lots: accepted?.quantity } : { code: refused.code, limit: refused.limit };
    expect(published).toEqual(wanted);
    this.#note("code" in wanted ? wanted.code : wanted.lots < lots ? "cut" : "passed");
    if (accepted === undefined || this.#random.chance(1, 3)) return;
    const { account } = this.#own;
    this.#own.follow(this.#stage.send({ kind: "cancelOrder", account, orderId: accepted.orderId }));
  }

  /** Sells that lose at once beside buys that do not: the loss of another buy shows all the same. */
  #layer(): void {
    const { account } = this.#own;
    const { mark } = this.#own.standing();
    this.#own.follow(this.#stage.send({ kind: "cancelAll", account }));
    const [low, high] = this.#random.pick([
      [mark - BAND, mark - 700],
      [mark + 700, mark + BAND],
    ] as const);
    this.#send("buy", this.#random.between(1, 300), low, {});
    this.#send("sell", this.#random.between(1, 300), high, {});
  }

  step(): void {
    const dice = this.#random.below(20);
    if (dice < 4 || (this.#own.isFlat && dice < 10)) this.#trade();
    else if (dice < 5) this.#own.follow(this.#stage.send({ kind: "cancelAll", account: this.#own.account }));
    else if (dice < 8) this.#move();
    else if (dice < 10) this.#set();
    else if (dice < 11) this.#layer();
    else this.#ask();
  }
}

test("[FUT-2] orders pass as far as plain sums over positions, orders and money allow, to the last lot", () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= 6; seed++) {
    const twins = new Twins(seed);
    for (let i = 0; i < 100; i++) twins.step();
    for (const [what, times] of twins.seen) seen.set(what, (seen.get(what) ?? 0) + times);
  }
  expect(MET.filter((what) => (seen.get(what) ?? 0) < 5)).toEqual([]);
});
