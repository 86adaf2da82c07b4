// Owns the reference's order checks, in the order the rules fix. Changes nothing but the band's average.
import type { Side } from "@clockwork/core/protocol/names";
import { bestAgainst, crosses } from "./book.ts";
import { feeCeil, paysInQuote, rateOf } from "./settle.ts";
import {
  type Account,
  cost,
  type Exchange,
  heldIn,
  type Market,
  type Order,
  ordersOf,
  PRICE_MAX,
  type Refusal,
  refuse,
  SAFE_MAX,
} from "./state.ts";

const DAY_MS = 86_400_000;
const BUCKET_MS = 10_000;
const BUCKETS = 30;

/** What a checked order may do: match up to the limit, freezing need and reserve. */
export interface Admitted {
  readonly limit: number;
  readonly need: bigint;
  readonly reserve: bigint;
}

/** An order as it is asked for: no id, nothing frozen. */
export type Requested = Pick<
  Order,
  | "account"
  | "market"
  | "side"
  | "type"
  | "timeInForce"
  | "postOnly"
  | "selfTrade"
  | "reduceOnly"
  | "inQuote"
  | "price"
  | "expiresAt"
> & {
  readonly quantity: number;
  /** Visible lots of an iceberg, 0 for none. */
  readonly visible: number;
  readonly slippageBps: number;
  /** Units an amend would free first, and whether it frees a place in the count. */
  readonly freed: bigint;
  readonly freedPlaces: number;
};

export function isRefusal(result: Admitted | Refusal): result is Refusal {
  return "code" in result;
}

export function checkOrder(exchange: Exchange, requested: Requested): Admitted | Refusal {
  const { market, side, price } = requested;
  const refusal = checkStatus(requested) ?? checkShape(exchange, requested);
  if (refusal !== undefined) return refusal;
  let limit = price;
  if (requested.type === "market") {
    if (requested.slippageBps > 1_000) return refuse("INVALID_SLIPPAGE", 1_000);
    // The average is taken even when nobody stands opposite.
    refreshAnchor(market, exchange.now);
    if (bestAgainst(market, side) === 0) return refuse("NO_LIQUIDITY");
    limit = protectiveLimit(exchange, market, side, requested.slippageBps);
  }
  const broken =
    checkSize(requested, limit) ?? (requested.type === "limit" ? checkBandAndCount(exchange, requested) : undefined);
  if (broken !== undefined) return broken;
  const balance = heldIn(exchange, requested.account, market, side);
  let need = requested.inQuote ? BigInt(requested.quantity) : cost(market, side, limit, requested.quantity);
  const pays = side === "buy" && paysInQuote(requested.account);
  const reserve = pays ? feeCeil(need, rateOf(exchange, requested.account, market, "taker")) : 0n;
  const available = balance.available + requested.freed;
  if (available < need + reserve) return refuse("INSUFFICIENT_BALANCE", available);
  if (requested.postOnly !== "no" && crosses(market, side, limit)) {
    if (requested.postOnly === "reject") return refuse("POST_ONLY_WOULD_CROSS");
    limit = bestAgainst(market, side) + (side === "sell" ? 1 : -1);
    if (limit <= 0) return refuse("POST_ONLY_WOULD_CROSS");
    need = cost(market, side, limit, requested.quantity);
  }
  if (requested.selfTrade === "NONE" && !requested.account.allowSelfTrade) return refuse("SELF_TRADE_MODE_FORBIDDEN");
  return { limit, need, reserve };
}

function checkStatus(requested: Requested): Refusal | undefined {
  const { market, side } = requested;
  if (requested.account.blockTrading) return refuse("ACCOUNT_BLOCKED");
  switch (market.status) {
    case "TRADING":
      return undefined;
    case "CANCEL_ONLY":
      return refuse("MARKET_CANCEL_ONLY");
    case "REDUCE_ONLY":
      return side === "sell" ? undefined : refuse("REDUCE_ONLY_REJECTED");
    case "AUCTION": {
      const rests = requested.type === "limit" && (requested.timeInForce === "GTC" || requested.timeInForce === "GTD");
      return rests && !crosses(market, side, requested.price) ? undefined : refuse("MARKET_AUCTION");
    }
    default:
      return refuse("MARKET_NOT_TRADING");
  }
}

export function isPrice(price: number): boolean {
  return price > 0 && price <= PRICE_MAX;
}

export function isQuantity(quantity: number): boolean {
  return quantity >= 1 && Number.isSafeInteger(quantity);
}

function checkShape(exchange: Exchange, requested: Requested): Refusal | undefined {
  const { quantity, timeInForce, visible } = requested;
  if (requested.type === "limit" && !isPrice(requested.price)) return refuse("INVALID_PRICE");
  if (!isQuantity(quantity)) return refuse("INVALID_QUANTITY");
  const isMarket = requested.type === "market";
  const immediate = isMarket || timeInForce === "IOC" || timeInForce === "FOK";
  if (immediate && (requested.postOnly !== "no" || visible !== 0)) return refuse("INVALID_COMBINATION");
  if (isMarket && (timeInForce === "FOK" || timeInForce === "GTD")) return refuse("INVALID_COMBINATION");
  if (requested.inQuote && (!isMarket || requested.side === "sell")) return refuse("INVALID_COMBINATION");
  if (timeInForce === "GTD") {
    const ahead = requested.expiresAt - exchange.now;
    if (ahead < 60_000 || ahead > 90 * DAY_MS) return refuse("INVALID_EXPIRY");
  }
  // At least five per cent shown, which also keeps it to a hundred slices.
  if (visible !== 0 && (visible < 1 || visible > quantity || BigInt(visible) * 20n < BigInt(quantity)))
    return refuse("INVALID_ICEBERG");
  return undefined;
}

function checkSize(requested: Requested, limit: number): Refusal | undefined {
  const { market, quantity } = requested;
  if (requested.inQuote) {
    if (BigInt(quantity) < market.minNotional) return refuse("NOTIONAL_TOO_SMALL", market.minNotional);
    const lots = BigInt(quantity) / cost(market, "buy", bestAgainst(market, "buy"), 1);
    return lots > market.maxMarketLots ? refuse("QUANTITY_TOO_LARGE", market.maxMarketLots) : undefined;
  }
  if (quantity < market.minLots) return refuse("QUANTITY_TOO_SMALL", market.minLots);
  const max = requested.type === "market" ? market.maxMarketLots : market.maxLots;
  if (quantity > max) return refuse("QUANTITY_TOO_LARGE", max);
  return checkNotional(market, limit, quantity);
}

export function checkNotional(market: Market, price: number, lots: number): Refusal | undefined {
  const notional = cost(market, "buy", price, lots);
  if (notional < market.minNotional) return refuse("NOTIONAL_TOO_SMALL", market.minNotional);
  if (notional > SAFE_MAX || cost(market, "sell", price, lots) > SAFE_MAX)
    return refuse("NOTIONAL_TOO_LARGE", SAFE_MAX);
  return undefined;
}

function checkBandAndCount(exchange: Exchange, requested: Requested): Refusal | undefined {
  const { market, side, price } = requested;
  const { low, high } = bandOf(exchange, market, side);
  if (high !== 0 && price > high) return refuse("PRICE_TOO_HIGH", high);
  if (price < low) return refuse("PRICE_TOO_LOW", low);
  if (requested.timeInForce === "IOC" || requested.timeInForce === "FOK") return undefined;
  if (restingCount(requested.account, market) - requested.freedPlaces >= market.restingMax)
    return refuse("TOO_MANY_ORDERS", market.restingMax);
  return undefined;
}

function restingCount(account: Account, market: Market): number {
  const own = (order: Order): boolean => order.account === account;
  return ordersOf(market, "buy").filter(own).length + ordersOf(market, "sell").filter(own).length;
}

/** Brings the five-minute average up to date; without prints the last one stays. */
export function refreshAnchor(market: Market, now: number): void {
  const current = Math.floor(now / BUCKET_MS);
  market.prints = market.prints.filter((print) => print.bucket > current - BUCKETS);
  let lots = 0;
  let sum = 0;
  for (const print of market.prints) {
    lots += print.lots;
    sum += print.price * print.lots;
  }
  if (lots > 0) market.anchor = Math.floor(sum / lots);
}

export function addPrint(market: Market, price: number, lots: number, now: number): void {
  market.prints.push({ bucket: Math.floor(now / BUCKET_MS), price, lots });
}

/** The prices an order may have; a high of 0 means there is no band yet. */
function bandOf(exchange: Exchange, market: Market, side: Side): { low: number; high: number } {
  refreshAnchor(market, exchange.now);
  const [minBps, maxBps] =
    side === "buy" ? [market.buyMinBps, market.buyMaxBps] : [market.sellMinBps, market.sellMaxBps];
  const low = Math.min(PRICE_MAX, Math.ceil((market.anchor * minBps) / 10_000));
  return { low, high: Math.min(PRICE_MAX, Math.floor((market.anchor * maxBps) / 10_000)) };
}

/** How far a market order may go: the best opposite price and the slippage, inside the band. */
function protectiveLimit(exchange: Exchange, market: Market, side: Side, slippageBps: number): number {
  const best = bestAgainst(market, side);
  const slippage = slippageBps === 0 ? market.slippageBps : slippageBps;
  const { low, high } = bandOf(exchange, market, side);
  if (side === "sell") return Math.max(1, Math.ceil((best * (10_000 - slippage)) / 10_000), low);
  const limit = Math.min(PRICE_MAX, Math.floor((best * (10_000 + slippage)) / 10_000));
  return high === 0 ? limit : Math.min(limit, high);
}
