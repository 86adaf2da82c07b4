// Two contracts beside plain lists of what their sources said, what rests in their books and who holds: the index, the
// mark, every sample and settlement, who pays whom to the last unit, and when a tick is wanted next.
import { EXACT_SLACK } from "@clockwork/kit/exact-cost";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import { M_INDEX, M_MARK } from "../../market/markets.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { ROUNDING_ACCOUNT } from "../../protocol/names.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";
import { CT_DEGRADED, CTF_REMAINDER, CTF_ROUNDED } from "../state/records.ts";
import { type Charge, NaivePrices, type Published, type Terms } from "./prices-fixture.ts";

const HOUR = 3_600_000;
const START = 1_700_000_000_000 - (1_700_000_000_000 % (8 * HOUR));
const PUBLISHED = new Set(["referencePrice", "indexState", "premiumSampled", "fundingSettled"]);
const WAITS = [0, 1, 400, 999, 1_000, 1_001, 4_000, 5_000, 5_000, 9_999, 10_000, 10_001, 60_000, 60_001] as const;

const published = (events: readonly MachineEvent[]): Published[] =>
  events
    .filter(({ kind }) => PUBLISHED.has(kind))
    .map(({ sequence: _, time: __, ...rest }) => rest as unknown as Published);

class Twins {
  readonly stage;
  readonly #random;
  readonly #naive: readonly NaivePrices[];
  readonly #accounts: readonly (readonly number[])[];
  readonly #isolated = new Set<number>();
  #middle = 500_000;
  readonly seen = { marks: 0, degraded: 0, settled: 0, paid: 0, rounded: 0 };

  constructor(seed: number, hours: 1 | 2 | 4 | 8, contractClass: "A" | "B", interest: number) {
    this.#random = createRandom(seed);
    const listing = { fundingHours: hours, contractClass, interestRate: interest };
    const stage = createPerpStage(undefined, listing, START + 1);
    this.stage = stage;
    const common = { firstRate: 400_000n };
    const linear: Terms = {
      ...common,
      market: stage.linear,
      inverse: false,
      factor: 100n,
      impact: 25_000_000_000n,
      hours,
      interest: BigInt(interest),
      clampBps: contractClass === "A" ? 300n : 500n,
    };
    const coin = { factor: 100_000_000_000n, impact: 250n, hours: 8, interest: 10_000n, clampBps: 300n };
    const inverse: Terms = { ...common, market: stage.inverse, inverse: true, ...coin };
    this.#naive = [linear, inverse].map((terms) => new NaivePrices(terms, 500_000n, START + 1));
    this.#accounts = [false, true].map((isInverse) => Array.from({ length: 4 }, () => this.#open(isInverse)));
  }

  #open(inverse: boolean): number {
    const { stage } = this;
    const market = inverse ? stage.inverse : stage.linear;
    const account = stage.trader(10 ** 13, { inverse });
    stage.send({ kind: "setLeverage", account, market, long: 2 });
    if (account % 2 === 0) return account;
    stage.send({ kind: "setMarginMode", account, market, isolated: true });
    this.#isolated.add(account);
    return account;
  }

  #receive(at: number): void {
    const naive = this.#naive[at] as NaivePrices;
    if (this.#random.chance(1, 25)) this.#middle = this.#random.between(482_000, 518_000);
    if (this.#random.chance(1, 6)) this.stage.time += this.#random.pick([1, 700, 1_500]);
    const near = this.#middle + this.#random.between(-6_000, 6_000);
    const price = this.#random.chance(1, 9) ? this.#random.pick([470_000, 475_000, 525_000, 560_000]) : near;
    const source = this.#random.pick([0, 1, 2, 7]);
    const weight = this.#random.pick([0, 0, 1, 3]);
    const { market } = naive.terms;
    const events = this.stage.send({ kind: "setIndexPrice", market, source, price, weight });
    expect(published(events)).toEqual(naive.observe(source, price, weight, this.stage.time));
  }

  #order(at: number): void {
    const naive = this.#naive[at] as NaivePrices;
    const account = this.#random.pick(this.#accounts[at] as number[]);
    const side = this.#random.pick(["buy", "sell"] as const);
    const away = this.#random.between(-900, 4_000);
    const price = Number(naive.index) + (side === "buy" ? -away : away);
    const timeInForce = this.#random.chance(1, 4) ? "IOC" : "GTC";
    const quantity = this.#random.between(1, naive.terms.inverse ? 200 : 400);
    const order = { account, market: naive.terms.market, side, price, quantity, timeInForce } as const;
    naive.follow(this.stage.send({ kind: "placeOrder", ...order }), this.stage.time);
  }

  #withdraw(at: number): void {
    const naive = this.#naive[at] as NaivePrices;
    const account = this.#random.pick(this.#accounts[at] as number[]);
    naive.follow(this.stage.send({ kind: "cancelAll", account }), this.stage.time);
  }

  /** By hand: a price, or both. */
  #say(at: number): void {
    const naive = this.#naive[at] as NaivePrices;
    const [markTicks, indexTicks] = [0, 0].map(() => 500_000 + this.#random.between(-5_000, 5_000)) as [number, number];
    const both = this.#random.chance(1, 2);
    const prices = both ? { markTicks, indexTicks } : { indexTicks };
    const events = this.stage.send({ kind: "setReferencePrice", market: naive.terms.market, ...prices });
    naive.index = BigInt(indexTicks);
    if (both) naive.mark = BigInt(markTicks);
    expect(published(events)).toMatchObject([{ markTicks: Number(naive.mark), indexTicks: Number(naive.index) }]);
  }

  #wealth(at: number): [number, number, number][] {
    const { stage } = this;
    const { market, inverse } = (this.#naive[at] as NaivePrices).terms;
    return (this.#accounts[at] as number[]).map((account) => {
      const { available, frozen } = stage.balance(account, inverse ? stage.btc : stage.usdt);
      return [available, frozen, stage.held(account, market)[0]?.margin ?? 0];
    });
  }

  #tick(): void {
    const { stage } = this;
    if (this.#random.chance(1, 6)) stage.time += HOUR * this.#random.pick([1, 1, 9]) - (stage.time % HOUR);
    else stage.time += this.#random.pick(WAITS);
    const before = [this.#wealth(0), this.#wealth(1)];
    const { perps } = coreOf(stage.machine);
    const kept = this.#naive.map(({ terms }) =>
      Math.floor(
        perps.contractDouble(terms.market, CTF_ROUNDED) +
          perps.contractDouble(terms.market, CTF_REMAINDER) +
          EXACT_SLACK,
      ),
    );
    const events = stage.sure({ kind: "tick" });
    const wanted = this.#naive.map((naive) => naive.tick(stage.time));
    expect(published(events)).toEqual(wanted.flatMap((one) => one.published));
    for (const [at, { charges }] of wanted.entries()) {
      const { inverse } = (this.#naive[at] as NaivePrices).terms;
      const coin = inverse ? stage.btc : stage.usdt;
      const moved = eventsOf(events, "posting").filter(({ asset }) => asset === coin);
      const published = moved.filter(({ account }) => (this.#accounts[at] as number[]).includes(account));
      const paid = charges.flatMap((list) => this.#inOrder(list));
      expect(published.map(({ account, deltaUnits, business }) => [account, -deltaUnits, business])).toEqual(
        paid.map(({ account, due }) => [account, Number(due), "funding"]),
      );
      const over = charges.map((list) => Number(list.reduce((sum, { due }) => sum + due, 0n)));
      const rounded = moved.filter(({ account }) => account === ROUNDING_ACCOUNT);
      const { market } = (this.#naive[at] as NaivePrices).terms;
      // The first settlement of a market takes what results rounded down have left there.
      const swept = eventsOf(events, "fundingSettled").some((one) => one.market === market) ? [kept[at] as number] : [];
      expect(
        rounded.map(({ deltaUnits, business, reference, market: where }) => [deltaUnits, business, reference, where]),
      ).toEqual([...swept, ...over].filter((due) => due > 0).map((due) => [due, "rounding", 0, market]));
      this.#compareWealth(at, before[at] as [number, number, number][], paid);
      const own = paid.filter(({ account }) => this.#isolated.has(account)).map(({ account }) => account);
      const changed = eventsOf(events, "positionChanged").filter((event) => event.market === market);
      expect(changed.map(({ account, realizedUnits }) => [account, realizedUnits])).toEqual(own.map((one) => [one, 0]));
      this.seen.paid += paid.length;
      this.seen.rounded += rounded.length;
    }
    this.seen.settled += eventsOf(events, "fundingSettled").length;
    this.seen.marks += eventsOf(events, "referencePrice").length;
    this.seen.degraded += eventsOf(events, "indexState").length;
  }

  /** Who pays before who receives, each by the age of the position; nothing is told of nothing. */
  #inOrder(charges: readonly Charge[]): Charge[] {
    const aged = [...charges].filter(({ due }) => due !== 0n).sort((a, b) => a.account - b.account);
    return [...aged.filter(({ due }) => due > 0n), ...aged.filter(({ due }) => due < 0n)];
  }

  /** An isolated position pays from its margin and gets into it, a cross one from and into the wallet. */
  #compareWealth(at: number, before: readonly [number, number, number][], paid: readonly Charge[]): void {
    const wanted = (this.#accounts[at] as number[]).map((account, i) => {
      const [available, frozen, margin] = before[i] as [number, number, number];
      const due = paid.filter((charge) => charge.account === account).reduce((sum, charge) => sum + charge.due, 0n);
      return this.#isolated.has(account)
        ? [available, frozen - Number(due), margin - Number(due)]
        : [available - Number(due), frozen, margin];
    });
    expect(this.#wealth(at)).toEqual(wanted);
  }

  step(): void {
    const at = this.#random.below(2);
    const dice = this.#random.below(40);
    if (dice < 13) for (let i = this.#random.between(1, 3); i > 0; i--) this.#receive(at);
    else if (dice < 25) this.#order(at);
    else if (dice < 26) this.#withdraw(at);
    else if (dice < 27) this.#say(at);
    else this.#tick();
    const core = coreOf(this.stage.machine);
    for (const { terms, index, mark, isDegraded } of this.#naive) {
      const { market } = terms;
      const now = [core.markets.word(market, M_INDEX), core.markets.word(market, M_MARK)];
      expect([...now, core.perps.contract(market, CT_DEGRADED)]).toEqual([
        Number(index),
        Number(mark),
        isDegraded ? 1 : 0,
      ]);
    }
    expect(this.stage.machine.nextTimerAt).toBe(Math.min(...this.#naive.map(({ nextAt }) => nextAt)));
  }
}

test.each([
  [1, 8, "A", 10_000],
  [2, 1, "B", 0],
  [3, 4, "A", 30_000],
] as const)(
  "[FUT-2] seed %i: index, mark and funding are what plain lists say",
  (seed, hours, contractClass, interest) => {
    const twins = new Twins(seed, hours, contractClass, interest);
    for (let i = 0; i < 260; i++) twins.step();
    const { marks, degraded, settled, paid, rounded } = twins.seen;
    expect([marks > 10, degraded > 15, settled > 4, paid > 10, rounded > 2]).toEqual(Array(5).fill(true));
  },
);
