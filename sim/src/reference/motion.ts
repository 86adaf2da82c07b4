// Owns what a reference command sets in motion: lists whose legs changed, plans that are due, timers that are over.
import { fireDeadMan } from "./changes.ts";
import { expireDeadlines } from "./holds.ts";
import { releaseByTrigger, settleList } from "./lists.ts";
import { priceOf } from "./observe.ts";
import { endOrder, planHold, submit } from "./orders.ts";
import { runTwap } from "./slices.ts";
import { type Exchange, heldIn, type Order } from "./state.ts";

/** Lists first, then due plans one by one, until nothing is in motion. */
export function drain(exchange: Exchange): void {
  for (;;) {
    const list = exchange.touched.shift();
    if (list !== undefined) {
      settleList(exchange, list);
      continue;
    }
    const order = exchange.due.shift();
    if (order === undefined) return;
    if (order.state === "due") fire(exchange, order);
  }
}

/** A due plan becomes a fresh order under its own id, or is refused and gone. */
function fire(exchange: Exchange, order: Order): void {
  const { account, market, plan, id, list } = order;
  if (plan === undefined) return;
  const { trigger, source, slippageBps } = plan;
  const observed = priceOf(market, source);
  exchange.emit("conditionalTriggered", { account: account.id, orderId: id, market: market.id, trigger, observed });
  const held = planHold(order);
  if (held !== 0n) {
    const balance = heldIn(exchange, account, market, order.side);
    exchange.freeze(balance, -held);
    exchange.frozen("trade", balance, -held, id);
  }
  if (list !== undefined) releaseByTrigger(exchange, list);
  order.state = "gone";
  exchange.orders.delete(id);
  const timeInForce = order.type === "market" ? "GTC" : order.timeInForce;
  const requested = { ...order, timeInForce, quantity: order.lots, visible: 0, slippageBps, freed: 0n, freedPlaces: 0 };
  const placed = submit(exchange, requested, { id });
  if (!("code" in placed)) return;
  exchange.reject(placed, account.id, market.id, id);
  exchange.giveId(id);
}

/** Everything due by now, earliest first, ties by id. */
export function tick(exchange: Exchange): void {
  for (;;) {
    const [next] = exchange.timers.toSorted((a, b) => a.at - b.at || a.id - b.id);
    if (next === undefined || next.at > exchange.now) break;
    exchange.timers = exchange.timers.filter((timer) => timer !== next);
    if (next.owner.kind === "order") endOrder(exchange, next.owner.order, "GTD_EXPIRED");
    else if (next.owner.kind === "twap") runTwap(exchange, next.owner.twap);
    else fireDeadMan(exchange, next.owner.deadMan);
    drain(exchange);
  }
  expireDeadlines(exchange);
}
