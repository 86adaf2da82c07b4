// A follower's side: following, settings, leaving, and the results. Every decision that moves money is one command of
// the core; this checks permissions and describes refusals.

import { answer, type Outcome, refuse } from "@clockwork/host/route";
import { decimalText } from "@clockwork/kit/decimal";
import { averagePriceText, priceText, quantityText } from "@clockwork/kit/instrument";
import { parseUnits, toCoreUnits } from "@clockwork/kit/money";
import type {
  CopyKind,
  CopyLine,
  CopyOverview,
  CopyPage,
  CopyPosition,
  Follow,
  FollowBody,
  PageQuery,
  ProfitPage,
  SettingsBody,
  ShareLine,
} from "./contract.ts";
import type { CopyBook, CopyNeeds } from "./needs.ts";
import { HOME, lotsHeld, no, refuseFollow, SUB_BOOK } from "./own-service.ts";
import type { LeaderRecords } from "./record-service.ts";
import type { CopyRecordRow, FollowRecordRow, Place, RecordStore } from "./record-store.ts";
import type { CopyRefusal } from "./refusals.ts";
import { bpsText, IDENTITY_TO_FOLLOW, rateText, readSettings } from "./rules.ts";
import type { CopyStore, StopStore } from "./store.ts";
import type { Looking } from "./view-service.ts";

const PAGE = 50;
const WALLETS: Readonly<Record<"1" | "2" | "3", CopyBook>> = { "1": "spot", "2": "funding", "3": "linear" };
const LAST: Place = { sequence: Number.MAX_SAFE_INTEGER, line: 0 };

export interface FollowParts {
  readonly needs: CopyNeeds;
  readonly store: CopyStore;
  readonly records: RecordStore;
  readonly computed: LeaderRecords;
  readonly stops: StopStore;
}

const wrong = (code: CopyRefusal, field: string, message: string): Outcome<never, CopyRefusal> =>
  refuse({ code, status: 400, message, fields: { [`body.${field}`]: message } });

export class FollowService {
  readonly #parts: FollowParts;

  constructor(parts: FollowParts) {
    this.#parts = parts;
  }

  async follow(
    userId: number,
    kind: CopyKind,
    body: FollowBody,
  ): Promise<Outcome<{ leaderId: string; account: string }, CopyRefusal>> {
    const { needs, store, computed } = this.#parts;
    const leader = Number(body.leaderId);
    const row = await store.find(leader);
    const coin = needs.findCoin();
    if (row === undefined || row.kind !== kind || coin === undefined) return no("LEADER_UNKNOWN");
    if (row.user_id === userId) return no("SELF_FOLLOW");
    if ((await needs.kycLevelOf(userId)) < IDENTITY_TO_FOLLOW) return no("IDENTITY_REQUIRED");
    const amount = parseUnits(body.investment, coin.scale);
    if (!amount.done) return wrong("INVALID_AMOUNT", "investment", `At most ${coin.scale} decimals.`);
    const read = readSettings(kind, body, coin.scale, (code) => needs.findPair(kind, code));
    if ("wrong" in read) return wrong("INVALID_COPY_SETTING", read.wrong.field, read.wrong.message);
    const account = await needs.openAccount(userId, body.from === undefined ? HOME[kind] : WALLETS[body.from]);
    if (account === undefined) return no("ACCOUNT_NOT_READY");
    const command = { kind: "follow", account, leader, units: toCoreUnits(amount.value) } as const;
    const ack = await needs.submit({ ...command, ...read.settings });
    if (!ack.done) return refuseFollow(ack);
    await needs.settled(ack.sequence);
    computed.remove(leader);
    const made = ack.events.find((event) => event.kind === "followChanged");
    return answer({ leaderId: body.leaderId, account: String(made?.kind === "followChanged" ? made.account : 0) });
  }

  async change(userId: number, kind: CopyKind, body: SettingsBody): Promise<Outcome<Follow, CopyRefusal>> {
    const { needs } = this.#parts;
    const coin = needs.findCoin();
    const account = await needs.findAccount(userId, SUB_BOOK[kind], Number(body.leaderId));
    if (account === undefined || coin === undefined) return no("NOT_FOLLOWING");
    const read = readSettings(kind, body, coin.scale, (code) => needs.findPair(kind, code));
    if ("wrong" in read) return wrong("INVALID_COPY_SETTING", read.wrong.field, read.wrong.message);
    const ack = await needs.submit({ kind: "setFollow", account, ...read.settings });
    if (!ack.done) return refuseFollow(ack);
    return this.#notify(account, ack.sequence);
  }

  /** Free funds are returned; positions that are kept remain in the sub-book. */
  async cancel(
    userId: number,
    kind: CopyKind,
    leaderId: string,
    positions: "close" | "keep",
  ): Promise<Outcome<Follow, CopyRefusal>> {
    const { needs, computed } = this.#parts;
    const account = await needs.findAccount(userId, SUB_BOOK[kind], Number(leaderId));
    if (account === undefined) return no("NOT_FOLLOWING");
    const to = await needs.openAccount(userId, HOME[kind]);
    if (to === undefined) return no("ACCOUNT_NOT_READY");
    const ack = await needs.submit({ kind: "unfollow", account, positions, to });
    if (!ack.done) return refuseFollow(ack);
    computed.remove(Number(leaderId));
    return this.#notify(account, ack.sequence);
  }

  async #notify(account: number, sequence: number): Promise<Outcome<Follow, CopyRefusal>> {
    await this.#parts.needs.settled(sequence);
    const row = await this.#parts.records.follow(account);
    return row === undefined ? no("LEDGER_AWAY") : answer(await this.#describe(row));
  }

  /** The leaders a user follows and watches. */
  async lookingOf(userId: number | undefined): Promise<Looking> {
    if (userId === undefined) return { userId, followed: new Set(), focused: new Set(), awaited: new Set() };
    const [follows, focus] = await Promise.all([this.#follows(userId), this.#parts.store.listFocus(userId)]);
    return {
      userId,
      followed: new Set(follows.filter((row) => row.is_active).map(({ leader }) => leader)),
      focused: new Set(focus.map(({ leader }) => leader)),
      awaited: new Set(focus.filter((row) => row.wants_place).map(({ leader }) => leader)),
    };
  }

  async #follows(userId: number, kind?: CopyKind): Promise<FollowRecordRow[]> {
    const { needs, records } = this.#parts;
    const wanted = kind === undefined ? Object.values(SUB_BOOK) : [SUB_BOOK[kind]];
    const owned = await needs.listAccounts(userId);
    const books = owned.filter(({ book }) => wanted.includes(book as CopyBook));
    return records.followsOf(books.map(({ account }) => account));
  }

  async list(userId: number, kind: CopyKind): Promise<Follow[]> {
    return Promise.all((await this.#follows(userId, kind)).map((row) => this.#describe(row)));
  }

  async positions(userId: number, kind: CopyKind): Promise<CopyPosition[]> {
    const { records, computed, store } = this.#parts;
    const follows = await this.#follows(userId, kind);
    const found: CopyPosition[] = [];
    const names = new Map<number, string>();
    for (const { leader } of follows) names.set(leader, (await store.find(leader))?.nickname ?? "");
    if (kind === "spot") {
      for (const { account, leader } of follows)
        found.push(...(await this.#coins(account, leader, names.get(leader) ?? "")));
      return found;
    }
    const leaders = new Map(follows.map(({ account, leader }) => [account, leader]));
    const rows = await records.positionsOf([...leaders.keys()]);
    const stops = await this.#parts.stops.stopsOf(rows.map(({ position_id }) => position_id));
    for (const row of rows) {
      const leader = leaders.get(row.account) ?? 0;
      const result = computed.describeOwn(row, leader, names.get(leader) ?? "", stops);
      if (result !== undefined) found.push(result);
    }
    return found;
  }

  async #coins(account: number, leader: number, nickname: string): Promise<CopyPosition[]> {
    const { computed } = this.#parts;
    return (await this.#holdings(account)).flatMap(({ asset, heldUnits, costUnits }) => {
      const result = computed.describeCoin(asset, heldUnits, costUnits);
      const own = { positionId: `${account}.${asset}`, account: String(account), takeProfit: null, stopLoss: null };
      const named = { leaderId: String(leader), nickname, ...own };
      return result === undefined ? [] : [{ ...named, ...result }];
    });
  }

  /** Coins in a spot sub-book; those not from copies count at their current worth. */
  async #holdings(account: number) {
    const { records, needs } = this.#parts;
    const quote = needs.findCoin()?.asset;
    const [balances, fills] = await Promise.all([records.balances(account), records.fillsOf(account)]);
    return balances.flatMap(({ asset, available_units, frozen_units }) => {
      const heldUnits = available_units + frozen_units;
      const pair = needs.listPairs("spot").find((one) => one.base.asset === asset && one.quote.asset === quote);
      if (pair === undefined || heldUnits === 0n) return [];
      const lots = lotsHeld(fills, pair, heldUnits);
      const other = needs.worthUnits(asset, heldUnits > lots.heldUnits ? heldUnits - lots.heldUnits : 0n) ?? 0n;
      const worthUnits = needs.worthUnits(asset, heldUnits) ?? 0n;
      return [{ asset, heldUnits, costUnits: lots.costUnits + other, worthUnits }];
    });
  }

  async copies(userId: number, kind: CopyKind, query: PageQuery): Promise<CopyPage> {
    const follows = await this.#follows(userId, kind);
    const requested =
      query.leaderId === undefined ? follows : follows.filter(({ leader }) => String(leader) === query.leaderId);
    const limit = query.limit ?? PAGE;
    const accounts = requested.map(({ account }) => account);
    const rows = await this.#parts.records.copies(accounts, readPlace(query.before), limit);
    return { copies: rows.map((row) => this.#line(row)), nextBefore: nextPlace(rows, limit) };
  }

  /** The user's whole page, with the newest lines of the lists. */
  async overview(userId: number, kind: CopyKind): Promise<CopyOverview> {
    const [follows, positions, copies, profits] = await Promise.all([
      this.list(userId, kind),
      this.positions(userId, kind),
      this.copies(userId, kind, {}),
      this.profits(userId, kind, {}),
    ]);
    return { follows, positions, copies, profits };
  }

  async profits(userId: number, kind: CopyKind, query: PageQuery): Promise<ProfitPage> {
    const { records, computed, store } = this.#parts;
    const follows = await this.#follows(userId, kind);
    const own = await store.findOwn(userId, kind);
    const requested =
      query.leaderId === undefined ? follows : follows.filter(({ leader }) => String(leader) === query.leaderId);
    const limit = query.limit ?? PAGE;
    const accounts = requested.map(({ account }) => account);
    const rows = await records.shares(accounts, own?.account ?? -1, readPlace(query.before), limit);
    let paid = 0n;
    for (const account of accounts) paid += await records.sumPaid("account", account);
    const shares = rows.map(
      (row): ShareLine => ({
        id: `${row.sequence}.${row.line}`,
        leaderId: String(row.leader),
        role: row.leader === own?.account ? "leader" : "follower",
        cause: row.cause,
        shareRate: rateText(row.share_rate),
        paid: computed.money(row.paid_units),
        realizedPnl: computed.money(row.realized_units),
        highWaterMark: computed.money(row.mark_units),
        timeMs: row.time_ms,
      }),
    );
    return {
      realizedPnl: computed.money(requested.reduce((sum, row) => sum + row.realized_units, 0n)),
      paid: computed.money(paid),
      earned: computed.money(own === undefined ? 0n : await records.sumPaid("leader", own.account)),
      shares,
      nextBefore: nextPlace(rows, limit),
    };
  }

  async #describe(row: FollowRecordRow): Promise<Follow> {
    const { records, computed, store, needs } = this.#parts;
    const [leader, counts, paid, { equity, profit, free }] = await Promise.all([
      store.find(row.leader),
      records.countCopies("account", row.account),
      records.sumPaid("account", row.account),
      this.#worth(row.account, (await store.find(row.leader))?.kind === "spot"),
    ]);
    const money = (value: bigint): string => computed.money(value);
    const copies = counts.find(({ reason }) => reason === null)?.count ?? 0;
    return {
      leaderId: String(row.leader),
      nickname: leader?.nickname ?? "",
      isSimulated: leader?.is_simulated ?? false,
      leaderState: leader?.state ?? "NONE",
      account: String(row.account),
      isActive: row.is_active,
      endedBy: row.ended_by,
      endedAtMs: row.is_active ? null : row.updated_ms,
      asset: needs.findCoin()?.symbol ?? "",
      invested: money(row.invested_units),
      equity: money(equity),
      unrealizedPnl: money(profit),
      free: money(free),
      realizedPnl: money(row.realized_units),
      highWaterMark: money(row.mark_units),
      shareRate: rateText(row.share_rate),
      held: money(row.held_units),
      paid: money(paid),
      copies,
      skips: counts.reduce((sum, { count }) => sum + count, 0) - copies,
      followedAtMs: row.followed_ms,
      settings: this.#settings(row),
    };
  }

  async #worth(
    account: number,
    isSpot: boolean,
  ): Promise<{ readonly equity: bigint; readonly profit: bigint; readonly free: bigint }> {
    const { records, computed, needs } = this.#parts;
    const [balances, positions] = await Promise.all([records.balances(account), records.positionsOf([account])]);
    const open = positions.reduce((sum, row) => sum + computed.profitOf(row), 0n);
    const coins = isSpot ? await this.#holdings(account) : [];
    const profit = coins.reduce((sum, { worthUnits, costUnits }) => sum + worthUnits - costUnits, open);
    let equity = open;
    for (const { asset, available_units, frozen_units } of balances) {
      equity += needs.worthUnits(asset, available_units + frozen_units) ?? 0n;
    }
    const free = balances.find(({ asset }) => asset === needs.findCoin()?.asset)?.available_units ?? 0n;
    return { equity, profit, free };
  }

  #settings(row: FollowRecordRow): Follow["settings"] {
    const money = (value: bigint): string => this.#parts.computed.money(value);
    const markets = row.markets === "" ? [] : row.markets.split(",");
    return {
      mode: row.mode,
      fixed: money(row.fixed_units),
      multiplier: rateText(row.multiplier),
      marginMode: row.margin_mode,
      mirrorMargin: row.mirror_margin,
      leverage: row.leverage,
      leverageMax: row.leverage_max,
      slippage: decimalText(BigInt(row.slippage_bps), 4),
      stopLoss: decimalText(BigInt(row.stop_loss_bps), 4),
      takeProfit: decimalText(BigInt(row.take_profit_bps), 4),
      dailyLoss: money(row.daily_loss_units),
      maxOrder: money(row.max_order_units),
      maxSymbol: money(row.max_symbol_units),
      maxTotal: money(row.max_total_units),
      pairs: markets.flatMap((market) => this.#parts.needs.findMarket(Number(market))?.pairCode ?? []),
    };
  }

  #line(row: CopyRecordRow): CopyLine {
    const pair = this.#parts.needs.findMarket(row.market);
    const price = (ticks: number | null): string | null =>
      ticks === null || ticks === 0 || pair === undefined ? null : priceText(pair, ticks);
    return {
      id: `${row.sequence}.${row.line}`,
      leaderId: String(row.leader),
      what: row.what,
      pairCode: pair?.pairCode ?? "",
      quantity: pair === undefined ? "0" : quantityText(pair, row.lots),
      filled: pair === undefined ? "0" : quantityText(pair, row.filled_lots),
      price: pair === undefined ? null : averagePriceText(pair, row.tick_lots * BigInt(pair.factor), row.filled_lots),
      leaderPrice: price(row.leader_ticks),
      limitPrice: price(row.limit_ticks),
      isByStop: row.reason === null && row.what === "close" && row.limit_ticks === null,
      slippageBps: row.slippage === null ? null : bpsText(row.slippage),
      place: row.place,
      reason: row.reason,
      code: row.code,
      bound: this.#bound(row),
      timeMs: row.time_ms,
    };
  }

  /** The core gives a limit in ticks, a minimum in lots and a cap in units. */
  #bound({ bound, reason, market }: CopyRecordRow): string | null {
    const pair = this.#parts.needs.findMarket(market);
    if (bound === null || pair === undefined) return null;
    if (reason === "SLIPPAGE") return priceText(pair, Number(bound));
    if (reason === "BELOW_MINIMUM") return quantityText(pair, bound);
    return reason?.endsWith("_CAP") === true ? this.#parts.computed.money(bound) : null;
  }
}

function readPlace(text: string | undefined): Place {
  if (text === undefined) return LAST;
  const [sequence = "0", line = "0"] = text.split(".");
  return { sequence: Number(sequence), line: Number(line) };
}

function nextPlace(rows: readonly Place[], limit: number): string | null {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? null : `${last.sequence}.${last.line}`;
}
