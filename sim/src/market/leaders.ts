// Simulated leaders as one pure thing: prices and events in, orders out. Each has a style of its own and trades its own
// book; the same seed, times, prices and events give the same orders, live and in the pre-history alike.
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { stepRandom, uniform } from "./chance.ts";
import type { LeaderStyle } from "./leader-styles.ts";

/** A market as a leader needs it. */
export interface LeaderMarket {
  readonly market: number;
  readonly coin: string;
  /** The coin's number, and how many of its units a lot has: what a spot leader holds is told in them. */
  readonly asset: number;
  readonly stepUnits: number;
  /** Units of the settlement coin in a tick of a lot. */
  readonly factor: number;
  readonly minLots: number;
  readonly minUnits: number;
  readonly maxLots: number;
}

export interface LedBook {
  readonly account: number;
  readonly style: LeaderStyle;
  /** What it had when it was last looked at; events tell the rest. */
  cashUnits: number;
  readonly held: Map<number, Held>;
}

interface Held {
  /** Short below zero. */
  lots: number;
  entryTicks: number;
  sinceSeconds: number;
}

export interface LeaderLook {
  readonly step: number;
  readonly clockSeconds: number;
  readonly seconds: number;
  readonly ticksOf: (market: number) => number;
}

interface Averages {
  fast: number;
  slow: number;
  high: number;
  low: number;
}

const STREAM = 0x9100;
const FAST_SECONDS = 7_200;
const SLOW_SECONDS = 57_600;
const REACH = 0.004;
/** How far the averages part before a trend is one. */
const TREND_BPS = 12;
const STRETCH_BPS = 60;
/** Looks within which whoever began to follow sees something opened, and what part of a usual order that is. */
const AWAITED_LOOKS = 6;
const AWAITED_PART = 0.25;

export class SimulatedLeaders {
  readonly #seed: number;
  readonly #books: readonly LedBook[];
  readonly #markets: ReadonlyMap<LeaderStyle["kind"], readonly LeaderMarket[]>;
  readonly #averages = new Map<number, Averages>();
  /** Leaders somebody began to follow and who have opened nothing since; how often they still try. */
  readonly #awaited = new Map<number, number>();

  constructor(
    seed: number,
    books: readonly LedBook[],
    markets: Readonly<Record<LeaderStyle["kind"], readonly LeaderMarket[]>>,
  ) {
    this.#seed = seed;
    this.#books = books;
    this.#markets = new Map(Object.entries(markets) as [LeaderStyle["kind"], readonly LeaderMarket[]][]);
  }

  /** What everybody does now, in the order of the leaders. */
  step(look: LeaderLook): Command[] {
    for (const markets of this.#markets.values()) for (const { market } of markets) this.#follow(market, look);
    return this.#books.flatMap((book, index) => this.#act(book, index, look));
  }

  /** Every event of a leader's book, in order, and of those who follow it. */
  observe(event: MachineEvent, clockSeconds: number): void {
    if (event.kind === "followChanged") {
      if (event.change === "followed") this.#awaited.set(event.leader, AWAITED_LOOKS);
    } else if (event.kind === "positionChanged") {
      const book = this.#books.find(({ account }) => account === event.account);
      if (book === undefined) return;
      const market = this.#marketsOf(book).find((one) => one.market === event.market);
      if (Math.abs(event.lots) > Math.abs(book.held.get(event.market)?.lots ?? 0)) this.#awaited.delete(event.account);
      if (event.lots === 0 || market === undefined) book.held.delete(event.market);
      else this.#hold(book, market, event.lots, event.costUnits / Math.abs(event.lots) / market.factor, clockSeconds);
    } else if (event.kind === "posting") this.#post(event, clockSeconds);
  }

  #post(event: Extract<MachineEvent, { readonly kind: "posting" }>, clockSeconds: number): void {
    const book = this.#books.find(({ account }) => account === event.account);
    if (book === undefined) return;
    const market = this.#marketsOf(book).find((one) => one.asset === event.asset);
    if (market === undefined || book.style.kind === "futures") {
      if (market === undefined) book.cashUnits = event.availableUnits + event.frozenUnits;
      return;
    }
    const lots = Math.floor((event.availableUnits + event.frozenUnits) / market.stepUnits);
    const ticks = this.#averages.get(market.market)?.fast ?? 0;
    if (lots > (book.held.get(market.market)?.lots ?? 0)) this.#awaited.delete(event.account);
    if (lots === 0) book.held.delete(market.market);
    else this.#hold(book, market, lots, book.held.get(market.market)?.entryTicks ?? ticks, clockSeconds);
  }

  #hold(book: LedBook, { market }: LeaderMarket, lots: number, entryTicks: number, clockSeconds: number): void {
    const known = book.held.get(market);
    const isSame = known !== undefined && Math.sign(known.lots) === Math.sign(lots);
    book.held.set(market, { lots, entryTicks, sinceSeconds: isSame ? known.sinceSeconds : clockSeconds });
  }

  #marketsOf({ style }: LedBook): readonly LeaderMarket[] {
    return this.#markets.get(style.kind) ?? [];
  }

  #follow(market: number, { ticksOf, seconds }: LeaderLook): void {
    const ticks = ticksOf(market);
    if (ticks === 0) return;
    const known = this.#averages.get(market);
    if (known === undefined) {
      this.#averages.set(market, { fast: ticks, slow: ticks, high: ticks, low: ticks });
      return;
    }
    known.fast += (ticks - known.fast) * Math.min(1, seconds / FAST_SECONDS);
    known.slow += (ticks - known.slow) * Math.min(1, seconds / SLOW_SECONDS);
    // A range forgets its edges slowly.
    const fade = Math.min(1, seconds / SLOW_SECONDS);
    known.high = Math.max(ticks, known.high + (known.slow - known.high) * fade);
    known.low = Math.min(ticks, known.low + (known.slow - known.low) * fade);
  }

  #act(book: LedBook, index: number, look: LeaderLook): Command[] {
    const random = stepRandom(this.#seed, look.step, STREAM + index);
    const markets = this.#marketsOf(book).filter(({ coin }) => book.style.coins.includes(coin));
    for (const market of markets) {
      const held = book.held.get(market.market);
      const ticks = look.ticksOf(market.market);
      if (held === undefined || ticks === 0) continue;
      const closing = this.#close(book.style, held, ticks, look.clockSeconds, uniform(random));
      if (closing > 0) return [order(book, market, held.lots > 0 ? "sell" : "buy", closing, ticks, true)];
    }
    if (this.#awaited.has(book.account)) return this.#openAwaited(book, markets, look, uniform(random));
    if (book.held.size >= book.style.positionsMax || uniform(random) >= book.style.eagerness) return [];
    const market = markets[Math.floor(uniform(random) * markets.length)];
    if (market === undefined || book.held.has(market.market)) return [];
    const ticks = look.ticksOf(market.market);
    const side = ticks === 0 ? 0 : this.#sideOf(book.style, market.market, ticks, uniform(random));
    if (side === 0 || (book.style.kind === "spot" && side < 0)) return [];
    const lots = sizeOf(book, market, ticks);
    return lots === 0 ? [] : [order(book, market, side > 0 ? "buy" : "sell", lots, ticks, false)];
  }

  /** A small order at once, whatever the style waits for: a new position, or more of one where there is no room for it. */
  #openAwaited(book: LedBook, markets: readonly LeaderMarket[], { ticksOf }: LeaderLook, chance: number): Command[] {
    const left = (this.#awaited.get(book.account) ?? 1) - 1;
    if (left === 0) this.#awaited.delete(book.account);
    else this.#awaited.set(book.account, left);
    const isFull = book.held.size >= book.style.positionsMax;
    const open = markets.filter(({ market }) => ticksOf(market) !== 0 && book.held.has(market) === isFull);
    const market = open[Math.floor(chance * open.length)];
    if (market === undefined) return [];
    const ticks = ticksOf(market.market);
    const lots = sizeOf(book, market, ticks, AWAITED_PART);
    const kept = Math.sign(book.held.get(market.market)?.lots ?? 0);
    const wanted = kept || this.#sideOf(book.style, market.market, ticks, chance) || 1;
    const side = book.style.kind === "spot" || wanted > 0 ? "buy" : "sell";
    return lots === 0 ? [] : [order(book, market, side, lots, ticks, false)];
  }

  /** Lots to close now: half where it has gone well so far, all where it is over. */
  #close(style: LeaderStyle, held: Held, ticks: number, clockSeconds: number, chance: number): number {
    const lots = Math.abs(held.lots);
    const move = (ticks / held.entryTicks - 1) * Math.sign(held.lots) * 10_000;
    const age = clockSeconds - held.sinceSeconds;
    if (move >= style.takeBps || move <= -style.stopBps || age >= style.holdSeconds) return lots;
    const isHalfway = move >= style.takeBps * 0.6 && chance < 0.15 && lots > 3;
    return isHalfway ? Math.floor(lots / 2) : 0;
  }

  #sideOf(style: LeaderStyle, market: number, ticks: number, chance: number): number {
    const averages = this.#averages.get(market);
    if (averages === undefined) return 0;
    const trend = (averages.fast / averages.slow - 1) * 10_000;
    const stretch = (ticks / averages.fast - 1) * 10_000;
    switch (style.way) {
      case "trend":
        return Math.abs(trend) < TREND_BPS ? 0 : Math.sign(trend);
      case "revert":
        return Math.abs(stretch) < STRETCH_BPS / 3 ? 0 : -Math.sign(stretch);
      case "breakout":
        if (ticks >= averages.high) return 1;
        return ticks <= averages.low ? -1 : 0;
      case "scalp":
        // Mostly with the move of the last hours, sometimes against it.
        return (chance < 0.72 ? 1 : -1) * (Math.sign(trend) || 1);
      case "hold":
        return trend > -TREND_BPS ? 1 : 0;
    }
  }
}

function sizeOf({ style, cashUnits }: LedBook, market: LeaderMarket, ticks: number, part = 1): number {
  const units = cashUnits * style.part * style.leverage * part;
  const lots = Math.min(market.maxLots, Math.floor(units / (ticks * market.factor)));
  return lots < market.minLots || lots * ticks * market.factor < market.minUnits ? 0 : lots;
}

function order(
  { account, style }: LedBook,
  { market }: LeaderMarket,
  side: "buy" | "sell",
  quantity: number,
  ticks: number,
  closes: boolean,
): Command {
  const price = Math.max(1, Math.round(ticks * (side === "buy" ? 1 + REACH : 1 - REACH)));
  const reduceOnly = closes && style.kind === "futures";
  return { kind: "placeOrder", account, market, side, price, quantity, timeInForce: "IOC", reduceOnly };
}
