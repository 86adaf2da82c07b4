// Use cases of futures trading: placing orders, and an account's own data; change-service ends and amends orders.
// Answers to commands come from the commit's own events; open orders from the live view; past ones from the tables,
// once these hold everything published to the caller. Never touches another user's order.

import type { Command } from "@clockwork/core/protocol/command";
import type { Ack } from "@clockwork/host/engine";
import { answer, type Outcome, type RouteRejection, refuse } from "@clockwork/host/route";
import { averagePriceText, priceText, quantityText, readPriceTicks, valueText } from "@clockwork/kit/instrument";
import { readFillCursor, writeFillCursor } from "@clockwork/kit/pages/fill-cursor";
import { cutPage, readPairCursor, writePairCursor } from "@clockwork/kit/pages/page";
import type { MarketPair } from "../markets/pair.ts";
import { describeContractRefusal } from "../positions/contract-refusals.ts";
import type { ContractRefusal } from "../positions/refusals.ts";
import type { ModeRow, StopRow } from "../projectors/futures/futures-rows.ts";
import type { OrderRow } from "../projectors/rows/rows.ts";
import type {
  FuturesBiz,
  FuturesFee,
  FuturesFillPage,
  FuturesOrder,
  FuturesOrderBody,
  FuturesOrderPage,
  FuturesPlaced,
  MaxOrder,
} from "./contract.ts";
import type { FuturesNeeds, TradingView } from "./needs.ts";
import { buildOrder } from "./order-rules.ts";
import {
  describeFill,
  describeOrder,
  describePlaced,
  isOpenOrder,
  isPlan,
  joinRungs,
  rateText,
  sideOfHedge,
  wasHedge,
} from "./rules.ts";
import type { FuturesStore, NumberedFilter, PageFilter } from "./store.ts";

export interface Chosen {
  readonly biz?: FuturesBiz;
  readonly account?: string;
}

export interface PageQuery extends Chosen {
  readonly pairCode?: string;
  readonly from?: number;
  readonly to?: number;
  readonly before?: string;
  readonly after?: string;
  readonly limit?: number;
}

/** Orders or fills, from a number on. */
type NumberedQuery = PageQuery & { readonly fromId?: number };

const PAGE = 50;

export const UNKNOWN_CONTRACT: RouteRejection<ContractRefusal> = {
  code: "UNKNOWN_MARKET",
  status: 404,
  message: "Contract not found.",
  fields: { pairCode: "Contract not found." },
};
export const UNKNOWN_ORDER: RouteRejection<ContractRefusal> = {
  code: "UNKNOWN_ORDER",
  status: 404,
  message: "Open order not found.",
};

type Guess = Extract<Command, { readonly kind: "placeConditional" }>;
export const choiceOf = ({ biz = "futures", account }: Chosen) => ({ biz, account });

export class FuturesService {
  readonly #needs: FuturesNeeds;
  readonly #store: FuturesStore;

  constructor({ needs, store }: { readonly needs: FuturesNeeds; readonly store: FuturesStore }) {
    this.#needs = needs;
    this.#store = store;
  }

  async place(userId: number, body: FuturesOrderBody): Promise<Outcome<FuturesPlaced, ContractRefusal>> {
    const { pairs } = this.#needs;
    const choice = choiceOf(body);
    const pair = pairs.find(choice.biz, body.pairCode);
    if (pair === undefined) return refuse(UNKNOWN_CONTRACT);
    const settle = pair.settle.asset;
    let account = this.#needs.recallAccount(userId, choice, settle);
    if (account === undefined) {
      const opened = await this.#needs.openAccount(userId, choice, settle);
      if ("refusal" in opened) return refuse(opened.refusal);
      account = opened.account;
    }
    // Only an order that names a side of a hedge depends on the mode; every other is the core's to check.
    const isHedge = body.positionSide === undefined ? true : (await this.#needs.openView(account)).isHedge;
    const isPlain = body.type === "limit" || body.type === "market";
    const referenceTicks = isPlain ? 0 : pairs.referenceTicks(pair.market, body.triggerSource ?? "mark");
    const built = buildOrder({ pair, account, isHedge, referenceTicks }, body);
    if (!built.ok) {
      const { code, message, field } = built.problem;
      return refuse({ code, status: 400, message, fields: { [`body.${field}`]: message } });
    }
    const [command, ...more] = built.commands;
    if (command === undefined) return refuse(UNKNOWN_CONTRACT);
    if (more.length > 0) return this.#placeRungs(pair, account, body, built.commands);
    const isGuess = command.kind === "placeConditional" && body.triggerDirection === undefined;
    const ack = await (isGuess ? this.#submitGuess(command) : this.#needs.submit(command));
    return this.#answerPlaced(pair, account, body, ack);
  }

  /** Every order separately; sent one after the other without waiting, so they keep their order. */
  async placeBatch(userId: number, orders: readonly FuturesOrderBody[]) {
    const results = await Promise.all(orders.map((order) => this.place(userId, order)));
    return results.map((result) =>
      result.ok
        ? { order: result.data, code: null, message: null }
        : { order: null, code: result.rejection.code, message: result.rejection.message },
    );
  }

  /** A plan without a direction waits for the one the price implies; the core has the most recent price. */
  async #submitGuess(command: Guess): Promise<Ack> {
    const ack = await this.#needs.submit(command);
    const isWorth = !ack.done && (ack.code === "TRIGGER_ALREADY_TRUE" || ack.code === "DUPLICATE_CLIENT_ORDER_ID");
    if (!isWorth || command.conditional === "trailingStop") return ack;
    const direction = command.direction === "rises" ? "falls" : "rises";
    const other = await this.#needs.submit({ ...command, direction });
    return other.done || ack.code === "TRIGGER_ALREADY_TRUE" ? other : ack;
  }

  #answerPlaced(
    pair: MarketPair,
    account: number,
    body: FuturesOrderBody,
    ack: Ack,
  ): Outcome<FuturesPlaced, ContractRefusal> | Promise<Outcome<FuturesPlaced, ContractRefusal>> {
    const { clientOrderId = null } = body;
    if (!ack.done) return refuse(describeContractRefusal(ack, { pair }));
    const placed = describePlaced(pair, account, ack, clientOrderId);
    return placed === undefined ? this.#repeat(pair, account, ack, clientOrderId) : answer(placed);
  }

  /** A repeated client order id: nothing happens, the first order is returned. */
  async #repeat(
    pair: MarketPair,
    account: number,
    ack: Extract<Ack, { readonly done: true }>,
    clientOrderId: string | null,
  ): Promise<Outcome<FuturesPlaced, ContractRefusal>> {
    const repeated = ack.events.find((event) => event.kind === "repeated");
    if (repeated?.kind !== "repeated") return refuse(UNKNOWN_ORDER);
    const view = await this.#needs.openView(account);
    await this.#needs.settled(view.changedSequence);
    const row = view.orders.get(repeated.orderId) ?? (await this.#store.findOrder([account], repeated.orderId));
    if (row === undefined) return refuse(UNKNOWN_ORDER);
    return answer({
      orderId: String(repeated.orderId),
      clientOrderId,
      status: row.state,
      filledQuantity: quantityText(pair, row.filled_lots),
      filledAmount: valueText(pair, row.filled_units),
      averagePrice: averagePriceText(pair, row.filled_units, row.filled_lots),
      orderIds: [],
      isRepeat: true,
      sequence: repeated.firstSequence,
    });
  }

  async #placeRungs(
    pair: MarketPair,
    account: number,
    body: FuturesOrderBody,
    commands: readonly Command[],
  ): Promise<Outcome<FuturesPlaced, ContractRefusal>> {
    const results = await Promise.all(
      commands.map(async (command) => this.#answerPlaced(pair, account, body, await this.#needs.submit(command))),
    );
    const joined = joinRungs(results.flatMap((result) => (result.ok ? [result.data] : [])));
    const refusals = results.flatMap((result, rung) => (result.ok ? [] : [{ rung, ...result.rejection }]));
    const [first] = refusals;
    if (joined === undefined) return refuse(first ?? UNKNOWN_CONTRACT);
    if (first === undefined) return answer(joined);
    return answer({ ...joined, refusals: refusals.map(({ rung, code, message }) => ({ rung, code, message })) });
  }

  async listOrders(
    userId: number,
    query: NumberedQuery & { readonly state: "open" | "plan" | "history"; readonly side?: "buy" | "sell" },
  ): Promise<Outcome<FuturesOrderPage, ContractRefusal>> {
    const found = await this.#page(userId, query);
    if (!found.ok) return found;
    const { views } = found.data;
    const filter: NumberedFilter = { ...found.data.filter, fromId: query.fromId };
    const owners = new Map(views.map((view) => [view.account, view]));
    let rows: OrderRow[];
    let stops: ReadonlyMap<number, StopRow>;
    /**
     * An account with open orders keeps its modes: they are read only for past rows, which may have been placed in
     * another mode.
     */
    let modes: readonly ModeRow[] | undefined;
    if (query.state === "history") {
      rows = views.length === 0 ? [] : await this.#store.listHistory({ ...filter, side: query.side });
      const found = await this.#store.findStops(rows.map(({ order_id }) => order_id));
      stops = new Map(found.map((stop) => [stop.order_id, stop]));
      modes = await this.#store.listModes(filter.accounts);
    } else {
      const fits = query.state === "open" ? isOpenOrder : isPlan;
      rows = views
        .flatMap(({ orders }) => [...orders.values()])
        .filter((row) => fits(row) && passes(row, filter, query.side))
        .sort(byTime(filter));
      stops = new Map(views.flatMap((view) => [...view.stops]));
    }
    const { shown, end } = cutPage(rows, filter.limit - 1);
    return answer({
      orders: shown.flatMap((row) => {
        const view = owners.get(row.account);
        if (view === undefined) return [];
        const isHedge = modes === undefined ? view.isHedge : wasHedge(modes, row);
        return describeOrder(this.#needs.pairs, row, view.owner, stops.get(row.order_id), isHedge) ?? [];
      }),
      next: end === undefined ? null : writePairCursor(end.created_sequence, end.order_id),
    });
  }

  async readOrder(userId: number, orderId: number, chosen: Chosen): Promise<Outcome<FuturesOrder, ContractRefusal>> {
    const views = await this.#needs.listViews(userId, choiceOf(chosen));
    const none = refuse({ ...UNKNOWN_ORDER, message: "Order not found." });
    if (views.length === 0) return none;
    const open = views.find((view) => view.orders.has(orderId));
    await this.#needs.settled(Math.max(...views.map(({ changedSequence }) => changedSequence)));
    const accounts = views.map(({ account }) => account);
    const row = open?.orders.get(orderId) ?? (await this.#store.findOrder(accounts, orderId));
    const view = views.find(({ account }) => account === row?.account);
    if (row === undefined || view === undefined) return none;
    const [stop] = await this.#store.findStops([orderId]);
    const isHedge = open === undefined ? wasHedge(await this.#store.listModes([row.account]), row) : view.isHedge;
    const order = describeOrder(this.#needs.pairs, row, view.owner, stop, isHedge);
    return order === undefined ? none : answer(order);
  }

  async readOrderByName(
    userId: number,
    clientOrderId: string,
    chosen: Chosen,
  ): Promise<Outcome<FuturesOrder, ContractRefusal>> {
    const views = await this.#needs.listViews(userId, choiceOf(chosen));
    const open = views
      .flatMap(({ orders }) => [...orders.values()])
      .find((one) => one.client_order_id === clientOrderId);
    let orderId = open?.order_id;
    if (orderId === undefined && views.length > 0) {
      await this.#needs.settled(Math.max(...views.map(({ changedSequence }) => changedSequence)));
      const accounts = views.map(({ account }) => account);
      orderId = (await this.#store.findOrderByName(accounts, clientOrderId))?.order_id;
    }
    if (orderId === undefined) return refuse({ ...UNKNOWN_ORDER, message: "Order not found." });
    return this.readOrder(userId, orderId, chosen);
  }

  async listFills(
    userId: number,
    query: NumberedQuery & { readonly orderId?: string },
  ): Promise<Outcome<FuturesFillPage, ContractRefusal>> {
    const found = await this.#page(userId, query);
    if (!found.ok) return found;
    const { views, filter } = found.data;
    if (views.length === 0) return answer({ fills: [], next: null });
    const orderId = query.orderId === undefined ? undefined : Number(query.orderId);
    const [before, after] = [readFillCursor(query.before), readFillCursor(query.after)];
    const rows = await this.#store.listFills({ ...filter, before, after, orderId, fromId: query.fromId });
    const { shown, end } = cutPage(rows, filter.limit - 1);
    const owners = new Map(views.map((view) => [view.account, view.owner]));
    const [modes, shapes] = await Promise.all([
      this.#store.listModes(filter.accounts),
      this.#store.readShapes([...new Set(shown.map(({ order_id }) => order_id))]),
    ]);
    const sides = new Map(shapes.map((one) => [one.order_id, sideOfHedge(one, wasHedge(modes, one))]));
    return answer({
      fills: shown.flatMap((row) => {
        const owner = owners.get(row.account);
        const fill = owner === undefined ? undefined : describeFill(this.#needs.pairs, row, owner);
        return fill === undefined ? [] : [{ ...fill, positionSide: sides.get(row.order_id) ?? "both" }];
      }),
      next: end === undefined ? null : writeFillCursor(end),
    });
  }

  async readFee(userId: number, chosen: Chosen): Promise<Outcome<FuturesFee, ContractRefusal>> {
    const [view] = await this.#needs.listViews(userId, choiceOf(chosen));
    const { level, makerRate, takerRate } = await this.#needs.readFee(userId, view?.account);
    return answer({ level, makerRate: rateText(makerRate), takerRate: rateText(takerRate) });
  }

  async readMaxOrder(
    userId: number,
    query: Chosen & { readonly pairCode: string; readonly price?: string },
  ): Promise<Outcome<MaxOrder, ContractRefusal>> {
    const choice = choiceOf(query);
    const pair = this.#needs.pairs.find(choice.biz, query.pairCode);
    if (pair === undefined) return refuse(UNKNOWN_CONTRACT);
    const ticks = query.price === undefined ? undefined : readPriceTicks(pair, query.price);
    if (query.price !== undefined && ticks === undefined) {
      const message = `price must be a multiple of ${priceText(pair, 1)} above zero.`;
      return refuse({ code: "INVALID_PRICE", status: 400, message, fields: { "query.price": message } });
    }
    const views = await this.#needs.listViews(userId, choice);
    const view = views.find(({ owner }) => owner.book !== "inverse" || owner.sub === pair.settle.asset);
    const room = await this.#needs.readRoom(view?.account, pair.market, ticks);
    const rows = [...(view?.orders.values() ?? [])].filter(({ market }) => market === pair.market);
    return answer({
      pairCode: pair.pairCode,
      price: priceText(pair, room.priceTicks),
      leverageLong: room.leverageLong,
      leverageShort: room.leverageShort,
      available: valueText(pair, room.freeUnits > 0n ? room.freeUnits : 0n),
      buyQuantity: quantityText(pair, room.buyLots),
      sellQuantity: quantityText(pair, room.sellLots),
      maxValueLong: valueText(pair, room.longCapUnits),
      maxValueShort: valueText(pair, room.shortCapUnits),
      minQuantity: quantityText(pair, pair.minLots),
      maxQuantity: quantityText(pair, pair.maxLots),
      maxMarketQuantity: quantityText(pair, pair.maxMarketLots),
      openOrders: rows.filter(isOpenOrder).length,
      openOrdersMax: pair.restingMax,
      plans: rows.filter(isPlan).length,
      plansMax: pair.conditionalMax,
    });
  }

  async #page(
    userId: number,
    query: PageQuery,
  ): Promise<Outcome<{ views: readonly TradingView[]; filter: PageFilter }, ContractRefusal>> {
    const choice = choiceOf(query);
    const pair = query.pairCode === undefined ? undefined : this.#needs.pairs.find(choice.biz, query.pairCode);
    if (query.pairCode !== undefined && pair === undefined) return refuse(UNKNOWN_CONTRACT);
    const views = await this.#needs.listViews(userId, choice);
    await this.#needs.settled(Math.max(0, ...views.map(({ changedSequence }) => changedSequence)));
    return answer({ views, filter: pageFilter(views, query, pair?.market) });
  }
}

export function pageFilter(views: readonly TradingView[], query: PageQuery, market: number | undefined): PageFilter {
  return {
    accounts: views.map(({ account }) => account),
    market,
    fromMs: query.from,
    toMs: query.to,
    before: readPairCursor(query.before),
    after: readPairCursor(query.after),
    limit: (query.limit ?? PAGE) + 1,
  };
}

function passes(row: OrderRow, filter: NumberedFilter, side: string | undefined): boolean {
  const { market, fromMs, toMs, before, after, fromId } = filter;
  if (market !== undefined && row.market !== market) return false;
  if (side !== undefined && row.side !== side) return false;
  if (fromMs !== undefined && row.created_ms < fromMs) return false;
  if (toMs !== undefined && row.created_ms > toMs) return false;
  if (fromId !== undefined && row.order_id < fromId) return false;
  const place = ([first, orderId]: readonly [number, number]): number =>
    row.created_sequence - first || row.order_id - orderId;
  return (before === undefined || place(before) < 0) && (after === undefined || place(after) > 0);
}

/** Newest first unless read forwards. */
function byTime({ after }: NumberedFilter): (left: OrderRow, right: OrderRow) => number {
  const way = after === undefined ? -1 : 1;
  return (left, right) => way * (left.created_sequence - right.created_sequence || left.order_id - right.order_id);
}
