// Owns changing what waits in the reference: plans that stand alone, both legs of an OCO, the exits of a bracket.
import { changeResting, find, isTwap } from "./changes.ts";
import { checkOrder, isRefusal } from "./checks.ts";
import { describeLeg, hold, stopSurplus } from "./lists.ts";
import { priceOf } from "./observe.ts";
import { planHold } from "./orders.ts";
import { checkPlan, describePlan, type RequestedPlan } from "./plans.ts";
import {
  type CommandOf,
  cost,
  type Exchange,
  heldIn,
  type List,
  type Order,
  type Plan,
  type Refusal,
  refuse,
} from "./state.ts";

type Change = Pick<CommandOf<"amendPlan">, "price" | "quantity" | "trigger" | "callbackBps">;

interface Next {
  readonly order: Order;
  readonly plan: Plan;
  readonly price: number;
  readonly lots: number;
}

export function amendPlan(exchange: Exchange, command: CommandOf<"amendPlan">): Refusal | undefined {
  const order = find(exchange, command.account, command.orderId, command.clientOrderId);
  if (order === undefined) return refuse("UNKNOWN_ORDER");
  if (isTwap(order) || order.state === "due") return refuse("AMEND_NOT_ALLOWED");
  if (command.quantity < 0) return refuse("INVALID_QUANTITY");
  const { list, leg } = order;
  if (list === undefined) {
    return order.plan === undefined ? refuse("AMEND_NOT_ALLOWED") : amendAlone(exchange, order, order.plan, command);
  }
  if (leg === "entry") return refuse("AMEND_NOT_ALLOWED");
  if (leg === "profit" && (command.trigger !== 0 || command.callbackBps !== 0)) return refuse("INVALID_COMBINATION");
  return list.type === "oco" ? amendOco(exchange, list, leg, command) : amendExit(exchange, list, order, command);
}

function nextPlan(order: Order, plan: Plan, change: Change): Next | Refusal {
  const trails = plan.type === "trailingStop";
  if (change.price !== 0 && order.type === "market") return refuse("INVALID_COMBINATION");
  if (change.callbackBps !== 0 && !trails) return refuse("INVALID_COMBINATION");
  if (trails && change.trigger !== 0 && plan.peak !== 0) return refuse("AMEND_NOT_ALLOWED");
  return {
    order,
    plan: { ...plan, trigger: change.trigger || plan.trigger, callbackBps: change.callbackBps || plan.callbackBps },
    price: change.price || order.price,
    lots: change.quantity || order.lots,
  };
}

function isSame({ order, plan, price, lots }: Next): boolean {
  return (
    price === order.price &&
    lots === order.lots &&
    plan.trigger === order.plan?.trigger &&
    plan.callbackBps === order.plan.callbackBps
  );
}

function requestedOf({ order, plan, price, lots }: Next): RequestedPlan {
  return { ...order, plan, price, quantity: lots, standsAlone: order.list === undefined };
}

function check(exchange: Exchange, next: Next): Refusal | undefined {
  const { order, plan } = next;
  const refusal = checkPlan(exchange, requestedOf(next), { units: planHold(order), places: 1 });
  if (refusal !== undefined || plan.type !== "trailingStop" || plan.peak === 0) return refusal;
  const now = priceOf(order.market, plan.source);
  const isDue =
    order.side === "sell"
      ? now * 10_000 <= plan.peak * (10_000 - plan.callbackBps)
      : now * 10_000 >= plan.peak * (10_000 + plan.callbackBps);
  return isDue ? refuse("TRIGGER_ALREADY_TRUE", now) : undefined;
}

function keep(exchange: Exchange, { order, plan, price, lots }: Next): void {
  const { market } = order;
  if (plan.type !== "trailingStop" && plan.trigger !== order.plan?.trigger) {
    order.since = exchange.sequence;
    market.plans = [...market.plans.filter((other) => other !== order), order];
  }
  order.plan = plan;
  order.price = price;
  order.lots = lots;
  describePlan(exchange, "conditionalAmended", order, plan);
}

function amendAlone(exchange: Exchange, order: Order, plan: Plan, change: Change): Refusal | undefined {
  const next = nextPlan(order, plan, change);
  if ("code" in next) return next;
  if (isSame(next)) return refuse("AMEND_NO_CHANGE");
  const refusal = check(exchange, next);
  if (refusal !== undefined) return refusal;
  const before = planHold(order);
  keep(exchange, next);
  const more = planHold(order) - before;
  if (more === 0n) return undefined;
  const balance = heldIn(exchange, order.account, order.market, order.side);
  exchange.freeze(balance, more);
  exchange.frozen("trade", balance, more, order.id);
  return undefined;
}

function amendExit(exchange: Exchange, list: List, order: Order, change: Change): Refusal | undefined {
  if (change.quantity !== 0) return refuse("AMEND_NOT_ALLOWED");
  if (order.plan === undefined) {
    const refusal = changeResting(exchange, order, change.price, 0);
    if (refusal !== undefined) return refusal;
    list.profitPrice = change.price;
  } else {
    const next = nextPlan(order, order.plan, change);
    if ("code" in next) return next;
    const refusal = isSame(next) ? refuse("AMEND_NO_CHANGE") : check(exchange, next);
    if (refusal !== undefined) return refusal;
    keep(exchange, next);
    list.trigger = next.plan.trigger;
    list.stopPrice = next.price;
  }
  if (list.legs.entry !== undefined) describeLeg(exchange, list, "entry", list.legs.entry.id);
  return undefined;
}

function amendOco(exchange: Exchange, list: List, leg: "profit" | "stop", change: Change): Refusal | undefined {
  const { profit, stop } = list.legs;
  const isDecided = profit === undefined || list.profitFilled;
  if (isDecided || stop?.plan === undefined) return refuse("AMEND_NOT_ALLOWED");
  const price = leg === "profit" ? change.price || profit.price : profit.price;
  const next = nextPlan(stop, stop.plan, leg === "profit" ? { ...change, price: 0 } : change);
  if ("code" in next) return next;
  const profitMoves = price !== profit.price || next.lots !== profit.lots;
  if (!profitMoves && isSame(next)) return refuse("AMEND_NO_CHANGE");
  const { account, market, side } = list;
  const { trigger } = next.plan;
  const { last } = market;
  if (side === "sell" ? !(price > last && last > trigger) : !(price < last && last < trigger))
    return refuse("INVALID_OCO_PRICES");
  const planned = check(exchange, next);
  if (planned !== undefined) return planned;
  const freed = cost(market, side, profit.price, profit.lots) + profit.reserve + list.held;
  const requested = { ...profit, price, quantity: next.lots, visible: 0, slippageBps: 0, freed, freedPlaces: 1 };
  const admitted = checkOrder(exchange, { ...requested, timeInForce: "GTC" });
  if (isRefusal(admitted)) return admitted;
  const surplus = stopSurplus(exchange, requestedOf(next), admitted);
  const available = heldIn(exchange, account, market, side).available + freed;
  if (available < admitted.need + admitted.reserve + surplus) return refuse("INSUFFICIENT_BALANCE", available);
  if (surplus !== list.held) hold(exchange, list, -list.held);
  if (!isSame(next)) keep(exchange, next);
  if (profitMoves) changeResting(exchange, profit, price, next.lots);
  hold(exchange, list, surplus - list.held);
  return undefined;
}
