// Owns withdrawing and amending in the reference: one order, all orders, the dead-man's switch, client ids.
import type { DecodedCommand } from "@clockwork/core/protocol/command";
import type { EndReason } from "@clockwork/core/protocol/names";
import { remove } from "./book.ts";
import { checkOrder, isRefusal } from "./checks.ts";
import { endOrder, run } from "./orders.ts";
import {
  type Account,
  after,
  type CommandOf,
  cost,
  type DeadMan,
  type Exchange,
  flagsOf,
  heldIn,
  type Market,
  type Order,
  type Refusal,
  refuse,
  type Twap,
} from "./state.ts";

const DAY_MS = 86_400_000;
const PLAIN_TEXT = /^[A-Za-z0-9._:/-]{1,36}$/;

export function isPlainText(text: string): boolean {
  return PLAIN_TEXT.test(text);
}

/** What was asked, without its place in the journal. */
export function contentOf(command: DecodedCommand): string {
  return JSON.stringify({ ...command, sequence: 0, time: 0, items: [] });
}

function knownClientId(exchange: Exchange, account: number, text: string) {
  const known = exchange.clientIds.get(`${account} ${text}`);
  if (known === undefined) return undefined;
  const open = exchange.orders.has(known.id) || exchange.twaps.has(known.id);
  return exchange.now - known.time < DAY_MS || open ? known : undefined;
}

/** Undefined to go on; "answered" when the command is a repeat. */
export function admitClientId(
  exchange: Exchange,
  command: DecodedCommand & { readonly account: number; readonly clientOrderId: string },
): Refusal | "answered" | undefined {
  const { account, clientOrderId } = command;
  if (clientOrderId === "") return undefined;
  if (!isPlainText(clientOrderId)) return refuse("INVALID_CLIENT_ORDER_ID");
  const known = knownClientId(exchange, account, clientOrderId);
  if (known === undefined) return undefined;
  if (known.content !== contentOf(command)) return refuse("DUPLICATE_CLIENT_ORDER_ID");
  const { sequence: firstSequence, id: orderId } = known;
  exchange.emit("repeated", { command: exchange.command, account, firstSequence, orderId });
  return "answered";
}

export function recordClientId(
  exchange: Exchange,
  command: DecodedCommand & { readonly account: number; readonly clientOrderId: string },
  orderId: number,
): void {
  const { account, clientOrderId } = command;
  if (clientOrderId === "") return;
  const { sequence, now: time } = exchange;
  exchange.clientIds.set(`${account} ${clientOrderId}`, { sequence, time, content: contentOf(command), id: orderId });
  exchange.emit("clientOrderId", { account, orderId, clientOrderId });
}

export function find(exchange: Exchange, account: number, id: number, text: string): Order | Twap | undefined {
  const named = id !== 0 ? id : (knownClientId(exchange, account, text)?.id ?? 0);
  const found = exchange.orders.get(named) ?? exchange.twaps.get(named);
  return found?.account.id === account ? found : undefined;
}

export function isTwap(found: Order | Twap): found is Twap {
  return "intervalMs" in found;
}

export function cancelOrder(exchange: Exchange, command: CommandOf<"cancelOrder">): Refusal | undefined {
  const found = find(exchange, command.account, command.orderId, command.clientOrderId);
  if (found === undefined) return refuse("UNKNOWN_ORDER");
  if (isTwap(found)) endTwap(exchange, found, "USER");
  else endOrder(exchange, found, "USER");
  return undefined;
}

export function endTwap(exchange: Exchange, twap: Twap, reason: EndReason): void {
  const { id, account, market, left: leftLots } = twap;
  exchange.emit("twapEnded", { account: account.id, reason, twap: id, market: market.id, leftLots });
  exchange.timers = exchange.timers.filter((timer) => timer.id !== id);
  twap.open = false;
  exchange.twaps.delete(id);
  exchange.giveId(id);
}

export function amendOrder(exchange: Exchange, command: CommandOf<"amendOrder">): Refusal | undefined {
  const order = find(exchange, command.account, command.orderId, command.clientOrderId);
  if (order === undefined) return refuse("UNKNOWN_ORDER");
  // An exit is bound to its sibling's quantity and money: it is withdrawn, not changed.
  const isExit = !isTwap(order) && order.list !== undefined && order.leg !== "entry";
  if (isTwap(order) || order.state !== "resting" || isExit) return refuse("AMEND_NOT_ALLOWED");
  return changeResting(exchange, order, command.price, command.quantity);
}

export function changeResting(
  exchange: Exchange,
  order: Order,
  wantedPrice: number,
  total: number,
): Refusal | undefined {
  const price = wantedPrice === 0 ? order.price : wantedPrice;
  const open = order.lots + order.hidden;
  if (total < 0) return refuse("INVALID_QUANTITY");
  const wanted = total === 0 ? open : total - order.filled;
  if (wanted <= 0) return refuse("AMEND_BELOW_FILLED", order.filled);
  if (price === order.price && wanted === open) return refuse("AMEND_NO_CHANGE");
  if (price === order.price && wanted < open) return shrink(exchange, order, open, wanted);
  return replace(exchange, order, price, open, wanted);
}

function reportAmend(exchange: Exchange, order: Order, keptPriority: boolean, lots: number, change: bigint): void {
  const balance = heldIn(exchange, order.account, order.market, order.side);
  exchange.freeze(balance, change);
  exchange.emit("orderAmended", {
    keptPriority,
    account: order.account.id,
    ...flagsOf(order),
    orderId: order.id,
    market: order.market.id,
    price: order.price,
    lots,
    heldUnits: Number(change),
    ...after(balance),
  });
}

/** Less at the same price keeps its place; an iceberg gives up hidden lots first. */
function shrink(exchange: Exchange, order: Order, open: number, wanted: number): Refusal | undefined {
  const { market } = order;
  if (market.status === "CANCEL_ONLY") return refuse("MARKET_CANCEL_ONLY");
  if (!["TRADING", "AUCTION", "REDUCE_ONLY"].includes(market.status)) return refuse("MARKET_NOT_TRADING");
  const total = wanted + order.filled;
  if (total < market.minLots) return refuse("QUANTITY_TOO_SMALL", market.minLots);
  if (cost(market, "buy", order.price, total) < market.minNotional)
    return refuse("NOTIONAL_TOO_SMALL", market.minNotional);
  const fromHidden = Math.min(order.hidden, open - wanted);
  order.hidden -= fromHidden;
  order.lots = wanted - order.hidden;
  reportAmend(exchange, order, true, wanted, -cost(market, order.side, order.price, open - wanted));
  if (fromHidden < open - wanted) exchange.depth(market, order.side, order.price);
  return undefined;
}

/** Any other change is a new order under the old id: checked as one, at the back of the queue. */
function replace(exchange: Exchange, order: Order, price: number, open: number, wanted: number): Refusal | undefined {
  const { market, side, price: oldPrice } = order;
  const freed = cost(market, side, oldPrice, open) + order.reserve;
  const visible = order.iceberg ? Math.min(wanted, order.slice) : 0;
  const requested = { ...order, price, quantity: wanted, visible, slippageBps: 0, freed, freedPlaces: 1 };
  const admitted = checkOrder(exchange, { ...requested, timeInForce: "GTC" });
  if (isRefusal(admitted)) return admitted;
  remove(order);
  exchange.timers = exchange.timers.filter((timer) => timer.id !== order.id);
  order.price = admitted.limit;
  order.lots = wanted;
  order.hidden = 0;
  order.since = exchange.sequence;
  order.reserve = admitted.reserve;
  reportAmend(exchange, order, false, wanted, admitted.need + admitted.reserve - freed);
  exchange.depth(market, side, oldPrice);
  run(exchange, order);
  return undefined;
}

/** Ends orders and slicers oldest first. */
export function endAll(exchange: Exchange, targets: readonly (Order | Twap)[], reason: EndReason): void {
  for (const target of targets.toSorted((a, b) => a.since - b.since || a.id - b.id)) {
    if (!isTwap(target)) endOrder(exchange, target, reason);
    else if (target.open) endTwap(exchange, target, reason);
  }
}

type Covers = (owner: { readonly account: Account; readonly market: Market }) => boolean;

/** Everything open that a predicate covers; with plans and slicers, lists give up what they have not armed yet. */
export function withdraw(exchange: Exchange, covers: Covers, conditionals: boolean, reason: EndReason): void {
  const targets: (Order | Twap)[] = [...exchange.orders.values()].filter(
    (order) => covers(order) && (order.state === "resting" || conditionals),
  );
  if (conditionals) {
    targets.push(...[...exchange.twaps.values()].filter(covers));
    for (const list of exchange.lists.values()) if (covers(list)) list.unarmed = 0n;
  }
  endAll(exchange, targets, reason);
}

function coverOf(account: Account, market: Market | undefined): Covers {
  return (owner) => owner.account === account && (market === undefined || owner.market === market);
}

export function cancelAll(exchange: Exchange, account: Account, command: CommandOf<"cancelAll">): Refusal | undefined {
  const market = exchange.market(command.market);
  if (market === undefined && command.market !== -1) return refuse("UNKNOWN_MARKET");
  withdraw(exchange, coverOf(account, market), command.conditionals, "CANCEL_ALL");
  return undefined;
}

export function setDeadMan(
  exchange: Exchange,
  account: Account,
  command: CommandOf<"setDeadMan">,
): Refusal | undefined {
  const market = exchange.market(command.market);
  const { timeoutMs } = command;
  if (market !== undefined && !mayTrade(account)) return refuse("BOOK_NOT_TRADABLE");
  if (market === undefined && command.market !== -1) return refuse("UNKNOWN_MARKET");
  if (timeoutMs !== 0 && (timeoutMs < 3_000 || timeoutMs > 300_000)) return refuse("INVALID_TIMEOUT");
  const old = exchange.deadMen.find((deadMan) => deadMan.account === account && deadMan.market === market);
  if (old !== undefined) dropDeadMan(exchange, old);
  const firesAt = timeoutMs === 0 ? 0 : exchange.now + timeoutMs;
  if (timeoutMs !== 0) {
    const deadMan: DeadMan = { id: exchange.takeId(), account, market };
    exchange.deadMen.push(deadMan);
    exchange.timers.push({ at: firesAt, id: deadMan.id, owner: { kind: "deadMan", deadMan } });
  }
  exchange.emit("deadManSet", { account: account.id, market: command.market, firesAt });
  return undefined;
}

function dropDeadMan(exchange: Exchange, deadMan: DeadMan): void {
  exchange.timers = exchange.timers.filter((timer) => timer.id !== deadMan.id);
  exchange.deadMen.splice(exchange.deadMen.indexOf(deadMan), 1);
  exchange.giveId(deadMan.id);
}

export function fireDeadMan(exchange: Exchange, deadMan: DeadMan): void {
  dropDeadMan(exchange, deadMan);
  exchange.emit("deadManFired", { account: deadMan.account.id, market: deadMan.market?.id ?? -1 });
  withdraw(exchange, coverOf(deadMan.account, deadMan.market), true, "DEAD_MAN");
}

export function mayTrade(account: Account): boolean {
  return account.book === "spot" || account.book === "bot" || account.book === "copyS";
}
