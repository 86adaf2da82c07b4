// Owns the life of one order in the reference: accepted, taking, resting, ended. Every kind of order ends here.
import type { EndReason } from "@clockwork/core/protocol/names";
import { type Counter, canFillWhole, crosses, insert, match, remove } from "./book.ts";
import { addPrint, checkOrder, isRefusal, type Requested } from "./checks.ts";
import { observe } from "./observe.ts";
import { feeCeil, paysInQuote, rateOf, settle } from "./settle.ts";
import { after, cost, type Exchange, flagsOf, heldIn, type Leg, type List, type Order, type Refusal } from "./state.ts";
import { beginValue } from "./value.ts";

/** What an order joins when it is accepted. */
export interface Joining {
  readonly list?: List;
  readonly leg?: Leg;
  /** A fired plan keeps its id. */
  readonly id?: number;
  accepted?(id: number): void;
}

export interface Placed {
  readonly order: Order;
  readonly filled: number;
}

/** Checks and places an order; a refusal has changed nothing and is not yet reported. */
export function submit(exchange: Exchange, requested: Requested, joining: Joining = {}): Placed | Refusal {
  const admitted = checkOrder(exchange, requested);
  if (isRefusal(admitted)) return admitted;
  const { account, market, side, type, timeInForce, postOnly, selfTrade, reduceOnly, inQuote, expiresAt } = requested;
  const order: Order = {
    account,
    market,
    side,
    type,
    timeInForce,
    postOnly,
    selfTrade,
    reduceOnly,
    inQuote,
    expiresAt,
    id: joining.id ?? exchange.takeId(),
    iceberg: requested.visible !== 0,
    price: admitted.limit,
    lots: requested.quantity,
    hidden: 0,
    slice: requested.visible,
    filled: 0,
    since: exchange.sequence,
    reserve: admitted.reserve,
    state: "taking",
    plan: undefined,
    list: joining.list,
    leg: joining.leg ?? "entry",
  };
  exchange.orders.set(order.id, order);
  const held = admitted.need + admitted.reserve;
  const balance = heldIn(exchange, account, market, side);
  exchange.freeze(balance, held);
  exchange.emit("orderAccepted", {
    account: account.id,
    ...flagsOf(order),
    orderId: order.id,
    market: market.id,
    price: order.price,
    quantity: requested.quantity,
    heldUnits: Number(held),
    ...after(balance),
  });
  joining.accepted?.(order.id);
  if (order.iceberg) {
    exchange.emit("icebergShown", { account: account.id, orderId: order.id, market: market.id, lots: order.slice });
  }
  if (timeInForce === "GTD") {
    exchange.emit("expirySet", { account: account.id, orderId: order.id, market: market.id, expiresAt });
  }
  run(exchange, order);
  return { order, filled: order.filled };
}

/** Matches what crosses, then lets the rest stand or end. */
export function run(exchange: Exchange, order: Order): void {
  order.state = "taking";
  const stands = order.type === "limit" && (order.timeInForce === "GTC" || order.timeInForce === "GTD");
  if (!crosses(order.market, order.side, order.price)) {
    if (stands) rest(exchange, order);
    else endTaker(exchange, order, restReason(order));
    return;
  }
  if (order.timeInForce === "FOK" && !canFillWhole(order, order.price)) {
    endTaker(exchange, order, "FOK_UNFILLED");
    return;
  }
  const usedUp = { byDecrement: false, lost: false };
  const budget = order.lots;
  const stopped = match(exchange, order, order.price, counterOf(exchange, order, usedUp));
  if (stopped) endTaker(exchange, order, "STP_TAKER");
  else if (order.inQuote)
    endTaker(exchange, order, isSpent(order, budget, usedUp.lost) ? "QUOTE_SPENT" : "MARKET_REST");
  else if (order.lots === 0 && usedUp.byDecrement) endTaker(exchange, order, "STP_DECREMENT");
  else if (order.lots === 0) finish(exchange, order);
  else if (stands) rest(exchange, order);
  else endTaker(exchange, order, restReason(order));
}

/** A buy for an amount is spent when it bought something and only the price of one more lot stopped it. */
function isSpent(order: Order, budget: number, lost: boolean): boolean {
  const stoppedByPrice = order.lots === 0 || crosses(order.market, order.side, order.price);
  return !lost && order.lots < budget && stoppedByPrice;
}

function restReason(order: Order): EndReason {
  if (order.type === "market") return "MARKET_REST";
  return order.timeInForce === "FOK" ? "FOK_UNFILLED" : "IOC_REST";
}

function counterOf(exchange: Exchange, taker: Order, usedUp: { byDecrement: boolean; lost: boolean }): Counter {
  const { market } = taker;
  const meeting = (maker: Order, price: number, lots: number) => ({
    account: taker.account.id,
    takerSide: taker.side,
    takerOrderId: taker.id,
    makerOrderId: maker.id,
    lots,
    market: market.id,
    price,
    makerAccount: maker.account.id,
  });
  const shrink = (price: number, lots: number): void => {
    taker.lots -= taker.inQuote ? Number(cost(market, "buy", price, lots)) : lots;
  };
  return {
    wanted: (price) => (taker.inQuote ? Number(BigInt(taker.lots) / cost(market, "buy", price, 1)) : taker.lots),
    trade(maker, price, lots, makerDone) {
      shrink(price, lots);
      maker.filled += lots;
      taker.filled += lots;
      market.trades++;
      const takerDone = taker.lots === 0 && !taker.inQuote;
      exchange.emit("trade", { ...meeting(maker, price, lots), makerDone, takerDone, tradeNumber: market.trades });
      settle(exchange, taker, maker, price, lots);
      addPrint(market, price, lots, exchange.now);
      const { last } = market;
      if (last !== price) {
        market.last = price;
        if (last === 0) beginValue(exchange, market);
        observe(exchange, market, "last");
      }
      noteFill(exchange, maker, lots, "maker");
      noteFill(exchange, taker, lots, "taker");
      if (makerDone) finish(exchange, maker);
    },
    prevented(maker, price, lots, makerDone) {
      exchange.emit("selfTradePrevented", { ...meeting(maker, price, lots), mode: taker.selfTrade });
      const decrements = taker.selfTrade === "DECREMENT";
      if (decrements) {
        shrink(price, lots);
        usedUp.byDecrement = taker.lots === 0;
        usedUp.lost = true;
        unfreezeLots(exchange, maker, price, lots);
        unfreezeLots(exchange, taker, taker.inQuote ? price : taker.price, lots);
      }
      if (makerDone) endOffBook(exchange, maker, decrements ? "STP_DECREMENT" : "STP_MAKER");
    },
    refilled(maker, lots) {
      const { account, id, price } = maker;
      exchange.emit("icebergRefilled", { account: account.id, orderId: id, market: market.id, price, lots });
    },
  };
}

function unfreezeLots(exchange: Exchange, order: Order, price: number, lots: number): void {
  const balance = heldIn(exchange, order.account, order.market, order.side);
  const freed = cost(order.market, order.side, price, lots);
  exchange.freeze(balance, -freed);
  exchange.frozen("trade", balance, -freed, order.id);
}

/** A list hears of its legs' fills: an entry brings in base after fees, a profit leg decides the pair. */
function noteFill(exchange: Exchange, order: Order, lots: number, role: "maker" | "taker"): void {
  const { list, account, market } = order;
  if (list === undefined) return;
  if (order.leg === "entry") {
    const units = BigInt(lots) * market.step;
    const feeInBase = order.side === "buy" && !paysInQuote(account);
    list.unarmed += units - (feeInBase ? feeCeil(units, rateOf(exchange, account, market, role)) : 0n);
  } else if (order.leg === "profit") list.profitFilled = true;
  exchange.touched.push(list);
}

/** An order filled whole: what it set aside for fees and did not need goes back. */
function finish(exchange: Exchange, order: Order): void {
  if (order.reserve !== 0n) {
    const balance = heldIn(exchange, order.account, order.market, order.side);
    exchange.freeze(balance, -order.reserve);
    exchange.frozen("trade", balance, -order.reserve, order.id);
  }
  leave(exchange, order);
}

function rest(exchange: Exchange, order: Order): void {
  if (order.iceberg) {
    order.hidden = Math.max(0, order.lots - order.slice);
    order.lots -= order.hidden;
  }
  insert(order);
  if (order.timeInForce === "GTD")
    exchange.timers.push({ at: order.expiresAt, id: order.id, owner: { kind: "order", order } });
  exchange.depth(order.market, order.side, order.price);
}

function endTaker(exchange: Exchange, order: Order, reason: EndReason): void {
  const open = order.inQuote ? BigInt(order.lots) : cost(order.market, order.side, order.price, order.lots);
  reportEnd(exchange, order, reason, order.lots, open + order.reserve);
  leave(exchange, order);
}

/** Ends an order that is out of its queue. */
function endOffBook(exchange: Exchange, order: Order, reason: EndReason): void {
  const lots = order.lots + order.hidden;
  reportEnd(exchange, order, reason, lots, cost(order.market, order.side, order.price, lots) + order.reserve);
  leave(exchange, order);
}

function reportEnd(exchange: Exchange, order: Order, reason: EndReason, lots: number, freed: bigint): void {
  const balance = heldIn(exchange, order.account, order.market, order.side);
  exchange.freeze(balance, -freed);
  exchange.emit("orderEnded", {
    reason,
    account: order.account.id,
    ...flagsOf(order),
    orderId: order.id,
    market: order.market.id,
    price: order.price,
    lots,
    releasedUnits: Number(freed),
    ...after(balance),
  });
}

/** Gives up timer, list and id. */
export function leave(exchange: Exchange, order: Order): void {
  exchange.timers = exchange.timers.filter((timer) => timer.id !== order.id);
  if (order.list !== undefined) {
    order.list.legs[order.leg] = undefined;
    exchange.touched.push(order.list);
  }
  order.state = "gone";
  exchange.orders.delete(order.id);
  exchange.giveId(order.id);
}

/** Base that a waiting sell protects, unless a list holds it. */
export function planHold(order: Order): bigint {
  return order.side === "sell" && order.list === undefined ? cost(order.market, "sell", 0, order.lots) : 0n;
}

/** Ends an open order of any kind. */
export function endOrder(exchange: Exchange, order: Order, reason: EndReason): void {
  if (order.state === "resting") {
    remove(order);
    endOffBook(exchange, order, reason);
    exchange.depth(order.market, order.side, order.price);
  } else if (order.state === "waiting" || order.state === "due") {
    order.market.plans = order.market.plans.filter((plan) => plan !== order);
    reportEnd(exchange, order, reason, order.lots, planHold(order));
    leave(exchange, order);
  }
}
