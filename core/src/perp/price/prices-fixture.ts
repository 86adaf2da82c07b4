// Owns what a contract's prices must be in the plainest words, for tests: sources and samples in lists, the book as the
// orders that rest, rates and charges in whole fractions. Shares nothing with the core but the formula of the rate.
import { fundingRate, weightedPremium } from "@clockwork/kit/margin-funding";
import type { MachineEvent } from "../../protocol/event.ts";

const HOUR = 3_600_000;
const ONE = 100_000_000n;

export interface Terms {
  readonly market: number;
  readonly inverse: boolean;
  /** Units per tick and lot, or coin units × ticks of one contract. */
  readonly factor: bigint;
  /** What 200 coins of margin move at the highest leverage: units, or contracts. */
  readonly impact: bigint;
  readonly hours: number;
  readonly interest: bigint;
  readonly firstRate: bigint;
  readonly clampBps: bigint;
}

interface Source {
  readonly price: bigint;
  readonly weight: bigint;
  readonly spoke: number;
}

interface Resting {
  readonly account: number;
  readonly isBuy: boolean;
  readonly price: bigint;
  lots: bigint;
}

/** What a settlement asks of one holder: positive is paid. */
export interface Charge {
  readonly account: number;
  readonly due: bigint;
}

export interface Published {
  readonly kind: "referencePrice" | "indexState" | "premiumSampled" | "fundingSettled";
  readonly [field: string]: unknown;
}

const floorOf = (over: bigint, under: bigint): bigint => {
  const part = over / under;
  return part * under > over ? part - 1n : part;
};
const ceilOf = (over: bigint, under: bigint): bigint => -floorOf(-over, under);
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const bySize = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

function median(prices: readonly bigint[]): bigint {
  const sorted = [...prices].sort(bySize);
  const [low, high] = [sorted[(sorted.length - 1) >> 1] as bigint, sorted[sorted.length >> 1] as bigint];
  return (low + high) / 2n;
}

export class NaivePrices {
  readonly terms: Terms;
  index: bigint;
  mark: bigint;
  isDegraded = false;
  readonly #sources = new Map<number, Source>();
  readonly #orders = new Map<number, Resting>();
  readonly holdings = new Map<number, bigint>();
  #mids: bigint[] = [];
  #last: { price: bigint; time: number } | undefined;
  #lastRate = 0n;
  #samples: bigint[] = [];
  #nextMark = 0;
  #nextPremium: number;
  #nextFunding: number;

  constructor(terms: Terms, price: bigint, time: number) {
    this.terms = terms;
    this.index = price;
    this.mark = price;
    this.#nextPremium = after(time, 5_000);
    this.#nextFunding = after(time, terms.hours * HOUR);
  }

  get nextAt(): number {
    return Math.min(...[this.#nextMark, this.#nextPremium, this.#nextFunding].filter((at) => at !== 0));
  }

  observe(source: number, price: number, weight: number, time: number): Published[] {
    const known = this.#sources.get(source)?.weight ?? 1n;
    if (this.#sources.size === 0) [this.#nextMark, this.#nextPremium] = [after(time, 1_000), after(time, 5_000)];
    this.#sources.set(source, { price: BigInt(price), weight: weight === 0 ? known : BigInt(weight), spoke: time });
    return this.#refreshIndex(time);
  }

  tick(time: number): { published: Published[]; charges: Charge[][] } {
    const published: Published[] = [];
    const charges: Charge[][] = [];
    if (this.#nextMark !== 0 && this.#nextMark <= time) {
      this.#nextMark = after(time, 1_000);
      published.push(...this.#refreshIndex(time), ...this.#refreshMark(time));
    }
    const settle = (until: number): void => {
      while (this.#nextFunding <= until) this.#settle(published, charges);
    };
    settle(time - 1);
    if (this.#nextPremium <= time) {
      this.#nextPremium = after(time, 5_000);
      if (!this.isDegraded) published.push(this.#sample());
    }
    settle(time);
    return { published, charges };
  }

  /** Takes over what events say of orders and trades. */
  follow(events: readonly MachineEvent[], time: number): void {
    for (const event of events) {
      if (event.kind === "orderAccepted" && event.market === this.terms.market)
        this.#orders.set(event.orderId, {
          account: event.account,
          isBuy: event.side === "buy",
          price: BigInt(event.price),
          lots: BigInt(event.quantity),
        });
      if (event.kind === "orderEnded") this.#orders.delete(event.orderId);
      if (event.kind !== "trade" || event.market !== this.terms.market) continue;
      this.#last = { price: BigInt(event.price), time };
      for (const id of [event.takerOrderId, event.makerOrderId]) this.#fill(id, BigInt(event.lots));
    }
  }

  #fill(id: number, lots: bigint): void {
    const order = this.#orders.get(id) as Resting;
    order.lots -= lots;
    if (order.lots === 0n) this.#orders.delete(id);
    const held = this.holdings.get(order.account) ?? 0n;
    this.holdings.set(order.account, order.isBuy ? held + lots : held - lots);
  }

  #refreshIndex(time: number): Published[] {
    const quotes = [...this.#sources].filter(([, { spoke }]) => time - spoke <= 10_000).map(([, source]) => source);
    const was = this.isDegraded;
    this.isDegraded = quotes.length < 2;
    if (!this.isDegraded) this.index = indexOf(quotes);
    const { market } = this.terms;
    const state = { degraded: this.isDegraded, market, liveSources: quotes.length, indexTicks: Number(this.index) };
    return was === this.isDegraded ? [] : [{ kind: "indexState", ...state }];
  }

  /** Both sides of the book, best price first. */
  #side(isBuy: boolean): Resting[] {
    const orders = [...this.#orders.values()].filter((order) => order.isBuy === isBuy);
    return orders.sort((a, b) => (isBuy ? bySize(b.price, a.price) : bySize(a.price, b.price)));
  }

  #refreshMark(time: number): Published[] {
    if (this.isDegraded) return [];
    const [bid, ask] = [this.#side(true)[0]?.price, this.#side(false)[0]?.price];
    const isTwoSided = bid !== undefined && ask !== undefined;
    if (isTwoSided) this.#mids = [...this.#mids, bid + ask - 2n * this.index].slice(-30);
    const { hours, market, clampBps } = this.terms;
    const left = BigInt(Math.max(0, this.#nextFunding - time));
    const byFunding = this.index + (this.index * this.#lastRate * left) / (ONE * BigInt(hours * HOUR));
    const sum = this.#mids.reduce((total, mid) => total + mid, 0n);
    const isFresh = this.#last !== undefined && time - this.#last.time <= 60_000;
    const hasBook = isTwoSided && this.#mids.length > 0;
    const byBook = hasBook ? this.index + floorOf(sum, 2n * BigInt(this.#mids.length)) : 0n;
    const free = hasBook && isFresh ? median([byFunding, byBook, (this.#last as { price: bigint }).price]) : byFunding;
    const low = ceilOf(this.index * (10_000n - clampBps), 10_000n);
    const high = (this.index * (10_000n + clampBps)) / 10_000n;
    const before = this.mark;
    this.mark = most(low, least(high, free));
    if (this.mark === before) return [];
    return [{ kind: "referencePrice", market, markTicks: Number(this.mark), indexTicks: Number(this.index) }];
  }

  /** The average price, in ten-thousandths of a tick, of taking the impact from one side; 0 where it is not there. */
  #impact(isBuy: boolean): bigint {
    const { inverse, factor, impact } = this.terms;
    const levels = new Map<bigint, bigint>();
    for (const { price, lots } of this.#side(isBuy)) levels.set(price, (levels.get(price) ?? 0n) + lots);
    let [left, lots, weighted] = [impact, 0n, 0n];
    for (const [price, shown] of levels) {
      if (left <= 0n) break;
      const each = inverse ? 1n : price * factor;
      const taken = least(shown, ceilOf(left, each));
      left -= taken * each;
      lots += taken;
      weighted += taken * price;
    }
    return left > 0n ? 0n : (weighted * 10_000n) / lots;
  }

  #rate(): bigint {
    const { interest, hours, firstRate } = this.terms;
    if (this.#samples.length === 0) return 0n;
    return fundingRate(weightedPremium(this.#samples), interest, BigInt(hours), firstRate);
  }

  #sample(): Published {
    const [bid, ask] = [this.#impact(true), this.#impact(false)];
    const index = this.index * 10_000n;
    const apart = bid > index ? bid - index : ask !== 0n && ask < index ? ask - index : 0n;
    // Toward zero.
    const both = bid > index && ask !== 0n && ask < index ? bid - index - (index - ask) : apart;
    const premium = most(-ONE, least(ONE, (both * ONE) / index));
    this.#samples.push(premium);
    let open = 0n;
    for (const lots of this.holdings.values()) open += most(0n, lots);
    return {
      kind: "premiumSampled",
      market: this.terms.market,
      premium: Number(premium),
      sample: this.#samples.length,
      impactBidTicks: Number(bid / 10_000n),
      impactAskTicks: Number(ask / 10_000n),
      predictedRate: Number(this.#rate()),
      openLots: Number(open),
    };
  }

  #charge(lots: bigint, rate: bigint): bigint {
    const { inverse, factor } = this.terms;
    const [over, under] = inverse ? [lots * factor, this.mark] : [lots * this.mark * factor, 1n];
    return ceilOf(rate * over, under * ONE);
  }

  #settle(published: Published[], charges: Charge[][]): void {
    const rate = this.#rate();
    const held = [...this.holdings].filter(([, lots]) => lots !== 0n);
    published.push({
      kind: "fundingSettled",
      market: this.terms.market,
      rate: Number(rate),
      premium: Number(weightedPremium(this.#samples)),
      samples: this.#samples.length,
      dueAt: this.#nextFunding,
      markTicks: Number(this.mark),
      positions: rate === 0n ? 0 : held.length,
    });
    charges.push(held.map(([account, lots]) => ({ account, due: this.#charge(lots, rate) })));
    this.#lastRate = rate;
    this.#samples = [];
    this.#nextFunding += this.terms.hours * HOUR;
  }
}

function after(time: number, every: number): number {
  return time - (time % every) + every;
}

/** One more than 5 % from the middle is left out of the weighted mean, of two or more the middle speaks alone. */
function indexOf(quotes: readonly Source[]): bigint {
  const middle = median(quotes.map(({ price }) => price));
  const near = quotes.filter(({ price }) => most(price - middle, middle - price) * 20n <= middle);
  if (near.length < quotes.length - 1) return middle;
  let [sum, weights] = [0n, 0n];
  for (const { price, weight } of near) {
    sum += price * weight;
    weights += weight;
  }
  return sum / weights;
}
