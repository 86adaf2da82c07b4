// What people see of bots: their own, anybody's in the ranking, pairs, orders, the curve; and keeping what bots are worth
// over time. Changes nothing else.
import { isSimulatedUser, SIMULATED_USER_MAX, SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { mulDivCeil, RATE_ONE } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import {
  type Bot,
  type BotDetail,
  bizOf,
  type GridBiz,
  type OrderList,
  type PairList,
  type RankedBot,
  type Ranking,
  type RankingQuery,
} from "./api.ts";
import type { BookWorth, GridMarket, GridNeeds } from "./needs.ts";
import {
  cellRates,
  describeBot,
  describeCandidate,
  type GridRefusal,
  leastOf,
  linesOf,
  liquidationTicks,
  RANK_DAYS,
  totalOf,
} from "./rules.ts";
import type { GridStore, OwnedBot, PairRow, WorthRow } from "./store.ts";

type Told<Value> = Promise<Result<Value, GridRefusal>>;

const LIST_MAX = 100;
const PAIRS_MAX = 50;
const RANKED_MAX = 500;
const SIMULATED_USERS = [SIMULATED_USER_MIN, SIMULATED_USER_MAX] as const;
const RANK_PAIRS = 20;
/** In whole coins. */
const RANK_INVESTED = 100n;
const RANKING_KEPT_MS = 30_000;
const CURVE_DAYS = 90;
const RESERVE_PART = 100n;
const NOTHING: BookWorth = { quoteUnits: 0n, freeUnits: 0n, lots: 0, costUnits: undefined };

interface Seen {
  readonly row: OwnedBot;
  readonly market: GridMarket;
  readonly worth: BookWorth;
  readonly totalUnits: bigint;
  readonly lastTicks: number;
}

export class GridReadService {
  readonly #store: GridStore;
  readonly #needs: GridNeeds;
  #ranked: { readonly atMs: number; readonly rows: Promise<readonly Ranked[]> } | undefined;

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
    const lastTicks = this.#needs.lastTicks(row.market);
    if (row.status !== "CLOSED") {
      const worth = await this.#needs.worthOf(row.account, market);
      return { row, market, worth, totalUnits: totalOf(row, market, worth, lastTicks), lastTicks };
    }
    const totalUnits = await this.#closedTotal(row, market);
    return { row, market, worth: NOTHING, totalUnits, lastTicks };
  }

  /** What trading moved in the book, coins at the price of the end. */
  async #closedTotal(row: OwnedBot, market: GridMarket): Promise<bigint> {
    const [moved, log] = await Promise.all([this.#store.traded(row.account), this.#store.log(row.bot)]);
    const quote = moved.get(market.settle.asset) ?? 0n;
    if (bizOf(row.grid) !== "spot") return quote;
    const ticks = BigInt(log[0]?.price_ticks ?? 0);
    const lots = (moved.get(market.base.asset) ?? 0n) / BigInt(market.stepUnits);
    return quote + lots * ticks * BigInt(market.factor);
  }

  #describe({ row, market, totalUnits, lastTicks }: Seen): Bot {
    return describeBot(row, market, totalUnits, lastTicks, this.#needs.now(), isSimulatedUser(row.user_id));
  }

  async detail(userId: number | undefined, id: number): Told<BotDetail> {
    const row = await this.#store.find(id);
    const seen = row === undefined ? undefined : await this.#look(row);
    if (row === undefined || seen === undefined) return refused("UNKNOWN_BOT");
    const { market, worth, lastTicks, totalUnits } = seen;
    const lines = linesOf(row);
    const [log, worths] = await Promise.all([
      this.#store.log(id),
      this.#store.worth([id], this.#needs.now() - CURVE_DAYS * DAY_MS),
    ]);
    const money = (units: bigint): string => valueText(market, units);
    const rates = cellRates(lines, market);
    const liquidation = liquidationTicks(row, market, this.#needs.contractOf(row.market), lastTicks);
    const coins = BigInt(Math.abs(worth.lots)) * BigInt(lastTicks) * BigInt(market.factor);
    const fee = BigInt(mulDivCeil(Number(coins), market.takerRate, RATE_ONE));
    const equity = totalUnits + BigInt(row.invested_units) - BigInt(row.taken_units);
    const isClosed = row.status === "CLOSED";
    const least = leastOf(row, market, lines, lastTicks);
    return done({
      ...this.#describe(seen),
      isYours: row.user_id === userId,
      lines: lines.map((ticks) => priceText(market, ticks)),
      profitMin: rates.min,
      profitMax: rates.max,
      coinsHeld: quantityText(market, BigInt(worth.lots)),
      quoteHeld: money(worth.quoteUnits),
      takeable: money(isClosed ? 0n : takeable(row, worth)),
      least: least === undefined ? null : money(least),
      liquidationPrice: liquidation === undefined ? null : priceText(market, Math.max(0, liquidation)),
      ifStopped: { coinsValue: money(coins), fee: money(fee), back: money(isClosed ? 0n : equity - fee) },
      curve: this.#curve(row, market, worths, totalUnits),
      log: log.map((line) => ({
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

  #curve(row: OwnedBot, market: GridMarket, worths: readonly WorthRow[], totalUnits: bigint): BotDetail["curve"] {
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

  async pairs(id: number, before: number | undefined, limit = PAIRS_MAX): Told<PairList> {
    const row = await this.#store.find(id);
    const market = row === undefined ? undefined : this.#needs.marketOf(row.market);
    if (market === undefined) return refused("UNKNOWN_BOT");
    const rows = await this.#store.pairs(id, before, limit);
    return done({ pairs: rows.map((pair) => describePair(pair, market)) });
  }

  async orders(userId: number, id: number): Told<OrderList> {
    const row = await this.#store.find(id);
    const market = row === undefined ? undefined : this.#needs.marketOf(row.market);
    if (row === undefined || market === undefined || row.user_id !== userId) return refused("UNKNOWN_BOT");
    const last = this.#needs.lastTicks(row.market);
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

  /** Bots older than a day with enough pairs and money in them, by the last week's grid profit. */
  async ranking(userId: number | undefined, biz: GridBiz, query: RankingQuery): Promise<Ranking> {
    const nowMs = this.#needs.now();
    if (this.#ranked === undefined || nowMs - this.#ranked.atMs > RANKING_KEPT_MS)
      this.#ranked = { atMs: nowMs, rows: this.#rank(nowMs) };
    const { atMs, rows } = this.#ranked;
    const fits = (await rows).filter(
      ({ bot }) =>
        bizOf(bot.kind) === biz &&
        (query.kind === undefined || bot.kind === query.kind) &&
        (query.pairCode === undefined || bot.pairCode === query.pairCode),
    );
    const by = { apr: "apr", profit: "profit", age: "ageMs", drawdown: "drawdown" } as const;
    const column = by[query.sort ?? "apr"];
    const sign = column === "drawdown" ? 1 : -1;
    const sorted = [...fits].sort(
      (a, b) => sign * (Number(a.bot[column]) - Number(b.bot[column])) || a.bot.id - b.bot.id,
    );
    const told = ({ bot, owner }: Ranked, rank: number): RankedBot => ({ ...bot, rank, isYours: owner === userId });
    return {
      refreshedAtMs: atMs,
      bots: sorted
        .filter(({ isRanked }) => isRanked)
        .slice(0, query.limit ?? LIST_MAX)
        .map((one, at) => told(one, at + 1)),
      young: sorted.filter(({ isRanked, bot }) => !isRanked && bot.isSimulated).map((one) => told(one, 0)),
    };
  }

  async #rank(nowMs: number): Promise<readonly Ranked[]> {
    const rows = await this.#store.ranked(nowMs - DAY_MS, RANK_PAIRS, SIMULATED_USERS, RANKED_MAX);
    const bots = rows.map(({ bot }) => bot);
    const fromMs = nowMs - RANK_DAYS * DAY_MS;
    const [pairs, worth, clones] = await Promise.all([
      this.#store.pairsSince(bots, fromMs),
      this.#store.worth(bots, nowMs - CURVE_DAYS * DAY_MS),
      this.#store.countClones(bots),
    ]);
    const pairsOf = Map.groupBy(pairs, ({ bot }) => bot);
    const worthOf = Map.groupBy(worth, ({ bot }) => bot);
    return rows.flatMap((row) => {
      const market = this.#needs.marketOf(row.market);
      if (market === undefined) return [];
      const isRich = BigInt(row.invested_units) >= RANK_INVESTED * 10n ** BigInt(market.settle.scale);
      const isRanked = isRich && row.pairs >= RANK_PAIRS && nowMs - row.created_ms >= DAY_MS;
      const candidate = {
        row,
        market,
        pairs: pairsOf.get(row.bot) ?? [],
        worth: worthOf.get(row.bot) ?? [],
        usedBy: clones.get(row.bot) ?? 0,
        isYours: false,
        isSimulated: isSimulatedUser(row.user_id),
      };
      return [{ owner: row.user_id, isRanked, bot: describeCandidate(candidate, nowMs) }];
    });
  }

  /** Notes what every running bot is worth now. */
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
    await this.#store.forgetWorth(timeMs - CURVE_DAYS * DAY_MS);
  }
}

interface Ranked {
  readonly owner: number;
  readonly isRanked: boolean;
  readonly bot: ReturnType<typeof describeCandidate>;
}

/** Realised profit above what stays for fees, as far as it is free. */
function takeable(row: OwnedBot, { freeUnits }: BookWorth): bigint {
  const earned = BigInt(row.profit_units) - BigInt(row.taken_units);
  const reserve = (BigInt(row.invested_units) + RESERVE_PART - 1n) / RESERVE_PART;
  const free = freeUnits - reserve;
  const most = earned < free ? earned : free;
  return most > 0n ? most : 0n;
}

function describePair(pair: PairRow, market: GridMarket): PairList["pairs"][number] {
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
