// The simulated market as one pure thing: tick times and events in, commands out. One maker keeps the books, a few
// takers trade against them; all are ordinary accounts. The same seed, times and events give the same commands.
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { stepRandom } from "./chance.ts";
import { type FundedAsset, Inventory, spotWallets } from "./funding.ts";
import { coinsOf, natureOf, type SimulatedPair } from "./instruments.ts";
import { cutBatches, MakerOrders, type OrderBatch } from "./maker-orders.ts";
import {
  type Coin,
  followSource,
  hourFactor,
  type PriceSource,
  type PriceState,
  pairPrice,
  regimeFactor,
  stepPrices,
} from "./prices.ts";
import { quoteItems } from "./quoting.ts";
import { type Mood, takeItems } from "./taking.ts";

export interface SimulationState {
  readonly step: number;
  readonly prices: PriceState;
}

export interface SimulationOptions {
  readonly seed: number;
  readonly pairs: readonly SimulatedPair[];
  readonly assets: readonly FundedAsset[];
  readonly maker: number;
  readonly takers: readonly number[];
  readonly state: SimulationState;
  /** Simulated seconds in a real one. */
  readonly speed?: number;
  readonly source?: PriceSource;
}

export interface StepResult {
  /** Mints and burns, each a command of its own. */
  readonly money: readonly Command[];
  /** What the coins are worth, for the exchange's valuation: an index in every market against USDT. */
  readonly references: readonly Command[];
  readonly batches: readonly OrderBatch[];
  /** Simulated seconds this step took. */
  readonly seconds: number;
}

const ITEMS_A_LOOK = 12;
const ITEMS_TO_FILL = 200;
const TAKERS_A_LOOK = 8;
/** After a pause longer than this the market goes on as if it had not been. */
export const GAP_SECONDS_MAX = 2;
/** The rate while no visitor watches: below the longest step, so that the market's time does not fall behind. */
export const QUIET_TICK_MS = 1_900;
export const QUIET_LOOK_EVERY = 3;
const NOMINAL_SECONDS = 0.5;
const BALANCE_STEPS = 240;
const REFERENCE_STEPS = 20;

interface Book {
  readonly pair: SimulatedPair;
  readonly mood: Mood;
  /** Middle at the last look, in ticks; 0 before the first. */
  middle: number;
  waitedSeconds: number;
}

export class SimulatedMarket {
  readonly #options: SimulationOptions;
  readonly #coins: readonly Coin[];
  readonly #books: readonly Book[];
  readonly #orders: MakerOrders;
  readonly #inventory: Inventory;
  #state: SimulationState;
  #lastMs: number | undefined;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#coins = coinsOf(options.pairs);
    this.#books = options.pairs.map((pair) => ({
      pair,
      mood: { burst: 0, direction: 1 },
      middle: 0,
      waitedSeconds: 0,
    }));
    const markets = options.pairs.map(({ market }) => market);
    this.#orders = new MakerOrders([options.maker], markets);
    this.#state = options.state;
    this.#inventory = new Inventory(spotWallets(options.assets, options.maker, options.takers));
  }

  get state(): SimulationState {
    return this.#state;
  }

  /** What a pair is worth just now, in quote coins. */
  priceOf(pair: SimulatedPair): number {
    return pairPrice(this.#state.prices, pair.base, pair.quote);
  }

  /** All that accounts without anything need. */
  fund(nowMs: number): readonly Command[] {
    return this.#inventory.fund(nowMs, (symbol) => this.#usdtPrice(symbol));
  }

  /** With `lookEvery` the books are looked at so many times more rarely. */
  step(nowMs: number, lookEvery = 1): StepResult {
    const gap = this.#lastMs === undefined ? NOMINAL_SECONDS : (nowMs - this.#lastMs) / 1_000;
    const seconds = Math.max(0, Math.min(GAP_SECONDS_MAX, gap)) * (this.#options.speed ?? 1);
    this.#lastMs = nowMs;
    const step = this.#state.step + 1;
    const random = stepRandom(this.#options.seed, step, 0);
    const moved = stepPrices(this.#state.prices, this.#coins, nowMs, seconds, random);
    const prices = followSource(moved, this.#coins, this.#options.source, nowMs);
    this.#state = { step, prices };
    const maker: Command[] = [];
    const taker: Command[] = [];
    for (const [index, book] of this.#books.entries()) {
      book.waitedSeconds += seconds;
      const isDue = book.middle === 0 || (step + index) % (natureOf(book.pair.pairCode).everyTicks * lookEvery) === 0;
      if (!isDue) continue;
      this.#look(book, nowMs, maker, taker);
    }
    const isBalanceDue = step % BALANCE_STEPS === 0 || this.#inventory.isEmptyHanded;
    const money = isBalanceDue ? this.#inventory.balance(nowMs, (symbol) => this.#usdtPrice(symbol)) : [];
    const references = step % REFERENCE_STEPS === 1 ? this.#references() : [];
    return { money, references, batches: [...cutBatches(maker), ...cutBatches(taker)], seconds };
  }

  #references(): Command[] {
    return this.#books
      .filter(({ pair }) => pair.quote === "USDT")
      .map(({ pair }) => {
        const indexTicks = Math.max(1, Math.round(this.priceOf(pair) / pair.tick));
        return { kind: "setReferencePrice", market: pair.market, indexTicks };
      });
  }

  /** Every event of the market's accounts, in order. */
  observe(event: MachineEvent): void {
    this.#inventory.observe(event);
    this.#orders.observe(event);
  }

  #look(book: Book, nowMs: number, maker: Command[], taker: Command[]): void {
    const { pair } = book;
    const nature = natureOf(pair.pairCode);
    const random = stepRandom(this.#options.seed, this.#state.step, pair.market);
    const middle = this.priceOf(pair) / pair.tick;
    const heat = regimeFactor(this.#state.prices.regime) * hourFactor(nowMs);
    const quotePerUsdt = 1 / this.#usdtPrice(pair.quote);
    const change = book.middle === 0 ? 0 : middle / book.middle - 1;
    const orders = this.#orders.of(pair.market);
    const itemsMax = orders.size < 20 ? ITEMS_TO_FILL : ITEMS_A_LOOK;
    const shared = { pair, nature, middle, quotePerUsdt };
    const quoting = { ...shared, account: this.#options.maker, orders: orders.values(), heat, itemsMax };
    maker.push(...quoteItems(quoting, random));
    // Nobody takes from a book that is not there yet.
    if (orders.size > 0) {
      const { takers } = this.#options;
      const skew = this.#inventory.skew(takers, pair.baseAsset);
      const seconds = book.waitedSeconds;
      const taking = { ...shared, accounts: takers, change, seconds, heat, skew, takersMax: TAKERS_A_LOOK };
      taker.push(...takeItems(taking, book.mood, random));
    }
    book.middle = middle;
    book.waitedSeconds = 0;
  }

  #usdtPrice(symbol: string): number {
    return pairPrice(this.#state.prices, symbol, "USDT");
  }
}
