// Owns order lists in the reference: OCO and brackets, and the arming of a bracket's exits fill by fill.
import type { EndReason } from "@clockwork/core/protocol/names";
import { recordClientId } from "./changes.ts";
import { type Admitted, checkOrder, isRefusal, type Requested } from "./checks.ts";
import { observe } from "./observe.ts";
import { endOrder, type Joining, submit } from "./orders.ts";
import { addPlan, checkPlan, type RequestedPlan } from "./plans.ts";
import { feeCeil, paysInQuote, rateOf } from "./settle.ts";
import {
  type Account,
  type CommandOf,
  cost,
  type Exchange,
  heldIn,
  type Leg,
  type List,
  type Market,
  type Order,
  opposite,
  type Plan,
  PRICE_MAX,
  type Refusal,
  refuse,
  type Source,
} from "./state.ts";

function openList(
  exchange: Exchange,
  account: Account,
  market: Market,
  type: List["type"],
  requested: Pick<List, "side" | "selfTrade" | "source" | "profitPrice" | "trigger" | "stopPrice" | "slippageBps">,
): List {
  const { side, selfTrade, source, profitPrice, trigger, stopPrice, slippageBps } = requested;
  const list: List = {
    id: exchange.takeId(),
    type,
    account,
    market,
    side,
    selfTrade,
    source,
    profitPrice,
    trigger,
    stopPrice,
    slippageBps,
    legs: { entry: undefined, profit: undefined, stop: undefined },
    held: 0n,
    unarmed: 0n,
    profitFilled: false,
    open: true,
  };
  exchange.lists.set(list.id, list);
  exchange.emit("listCreated", { account: account.id, type, list: list.id, market: market.id });
  return list;
}

const NO_EXITS = { profitPrice: 0, stopTrigger: 0, stopPrice: 0 };

export function describeLeg(exchange: Exchange, list: List, leg: Leg, orderId: number): void {
  const { account, market, profitPrice, trigger: stopTrigger, stopPrice } = list;
  const exits = leg === "entry" ? { profitPrice, stopTrigger, stopPrice } : NO_EXITS;
  exchange.emit("listLeg", { account: account.id, leg, list: list.id, orderId, market: market.id, ...exits });
}

/** A selling stop falls to its trigger, a buying one rises to it. */
function stopPlan(side: Order["side"], source: Source, trigger: number, stopPrice: number, slippageBps: number): Plan {
  const type = stopPrice !== 0 ? "stopLimit" : "stopMarket";
  return {
    type,
    source,
    direction: side === "sell" ? "falls" : "rises",
    trigger,
    callbackBps: 0,
    slippageBps,
    peak: 0,
  };
}

function checkLists(exchange: Exchange, account: Account, market: Market): Refusal | undefined {
  const own = [...exchange.lists.values()].filter((list) => list.account === account && list.market === market);
  return own.length >= market.listMax ? refuse("TOO_MANY_LISTS", market.listMax) : undefined;
}

/** An order as a command of the shared shape asks for it. */
export function requestedOf(
  account: Account,
  market: Market,
  command: Omit<Requested, "account" | "market" | "reduceOnly" | "expiresAt" | "visible" | "freed" | "freedPlaces">,
): Requested {
  const extras = { reduceOnly: false, expiresAt: 0, visible: 0, freed: 0n, freedPlaces: 0 };
  return { ...extras, ...command, account, market };
}

/** Submits an order as a leg; a refusal is reported and the leg stays empty. */
function submitLeg(exchange: Exchange, list: List, leg: Leg, requested: Requested, joining: Joining): boolean {
  const placed = submit(exchange, requested, { ...joining, list, leg });
  if ("code" in placed) {
    exchange.reject(placed, list.account.id, list.market.id);
    return false;
  }
  if (placed.order.state !== "gone") list.legs[leg] = placed.order;
  describeLeg(exchange, list, leg, placed.order.id);
  return true;
}

/** Money is frozen once, for the larger need of the two legs: what the stop's need has beyond the limit's. */
export function stopSurplus(exchange: Exchange, stop: RequestedPlan, admitted: Admitted): bigint {
  const { account, market, side, price, quantity } = stop;
  const slipped = Math.min(PRICE_MAX, Math.floor((stop.plan.trigger * (10_000 + market.slippageBps)) / 10_000));
  const worst = price !== 0 ? price : slipped;
  const need = cost(market, side, worst, quantity);
  const fee = paysInQuote(account) ? feeCeil(need, rateOf(exchange, account, market, "taker")) : 0n;
  const beyond = need + fee - admitted.need - admitted.reserve;
  return side === "sell" || beyond <= 0n ? 0n : beyond;
}

export function placeOco(
  exchange: Exchange,
  account: Account,
  market: Market,
  command: CommandOf<"placeOco">,
): Refusal | undefined {
  const { side, price, trigger, stopPrice, source } = command;
  if (command.type === "market" || command.inQuote) return refuse("INVALID_COMBINATION");
  const { last } = market;
  if (last === 0) return refuse("NO_REFERENCE_PRICE");
  if (side === "sell" ? !(price > last && last > trigger) : !(price < last && last < trigger))
    return refuse("INVALID_OCO_PRICES");
  const plan = stopPlan(side, source, trigger, stopPrice, 0);
  const stop: RequestedPlan = {
    ...command,
    account,
    market,
    plan,
    price: stopPrice,
    postOnly: "no",
    standsAlone: false,
    type: stopPrice !== 0 ? "limit" : "market",
  };
  const limit = requestedOf(account, market, { ...command, slippageBps: 0 });
  const refusal = checkPlan(exchange, stop);
  if (refusal !== undefined) return refusal;
  const admitted = checkOrder(exchange, limit);
  if (isRefusal(admitted)) return admitted;
  const tooMany = checkLists(exchange, account, market);
  if (tooMany !== undefined) return tooMany;
  const surplus = stopSurplus(exchange, stop, admitted);
  const balance = heldIn(exchange, account, market, side);
  if (balance.available < admitted.need + admitted.reserve + surplus)
    return refuse("INSUFFICIENT_BALANCE", balance.available);
  const list = openList(exchange, account, market, "oco", { ...command, profitPrice: price, slippageBps: 0 });
  list.legs.stop = addPlan(exchange, stop, list);
  describeLeg(exchange, list, "stop", list.legs.stop.id);
  hold(exchange, list, surplus);
  submitLeg(exchange, list, "profit", limit, { accepted: (id) => recordClientId(exchange, command, id) });
  return undefined;
}

export function placeBracket(
  exchange: Exchange,
  account: Account,
  market: Market,
  command: CommandOf<"placeBracket">,
): Refusal | undefined {
  const { side, profitPrice, stopTrigger, stopPrice } = command;
  const isBad = (price: number): boolean => price < 0 || price > PRICE_MAX;
  if ([profitPrice, stopTrigger, stopPrice].some(isBad) || (profitPrice === 0 && stopTrigger === 0))
    return refuse("INVALID_BRACKET_PRICES");
  const anchor = command.type === "market" ? market.last : command.price;
  const [above, below] = side === "buy" ? [profitPrice, stopTrigger] : [stopTrigger, profitPrice];
  if ((above !== 0 && above <= anchor) || (below !== 0 && below >= anchor)) return refuse("INVALID_BRACKET_PRICES");
  const entry = requestedOf(account, market, command);
  const admitted = checkOrder(exchange, entry);
  if (isRefusal(admitted)) return admitted;
  const tooMany = checkLists(exchange, account, market);
  if (tooMany !== undefined) return tooMany;
  const list = openList(exchange, account, market, "bracket", { ...command, trigger: stopTrigger });
  submitLeg(exchange, list, "entry", entry, { accepted: (id) => recordClientId(exchange, command, id) });
  exchange.touched.push(list);
  return undefined;
}

export function hold(exchange: Exchange, list: List, amount: bigint): void {
  if (amount === 0n) return;
  list.held += amount;
  const balance = heldIn(
    exchange,
    list.account,
    list.market,
    list.type === "bracket" ? opposite(list.side) : list.side,
  );
  exchange.freeze(balance, amount);
  exchange.frozen("trade", balance, amount, list.id);
}

/** Works off what happened to a list's legs. */
export function settleList(exchange: Exchange, list: List): void {
  if (!list.open) return;
  const { legs } = list;
  const paired = list.type === "oco" || (list.profitPrice !== 0 && list.trigger !== 0);
  const halved = (legs.profit === undefined) !== (legs.stop === undefined);
  if (list.profitFilled || (paired && halved)) resolvePair(exchange, list);
  if (legs.stop === undefined) hold(exchange, list, -list.held);
  if (list.type === "bracket") armExits(exchange, list);
  if (legs.entry === undefined && legs.profit === undefined && legs.stop === undefined)
    endList(exchange, list, "LIST_DONE");
}

/** The stop is withdrawn; a profit leg that has begun to fill goes on alone, one that has not is withdrawn too. */
function resolvePair(exchange: Exchange, list: List): void {
  const { profit, stop } = list.legs;
  const filled = list.profitFilled;
  list.profitFilled = false;
  list.legs.profit = undefined;
  list.legs.stop = undefined;
  if (stop !== undefined) endOrder(exchange, stop, "LIST_SIBLING");
  if (profit !== undefined) {
    if (filled) profit.list = undefined;
    else endOrder(exchange, profit, "LIST_SIBLING");
  }
  hold(exchange, list, -list.held);
}

/** The stop leg fires: its limit leg is withdrawn before the stop takes the money. */
export function releaseByTrigger(exchange: Exchange, list: List): void {
  const { profit } = list.legs;
  list.legs.profit = undefined;
  list.legs.stop = undefined;
  list.profitFilled = false;
  if (profit !== undefined) endOrder(exchange, profit, "LIST_SIBLING");
  hold(exchange, list, -list.held);
  exchange.touched.push(list);
}

/** Exits for all the entry has brought in; those already waiting give way to exits for the whole. */
function armExits(exchange: Exchange, list: List): void {
  const { market, legs } = list;
  if (market.status === "DELISTED" || (list.profitPrice === 0 && list.trigger === 0)) return;
  const fresh = Number(list.unarmed / market.step);
  if (fresh < 1 || isTooSmallYet(list, fresh)) return;
  list.unarmed -= BigInt(fresh) * market.step;
  const lots = fresh + withdrawExits(exchange, list);
  const side = opposite(list.side);
  const shape = {
    side,
    selfTrade: list.selfTrade,
    quantity: lots,
    inQuote: false,
    ...({ timeInForce: "GTC", postOnly: "no" } as const),
  };
  if (list.profitPrice !== 0) {
    const profit = { ...shape, type: "limit", price: list.profitPrice, slippageBps: 0 } as const;
    // A refused exit is given up; the stop then protects alone.
    if (!submitLeg(exchange, list, "profit", requestedOf(list.account, market, profit), {})) list.profitPrice = 0;
  }
  if (list.trigger === 0) return;
  if (list.profitPrice === 0 && side === "sell") {
    const { available } = heldIn(exchange, list.account, market, side);
    const wanted = cost(market, side, 0, lots);
    hold(exchange, list, available < wanted ? available : wanted);
  }
  const plan = stopPlan(side, list.source, list.trigger, list.stopPrice, list.slippageBps);
  const type = list.stopPrice !== 0 ? "limit" : "market";
  const requested = {
    ...shape,
    account: list.account,
    market,
    type,
    price: list.stopPrice,
    plan,
    standsAlone: false,
  } as const;
  legs.stop = addPlan(exchange, requested, list);
  describeLeg(exchange, list, "stop", legs.stop.id);
  for (const source of ["last", "mark", "index"] as const) observe(exchange, market, source);
}

/** While the entry still works, fills too small for an order of their own are gathered. */
function isTooSmallYet(list: List, fresh: number): boolean {
  const { market, legs } = list;
  if (legs.entry === undefined) return false;
  const lots = fresh + ((legs.profit ?? legs.stop)?.lots ?? 0);
  const lowest = Math.min(...[list.profitPrice, list.trigger].filter((price) => price !== 0));
  return lots < market.minLots || cost(market, "buy", lowest, lots) < market.minNotional;
}

function withdrawExits(exchange: Exchange, list: List): number {
  const { profit, stop } = list.legs;
  const lots = (profit ?? stop)?.lots ?? 0;
  list.legs.profit = undefined;
  list.legs.stop = undefined;
  if (stop !== undefined) endOrder(exchange, stop, "LIST_SIBLING");
  if (profit !== undefined) endOrder(exchange, profit, "LIST_SIBLING");
  hold(exchange, list, -list.held);
  return lots;
}

function endList(exchange: Exchange, list: List, reason: EndReason): void {
  hold(exchange, list, -list.held);
  exchange.emit("listEnded", { account: list.account.id, reason, list: list.id, market: list.market.id });
  list.open = false;
  exchange.lists.delete(list.id);
  exchange.giveId(list.id);
}

export function cancelList(
  exchange: Exchange,
  account: Account,
  command: CommandOf<"cancelList">,
): Refusal | undefined {
  const list = exchange.lists.get(command.list);
  if (list?.account !== account) return refuse("UNKNOWN_LIST");
  for (const leg of ["entry", "profit", "stop"] as const) {
    const order = list.legs[leg];
    list.legs[leg] = undefined;
    if (order !== undefined) endOrder(exchange, order, "USER");
  }
  endList(exchange, list, "USER");
  return undefined;
}
