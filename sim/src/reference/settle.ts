// Owns what a fill moves in the reference: money between buyer, seller and house, fees and their rounding.
import { FEES_ACCOUNT, ROUNDING_ACCOUNT } from "@clockwork/core/protocol/names";
import { type Account, type Balance, cost, type Exchange, heldIn, type Market, type Order } from "./state.ts";

const RATE_ONE = 100_000_000n;

/** Bot and copy books pay their fees in quote, so that quantities stay whole. */
export function paysInQuote(account: Account): boolean {
  return account.book === "bot" || account.book === "copyS";
}

export function rateOf(exchange: Exchange, account: Account, market: Market, role: "maker" | "taker"): bigint {
  const own = account.fees.get(market.feeGroup)?.[role] ?? -1;
  const inherited = exchange.userFees.get(account.user)?.[role] ?? -1;
  return BigInt(own >= 0 ? own : inherited >= 0 ? inherited : (exchange.feeGroups[market.feeGroup]?.[role] ?? 0));
}

export function feeFloor(amount: bigint, rate: bigint): bigint {
  return (amount * rate) / RATE_ONE;
}

export function feeCeil(amount: bigint, rate: bigint): bigint {
  return (amount * rate + RATE_ONE - 1n) / RATE_ONE;
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Moves one fill's money. The buyer's money is frozen at his own limit; what the price improved is his again. */
export function settle(exchange: Exchange, taker: Order, maker: Order, price: number, lots: number): void {
  const { market } = taker;
  const [buyer, seller] = taker.side === "buy" ? [taker, maker] : [maker, taker];
  const paid = cost(market, "buy", price, lots);
  const given = cost(market, "sell", price, lots);
  const buyerQuote = heldIn(exchange, buyer.account, market, "buy");
  const sellerQuote = heldIn(exchange, seller.account, market, "buy");
  const buyerBase = heldIn(exchange, buyer.account, market, "sell");
  const sellerBase = heldIn(exchange, seller.account, market, "sell");
  if (!buyer.inQuote) exchange.freeze(buyerQuote, paid - cost(market, "buy", buyer.price, lots));
  const trade = market.trades;
  exchange.move(buyerQuote, sellerQuote, paid, true);
  exchange.posting("trade", buyerQuote, sellerQuote, -paid, trade, market.id);
  exchange.posting("trade", sellerQuote, buyerQuote, paid, trade, market.id);
  exchange.move(sellerBase, buyerBase, given, true);
  exchange.posting("trade", sellerBase, buyerBase, -given, trade, market.id);
  exchange.posting("trade", buyerBase, sellerBase, given, trade, market.id);
  const buyerRate = rateOf(exchange, buyer.account, market, buyer === taker ? "taker" : "maker");
  const sellerRate = rateOf(exchange, seller.account, market, seller === taker ? "taker" : "maker");
  if (paysInQuote(buyer.account)) {
    // From what the order set aside, and never more than that.
    const fee = least(feeCeil(paid, buyerRate), buyer.reserve);
    buyer.reserve -= fee;
    charge(exchange, market, buyerQuote, fee, least(feeFloor(paid, buyerRate), fee), true);
  } else charge(exchange, market, buyerBase, feeCeil(given, buyerRate), feeFloor(given, buyerRate), false);
  charge(exchange, market, sellerQuote, feeCeil(paid, sellerRate), feeFloor(paid, sellerRate), false);
}

/** The payer pays the fee rounded up; the house books the exact part rounded down and the rest as rounding. */
function charge(exchange: Exchange, market: Market, payer: Balance, fee: bigint, exact: bigint, frozen: boolean): void {
  if (fee === 0n) return;
  const fees = exchange.house(FEES_ACCOUNT, payer.asset);
  const rounding = exchange.house(ROUNDING_ACCOUNT, payer.asset);
  exchange.move(payer, fees, exact, frozen);
  exchange.move(payer, rounding, fee - exact, frozen);
  exchange.posting("fee", payer, fees, -fee, market.trades, market.id);
  if (exact !== 0n) exchange.posting("fee", fees, payer, exact, market.trades, market.id);
  if (fee !== exact) exchange.posting("rounding", rounding, payer, fee - exact, market.trades, market.id);
}
