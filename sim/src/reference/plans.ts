// Owns conditional orders in the reference: what is checked before they wait, and how they wait.
import { recordClientId } from "./changes.ts";
import { checkNotional, isPrice, isQuantity } from "./checks.ts";
import { priceOf } from "./observe.ts";
import { planHold } from "./orders.ts";
import {
  type Account,
  type CommandOf,
  cost,
  type Exchange,
  flagsOf,
  heldIn,
  type List,
  type Market,
  type Order,
  type Plan,
  PRICE_MAX,
  type Refusal,
  refuse,
} from "./state.ts";

/** A plan as it is asked for. */
export type RequestedPlan = Pick<
  Order,
  "account" | "market" | "side" | "type" | "timeInForce" | "postOnly" | "selfTrade" | "inQuote" | "price"
> & { readonly quantity: number; readonly plan: Plan; readonly standsAlone: boolean };

export function placeConditional(
  exchange: Exchange,
  account: Account,
  market: Market,
  command: CommandOf<"placeConditional">,
): Refusal | undefined {
  const { side, conditional, source, callbackBps, slippageBps, trigger } = command;
  // A trailing sell waits for a rise to its activation; the direction given does not matter.
  const followed = side === "sell" ? "rises" : "falls";
  const direction = conditional === "trailingStop" ? followed : command.direction;
  const peak = conditional === "trailingStop" && trigger === 0 ? priceOf(market, source) : 0;
  const type = conditional === "stopLimit" ? "limit" : conditional === "stopMarket" ? "market" : command.type;
  const plan: Plan = { type: conditional, source, direction, trigger, callbackBps, slippageBps, peak };
  const requested: RequestedPlan = { ...command, account, market, type, plan, standsAlone: true };
  const refusal = checkPlan(exchange, requested);
  if (refusal !== undefined) return refusal;
  const order = addPlan(exchange, requested, undefined);
  recordClientId(exchange, command, order.id);
  return undefined;
}

/** The checks of an order, as far as they can be made before it is due; `own` is what a changed plan has already. */
export function checkPlan(
  exchange: Exchange,
  requested: RequestedPlan,
  own: { readonly units: bigint; readonly places: number } = { units: 0n, places: 0 },
): Refusal | undefined {
  const { account, market, side, quantity, plan } = requested;
  if (account.blockTrading) return refuse("ACCOUNT_BLOCKED");
  if (market.status === "CANCEL_ONLY") return refuse("MARKET_CANCEL_ONLY");
  if (market.status !== "TRADING") return refuse("MARKET_NOT_TRADING");
  const refusal = checkShape(requested) ?? checkTrigger(market, plan) ?? checkSize(requested);
  if (refusal !== undefined) return refusal;
  if (waitingCount(exchange, account, market) - own.places >= market.conditionalMax)
    return refuse("TOO_MANY_CONDITIONALS", market.conditionalMax);
  if (requested.standsAlone && side === "sell") {
    const available = heldIn(exchange, account, market, side).available + own.units;
    if (available < cost(market, side, 0, quantity)) return refuse("INSUFFICIENT_BALANCE", available);
  }
  if (requested.selfTrade === "NONE" && !account.allowSelfTrade) return refuse("SELF_TRADE_MODE_FORBIDDEN");
  return undefined;
}

/** Plans and slicers of an account in a market. */
export function waitingCount(exchange: Exchange, account: Account, market: Market): number {
  let count = 0;
  for (const order of exchange.orders.values()) {
    if (order.account === account && order.market === market && order.plan !== undefined) count++;
  }
  for (const twap of exchange.twaps.values()) if (twap.account === account && twap.market === market) count++;
  return count;
}

function checkShape(requested: RequestedPlan): Refusal | undefined {
  const isMarket = requested.type === "market";
  if (!isMarket && !isPrice(requested.price)) return refuse("INVALID_PRICE");
  if (!isQuantity(requested.quantity)) return refuse("INVALID_QUANTITY");
  if (requested.inQuote && (!isMarket || requested.side === "sell")) return refuse("INVALID_COMBINATION");
  if (isMarket && requested.postOnly !== "no") return refuse("INVALID_COMBINATION");
  return requested.timeInForce === "GTD" ? refuse("INVALID_COMBINATION") : undefined;
}

function checkTrigger(market: Market, plan: Plan): Refusal | undefined {
  const now = priceOf(market, plan.source);
  if (plan.type === "trailingStop") {
    if (plan.callbackBps < 10 || plan.callbackBps > 1_000) return refuse("INVALID_CALLBACK");
    if (plan.trigger < 0 || plan.trigger > PRICE_MAX) return refuse("INVALID_TRIGGER");
    return plan.trigger === 0 && now === 0 ? refuse("NO_REFERENCE_PRICE") : undefined;
  }
  if (!isPrice(plan.trigger)) return refuse("INVALID_TRIGGER");
  if (now === 0) return refuse("NO_REFERENCE_PRICE");
  const isTrue = plan.direction === "rises" ? now >= plan.trigger : now <= plan.trigger;
  return isTrue ? refuse("TRIGGER_ALREADY_TRUE", now) : undefined;
}

function checkSize(requested: RequestedPlan): Refusal | undefined {
  const { market, quantity, plan } = requested;
  if (requested.inQuote)
    return BigInt(quantity) < market.minNotional ? refuse("NOTIONAL_TOO_SMALL", market.minNotional) : undefined;
  if (quantity < market.minLots) return refuse("QUANTITY_TOO_SMALL", market.minLots);
  if (quantity > market.maxLots) return refuse("QUANTITY_TOO_LARGE", market.maxLots);
  const expected = plan.trigger === 0 ? priceOf(market, plan.source) : plan.trigger;
  return checkNotional(market, requested.type === "limit" ? requested.price : expected, quantity);
}

/** Makes the plan wait. A sell that stands alone freezes the base it protects. */
export function addPlan(exchange: Exchange, requested: RequestedPlan, list: List | undefined): Order {
  const { account, market, side, type, timeInForce, postOnly, selfTrade, inQuote, price, quantity, plan } = requested;
  const order: Order = {
    account,
    market,
    side,
    type,
    timeInForce,
    postOnly,
    selfTrade,
    inQuote,
    price,
    plan,
    list,
    id: exchange.takeId(),
    reduceOnly: false,
    iceberg: false,
    lots: quantity,
    hidden: 0,
    slice: 0,
    filled: 0,
    since: exchange.sequence,
    reserve: 0n,
    expiresAt: 0,
    state: "waiting",
    leg: "stop",
  };
  exchange.orders.set(order.id, order);
  market.plans.push(order);
  const hold = planHold(order);
  const balance = heldIn(exchange, account, market, side);
  exchange.freeze(balance, hold);
  describePlan(exchange, "conditionalAccepted", order, plan);
  if (hold !== 0n) exchange.frozen("trade", balance, hold, order.id);
  return order;
}

export function describePlan(
  exchange: Exchange,
  kind: "conditionalAccepted" | "conditionalAmended",
  order: Order,
  plan: Plan,
): void {
  exchange.emit(kind, {
    account: order.account.id,
    ...flagsOf(order),
    conditionalType: plan.type,
    orderId: order.id,
    market: order.market.id,
    price: order.price,
    quantity: order.lots,
    trigger: plan.trigger,
    callbackBps: plan.callbackBps,
    source: plan.source,
    direction: plan.direction,
    peak: plan.peak,
    heldUnits: Number(planHold(order)),
  });
}
