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
export type Asked = Pick<
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

export function checkOrder(exchange: Exchange, asked: Asked): Admitted | Refusal {
  const { market, side, price } = asked;
  const refusal = checkStatus(asked) ?? checkShape(exchange, asked);
  if (refusal !== undefined) return refusal;
  let limit = price;
  if (asked.type === "market") {
    if (asked.slippageBps > 1_000) return refuse("INVALID_SLIPPAGE", 1_000);
    // The average is taken even when nobody stands opposite.
    refreshAnchor(market, exchange.now);
    if (bestAgainst(market, side) === 0) return refuse("NO_LIQUIDITY");
    limit = protectiveLimit(exchange, market, side, asked.slippageBps);
  }
  const broken = checkSize(asked, limit) ?? (asked.type === "limit" ? checkBandAndCount(exchange, asked) : undefined);
  if (broken !== undefined) return broken;
  const balance = heldIn(exchange, asked.account, market, side);
  let need = asked.inQuote ? BigInt(asked.quantity) : cost(market, side, limit, asked.quantity);
  const pays = side === "buy" && paysInQuote(asked.account);
  const reserve = pays ? feeCeil(need, rateOf(exchange, asked.account, market, "taker")) : 0n;
  const available = balance.available + asked.freed;
  if (available < need + reserve) return refuse("INSUFFICIENT_BALANCE", available);
  if (asked.postOnly !== "no" && crosses(market, side, limit)) {
    if (asked.postOnly === "reject") return refuse("POST_ONLY_WOULD_CROSS");
    limit = bestAgainst(market, side) + (side === "sell" ? 1 : -1);
    if (limit <= 0) return refuse("POST_ONLY_WOULD_CROSS");
    need = cost(market, side, limit, asked.quantity);
  }
  if (asked.selfTrade === "NONE" && !asked.account.allowSelfTrade) return refuse("SELF_TRADE_MODE_FORBIDDEN");
  return { limit, need, reserve };
}

function checkStatus(asked: Asked): Refusal | undefined {
  const { market, side } = asked;
  if (asked.account.blockTrading) return refuse("ACCOUNT_BLOCKED");
  switch (market.status) {
    case "TRADING":
      return undefined;
    case "CANCEL_ONLY":
      return refuse("MARKET_CANCEL_ONLY");
    case "REDUCE_ONLY":
      return side === "sell" ? undefined : refuse("REDUCE_ONLY_REJECTED");
    case "AUCTION": {
      const rests = asked.type === "limit" && (asked.timeInForce === "GTC" || asked.timeInForce === "GTD");
      return rests && !crosses(market, side, asked.price) ? undefined : refuse("MARKET_AUCTION");
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

function checkShape(exchange: Exchange, asked: Asked): Refusal | undefined {
  const { quantity, timeInForce, visible } = asked;
  if (asked.type === "limit" && !isPrice(asked.price)) return refuse("INVALID_PRICE");
  if (!isQuantity(quantity)) return refuse("INVALID_QUANTITY");
  const isMarket = asked.type === "market";
  const immediate = isMarket || timeInForce === "IOC" || timeInForce === "FOK";
  if (immediate && (asked.postOnly !== "no" || visible !== 0)) return refuse("INVALID_COMBINATION");
  if (isMarket && (timeInForce === "FOK" || timeInForce === "GTD")) return refuse("INVALID_COMBINATION");
  if (asked.inQuote && (!isMarket || asked.side === "sell")) return refuse("INVALID_COMBINATION");
  if (timeInForce === "GTD") {
    const ahead = asked.expiresAt - exchange.now;
    if (ahead < 60_000 || ahead > 90 * DAY_MS) return refuse("INVALID_EXPIRY");
  }
  // At least five per cent shown, which also keeps it to a hundred slices.
  if (visible !== 0 && (visible < 1 || visible > quantity || BigInt(visible) * 20n < BigInt(quantity)))
    return refuse("INVALID_ICEBERG");
  return undefined;
}

function checkSize(asked: Asked, limit: number): Refusal | undefined {
  const { market, quantity } = asked;
  if (asked.inQuote) {
    if (BigInt(quantity) < market.minNotional) return refuse("NOTIONAL_TOO_SMALL", market.minNotional);
    const lots = BigInt(quantity) / cost(market, "buy", bestAgainst(market, "buy"), 1);
    return lots > market.maxMarketLots ? refuse("QUANTITY_TOO_LARGE", market.maxMarketLots) : undefined;
  }
  if (quantity < market.minLots) return refuse("QUANTITY_TOO_SMALL", market.minLots);
  const max = asked.type === "market" ? market.maxMarketLots : market.maxLots;
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

function checkBandAndCount(exchange: Exchange, asked: Asked): Refusal | undefined {
  const { market, side, price } = asked;
  const { low, high } = bandOf(exchange, market, side);
  if (high !== 0 && price > high) return refuse("PRICE_TOO_HIGH", high);
  if (price < low) return refuse("PRICE_TOO_LOW", low);
  if (asked.timeInForce === "IOC" || asked.timeInForce === "FOK") return undefined;
  if (restingCount(asked.account, market) - asked.freedPlaces >= market.restingMax)
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
