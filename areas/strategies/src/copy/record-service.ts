// Computes everything about one leader from the ledger's tables, by the rules of kit/copy-statistics: the index and its
// windows, closed trades, positions, results of copies. Stores nothing but figures some seconds old.
import {
  type ClosedTrade,
  type CopyQuality,
  carryIndex,
  copyQuality,
  INDEX_ONE,
  type LeaderRecord,
  STATISTIC_WINDOWS,
  type StatisticWindow,
  type WindowStatistics,
  windowStatistics,
} from "@clockwork/kit/copy-statistics";
import { averagePriceText, linearProfit, priceText, quantityText } from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type {
  CopyPosition,
  LeaderRecord as LeaderRecordText,
  LeadPosition,
  LeadTrade,
  ReviewRow,
  WindowFigures,
} from "./contract.ts";
import type { CopyNeeds } from "./needs.ts";
import type { BookRow, LeaderRecordRow, PositionRow, RecordStore } from "./record-store.ts";
import { partsText, rateText } from "./rules.ts";
import type { CopyStore, LeaderRow, StopRow } from "./store.ts";

const KEPT_MS = 3_000;
const KEPT_MAX = 2_000;
const HISTORY_MS = 200 * DAY_MS;

/** Everything about one leader, computed together. */
export interface Computed {
  readonly atMs: number;
  readonly sequence: number;
  readonly row: LeaderRow;
  readonly answer: LeaderRecordRow;
  readonly record: LeaderRecord;
  readonly windows: ReadonlyMap<StatisticWindow, WindowStatistics>;
  readonly quality: CopyQuality;
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  readonly equityUnits: bigint;
  readonly aumUnits: bigint;
  readonly followersUnits: bigint;
  /** Newest first. */
  readonly trades: readonly LeadTrade[];
  readonly positions: readonly LeadPosition[];
}

interface Trade extends ClosedTrade {
  readonly lots: bigint;
  readonly side: string;
  readonly entry: bigint;
  readonly exit: bigint;
  readonly leverage: number;
  readonly isPast: boolean;
}

export interface RecordParts {
  readonly needs: CopyNeeds;
  readonly store: CopyStore;
  readonly records: RecordStore;
}

export class LeaderRecords {
  readonly #needs: CopyNeeds;
  readonly #store: CopyStore;
  readonly #records: RecordStore;
  readonly #kept = new Map<number, { readonly atMs: number; readonly made: Promise<Computed | undefined> }>();

  constructor({ needs, store, records }: RecordParts) {
    this.#needs = needs;
    this.#store = store;
    this.#records = records;
  }

  /** Computed at most every few seconds, however many readers there are. */
  read(account: number): Promise<Computed | undefined> {
    const nowMs = this.#needs.now();
    const known = this.#kept.get(account);
    if (known !== undefined && nowMs - known.atMs < KEPT_MS) return known.made;
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    const made = this.#compute(account, nowMs);
    this.#kept.set(account, { atMs: nowMs, made });
    made.catch(() => this.#kept.delete(account));
    return made;
  }

  /** The leader's data has changed: the next read is recomputed. */
  remove(account: number): void {
    this.#kept.delete(account);
  }

  /** The current worth of a lead book. */
  async equityOf(account: number): Promise<bigint> {
    const book = await this.#records.book(account);
    return book === undefined ? 0n : this.#equity(book, await this.#records.openPositions(account));
  }

  async #compute(account: number, nowMs: number): Promise<Computed | undefined> {
    // Read before the tables: figures are at least this recent.
    const sequence = this.#needs.tablesSequence();
    const [row, answer, book] = await Promise.all([
      this.#store.find(account),
      this.#records.leader(account),
      this.#records.book(account),
    ]);
    if (row === undefined || answer === undefined || book === undefined) return undefined;
    const open = await this.#records.openPositions(account);
    const equityUnits = await this.#equity(book, open);
    const { record, trades } = await this.#readRecord(row, book, equityUnits, nowMs);
    const [counts, slippages, sums, totals] = await Promise.all([
      this.#records.countCopies("leader", account),
      this.#records.slippages(account),
      this.#records.sumFollowers(account),
      this.#records.sumHeld(account),
    ]);
    const copies = counts.find(({ reason }) => reason === null)?.count ?? 0;
    const reasons = counts.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }]));
    const skips = reasons.reduce((sum, { count }) => sum + count, 0);
    return {
      atMs: nowMs,
      sequence,
      row,
      answer,
      record,
      windows: new Map(STATISTIC_WINDOWS.map((days) => [days, windowStatistics(record, days)])),
      quality: copyQuality(slippages, copies, skips),
      reasons,
      equityUnits,
      aumUnits: sums.reduce((sum, one) => sum + (this.#needs.worthUnits(one.asset, one.units) ?? 0n), 0n),
      followersUnits: totals.realized,
      trades,
      positions: book.kind === "spot" ? await this.#holdings(book) : open.flatMap((one) => this.describe(one) ?? []),
    };
  }

  /** Days and trades of the journal behind those of the past before it, as one record. */
  async #readRecord(row: LeaderRow, book: BookRow, equityUnits: bigint, nowMs: number) {
    const { account } = row;
    const sinceMs = nowMs - HISTORY_MS;
    const [days, past, old] = await Promise.all([
      this.#records.days(account, sinceMs),
      row.is_simulated ? this.#store.pastDays(account) : [],
      row.is_simulated ? this.#pastTrades(account) : [],
    ]);
    const before = past.at(-1)?.nav ?? INDEX_ONE;
    const chain = (nav: bigint): bigint => (nav * before) / INDEX_ONE;
    const all = [...old, ...(await this.#ledgerTrades(book, sinceMs))].sort((a, b) => a.closedMs - b.closedMs);
    const record: LeaderRecord = {
      days: [
        ...past.map(({ day_ms, nav, pnl_units }) => ({ dayMs: day_ms, nav, pnlUnits: pnl_units })),
        ...days.map(({ day_ms, nav, pnl_units }) => ({ dayMs: day_ms, nav: chain(nav), pnlUnits: pnl_units })),
      ],
      nowMs,
      nav: chain(carryIndex(book.nav, book.base_units, equityUnits)),
      todayUnits: equityUnits - book.day_units - book.flow_units,
      trades: all,
    };
    return { record, trades: all.toReversed().flatMap((one) => this.#trade(one) ?? []) };
  }

  async #pastTrades(account: number): Promise<Trade[]> {
    const rows = await this.#store.pastTrades(account);
    return rows.map((one) => ({
      openedMs: one.opened_ms,
      closedMs: one.closed_ms,
      market: one.market,
      pnlUnits: one.pnl_units,
      lots: one.lots,
      side: one.side,
      entry: one.entry_units,
      exit: one.exit_units,
      leverage: one.leverage,
      isPast: true,
    }));
  }

  async #ledgerTrades(book: BookRow, sinceMs: number): Promise<Trade[]> {
    if (book.kind === "futures") {
      const rows = await this.#records.closedPositions(book.account, sinceMs);
      return rows.map((row) => ({
        openedMs: row.opened_ms,
        closedMs: row.updated_ms,
        market: row.market,
        pnlUnits: row.realized_units + row.fee_units + row.funding_units,
        lots: row.closed_lots,
        side: row.side,
        entry: row.entered_units,
        exit: row.closed_units,
        leverage: row.leverage,
        isPast: false,
      }));
    }
    const rows = await this.#records.sales(book.account, sinceMs);
    return rows.map((row) => ({
      openedMs: row.opened_ms,
      closedMs: row.time_ms,
      market: row.market,
      pnlUnits: row.proceeds_units - row.cost_units,
      lots: row.units / BigInt(this.#needs.findMarket(row.market)?.stepUnits ?? 1),
      side: "long",
      entry: row.cost_units,
      exit: row.proceeds_units,
      leverage: 1,
      isPast: false,
    }));
  }

  #trade(one: Trade): LeadTrade | undefined {
    const pair = this.#needs.findMarket(one.market);
    if (pair === undefined) return undefined;
    return {
      pairCode: pair.pairCode,
      side: one.side,
      quantity: quantityText(pair, one.lots),
      entryPrice: averagePriceText(pair, one.entry, one.lots),
      exitPrice: averagePriceText(pair, one.exit, one.lots),
      pnl: this.money(one.pnlUnits),
      roe: one.entry <= 0n ? null : partsText((one.pnlUnits * 1_000_000n * BigInt(one.leverage)) / one.entry),
      leverage: one.leverage,
      openedAtMs: one.openedMs,
      closedAtMs: one.closedMs,
      isPast: one.isPast,
    };
  }

  async #equity(book: BookRow, open: readonly PositionRow[]): Promise<bigint> {
    if (book.kind === "futures") return open.reduce((sum, row) => sum + this.profitOf(row), book.cash_units);
    let sum = book.cash_units;
    for (const { asset, units: held } of await this.#records.coins(book.account)) {
      sum += this.#needs.worthUnits(asset, held) ?? 0n;
    }
    return sum;
  }

  /** Unrealised, at the mark of now. */
  profitOf(row: Pick<PositionRow, "market" | "lots" | "cost_units" | "cost_excess">): bigint {
    const pair = this.#needs.findMarket(row.market);
    const ticks = this.#needs.priceTicks(row.market);
    if (pair === undefined || ticks === 0) return 0n;
    return linearProfit(pair.factor, row.lots, row.cost_units, ticks, row.cost_excess);
  }

  describe(row: PositionRow): LeadPosition | undefined {
    const pair = this.#needs.findMarket(row.market);
    if (pair === undefined) return undefined;
    const lots = row.lots < 0n ? -row.lots : row.lots;
    return {
      pairCode: pair.pairCode,
      side: row.side,
      quantity: quantityText(pair, lots),
      entryPrice: averagePriceText(pair, row.cost_units, lots, row.cost_excess) ?? "0",
      markPrice: priceText(pair, this.#needs.priceTicks(row.market)),
      leverage: row.leverage,
      unrealizedPnl: this.money(this.profitOf(row)),
      margin: this.money(row.margin_units > 0n ? row.margin_units : row.cost_units / BigInt(Math.max(1, row.leverage))),
      openedAtMs: row.opened_ms,
    };
  }

  /** A position of its owner's book: with its margin, and the fields closing it needs. */
  describeOwn(
    row: PositionRow,
    leader: number,
    nickname: string,
    stops: readonly StopRow[] = [],
  ): CopyPosition | undefined {
    const answer = this.describe(row);
    const pair = this.#needs.findMarket(row.market);
    if (answer === undefined || pair === undefined) return undefined;
    const own = stops.filter(({ position_id }) => position_id === row.position_id);
    const stopAt = (direction: "rises" | "falls"): string | null => {
      const found = own.find((stop) => stop.trigger_direction === direction);
      return found === undefined ? null : priceText(pair, found.trigger_ticks);
    };
    const [gains, loses] = row.side === "short" ? (["falls", "rises"] as const) : (["rises", "falls"] as const);
    return {
      leaderId: String(leader),
      nickname,
      ...answer,
      positionId: String(row.position_id),
      account: String(row.account),
      takeProfit: stopAt(gains),
      stopLoss: stopAt(loses),
    };
  }

  /** Coins a spot leader holds, as positions without leverage. */
  async #holdings(book: BookRow): Promise<LeadPosition[]> {
    const coins = await this.#records.coins(book.account);
    return coins.flatMap(({ asset, units: held, cost_units, since_ms }) => {
      const answer = this.describeCoin(asset, held, cost_units);
      return answer === undefined ? [] : [{ ...answer, openedAtMs: since_ms }];
    });
  }

  /** A held coin, as a position without leverage. */
  describeCoin(asset: number, heldUnits: bigint, costUnits: bigint): LeadPosition | undefined {
    const quote = this.#needs.findCoin()?.asset;
    const pair = this.#needs.listPairs("spot").find((one) => one.base.asset === asset && one.quote.asset === quote);
    const lots = pair === undefined ? 0n : heldUnits / BigInt(pair.stepUnits);
    if (pair === undefined || lots <= 0n) return undefined;
    return {
      pairCode: pair.pairCode,
      side: "long",
      quantity: quantityText(pair, lots),
      entryPrice: averagePriceText(pair, costUnits, lots) ?? "0",
      markPrice: priceText(pair, this.#needs.priceTicks(pair.market)),
      leverage: 1,
      unrealizedPnl: this.money((this.#needs.worthUnits(asset, heldUnits) ?? 0n) - costUnits),
      margin: this.money(costUnits),
      openedAtMs: 0,
    };
  }

  money(value: bigint): string {
    return formatUnits(units(value), this.#needs.findCoin()?.scale ?? 6);
  }
}

/** The exact inputs of the figures, for independent computation. */
export function describeRecord(
  { sequence, record }: Computed,
  scale: number,
  windows: readonly WindowFigures[],
): LeaderRecordText {
  const { nav, nowMs, todayUnits, days, trades } = record;
  return {
    sequence,
    reckonedAtMs: nowMs,
    index: String(nav),
    todayUnits: String(todayUnits),
    scale,
    days: days.map((day) => ({ dayMs: day.dayMs, index: String(day.nav), pnlUnits: String(day.pnlUnits) })),
    trades: trades.map(({ openedMs, closedMs, pnlUnits }) => ({
      openedAtMs: openedMs,
      closedAtMs: closedMs,
      pnlUnits: String(pnlUnits),
    })),
    windows: [...windows],
  };
}

/** Applicants waiting for an answer come first, the longest waiting before the others. */
export function describeReviews(rows: readonly LeaderRow[], flags: ReadonlyMap<number, number>): ReviewRow[] {
  const place = (row: LeaderRow): number => (row.state === "APPLIED" ? row.applied_ms : Number.MAX_SAFE_INTEGER);
  const sorted = [...rows].sort((left, right) => place(left) - place(right) || left.account - right.account);
  return sorted.map((row) => ({
    leaderId: String(row.account),
    kind: row.kind,
    userId: String(row.user_id),
    nickname: row.nickname,
    bio: row.bio,
    state: row.state,
    level: row.level,
    shareRate: rateText(row.share_rate),
    isSimulated: row.is_simulated,
    reason: row.reason,
    appliedAtMs: row.applied_ms,
    washTrades: flags.get(row.account) ?? 0,
  }));
}

// Pages of a ranked list behind a cursor that is a position in the ranking, not a row: rows that leave or move neither
// send a reader back to the start nor repeat unmoved rows.

interface CursorPage<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** Rows are sorted by their rank, highest first; the cursor holds a rank and how many of that rank were shown. */
export function pageAfter<Row>(
  rows: readonly Row[],
  rankOf: (row: Row) => bigint,
  cursor: string | undefined,
  limit: number,
): CursorPage<Row> {
  const from = cursor === undefined ? 0 : placeOf(rows, rankOf, cursor);
  const shown = rows.slice(from, from + limit);
  const last = shown.at(-1);
  if (last === undefined || from + limit >= rows.length) return { rows: shown, nextCursor: null };
  const rank = rankOf(last);
  const first = rows.findIndex((row) => rankOf(row) === rank);
  return { rows: shown, nextCursor: `${rank}.${from + shown.length - first}` };
}

function placeOf<Row>(rows: readonly Row[], rankOf: (row: Row) => bigint, cursor: string): number {
  const [rankText = "0", seen = "0"] = cursor.split(".");
  const rank = BigInt(rankText);
  const first = rows.findIndex((row) => rankOf(row) <= rank);
  if (first === -1) return rows.length;
  const same = rows.slice(first).findIndex((row) => rankOf(row) < rank);
  return first + Math.min(Number(seen), same === -1 ? rows.length - first : same);
}
