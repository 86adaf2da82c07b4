// Use cases of spot trading: place, amend, cancel, clear, and an account's own data. Answers to commands come from the
// commit's own events; open orders from the account's live view; past ones from the tables, once these hold everything
// published to the caller. Never touches another user's order.

import type { Command } from "@clockwork/core/protocol/command";
import type { EventOf } from "@clockwork/core/protocol/event";
import type { Ack } from "@clockwork/host/engine";
import { answer, type Outcome, refuse } from "@clockwork/host/route";
import { quantityText, valueText } from "@clockwork/kit/instrument";
import { readFillCursor, writeFillCursor } from "@clockwork/kit/pages/fill-cursor";
import { cutPage, readPairCursor, writePairCursor } from "@clockwork/kit/pages/page";
import type { MarketPair } from "../markets/pair.ts";
import type { OrderRow } from "../projectors/rows/rows.ts";
import { describePlaced, describeRepeated, joinRungs } from "./answer-rules.ts";
import type {
  AmendOrderBody,
  FillPage,
  OrderPage,
  PlacedOrder,
  PlaceOrderBody,
  PositionLimit,
  SpotBalance,
  SpotFee,
  SpotOrder,
} from "./contract.ts";
import type { AccountView, SpotNeeds } from "./needs.ts";
import { buildOrder, readChange, sideOf } from "./order-rules.ts";
import { ACCOUNT_NOT_READY, describeProblem, describeRefusal, UNKNOWN_ORDER, UNKNOWN_PAIR } from "./refusal-rules.ts";
import type { SpotRefusal } from "./refusals.ts";
import { describeBalance, describeFill, describeOrder, isOpenOrder, isPlan, rateText } from "./rules.ts";
import { type OrderFilter, orderKeys, type SpotStore } from "./store.ts";

export interface ListQuery {
  readonly pairCode?: string;
  readonly side?: "buy" | "sell";
  readonly from?: number;
  readonly to?: number;
  readonly before?: string;
  readonly after?: string;
  readonly fromId?: number;
  readonly fromListId?: number;
  readonly isListed?: boolean;
  readonly limit?: number;
}

const PAGE = 50;

type Guess = Extract<Command, { readonly kind: "placeConditional" }>;

const isGuess = (body: PlaceOrderBody, command: Command): command is Guess =>
  command.kind === "placeConditional" && body.triggerDirection === undefined;

export class SpotService {
  readonly #needs: SpotNeeds;
  readonly #store: SpotStore;

  constructor({ needs, store }: { readonly needs: SpotNeeds; readonly store: SpotStore }) {
    this.#needs = needs;
    this.#store = store;
  }

  async place(userId: number, body: PlaceOrderBody): Promise<Outcome<PlacedOrder, SpotRefusal>> {
    const pair = this.#needs.pairs.findPair(body.pairCode);
    if (pair === undefined) return refuse(UNKNOWN_PAIR);
    const account = this.#needs.recallSpotAccount(userId) ?? (await this.#needs.findSpotAccount(userId));
    if (account === undefined) return refuse(ACCOUNT_NOT_READY);
    const built = buildOrder(pair, account, body, this.#needs.pairs.lastTicks(pair.market));
    if (!built.ok) return refuse(describeProblem(built.problem));
    const [command, ...more] = built.commands;
    if (command === undefined) return refuse(UNKNOWN_PAIR);
    if (more.length > 0) return this.#placeRungs(pair, account, body, built.commands);
    // Awaited here, not returned: every further promise between an order and its answer adds latency.
    const ack = await (isGuess(body, command) ? this.#submitGuess(command) : this.#needs.submit(command));
    return this.#answerPlaced(pair, account, body, ack);
  }

  /** Every order separately; sent one after the other without waiting, so they keep their order. */
  async placeBatch(userId: number, orders: readonly PlaceOrderBody[]) {
    const results = await Promise.all(orders.map((order) => this.place(userId, order)));
    return results.map((result) =>
      result.ok
        ? { order: result.data, code: null, message: null }
        : { order: null, code: result.rejection.code, message: result.rejection.message },
    );
  }

  /** Waits only for the row of a repeated order. */
  #answerPlaced(
    pair: MarketPair,
    account: number,
    body: PlaceOrderBody,
    ack: Ack,
  ): Outcome<PlacedOrder, SpotRefusal> | Promise<Outcome<PlacedOrder, SpotRefusal>> {
    const { clientOrderId = null } = body;
    if (!ack.done) {
      return refuse(describeRefusal(ack, { pair, side: sideOf(body), isByAmount: body.amount !== undefined }));
    }
    const placed = describePlaced(pair, account, ack, clientOrderId, body.tellFills === true);
    if (placed !== undefined) return answer(placed);
    return this.#repeat(pair, account, ack, clientOrderId);
  }

  /** A plan without a direction waits for the one the last price implies; the core has the most recent price. */
  async #submitGuess(command: Guess): Promise<Ack> {
    const ack = await this.#needs.submit(command);
    if (ack.done) return ack;
    // A repeat may have been guessed in the other direction the first time; under an existing id nothing new can
    // happen.
    const isWorth = ack.code === "TRIGGER_ALREADY_TRUE" || ack.code === "DUPLICATE_CLIENT_ORDER_ID";
    if (!isWorth) return ack;
    const other = await this.#needs.submit({
      ...command,
      direction: command.direction === "rises" ? "falls" : "rises",
    });
    return other.done || ack.code === "TRIGGER_ALREADY_TRUE" ? other : ack;
  }

  /** A repeated client order id: nothing happens, the first order is returned. */
  async #repeat(
    pair: MarketPair,
    account: number,
    ack: Ack,
    clientOrderId: string | null,
  ): Promise<Outcome<PlacedOrder, SpotRefusal>> {
    const repeated = ack.events.find((event): event is EventOf<"repeated"> => event.kind === "repeated");
    const row = repeated === undefined ? undefined : await this.#findOrder(account, repeated.orderId);
    if (repeated === undefined || row === undefined) return refuse(UNKNOWN_ORDER);
    return answer(describeRepeated(pair, row, repeated, clientOrderId));
  }

  async #placeRungs(
    pair: MarketPair,
    account: number,
    body: PlaceOrderBody,
    commands: readonly Command[],
  ): Promise<Outcome<PlacedOrder, SpotRefusal>> {
    const results = await Promise.all(
      commands.map(async (command) => this.#answerPlaced(pair, account, body, await this.#needs.submit(command))),
    );
    const joined = joinRungs(
      pair,
      results.flatMap((result) => (result.ok ? [result.data] : [])),
    );
    const refusals = results.flatMap((result, rung) =>
      result.ok ? [] : [{ rung, code: result.rejection.code, message: result.rejection.message, result }],
    );
    if (joined === undefined) return refusals[0]?.result ?? refuse(UNKNOWN_PAIR);
    if (refusals.length === 0) return answer(joined);
    return answer({ ...joined, refusals: refusals.map(({ rung, code, message }) => ({ rung, code, message })) });
  }

  async amend(userId: number, orderId: number, change: AmendOrderBody): Promise<Outcome<SpotOrder, SpotRefusal>> {
    const open = await this.#openOrder(userId, orderId);
    if (!open.ok) return open;
    const { row, pair } = open.data;
    const read = readChange(row, pair, change);
    if (!read.ok) return refuse(describeProblem(read.problem));
    const ack = await this.#needs.submit(read.command);
    if (!ack.done) {
      return refuse(describeRefusal(ack, { pair, side: row.side === "buy" ? "buy" : "sell" }));
    }
    return answer(describeOrder(pair, row));
  }

  async cancel(userId: number, orderId: number): Promise<Outcome<SpotOrder, SpotRefusal>> {
    const open = await this.#openOrder(userId, orderId);
    if (!open.ok) return open;
    const { row, pair, account } = open.data;
    const ack = await this.#needs.submit({ kind: "cancelOrder", account, orderId });
    // The row follows the commit: it now shows how the order ended.
    return ack.done ? answer(describeOrder(pair, row)) : refuse(describeRefusal(ack));
  }

  async clear(
    userId: number,
    pairCode: string | undefined,
    plans = true,
  ): Promise<Outcome<{ canceled: number }, SpotRefusal>> {
    const market = this.#marketOf(pairCode);
    if (market === undefined) return refuse(UNKNOWN_PAIR);
    const account = await this.#needs.findSpotAccount(userId);
    if (account === undefined) return refuse(ACCOUNT_NOT_READY);
    const ack = await this.#needs.submit({ kind: "cancelAll", account, market, conditionals: plans });
    if (!ack.done) return refuse(describeRefusal(ack));
    const ended = ack.events.filter(
      (event) => (event.kind === "orderEnded" || event.kind === "twapEnded") && event.account === account,
    );
    return answer({ canceled: ended.length });
  }

  async cancelAfter(
    userId: number,
    timeoutSeconds: number,
    pairCode: string | undefined,
  ): Promise<Outcome<{ firesAtMs: number | null }, SpotRefusal>> {
    const market = this.#marketOf(pairCode);
    if (market === undefined) return refuse(UNKNOWN_PAIR);
    const account = await this.#needs.findSpotAccount(userId);
    if (account === undefined) return refuse(ACCOUNT_NOT_READY);
    const timeoutMs = timeoutSeconds * 1_000;
    const ack = await this.#needs.submit({ kind: "setDeadMan", account, market, timeoutMs });
    if (!ack.done) return refuse(describeRefusal(ack));
    const set = ack.events.find((event) => event.kind === "deadManSet");
    return answer({ firesAtMs: set === undefined || set.firesAt === 0 ? null : set.firesAt });
  }

  /** Open orders and plans come from the live view, ended ones from the tables. */
  async listOrders(
    userId: number,
    state: "open" | "plan" | "history",
    query: ListQuery,
  ): Promise<Outcome<OrderPage, SpotRefusal>> {
    const found = await this.#view(userId);
    if (!found.ok) return found;
    const filter = this.#filter(query);
    if (filter === undefined) return refuse(UNKNOWN_PAIR);
    const { account, view } = found.data;
    let rows: OrderRow[];
    if (state === "history") {
      await this.#needs.settled(view.changedSequence);
      rows = await this.#store.listHistory(account, filter);
    } else {
      const fits = state === "open" ? isOpenOrder : isPlan;
      rows = [...view.orders.values()].filter((row) => fits(row) && passes(row, filter));
      rows.sort(byKeys(filter));
    }
    const { shown, end } = cutPage(rows, filter.limit - 1);
    const [major, minor] = orderKeys(filter);
    return answer({
      orders: shown.flatMap((row) => this.#describe(row) ?? []),
      next: end === undefined ? null : writePairCursor(Number(end[major]), Number(end[minor])),
    });
  }

  async readOrder(userId: number, orderId: number): Promise<Outcome<SpotOrder, SpotRefusal>> {
    const found = await this.#view(userId);
    if (!found.ok) return found;
    const row = await this.#findOrder(found.data.account, orderId);
    const order = row === undefined ? undefined : this.#describe(row);
    return order === undefined ? refuse({ ...UNKNOWN_ORDER, message: "Order not found." }) : answer(order);
  }

  /** Open orders come first: a name can be used again a day after its order. */
  async readOrderByName(userId: number, clientOrderId: string): Promise<Outcome<SpotOrder, SpotRefusal>> {
    const found = await this.#view(userId);
    if (!found.ok) return found;
    const { account, view } = found.data;
    let row = [...view.orders.values()].find((one) => one.client_order_id === clientOrderId);
    if (row === undefined) {
      await this.#needs.settled(view.changedSequence);
      row = await this.#store.findOrderByName(account, clientOrderId);
    }
    const order = row === undefined ? undefined : this.#describe(row);
    return order === undefined ? refuse({ ...UNKNOWN_ORDER, message: "Order not found." }) : answer(order);
  }

  async listFills(
    userId: number,
    query: ListQuery & { readonly orderId?: string },
  ): Promise<Outcome<FillPage, SpotRefusal>> {
    const found = await this.#view(userId);
    if (!found.ok) return found;
    const filter = this.#filter(query);
    if (filter === undefined) return refuse(UNKNOWN_PAIR);
    const { account, view } = found.data;
    await this.#needs.settled(view.changedSequence);
    const orderId = query.orderId === undefined ? undefined : Number(query.orderId);
    const [before, after] = [readFillCursor(query.before), readFillCursor(query.after)];
    const rows = await this.#store.listFills(account, { ...filter, before, after, orderId });
    const { shown, end } = cutPage(rows, filter.limit - 1);
    return answer({
      fills: shown.flatMap((row) => describeFill(this.#needs.pairs, row) ?? []),
      next: end === undefined ? null : writeFillCursor(end),
    });
  }

  async readBalances(userId: number): Promise<Outcome<SpotBalance[], SpotRefusal>> {
    const found = await this.#view(userId);
    if (!found.ok) return found;
    const rows = [...found.data.view.balances.values()].filter((row) => row.available_units + row.frozen_units > 0n);
    return answer(rows.flatMap((row) => describeBalance(this.#needs.pairs, row) ?? []));
  }

  async readFee(userId: number): Promise<Outcome<SpotFee, SpotRefusal>> {
    const account = await this.#needs.findSpotAccount(userId);
    if (account === undefined) return refuse(ACCOUNT_NOT_READY);
    const { level, makerRate, takerRate } = await this.#needs.readFee(userId, account);
    return answer({ level, makerRate: rateText(makerRate), takerRate: rateText(takerRate) });
  }

  async readPositionLimit(userId: number, pairCode: string): Promise<Outcome<PositionLimit, SpotRefusal>> {
    const pair = this.#needs.pairs.findPair(pairCode);
    if (pair === undefined) return refuse(UNKNOWN_PAIR);
    const found = await this.#view(userId);
    if (!found.ok) return found;
    const rows = [...found.data.view.orders.values()].filter(({ market }) => market === pair.market);
    return answer({
      pairCode,
      openOrders: rows.filter(isOpenOrder).length,
      openOrdersMax: pair.restingMax,
      plans: rows.filter(isPlan).length,
      plansMax: pair.conditionalMax,
      maxQuantity: quantityText(pair, pair.maxLots),
      maxMarketQuantity: quantityText(pair, pair.maxMarketLots),
      minNotional: valueText(pair, pair.minNotionalUnits),
    });
  }

  async #view(userId: number): Promise<Outcome<{ account: number; view: AccountView }, SpotRefusal>> {
    const account = await this.#needs.findSpotAccount(userId);
    if (account === undefined) return refuse(ACCOUNT_NOT_READY);
    return answer({ account, view: await this.#needs.openView(account) });
  }

  /** The caller's own open order; another user's is as unknown as one that never existed. */
  async #openOrder(
    userId: number,
    orderId: number,
  ): Promise<Outcome<{ row: OrderRow; pair: MarketPair; account: number }, SpotRefusal>> {
    const found = await this.#view(userId);
    if (!found.ok) return found;
    const row = found.data.view.orders.get(orderId);
    const pair = row === undefined ? undefined : this.#needs.pairs.findMarket(row.market);
    if (row === undefined || pair === undefined) return refuse(UNKNOWN_ORDER);
    return answer({ row, pair, account: found.data.account });
  }

  async #findOrder(account: number, orderId: number): Promise<OrderRow | undefined> {
    const view = await this.#needs.openView(account);
    const open = view.orders.get(orderId);
    if (open !== undefined) return open;
    await this.#needs.settled(view.changedSequence);
    return this.#store.findOrder(account, orderId);
  }

  #describe(row: OrderRow): SpotOrder | undefined {
    const pair = this.#needs.pairs.findMarket(row.market);
    return pair === undefined ? undefined : describeOrder(pair, row);
  }

  /** −1 means every market. */
  #marketOf(pairCode: string | undefined): number | undefined {
    return pairCode === undefined ? -1 : this.#needs.pairs.findPair(pairCode)?.market;
  }

  /** Undefined for a pair that is not listed. One extra row shows whether another page follows. */
  #filter(query: ListQuery): OrderFilter | undefined {
    const { pairCode, side, from, to, before, after, fromId, fromListId, isListed, limit = PAGE } = query;
    const market = pairCode === undefined ? undefined : this.#needs.pairs.findPair(pairCode)?.market;
    if (pairCode !== undefined && market === undefined) return undefined;
    const span = { fromMs: from, toMs: to, before: readPairCursor(before), after: readPairCursor(after) };
    return { market, side, ...span, fromId, fromListId, isListed, limit: limit + 1 };
  }
}

function passes(row: OrderRow, filter: OrderFilter): boolean {
  const { market, side, fromMs, toMs, before, after, fromId, fromListId, isListed } = filter;
  if (market !== undefined && row.market !== market) return false;
  if (side !== undefined && row.side !== side) return false;
  if (fromMs !== undefined && row.created_ms < fromMs) return false;
  if (toMs !== undefined && row.created_ms > toMs) return false;
  if (fromId !== undefined && row.order_id < fromId) return false;
  if (isListed === true && row.list_id === null) return false;
  if (fromListId !== undefined && (row.list_id === null || row.list_id < fromListId)) return false;
  const [major, minor] = orderKeys(filter);
  const place = ([first, second]: readonly [number, number]): number =>
    Number(row[major]) - first || Number(row[minor]) - second;
  return (before === undefined || place(before) < 0) && (after === undefined || place(after) > 0);
}

/** Newest first unless read forwards. */
function byKeys(filter: OrderFilter): (left: OrderRow, right: OrderRow) => number {
  const [major, minor] = orderKeys(filter);
  const way = filter.after === undefined ? -1 : 1;
  return (left, right) => way * (Number(left[major]) - Number(right[major]) || left[minor] - right[minor]);
}
