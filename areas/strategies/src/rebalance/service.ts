// Users' actions on their rebalancing bots: create, read, stop; and their worth over time. Every change is one command
// of the core, a new bot under a reference of its own, so that a repeat has no effect.

import type { Command } from "@clockwork/core/protocol/command";
import { BASKET_COINS_MAX, WEIGHTS_BPS } from "@clockwork/kit/grid/rebalance";
import { valueText } from "@clockwork/kit/instrument";
import { referenceOf } from "@clockwork/kit/intent/reference";
import { parseUnits, toCoreUnits } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { CreateBody, FollowBody, Rebalancer, RebalancerDetail, RoundList } from "./contract.ts";
import type { RebalanceNeeds } from "./needs.ts";
import type { RebalanceRefusal } from "./refusals.ts";
import {
  describeRebalancer,
  describeRounds,
  describeStop,
  isPublished,
  nextAt,
  refusalOf,
  type Seen,
  seeClosed,
  seeRunning,
  totalOf,
} from "./rules.ts";
import type { CoinRow, OwnedRebalancer, RebalanceStore } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, RebalanceRefusal>>;
type Requested = Omit<Extract<Command, { readonly kind: "createRebalancer" }>, "account">;

const LIST_MAX = 100;
const ROUNDS_MAX = 50;
const CURVE_DAYS = 90;

export class RebalanceService {
  readonly #store: RebalanceStore;
  readonly #needs: RebalanceNeeds;

  constructor({ store, needs }: { readonly store: RebalanceStore; readonly needs: RebalanceNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async create(userId: number, body: CreateBody): Outcome<{ readonly id: number }> {
    const requested = readRequested(this.#needs, userId, body);
    return requested.done ? this.#make(userId, requested.value) : requested;
  }

  /** Copies a basket's coins, weights and rule, with an own investment. The copy is then independent. */
  async follow(userId: number, { id, investment, clientId }: FollowBody): Outcome<{ readonly id: number }> {
    const seen = await this.#find(userId, id);
    if (seen === undefined) return refused("UNKNOWN_BOT");
    const made = await this.create(userId, { ...shapeOf(seen), investment, clientId });
    if (made.done) await this.#store.noteClone(made.value.id, id);
    return made;
  }

  async finish(userId: number, id: number, sells: boolean): Outcome<true> {
    const row = await this.#store.find(id);
    if (row?.user_id !== userId) return refused("UNKNOWN_BOT");
    const ack = await this.#needs.submit({ kind: "stopBot", account: row.account, sells });
    return ack.done ? done(true) : refused(refusalOf(ack.code));
  }

  async list(userId: number, state?: "running" | "closed", limit = LIST_MAX): Promise<Rebalancer[]> {
    const isClosed = state === undefined ? undefined : state === "closed";
    return (await this.#see(await this.#store.list(userId, isClosed, limit))).map(describeRebalancer);
  }

  /** Its owner's, or published; owners are not named. */
  async detail(userId: number | undefined, id: number): Outcome<RebalancerDetail> {
    const seen = await this.#find(userId, id);
    if (seen === undefined) return refused("UNKNOWN_BOT");
    const { row } = seen;
    const nowMs = this.#needs.now();
    const worth = await this.#store.worth([id], nowMs - CURVE_DAYS * DAY_MS);
    const money = (units: bigint): string => valueText((seen.coins[0] as Seen["coins"][number]).market, units);
    const curve = [
      { timeMs: row.created_ms, total: "0" },
      ...worth.map(({ time_ms, total_units }) => ({ timeMs: time_ms, total: money(BigInt(total_units)) })),
      { timeMs: row.status === "CLOSED" ? row.updated_ms : nowMs, total: money(totalOf(seen)) },
    ];
    const isYours = row.user_id === userId;
    return done({ ...describeRebalancer(seen), isYours, ifStopped: describeStop(seen), curve });
  }

  async rounds(userId: number | undefined, id: number, before?: number, limit = ROUNDS_MAX): Outcome<RoundList> {
    const seen = await this.#find(userId, id);
    if (seen === undefined) return refused("UNKNOWN_BOT");
    // One more: fees are the difference to the one before.
    const rows = await this.#store.rounds(id, before, limit + 1);
    const legs = await this.#store.legs(id, rows.at(-1)?.number ?? 0, rows[0]?.number ?? 0);
    const markets = seen.coins.map(({ market }) => market);
    return done({ rounds: describeRounds(rows, legs, markets, limit) });
  }

  /** Stores the current worth of every running bot. */
  async keepWorth(): Promise<void> {
    const timeMs = this.#needs.now();
    for (const seen of await this.#see(await this.#store.running()))
      await this.#store.addWorth({ rebalancer: seen.row.rebalancer, time_ms: timeMs, total_units: totalOf(seen) });
    await this.#store.clearWorth(timeMs - CURVE_DAYS * DAY_MS);
  }

  #see(rows: readonly OwnedRebalancer[]): Promise<Seen[]> {
    return seeAll(this.#store, this.#needs, rows);
  }

  /** A bot visible to this caller. */
  async #find(userId: number | undefined, id: number): Promise<Seen | undefined> {
    const row = await this.#store.find(id);
    const seen = row === undefined ? undefined : (await this.#see([row]))[0];
    if (seen === undefined || seen.row.user_id === userId) return seen;
    return isPublished(seen, this.#needs.now()) ? seen : undefined;
  }

  async #make(userId: number, requested: Requested): Outcome<{ readonly id: number }> {
    if (!(await this.#needs.isVerified(userId))) return refused("IDENTITY_REQUIRED");
    if (!(await this.#needs.hasAgreed(userId))) return refused("AGREEMENT_REQUIRED");
    const account = await this.#needs.openSource(userId);
    if (account === undefined) return refused("ACCOUNT_NOT_READY");
    const ack = await this.#needs.submit({ ...requested, account });
    if (!ack.done) return refused(refusalOf(ack.code));
    return ack.rebalancer === undefined ? refused("NOT_DONE") : done({ id: ack.rebalancer });
  }
}

/** The part of the basket a clone copies. */
function shapeOf({ row, coins }: Seen): Omit<CreateBody, "investment" | "clientId"> {
  const leftBps = coins.reduce((left, { weightBps }) => left - weightBps, WEIGHTS_BPS);
  const quote = (coins[0] as Seen["coins"][number]).market.quote.symbol;
  return {
    quote,
    coins: [
      ...coins.map(({ market, weightBps }) => ({ coin: market.base.symbol, weightBps })),
      ...(leftBps > 0 ? [{ coin: quote, weightBps: leftBps }] : []),
    ],
    thresholdBps: row.threshold_bps,
    intervalMs: row.interval_ms,
  };
}

export async function seeAll(
  store: RebalanceStore,
  needs: RebalanceNeeds,
  rows: readonly OwnedRebalancer[],
): Promise<Seen[]> {
  const ids = rows.map(({ rebalancer }) => rebalancer);
  const [coinRows, kept] = await Promise.all([store.coins(ids), store.keptAt(ids)]);
  const coins = Map.groupBy(coinRows, ({ rebalancer }) => rebalancer);
  const seen: Seen[] = [];
  for (const row of rows) {
    const own: readonly CoinRow[] = coins.get(row.rebalancer) ?? [];
    const markets = own.flatMap(({ market }) => needs.marketOf(market) ?? []);
    if (markets.length === 0 || markets.length !== own.length) continue;
    const about = {
      isSimulated: needs.isSimulated(row.user_id),
      nextAtMs: nextAt(row, kept.get(row.rebalancer) ?? row.created_ms, needs.now()),
    };
    const held =
      row.status === "CLOSED"
        ? seeClosed(row, own, markets)
        : seeRunning(row, own, markets, await needs.holdingsOf(row.account), needs.seenTicks);
    seen.push({ ...held, ...about });
  }
  return seen;
}

/** Counts before any lookup: the command has no room for more. */
export function readShape(
  needs: RebalanceNeeds,
  { quote, coins, investment }: Pick<CreateBody, "quote" | "coins" | "investment">,
): Result<{ readonly markets: readonly (MarketPair | undefined)[]; readonly quoteUnits: number }, RebalanceRefusal> {
  if (coins.length > BASKET_COINS_MAX) return refused("REBALANCE_COUNT_INVALID");
  const markets: (MarketPair | undefined)[] = [];
  for (const { coin } of coins) {
    const market = coin === quote ? undefined : needs.findPair(`${coin}_${quote}`);
    if (market === undefined && coin !== quote) return refused("UNKNOWN_PAIR");
    markets.push(market);
  }
  const one = markets.find((market) => market !== undefined);
  // The quote alone is no basket.
  if (one === undefined) return refused("REBALANCE_COINS_INVALID");
  const units = parseUnits(investment, one.quote.scale);
  if (!units.done || units.value === 0n) return refused("INVALID_AMOUNT");
  return done({ markets, quoteUnits: toCoreUnits(units.value) });
}

function readRequested(needs: RebalanceNeeds, userId: number, body: CreateBody): Result<Requested, RebalanceRefusal> {
  const read = readShape(needs, body);
  if (!read.done) return read;
  const { markets, quoteUnits } = read.value;
  return done({
    kind: "createRebalancer",
    thresholdBps: body.thresholdBps ?? 0,
    intervalMs: body.intervalMs ?? 0,
    quoteUnits,
    coins: body.coins.map(({ weightBps }, i) => ({ market: markets[i]?.market ?? 0, weightBps })),
    reference: referenceOf(`r:${userId}:`, body.clientId),
  });
}
