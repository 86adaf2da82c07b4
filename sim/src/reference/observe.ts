// Owns following prices in the reference: which waiting plans a price makes due, and in what order.
import type { Exchange, Market, Order, Plan, Source } from "./state.ts";

/** The current price of a source, 0 when there is none yet. */
export function priceOf(market: Market, source: Source): number {
  return market[source];
}

/** Looks at every waiting plan of a source: nearest trigger first, then oldest; trailing stops last. */
export function observe(exchange: Exchange, market: Market, source: Source): void {
  const price = priceOf(market, source);
  if (price === 0) return;
  const waiting = market.plans.filter((order) => order.plan?.source === source);
  const fixed = (direction: Plan["direction"]): Order[] =>
    waiting.filter(({ plan }) => plan?.type !== "trailingStop" && plan?.direction === direction);
  const triggerOf = (order: Order): number => order.plan?.trigger ?? 0;
  const risen = fixed("rises").filter((order) => triggerOf(order) <= price);
  const fallen = fixed("falls").filter((order) => triggerOf(order) >= price);
  exchange.due.push(...risen.sort((a, b) => triggerOf(a) - triggerOf(b)));
  exchange.due.push(...fallen.sort((a, b) => triggerOf(b) - triggerOf(a)));
  const activated: Order[] = [];
  const moved: Order[] = [];
  for (const order of waiting) {
    if (order.plan?.type === "trailingStop" && follow(order, order.plan, price, { activated, moved }))
      exchange.due.push(order);
  }
  for (const order of exchange.due) order.state = order.state === "waiting" ? "due" : order.state;
  market.plans = market.plans.filter((order) => order.state === "waiting");
  for (const { account, id } of activated)
    exchange.emit("trailingActivated", { account: account.id, orderId: id, market: market.id, observed: price });
  for (const { account, id } of moved)
    exchange.emit("trailingMoved", { account: account.id, orderId: id, market: market.id, observed: price });
}

/** Moves a trailing stop's peak (or trough); true when the price has come back by the callback. */
function follow(order: Order, plan: Plan, price: number, published: { activated: Order[]; moved: Order[] }): boolean {
  const sell = order.side === "sell";
  if (plan.peak === 0) {
    if (sell ? price >= plan.trigger : price <= plan.trigger) {
      plan.peak = price;
      published.activated.push(order);
    }
    return false;
  }
  if (sell ? price > plan.peak : price < plan.peak) published.moved.push(order);
  plan.peak = sell ? Math.max(plan.peak, price) : Math.min(plan.peak, price);
  return sell
    ? price * 10_000 <= plan.peak * (10_000 - plan.callbackBps)
    : price * 10_000 >= plan.peak * (10_000 + plan.callbackBps);
}
