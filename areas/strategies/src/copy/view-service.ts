// Public data of leaders: the list with its ranking and filters, and one leader with every figure. Losing windows are
// shown like winning ones.
import { STATISTIC_WINDOWS, type StatisticWindow, type WindowStatistics } from "@clockwork/kit/copy-statistics";
import { decimalText } from "@clockwork/kit/decimal";
import { quantityText } from "@clockwork/kit/instrument";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import type {
  CopyConfig,
  CopyKind,
  CursorQuery,
  FollowerCursorPage,
  FollowerList,
  FollowerPage,
  FollowerRow,
  FollowersCursorQuery,
  FollowersQuery,
  LeaderDetail,
  LeaderPage,
  LeaderRecord,
  LeaderSort,
  LeaderSummary,
  LeadersQuery,
  LeadTradeCursorPage,
  LeadTradePage,
  TradesCursorQuery,
  WindowFigures,
} from "./contract.ts";
import type { CopyNeeds } from "./needs.ts";
import { type Computed, describeRecord, type LeaderRecords, pageAfter } from "./record-service.ts";
import type { FollowRecordRow, RecordStore } from "./record-store.ts";
import { bpsText, INVESTMENT_MIN, LEVELS, nextSettlement, partsText, rateText, readRate } from "./rules.ts";
import type { CopyStore } from "./store.ts";

const CURVE_POINTS = 31;
const PAGE = 10;
const BITCOIN_MS = 200 * DAY_MS;
const BITCOIN_KEPT_MS = MINUTE_MS;
/** As many as the highest level permits. */
const OWN_FOLLOWERS_SHOWN = 1_000;
const PAIRS_SHOWN = 8;
const SHOWN_STATES = ["ACTIVE", "PAUSED", "CLOSING"] as const;

/** The reader: followed and watched leaders are marked. */
export interface Looking {
  readonly userId: number | undefined;
  readonly followed: ReadonlySet<number>;
  readonly focused: ReadonlySet<number>;
  /** Leaders whose next free place the user is notified of. */
  readonly awaited: ReadonlySet<number>;
}

export interface LeaderViewParts {
  readonly needs: CopyNeeds;
  readonly store: CopyStore;
  readonly records: RecordStore;
  readonly computed: LeaderRecords;
}

export class LeaderView {
  readonly #parts: LeaderViewParts;
  #bitcoin: { readonly atMs: number; readonly made: Promise<ReadonlyMap<number, string>> } | undefined;

  constructor(parts: LeaderViewParts) {
    this.#parts = parts;
  }

  config(kind: CopyKind): CopyConfig {
    const { needs } = this.#parts;
    return {
      asset: needs.findCoin()?.symbol ?? "",
      investmentMin: String(INVESTMENT_MIN),
      modes: kind === "futures" ? ["fixed", "multiplier", "proportional"] : ["fixed", "multiplier"],
      pairs: needs.listPairs(kind).map(({ pairCode }) => pairCode),
      slippage: { min: "0.001", max: "0.05", default: "0.005" },
      multiplier: { min: "0.01", max: "10" },
      levels: LEVELS.map(({ level, equity, followers, shareRate }) => ({
        level,
        equity: String(equity),
        followers,
        shareRateMax: rateText(shareRate),
      })),
      settlesNextMs: nextSettlement(needs.now()),
    };
  }

  async list(kind: CopyKind, query: LeadersQuery, looking: Looking): Promise<LeaderPage> {
    const window = Number(query.window ?? "30") as StatisticWindow;
    const found = await this.#ranked(kind, query.sort ?? "roi", window);
    const shown = found.filter((one) => fits(one, query, window, looking));
    const limit = query.limit ?? 12;
    const page = query.page ?? 1;
    const leaders = shown.slice((page - 1) * limit, page * limit).map((one) => this.#summary(one, window, looking));
    return { total: shown.length, page, leaders };
  }

  /** The same by a cursor, with the figures of every window. */
  async listAfter(kind: CopyKind, query: CursorQuery, looking: Looking) {
    const window = Number(query.window ?? "30") as StatisticWindow;
    const sort = query.sort ?? "roi";
    const found = (await this.#ranked(kind, sort, window)).filter((one) => fits(one, query, window, looking));
    const rank = (one: Computed): bigint => rankOf(one, sort, one.windows.get(window) as WindowStatistics);
    const { rows, nextCursor } = pageAfter(found, rank, query.cursor, query.limit ?? 20);
    const leaders = rows.map((one) => ({ ...this.#summary(one, window, looking), windows: this.#windows(one) }));
    return { leaders, nextCursor };
  }

  /** A leader's own followers with the result of each; undefined for a user who leads no one. */
  async followersOf(userId: number, kind: CopyKind): Promise<FollowerList | undefined> {
    const { needs, records, computed, store } = this.#parts;
    const own = await store.findOwn(userId, kind);
    if (own === undefined) return undefined;
    const rows = await records.followersOf(own.account, OWN_FOLLOWERS_SHOWN);
    const accounts = rows.map(({ account }) => account);
    const [brought, balances, positions] = await Promise.all([
      records.broughtBy(own.account),
      records.balancesOf(accounts),
      records.positionsOf(accounts),
    ]);
    const equity = new Map<number, bigint>();
    const add = (account: number, amountUnits: bigint) =>
      equity.set(account, (equity.get(account) ?? 0n) + amountUnits);
    for (const row of balances)
      add(row.account, needs.worthUnits(row.asset, row.available_units + row.frozen_units) ?? 0n);
    for (const row of positions) add(row.account, computed.profitOf(row));
    return rows.map((row) => ({
      ...this.#follower(row, brought.paid),
      equity: computed.money(equity.get(row.account) ?? 0n),
      copies: brought.copies.get(row.account) ?? 0,
    }));
  }

  async detail(kind: CopyKind, account: number, looking: Looking): Promise<LeaderDetail | undefined> {
    const { computed } = this.#parts;
    const one = await this.#find(kind, account);
    if (one === undefined) return undefined;
    const { answer, record, quality } = one;
    const [{ followers }, bitcoin] = await Promise.all([this.#followers(account, {}), this.#bitcoinByDay()]);
    return {
      ...this.#summary(one, 30, looking),
      bio: one.row.bio,
      windows: this.#windows(one),
      days: record.days.map(({ dayMs, nav, pnlUnits }) => ({
        dayMs,
        index: indexText(nav),
        pnl: computed.money(pnlUnits),
        btc: bitcoin.get(dayMs) ?? null,
      })),
      btcNow: [...bitcoin.values()].at(-1) ?? null,
      sequence: one.sequence,
      reckonedAtMs: one.atMs,
      pairs: countPairs(one),
      quality: {
        copies: quality.copies,
        skips: quality.skips,
        skipRate: partsText(quality.skipRate),
        medianSlippageBps: slippageText(quality.medianSlippage),
        highSlippageBps: slippageText(quality.highSlippage),
        reasons: [...one.reasons],
        histogram: [...quality.histogram],
      },
      nextShareRate: answer.next_share_ms === 0 ? null : rateText(answer.next_share_rate),
      nextShareFromMs: answer.next_share_ms === 0 ? null : answer.next_share_ms,
      positions: [...one.positions],
      trades: one.trades.slice(0, PAGE),
      tradesTotal: one.trades.length,
      latest: this.#latest(one),
      topFollowers: followers,
    };
  }

  async #find(kind: CopyKind, account: number): Promise<Computed | undefined> {
    const one = await this.#parts.computed.read(account);
    return one?.row.kind === kind ? one : undefined;
  }

  /** Closed trades, newest first. */
  async trades(
    kind: CopyKind,
    account: number,
    { page = 1, limit = PAGE }: { readonly page?: number; readonly limit?: number },
  ): Promise<LeadTradePage | undefined> {
    const one = await this.#find(kind, account);
    if (one === undefined) return undefined;
    return { total: one.trades.length, page, trades: one.trades.slice((page - 1) * limit, page * limit) };
  }

  /** The inputs of the figures, for independent computation. */
  async record(kind: CopyKind, account: number): Promise<LeaderRecord | undefined> {
    const one = await this.#find(kind, account);
    if (one === undefined) return undefined;
    return describeRecord(one, this.#parts.needs.findCoin()?.scale ?? 0, this.#windows(one));
  }

  async tradesAfter(
    kind: CopyKind,
    account: number,
    { cursor, limit = PAGE }: TradesCursorQuery,
  ): Promise<LeadTradeCursorPage | undefined> {
    const one = await this.#find(kind, account);
    if (one === undefined) return undefined;
    const { rows, nextCursor } = pageAfter(one.trades, ({ closedAtMs }) => BigInt(closedAtMs), cursor, limit);
    return { trades: [...rows], nextCursor };
  }

  async followersAfter(
    kind: CopyKind,
    account: number,
    { sort, cursor, limit = PAGE }: FollowersCursorQuery,
  ): Promise<FollowerCursorPage | undefined> {
    if ((await this.#find(kind, account)) === undefined) return undefined;
    const { rows, paid } = await this.#participants(account, sort);
    const rank = (row: FollowRecordRow): bigint => (sort === "result" ? row.realized_units : row.invested_units);
    const page = pageAfter(rows, rank, cursor, limit);
    return { followers: page.rows.map((row) => this.#follower(row, paid)), nextCursor: page.nextCursor };
  }

  /** The followers, distinguishable but not identified. */
  async followers(kind: CopyKind, account: number, query: FollowersQuery): Promise<FollowerPage | undefined> {
    return (await this.#find(kind, account)) === undefined ? undefined : this.#followers(account, query);
  }

  async #followers(account: number, { sort, page = 1, limit = PAGE }: FollowersQuery): Promise<FollowerPage> {
    const { rows, paid } = await this.#participants(account, sort);
    const shown = rows.slice((page - 1) * limit, page * limit);
    return { total: rows.length, page, followers: shown.map((row) => this.#follower(row, paid)) };
  }

  async #participants(account: number, sort: FollowersQuery["sort"]) {
    const { records } = this.#parts;
    const [rows, { paid }] = await Promise.all([
      records.followersOf(account, OWN_FOLLOWERS_SHOWN),
      records.broughtBy(account),
    ]);
    if (sort === "result")
      rows.sort((left, right) => Number(right.realized_units - left.realized_units) || left.account - right.account);
    return { rows, paid };
  }

  #follower(row: FollowRecordRow, paid: ReadonlyMap<number, bigint>): FollowerRow {
    const { computed } = this.#parts;
    return {
      name: maskedName(row.account),
      invested: computed.money(row.invested_units),
      realizedPnl: computed.money(row.realized_units),
      sinceMs: row.followed_ms,
      mode: row.mode,
      fixed: computed.money(row.fixed_units),
      multiplier: rateText(row.multiplier),
      held: computed.money(row.held_units),
      paid: computed.money(paid.get(row.account) ?? 0n),
    };
  }

  /** Read again every minute, however many readers there are. */
  #bitcoinByDay(): Promise<ReadonlyMap<number, string>> {
    const nowMs = this.#parts.needs.now();
    if (this.#bitcoin !== undefined && nowMs - this.#bitcoin.atMs < BITCOIN_KEPT_MS) return this.#bitcoin.made;
    const made = this.#parts.needs.bitcoinByDay(nowMs - BITCOIN_MS).catch(() => new Map<number, string>());
    this.#bitcoin = { atMs: nowMs, made };
    return made;
  }

  /** The leader's last trade, as an example of a copy. */
  #latest({ row, positions, trades }: Computed): LeaderDetail["latest"] {
    const [open, closed] = [positions.at(-1), trades.find(({ quantity }) => /[1-9]/.test(quantity))];
    const pairCode = (open ?? closed)?.pairCode;
    const pair = pairCode === undefined ? undefined : this.#parts.needs.findPair(row.kind, pairCode);
    if (pair === undefined || pairCode === undefined) return null;
    const price = open?.entryPrice ?? closed?.entryPrice ?? closed?.exitPrice ?? "0";
    const { quantity = "0", leverage = 1 } = open ?? closed ?? {};
    return { pairCode, quantity, price, leverage, step: quantityText(pair, 1) };
  }

  async #ranked(kind: CopyKind, sort: LeaderSort, window: StatisticWindow): Promise<Computed[]> {
    const { store, computed } = this.#parts;
    const rows = await store.listBy(SHOWN_STATES, kind);
    const found = (await Promise.all(rows.map(({ account }) => computed.read(account)))).flatMap((one) => one ?? []);
    const value = (one: Computed): bigint => rankOf(one, sort, one.windows.get(window) as WindowStatistics);
    return found.sort((left, right) => {
      const [a, b] = [value(left), value(right)];
      if (a !== b) return a > b ? -1 : 1;
      return left.row.account - right.row.account;
    });
  }

  #summary(one: Computed, window: StatisticWindow, { userId, followed, focused, awaited }: Looking): LeaderSummary {
    const { needs, computed } = this.#parts;
    const { row, answer, record, quality } = one;
    const days = record.days.slice(-(CURVE_POINTS - 1));
    return {
      leaderId: String(row.account),
      kind: row.kind,
      nickname: row.nickname,
      isSimulated: row.is_simulated,
      level: row.level,
      state: row.state,
      asset: needs.findCoin()?.symbol ?? "",
      shareRate: rateText(answer.share_rate),
      followers: answer.followers,
      followersMax: answer.followers_max,
      equity: computed.money(one.equityUnits),
      aum: computed.money(one.aumUnits),
      followersPnl: computed.money(one.followersUnits),
      sinceMs: record.days[0]?.dayMs ?? answer.since_ms,
      figures: this.#figures(one, window),
      curve: [...days.map(({ nav }) => indexText(nav)), indexText(record.nav)],
      medianSlippageBps: slippageText(quality.medianSlippage),
      skipRate: partsText(quality.skipRate),
      isFollowed: followed.has(row.account),
      isFocused: focused.has(row.account),
      isAwaited: awaited.has(row.account),
      isOwn: row.user_id === userId,
    };
  }

  #windows(one: Computed): WindowFigures[] {
    return STATISTIC_WINDOWS.map((days) => this.#figures(one, days));
  }

  #figures(one: Computed, days: StatisticWindow): WindowFigures {
    const figures = one.windows.get(days) as WindowStatistics;
    const { roi, drawdown, pnlUnits, trades, winRate, profitFactor, sharpe, holdingMs } = figures;
    return {
      days,
      roi: partsText(roi),
      drawdown: partsText(drawdown),
      pnl: this.#parts.computed.money(pnlUnits),
      trades,
      winRate: partsText(winRate),
      profitFactor: profitFactor === undefined ? null : decimalText(profitFactor, 2),
      sharpe: sharpe === undefined ? null : decimalText(BigInt(sharpe), 2),
      holdingMs,
    };
  }
}

/** Distinguishes followers without identifying them. */
export const maskedName = (account: number): string =>
  `F-${String(account * 7919)
    .slice(-5)
    .padStart(5, "0")}`;

const indexText = (nav: bigint): string => decimalText(nav / 1_000_000n, 6);
const slippageText = (value: number | undefined): string | null => (value === undefined ? null : bpsText(value));

function countPairs({ trades }: Computed) {
  const counts = new Map<string, number>();
  for (const { pairCode } of trades) counts.set(pairCode, (counts.get(pairCode) ?? 0) + 1);
  return [...counts]
    .map(([pairCode, count]) => ({ pairCode, trades: count }))
    .sort((left, right) => right.trades - left.trades)
    .slice(0, PAIRS_SHOWN);
}

function fits(one: Computed, query: LeadersQuery, window: StatisticWindow, { focused }: Looking): boolean {
  const { row, answer, positions, trades, record } = one;
  const sinceMs = record.days[0]?.dayMs ?? answer.since_ms;
  if (query.minDays !== undefined && one.atMs - sinceMs < query.minDays * DAY_MS) return false;
  const { level, open, search, pair } = query;
  if (level !== undefined && row.level !== level) return false;
  if (open === true && (row.state !== "ACTIVE" || answer.followers >= answer.followers_max)) return false;
  if (query.focused === true && !focused.has(row.account)) return false;
  if (search !== undefined && !row.nickname.toLowerCase().includes(search.toLowerCase())) return false;
  const deepest = query.maxDrawdown === undefined ? undefined : readRate(query.maxDrawdown, 6);
  if (deepest !== undefined && (one.windows.get(window)?.drawdown ?? 0n) > BigInt(deepest)) return false;
  return pair === undefined || [...positions, ...trades].some(({ pairCode }) => pairCode === pair);
}

function rankOf(one: Computed, sort: LeaderSort, window: WindowStatistics): bigint {
  switch (sort) {
    case "pnl":
      return window.pnlUnits;
    case "drawdown":
      return -window.drawdown;
    case "winRate":
      return window.winRate;
    case "sharpe":
      return BigInt(window.sharpe ?? -1_000_000);
    case "aum":
      return one.aumUnits;
    case "followers":
      return BigInt(one.answer.followers);
    case "followersPnl":
      return one.followersUnits;
    default:
      return window.roi;
  }
}
