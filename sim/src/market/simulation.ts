// The simulated market as one pure thing: tick times and events in, commands out. One maker keeps the books, a few
// takers trade against them; all are ordinary accounts. The same seed, times and events give the same commands.
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { stepRandom } from "./chance.ts";
import { type FundedAsset, Inventory } from "./funding.ts";
import { coinsOf, natureOf, type SimulatedPair } from "./instruments.ts";
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
import { quoteItems, type RestingOrder } from "./quoting.ts";
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

/** Orders of one account that go as one command. */
export interface OrderBatch {
  readonly account: number;
  readonly items: readonly Command[];
}

export interface StepResult {
  /** Mints and burns, each a command of its own. */
  readonly money: readonly Command[];
  readonly batches: readonly OrderBatch[];
}

const BATCH_ITEMS = 40;
const ITEMS_A_LOOK = 12;
const ITEMS_TO_FILL = 200;
const TAKERS_A_LOOK = 8;
/** After a pause longer than this the market goes on as if it had not been. */
const GAP_SECONDS_MAX = 2;
const NOMINAL_SECONDS = 0.5;
const BALANCE_STEPS = 240;

interface Desk {
  readonly pair: SimulatedPair;
  readonly orders: Map<number, RestingOrder>;
  readonly mood: Mood;
  /** Middle at the last look, in ticks; 0 before the first. */
  middle: number;
  waitedSeconds: number;
}

export class SimulatedMarket {
  readonly #options: SimulationOptions;
  readonly #coins: readonly Coin[];
  readonly #desks: readonly Desk[];
  readonly #byMarket: ReadonlyMap<number, Desk>;
  readonly #inventory: Inventory;
  #state: SimulationState;
  #lastMs: number | undefined;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#coins = coinsOf(options.pairs);
    this.#desks = options.pairs.map((pair) => ({
      pair,
      orders: new Map(),
      mood: { burst: 0, direction: 1 },
      middle: 0,
      waitedSeconds: 0,
    }));
    this.#byMarket = new Map(this.#desks.map((desk) => [desk.pair.market, desk]));
    this.#state = options.state;
    this.#inventory = new Inventory(options.assets, options.maker, options.takers);
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

  step(nowMs: number): StepResult {
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
    for (const [index, desk] of this.#desks.entries()) {
      desk.waitedSeconds += seconds;
      const isDue = desk.middle === 0 || (step + index) % natureOf(desk.pair.pairCode).everyTicks === 0;
      if (!isDue) continue;
      this.#look(desk, nowMs, maker, taker);
    }
    const isBalanceDue = step % BALANCE_STEPS === 0 || this.#inventory.isEmptyHanded;
    const money = isBalanceDue ? this.#inventory.balance(nowMs, (symbol) => this.#usdtPrice(symbol)) : [];
    return { money, batches: [...cut(maker), ...cut(taker)] };
  }

  /** Every event of the market's accounts, in order. */
  observe(event: MachineEvent): void {
    this.#inventory.observe(event);
    switch (event.kind) {
      case "orderAccepted":
        if (event.account !== this.#options.maker || event.timeInForce !== "GTC") break;
        this.#byMarket.get(event.market)?.orders.set(event.orderId, {
          id: event.orderId,
          side: event.side,
          price: event.price,
          open: event.quantity,
          filled: 0,
        });
        break;
      case "orderAmended": {
        const order = this.#byMarket.get(event.market)?.orders.get(event.orderId);
        if (order === undefined) break;
        order.price = event.price;
        order.open = event.lots;
        break;
      }
      case "orderEnded":
        this.#byMarket.get(event.market)?.orders.delete(event.orderId);
        break;
      case "trade":
        this.#fill(event.market, event.makerOrderId, event.lots, event.makerDone);
        this.#fill(event.market, event.takerOrderId, event.lots, event.takerDone);
        break;
      case "rejected":
        // It was filled or ended before the amend came; what is gone is gone.
        if (event.code === "UNKNOWN_ORDER") this.#forget(event.orderId);
        break;
      default:
        break;
    }
  }

  #look(desk: Desk, nowMs: number, maker: Command[], taker: Command[]): void {
    const { pair } = desk;
    const nature = natureOf(pair.pairCode);
    const random = stepRandom(this.#options.seed, this.#state.step, pair.market);
    const middle = this.priceOf(pair) / pair.tick;
    const heat = regimeFactor(this.#state.prices.regime) * hourFactor(nowMs);
    const quotePerUsdt = 1 / this.#usdtPrice(pair.quote);
    const change = desk.middle === 0 ? 0 : middle / desk.middle - 1;
    const itemsMax = desk.orders.size < 20 ? ITEMS_TO_FILL : ITEMS_A_LOOK;
    const shared = { pair, nature, middle, quotePerUsdt };
    const orders = desk.orders.values();
    const quoting = { ...shared, account: this.#options.maker, orders, heat, itemsMax };
    maker.push(...quoteItems(quoting, random));
    // Nobody takes from a book that is not there yet.
    if (desk.orders.size > 0) {
      const { takers } = this.#options;
      const skew = this.#inventory.skew(takers, pair.baseAsset);
      const seconds = desk.waitedSeconds;
      const taking = { ...shared, accounts: takers, change, seconds, heat, skew, takersMax: TAKERS_A_LOOK };
      taker.push(...takeItems(taking, desk.mood, random));
    }
    desk.middle = middle;
    desk.waitedSeconds = 0;
  }

  #fill(market: number, orderId: number, lots: number, isDone: boolean): void {
    const orders = this.#byMarket.get(market)?.orders;
    const order = orders?.get(orderId);
    if (order === undefined) return;
    order.open -= lots;
    order.filled += lots;
    if (isDone) orders?.delete(orderId);
  }

  #forget(orderId: number): void {
    for (const { orders } of this.#desks) if (orders.delete(orderId)) return;
  }

  #usdtPrice(symbol: string): number {
    return pairPrice(this.#state.prices, symbol, "USDT");
  }
}

/** One command per account and few enough items, in the order they were meant. */
function cut(items: readonly Command[]): OrderBatch[] {
  const batches: { account: number; items: Command[] }[] = [];
  const open = new Map<number, { account: number; items: Command[] }>();
  for (const item of items) {
    const account = "account" in item ? (item.account ?? 0) : 0;
    let batch = open.get(account);
    if (batch === undefined || batch.items.length >= BATCH_ITEMS) {
      batch = { account, items: [] };
      open.set(account, batch);
      batches.push(batch);
    }
    batch.items.push(item);
  }
  return batches;
}
