// Pure rules of rebalancing bots: the meaning of refusals, and rows of a bot ⇄ wire. Changes nothing.

import { isSimulatedUser } from "@clockwork/core/protocol/names";
import { decimalText } from "@clockwork/kit/decimal";
import { basketValue, coinValue, sharedValue, sharesBps, WEIGHTS_BPS } from "@clockwork/kit/grid/rebalance";
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { RATE_ONE, toCoreUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { Rebalancer, RebalancerDetail, RoundList } from "./contract.ts";
import { REFUSALS, type RebalanceRefusal } from "./refusals.ts";
import type { CoinRow, LegRow, OwnedRebalancer, RoundRow } from "./store.ts";

const CORE_CODES: Readonly<Record<string, RebalanceRefusal>> = {
  BOOK_NOT_TRADABLE: "UNKNOWN_PAIR",
  UNKNOWN_MARKET: "UNKNOWN_PAIR",
  NOT_TRANSFERABLE: "ACCOUNT_BLOCKED",
};

/** The refusal here for one of the core. */
export function refusalOf(code: string | undefined): RebalanceRefusal {
  if (code === undefined) return "NOT_DONE";
  return code in REFUSALS ? (code as RebalanceRefusal) : (CORE_CODES[code] ?? "NOT_DONE");
}

/** A bot with its coins and holdings: current while it runs, the returned ones of a closed one. */
export interface Seen {
  readonly row: OwnedRebalancer;
  readonly coins: readonly SeenCoin[];
  readonly quoteUnits: bigint;
  readonly isSimulated: boolean;
  readonly nextAtMs: number | null;
}

/** Its start is the first round; a ranked one has been traded back at least once. */
const RANKED_ROUNDS = 2;
/** In whole coins. */
const RANKED_INVESTED = 100n;

/** Old, busy and large enough for the ranking. */
export function isRanked({ row, coins }: Seen, nowMs: number): boolean {
  const leastUnits = RANKED_INVESTED * 10n ** BigInt((coins[0] as SeenCoin).market.quote.scale);
  const isOld = nowMs - row.created_ms >= DAY_MS;
  return isOld && row.rounds >= RANKED_ROUNDS && BigInt(row.invested_units) >= leastUnits;
}

/** Whether others may see it: the ranking shows it, or it is simulated. For all others it does not exist. */
export function isPublished(seen: Seen, nowMs: number): boolean {
  return isSimulatedUser(seen.row.user_id) || (seen.row.status === "RUNNING" && isRanked(seen, nowMs));
}

/** An interval counts from its last run; one without trades left no record, so the next after now is given. */
export function nextAt({ status, interval_ms }: OwnedRebalancer, keptMs: number, nowMs: number): number | null {
  if (status === "CLOSED" || interval_ms === 0) return null;
  const kept = Math.max(0, Math.floor((nowMs - keptMs) / interval_ms));
  return keptMs + (kept + 1) * interval_ms;
}

export interface SeenCoin {
  readonly market: MarketPair;
  readonly weightBps: number;
  readonly lots: number;
  readonly ticks: number;
}

/** In the core's form. */
function basketOf({ coins, quoteUnits }: Pick<Seen, "coins" | "quoteUnits">) {
  return {
    quoteUnits: toCoreUnits(units(quoteUnits)),
    coins: coins.map(({ market, weightBps, lots, ticks }) => ({
      weightBps,
      lots,
      ticks,
      tickLotUnits: market.factor,
      minLots: market.minLots,
      minNotionalUnits: market.minNotionalUnits,
    })),
  };
}

/** The holdings of a running bot, from its book. */
export function seeRunning(
  row: OwnedRebalancer,
  rows: readonly CoinRow[],
  markets: readonly MarketPair[],
  holdings: ReadonlyMap<number, bigint>,
  priceTicks: (market: number) => number,
): Pick<Seen, "row" | "coins" | "quoteUnits"> {
  const coins = markets.map((market, i) => ({
    market,
    weightBps: (rows[i] as CoinRow).weight_bps,
    lots: toCoreUnits(units((holdings.get(market.base.asset) ?? 0n) / BigInt(market.stepUnits))),
    ticks: priceTicks(market.market),
  }));
  return { row, coins, quoteUnits: holdings.get((markets[0] as MarketPair).quote.asset) ?? 0n };
}

/** What a closed bot returned, from its last event. */
export function seeClosed(
  row: OwnedRebalancer,
  rows: readonly CoinRow[],
  markets: readonly MarketPair[],
): Pick<Seen, "row" | "coins" | "quoteUnits"> {
  const coins = markets.map((market, i) => {
    const { weight_bps, held_lots, price_ticks } = rows[i] as CoinRow;
    return { market, weightBps: weight_bps, lots: toCoreUnits(units(held_lots)), ticks: price_ticks };
  });
  const coinUnits = rows.reduce((sum, { value_units }) => sum + BigInt(value_units), 0n);
  return { row, coins, quoteUnits: BigInt(row.value_units) - coinUnits };
}

export const totalOf = (seen: Seen): bigint => basketValue(basketOf(seen)) - BigInt(seen.row.invested_units);

const SHOWN_DECIMALS = 6;

/** One amount relative to another, truncated to six decimals. */
export function shareText(over: bigint, under: bigint): string {
  return under === 0n ? "0" : decimalText((over * 10n ** BigInt(SHOWN_DECIMALS)) / under, SHOWN_DECIMALS);
}

export function describeRebalancer(seen: Seen): Rebalancer {
  const { row, coins, quoteUnits } = seen;
  const basket = basketOf(seen);
  const [{ market: one }] = coins as readonly [SeenCoin];
  const money = (amount: bigint): string => valueText(one, amount);
  const valueUnits = basketValue(basket);
  const investedUnits = BigInt(row.invested_units);
  const shares = sharesBps(basket);
  const leftBps = coins.reduce((left, { weightBps }) => left - weightBps, WEIGHTS_BPS);
  return {
    id: row.rebalancer,
    quote: one.quote.symbol,
    status: row.status === "CLOSED" ? "CLOSED" : "RUNNING",
    thresholdBps: row.threshold_bps === 0 ? null : row.threshold_bps,
    intervalMs: row.interval_ms === 0 ? null : row.interval_ms,
    invested: money(investedUnits),
    value: money(valueUnits),
    total: money(valueUnits - investedUnits),
    change: shareText(valueUnits - investedUnits, investedUnits),
    fees: money(BigInt(row.fees_units)),
    rounds: row.rounds,
    reserve: money(valueUnits - sharedValue(basket)),
    coins: [
      ...coins.map(({ market, weightBps, lots, ticks }, i) => ({
        coin: market.base.symbol,
        pairCode: market.pairCode,
        weightBps,
        shareBps: shares[i] as number,
        quantity: quantityText(market, BigInt(lots)),
        price: priceText(market, ticks),
        value: money(coinValue(basket.coins[i] as (typeof basket.coins)[number])),
      })),
      {
        coin: one.quote.symbol,
        pairCode: null,
        weightBps: leftBps,
        shareBps: shares[coins.length] as number,
        quantity: money(quoteUnits),
        price: null,
        value: money(quoteUnits),
      },
    ],
    createdAtMs: row.created_ms,
    updatedAtMs: row.updated_ms,
    nextAtMs: seen.nextAtMs,
    isSimulated: seen.isSimulated,
  };
}

/** The proceeds of selling every coin now, at the last prices and with each market's taker fee. */
export function describeStop(seen: Seen): RebalancerDetail["ifStopped"] {
  const basket = basketOf(seen);
  const [{ market: one }] = seen.coins as readonly [SeenCoin];
  let [coinUnits, feeUnits] = [0n, 0n];
  for (const [i, coin] of basket.coins.entries()) {
    const valueUnits = coinValue(coin);
    const rate = BigInt((seen.coins[i] as SeenCoin).market.takerRate);
    coinUnits += valueUnits;
    feeUnits += (valueUnits * rate + BigInt(RATE_ONE) - 1n) / BigInt(RATE_ONE);
  }
  const money = (amount: bigint): string => valueText(one, amount);
  return {
    coinsValue: money(coinUnits),
    fee: money(feeUnits),
    back: money(coinUnits + seen.quoteUnits - feeUnits),
  };
}

/** Fees are reported as a sum; those of a round are the difference to the round before. */
export function describeRounds(
  rows: readonly RoundRow[],
  legs: readonly LegRow[],
  markets: readonly MarketPair[],
  limit: number,
): RoundList["rounds"] {
  const legsOf = Map.groupBy(legs, ({ number }) => number);
  return rows.slice(0, limit).map((row, i) => {
    const earlierUnits = BigInt(rows[i + 1]?.fees_units ?? 0n);
    const money = (amount: bigint): string => valueText(markets[0] as MarketPair, amount);
    return {
      number: row.number,
      change: row.change,
      cause: row.cause,
      timeMs: row.time_ms,
      value: money(BigInt(row.value_units)),
      fee: money(BigInt(row.fees_units) - earlierUnits),
      legs: (legsOf.get(row.number) ?? []).map(({ place, traded_lots, price_ticks }) => {
        const market = markets[place] as MarketPair;
        const lots = BigInt(traded_lots);
        return {
          coin: market.base.symbol,
          side: lots < 0n ? ("sell" as const) : ("buy" as const),
          quantity: quantityText(market, lots < 0n ? -lots : lots),
          price: priceText(market, price_ticks),
        };
      }),
    };
  });
}
