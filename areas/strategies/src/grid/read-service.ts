// Views of bots: the user's own, published ones of others, pairs, orders, the curve; and storing the worth of bots over
// time. Changes nothing else.

import { isSimulatedUser } from "@clockwork/core/protocol/names";
import { lotsAt } from "@clockwork/kit/grid/infinity";
import { planGrid } from "@clockwork/kit/grid/plan";
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { parseUnits, RATE_ONE } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import {
  type Bot,
  type BotDetail,
  bizOf,
  type ClonePlan,
  type GridBiz,
  type OrderList,
  type PairList,
} from "./contract.ts";
import type { BookWorth, GridNeeds } from "./needs.ts";
import type { GridRefusal } from "./refusals.ts";
import {
  cellRates,
  clonedRange,
  describeBot,
  isPublished,
  leastOf,
  linesOf,
  liquidationTicks,
  totalOf,
} from "./rules.ts";
import type { GridStore, OwnedBot, PairRow, WorthRow } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, GridRefusal>>;

const LIST_MAX = 100;
const PAIRS_MAX = 50;
const CURVE_DAYS = 90;
const RESERVE_PART = 100n;
const NOTHING: BookWorth = { quoteUnits: 0n, freeUnits: 0n, lots: 0, costUnits: undefined };

/** A bot's triggers are visible only to its owner. */
const UNTOLD = { trigger: null, takeProfit: null, stopLoss: null, exitBps: null, endsAtMs: null } as const;

/** The preview of a clone that would be refused. */
const NO_PLAN = { quantity: null, buys: null, sells: null, startCost: null } as const;

interface Seen {
  readonly row: OwnedBot;
  readonly market: MarketPair;
  readonly worth: BookWorth;
  readonly totalUnits: bigint;
  readonly lastTicks: number;
}

export class GridReadService {
  readonly #store: GridStore;
  readonly #needs: GridNeeds;

  constructor({ store, needs }: { readonly store: GridStore; readonly needs: GridNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async list(userId: number, biz: GridBiz, state?: "running" | "closed", limit = LIST_MAX): Promise<Bot[]> {
    const isClosed = state === undefined ? undefined : state === "closed";
    const rows = await this.#store.list(userId, biz === "spot", isClosed, limit);
    const seen = await Promise.all(rows.map((row) => this.#look(row)));
    return seen.flatMap((one) => (one === undefined ? [] : [this.#describe(one)]));
  }

  async #look(row: OwnedBot): Promise<Seen | undefined> {
    const market = this.#needs.marketOf(row.market);
    if (market === undefined) return undefined;
    const lastTicks = this.#needs.seenTicks(row.market);
    if (row.status !== "CLOSED") {
      const worth = await this.#needs.worthOf(row.account, market);
      return { row, market, worth, totalUnits: totalOf(row, market, worth, lastTicks), lastTicks };
    }
    const totalUnits = await this.#closedTotal(row, market);
    return { row, market, worth: NOTHING, totalUnits, lastTicks };
  }

  /** The result of trading in the book, coins at the final price; invested coins have changed their price too. */
  async #closedTotal(row: OwnedBot, market: MarketPair): Promise<bigint> {
    const [moved, brought, log] = await Promise.all([
      this.#store.traded(row.account),
      this.#store.brought(row.account),
      this.#store.log(row.bot),
    ]);
    const quote = moved.get(market.settle.asset) ?? 0n;
    if (bizOf(row.grid) !== "spot") return quote;
    const perLot = BigInt(log[0]?.price_ticks ?? 0) * BigInt(market.factor);
    const lotsOf = (units: bigint | undefined): bigint => (units ?? 0n) / BigInt(market.stepUnits);
    const coinsAtStart = BigInt(row.invested_units) - (brought.get(market.settle.asset) ?? 0n);
    const coinsAtEnd = (lotsOf(moved.get(market.base.asset)) + lotsOf(brought.get(market.base.asset))) * perLot;
    return quote + coinsAtEnd - coinsAtStart;
  }

  #describe({ row, market, totalUnits, lastTicks }: Seen): Bot {
    return describeBot(row, market, totalUnits, lastTicks, this.#needs.now(), isSimulatedUser(row.user_id));
  }

  /** A bot visible to this caller. */
  async #find(userId: number | undefined, id: number): Promise<OwnedBot | undefined> {
    const row = await this.#store.find(id);
    const market = row === undefined ? undefined : this.#needs.marketOf(row.market);
    if (row === undefined || market === undefined) return undefined;
    return row.user_id === userId || isPublished(row, market, this.#needs.now()) ? row : undefined;
  }

  async detail(userId: number | undefined, id: number): Outcome<BotDetail> {
    const row = await this.#find(userId, id);
    const seen = row === undefined ? undefined : await this.#look(row);
    if (row === undefined || seen === undefined) return refused("UNKNOWN_BOT");
    const isYours = row.user_id === userId;
    const { market, worth, lastTicks, totalUnits } = seen;
    const lines = linesOf(row);
    const isFutures = bizOf(row.grid) === "futures";
    const [log, worths, orders] = await Promise.all([
      this.#store.log(id),
      this.#store.worth([id], this.#needs.now() - CURVE_DAYS * DAY_MS),
      isFutures && row.status !== "CLOSED" ? this.#needs.ordersOf(row.account) : [],
    ]);
    const money = (units: bigint): string => valueText(market, units);
    const rates = cellRates(lines, market);
    const [long, short] = liquidationTicks(row, market, this.#needs.contractOf(row.market), worth, orders);
    const priceOf = (ticks: number | undefined): string | null =>
      ticks === undefined ? null : priceText(market, Math.max(0, ticks));
    const coins = BigInt(Math.abs(worth.lots)) * BigInt(lastTicks) * BigInt(market.factor);
    const fee = feeOf(coins, market.takerRate);
    const equity = totalUnits + BigInt(row.invested_units) - BigInt(row.taken_units);
    const isClosed = row.status === "CLOSED";
    const least = leastOf(row, market, lines, lastTicks);
    return done({
      ...this.#describe(seen),
      ...(isYours ? {} : UNTOLD),
      isYours,
      lines: lines.map((ticks) => priceText(market, ticks)),
      profitMin: rates.min,
      profitMax: rates.max,
      coinsHeld: quantityText(market, BigInt(worth.lots)),
      quoteHeld: money(worth.quoteUnits),
      takeable: money(isClosed ? 0n : takeable(row, worth)),
      least: least === undefined ? null : money(least),
      liquidationPrice: priceOf(long ?? short),
      liquidations: { long: priceOf(long), short: priceOf(short) },
      ifStopped: { coinsValue: money(coins), fee: money(fee), back: money(isClosed ? 0n : equity - fee) },
      curve: this.#curve(row, market, worths, totalUnits),
      log: (isYours ? log : []).map((line) => ({
        change: line.change,
        status: line.status,
        reason: line.reason,
        price: priceText(market, line.price_ticks),
        lower: priceText(market, line.low_ticks),
        upper: priceText(market, line.high_ticks),
        timeMs: line.time_ms,
      })),
    });
  }

  /** The start of a clone with this investment now: planned as the core plans it. */
  async clone(userId: number | undefined, biz: GridBiz, id: number, investment: string): Outcome<ClonePlan> {
    const row = await this.#find(userId, id);
    const market = row === undefined ? undefined : this.#needs.marketOf(row.market);
    if (row === undefined || market === undefined || bizOf(row.grid) !== biz) return refused("UNKNOWN_BOT");
    const quote = parseUnits(investment, market.settle.scale);
    if (!quote.done || quote.value === 0n) return refused("INVALID_AMOUNT");
    const priceTicks = this.#needs.seenTicks(row.market);
    const contract = this.#needs.contractOf(row.market);
    const planned = planGrid({
      ...clonedRange(row, priceTicks),
      priceTicks,
      feeRate: market.takerRate,
      tickLotUnits: market.factor,
      minLots: market.minLots,
      minNotionalUnits: market.minNotionalUnits,
      quoteUnits: quote.value,
      ...(contract === undefined ? {} : { contract }),
    });
    if (!planned.done) return done({ ...NO_PLAN, refusal: planned.code });
    const { lots, gap, lines, startLots } = planned.value;
    const quantity = quantityText(market, BigInt(lotsAt({ kind: row.grid, lots }, priceTicks)));
    const value = BigInt(Math.max(0, startLots)) * BigInt(priceTicks) * BigInt(market.factor);
    const startCost = valueText(market, value + feeOf(value, market.takerRate));
    return done({ quantity, buys: gap, sells: lines.length - 1 - gap, startCost, refusal: null });
  }

  #curve(row: OwnedBot, market: MarketPair, worths: readonly WorthRow[], totalUnits: bigint): BotDetail["curve"] {
    const money = (units: bigint): string => valueText(market, units);
    const first = { timeMs: row.created_ms, total: "0", grid: "0" };
    const kept = worths.map((one) => ({
      timeMs: one.time_ms,
      total: money(BigInt(one.total_units)),
      grid: money(BigInt(one.grid_units)),
    }));
    const timeMs = row.status === "CLOSED" ? row.updated_ms : this.#needs.now();
    return [first, ...kept, { timeMs, total: money(totalUnits), grid: money(BigInt(row.profit_units)) }];
  }

  async pairs(
    userId: number | undefined,
    id: number,
    before: number | undefined,
    limit = PAIRS_MAX,
  ): Outcome<PairList> {
    const row = await this.#find(userId, id);
    const market = row === undefined ? undefined : this.#needs.marketOf(row.market);
    if (market === undefined) return refused("UNKNOWN_BOT");
    const rows = await this.#store.pairs(id, before, limit);
    return done({ pairs: rows.map((pair) => describePair(pair, market)) });
  }

  async orders(userId: number, id: number): Outcome<OrderList> {
    const row = await this.#store.find(id);
    const market = row === undefined ? undefined : this.#needs.marketOf(row.market);
    if (row === undefined || market === undefined || row.user_id !== userId) return refused("UNKNOWN_BOT");
    const last = this.#needs.seenTicks(row.market);
    const orders = [...(await this.#needs.ordersOf(row.account))].sort((a, b) => b.priceTicks - a.priceTicks);
    return done({
      orders: orders.map(({ orderId, side, priceTicks, lots, filledLots }) => ({
        orderId: String(orderId),
        side,
        price: priceText(market, priceTicks),
        quantity: quantityText(market, lots),
        filled: quantityText(market, filledLots),
        distance: last === 0 ? "0" : (priceTicks / last - 1).toFixed(6),
      })),
    });
  }

  /** Stores the current worth of every running bot. */
  async keepWorth(): Promise<void> {
    const timeMs = this.#needs.now();
    for (const row of await this.#store.running()) {
      const seen = await this.#look(row);
      if (seen === undefined) continue;
      await this.#store.addWorth({
        bot: row.bot,
        time_ms: timeMs,
        total_units: seen.totalUnits,
        grid_units: BigInt(row.profit_units),
      });
    }
    await this.#store.clearWorth(timeMs - CURVE_DAYS * DAY_MS);
  }
}

/** Rounded up, as it is charged. */
function feeOf(units: bigint, rate: number): bigint {
  return (units * BigInt(rate) + BigInt(RATE_ONE) - 1n) / BigInt(RATE_ONE);
}

/** Realised profit above the reserve for fees, as far as it is free. */
function takeable(row: OwnedBot, { freeUnits }: BookWorth): bigint {
  const earned = BigInt(row.profit_units) - BigInt(row.taken_units);
  const reserve = (BigInt(row.invested_units) + RESERVE_PART - 1n) / RESERVE_PART;
  const free = freeUnits - reserve;
  const most = earned < free ? earned : free;
  return most > 0n ? most : 0n;
}

function describePair(pair: PairRow, market: MarketPair): PairList["pairs"][number] {
  const gross = BigInt(pair.high_ticks - pair.low_ticks) * BigInt(pair.lots) * BigInt(market.factor);
  const net = BigInt(pair.profit_units);
  return {
    number: pair.number,
    later: pair.later,
    boughtAt: priceText(market, pair.low_ticks),
    soldAt: priceText(market, pair.high_ticks),
    quantity: quantityText(market, BigInt(pair.lots)),
    gross: valueText(market, gross),
    fees: valueText(market, gross - net),
    net: valueText(market, net),
    earlierMs: pair.earlier_ms,
    timeMs: pair.time_ms,
  };
}
