// Use cases that change open orders: amend, cancel, cancel many and clear. Answers come from the commit. Never touches
// another user's order.

import type { MachineEvent } from "@clockwork/core/protocol/event";
import { answer, type Outcome, type RouteRejection, refuse } from "@clockwork/host/route";
import { priceText, quantityText, readPriceTicks, readQuantityLots } from "@clockwork/kit/instrument";
import { DEAD_MAN_MIN_MS } from "@clockwork/kit/order-bounds";
import { SECOND_MS } from "@clockwork/kit/time";
import type { MarketPair } from "../markets/pair.ts";
import { describeContractRefusal } from "../positions/contract-refusals.ts";
import type { ContractRefusal } from "../positions/refusals.ts";
import type { StopRow } from "../projectors/futures/futures-rows.ts";
import type { OrderRow } from "../projectors/rows/rows.ts";
import type { FuturesAmendBody, FuturesBiz, FuturesOrder } from "./contract.ts";
import type { FuturesNeeds, TradingView } from "./needs.ts";
import { describeOrder, isPlan } from "./rules.ts";
import { type Chosen, choiceOf, UNKNOWN_CONTRACT, UNKNOWN_ORDER } from "./service.ts";

const NO_CHANGE: RouteRejection<ContractRefusal> = {
  code: "INVALID_ORDER",
  status: 400,
  message: "Provide a price, a quantity or a trigger.",
  fields: { "body.price": "Provide a price, a quantity or a trigger." },
};

const TRIGGER_ALONE: RouteRejection<ContractRefusal> = {
  code: "INVALID_COMBINATION",
  status: 400,
  message: "Change the trigger of a stop on its own.",
  fields: { "body.stopPrice": "Change the trigger of a stop on its own." },
};

interface StandingOrder {
  readonly view: TradingView;
  readonly row: OrderRow;
  readonly pair: MarketPair;
}

const wrongField = (code: ContractRefusal, field: string, wanted: string): Outcome<never, ContractRefusal> => {
  const message = `${field} must be a ${wanted}.`;
  return refuse({ code, status: 400, message, fields: { [`body.${field}`]: message } });
};

const countEnded = (events: readonly MachineEvent[], account: number): number =>
  events.filter((event) => (event.kind === "orderEnded" || event.kind === "twapEnded") && event.account === account)
    .length;

export class FuturesChangeService {
  readonly #needs: FuturesNeeds;

  constructor({ needs }: { readonly needs: FuturesNeeds }) {
    this.#needs = needs;
  }

  async cancel(userId: number, orderId: number, chosen: Chosen): Promise<Outcome<FuturesOrder, ContractRefusal>> {
    const view = await this.#viewOf(userId, chosen, orderId);
    if (view === undefined) return refuse(UNKNOWN_ORDER);
    const row = view.orders.get(orderId) as OrderRow;
    const stop = view.stops.get(orderId);
    const ack = await this.#needs.submit({ kind: "cancelOrder", account: view.account, orderId });
    if (!ack.done) return refuse(describeContractRefusal(ack));
    // The row follows the commit: it now shows how the order ended.
    return this.#notify(view, row, stop);
  }

  /** Each separately; orders that are not the caller's open ones are not counted. */
  async cancelMany(
    userId: number,
    orderIds: readonly string[],
    chosen: Chosen,
  ): Promise<Outcome<{ canceled: number }, ContractRefusal>> {
    const results = await Promise.all(orderIds.map((orderId) => this.cancel(userId, Number(orderId), chosen)));
    return answer({ canceled: results.filter(({ ok }) => ok).length });
  }

  /** A smaller quantity at the same price keeps its priority; demo orders are cancelled and placed again. */
  async amend(
    userId: number,
    orderId: number,
    change: FuturesAmendBody,
  ): Promise<Outcome<FuturesOrder, ContractRefusal>> {
    const view = await this.#viewOf(userId, change, orderId);
    const row = view?.orders.get(orderId);
    const pair = row === undefined ? undefined : this.#needs.pairs.findMarket(row.market);
    if (view === undefined || row === undefined || pair === undefined) return refuse(UNKNOWN_ORDER);
    const ticks = (text: string | undefined) => (text === undefined ? 0 : readPriceTicks(pair, text));
    const [price, trigger] = [ticks(change.price), ticks(change.stopPrice)];
    const step = `multiple of ${priceText(pair, 1)} above zero`;
    if (price === undefined) return wrongField("INVALID_PRICE", "price", step);
    if (trigger === undefined) return wrongField("INVALID_TRIGGER", "stopPrice", step);
    const quantity = change.quantity === undefined ? 0 : readQuantityLots(pair, change.quantity);
    if (quantity === undefined) {
      return wrongField("INVALID_QUANTITY", "quantity", `multiple of ${quantityText(pair, 1)} above zero`);
    }
    if (trigger !== 0) {
      if (price !== 0 || quantity !== 0) return refuse(TRIGGER_ALONE);
      return this.#moveTrigger({ view, row, pair }, trigger);
    }
    if (price === 0 && quantity === 0) return refuse(NO_CHANGE);
    const stop = view.stops.get(orderId);
    // An unfilled exit of a bracket is changed through its list.
    const isExit = row.list_leg === "profit" && row.list_id !== null && row.filled_lots === 0n;
    const kind = isExit ? "amendPlan" : "amendOrder";
    const ack = await this.#needs.submit({ kind, account: view.account, orderId, price, quantity });
    if (!ack.done) return refuse(describeContractRefusal(ack, { pair }));
    return this.#notify(view, row, stop);
  }

  /** Changes the trigger of one stop or plan in place; its pair, part and id are unchanged. */
  async #moveTrigger(
    { view, row, pair }: StandingOrder,
    trigger: number,
  ): Promise<Outcome<FuturesOrder, ContractRefusal>> {
    const { account } = view;
    const { order_id: orderId } = row;
    const stop = view.stops.get(orderId);
    const kind = stop === undefined ? "amendPlan" : "moveStop";
    const ack = await this.#needs.submit({ kind, account, orderId, trigger });
    if (!ack.done) return refuse(describeContractRefusal(ack, { pair, fields: { TRIGGER_ALREADY_TRUE: "stopPrice" } }));
    return this.#notify(view, row, stop);
  }

  #notify(view: TradingView, row: OrderRow, stop: StopRow | undefined): Outcome<FuturesOrder, ContractRefusal> {
    const order = describeOrder(this.#needs.pairs, row, view.owner, stop, view.isHedge);
    return order === undefined ? refuse(UNKNOWN_ORDER) : answer(order);
  }

  async clear(
    userId: number,
    body: Chosen & { readonly pairCode?: string; readonly keepStops?: boolean; readonly plans?: boolean },
  ): Promise<Outcome<{ canceled: number }, ContractRefusal>> {
    const choice = choiceOf(body);
    const pair = body.pairCode === undefined ? undefined : this.#needs.pairs.find(choice.biz, body.pairCode);
    if (body.pairCode !== undefined && pair === undefined) return refuse(UNKNOWN_CONTRACT);
    const { keepStops = false, plans = true } = body;
    let canceled = 0;
    // High-frequency clients clear often: their account is not loaded into memory for it.
    for (const { account } of await this.#needs.listAccounts(userId, choice)) {
      const conditionals = plans && !keepStops;
      const ack = await this.#needs.submit({ kind: "cancelAll", account, market: pair?.market ?? -1, conditionals });
      if (!ack.done) return refuse(describeContractRefusal(ack));
      canceled += countEnded(ack.events, account);
      if (plans && keepStops) canceled += await this.#endPlans(await this.#needs.openView(account), pair?.market);
    }
    return answer({ canceled });
  }

  /** The core's own timer: it fires whether or not a client is connected. */
  async cancelAfter(
    userId: number,
    body: Chosen & { readonly pairCode?: string; readonly timeoutSeconds: number },
  ): Promise<Outcome<{ firesAtMs: number | null }, ContractRefusal>> {
    const choice = choiceOf(body);
    const pair = body.pairCode === undefined ? undefined : this.#needs.pairs.find(choice.biz, body.pairCode);
    if (body.pairCode !== undefined && pair === undefined) return refuse(UNKNOWN_CONTRACT);
    const timeoutMs = body.timeoutSeconds * SECOND_MS;
    if (timeoutMs !== 0 && timeoutMs < DEAD_MAN_MIN_MS) {
      return wrongField("INVALID_TIMEOUT", "timeoutSeconds", `number from ${DEAD_MAN_MIN_MS / SECOND_MS} on, or 0`);
    }
    let firesAtMs: number | null = null;
    for (const { account, book, sub } of await this.#needs.listAccounts(userId, choice)) {
      if (pair !== undefined && book === "inverse" && sub !== pair.settle.asset) continue;
      const ack = await this.#needs.submit({ kind: "setDeadMan", account, market: pair?.market ?? -1, timeoutMs });
      if (!ack.done) return refuse(describeContractRefusal(ack));
      const set = ack.events.find((event) => event.kind === "deadManSet");
      if (set?.kind === "deadManSet" && set.firesAt !== 0) firesAtMs = set.firesAt;
    }
    return answer({ firesAtMs });
  }

  /** The core ends all plans or none: when stops are kept, each of the others is ended separately. */
  async #endPlans(view: TradingView, market: number | undefined): Promise<number> {
    const { account, orders, stops } = view;
    const rows = [...orders.values()].filter(
      (row) => isPlan(row) && !stops.has(row.order_id) && (market ?? row.market) === row.market,
    );
    const acks = await Promise.all(
      rows.map((row) => this.#needs.submit({ kind: "cancelOrder", account, orderId: row.order_id })),
    );
    // One that fired or ended since is rejected and not counted.
    return acks.reduce((sum, ack) => sum + (ack.done ? countEnded(ack.events, account) : 0), 0);
  }

  /** The caller's account with this open order; another user's order is as unknown as one that never existed. */
  async #viewOf(userId: number, chosen: Chosen, orderId: number): Promise<TradingView | undefined> {
    const bizs: readonly FuturesBiz[] = chosen.biz === undefined ? ["futures", "delivery", "demo"] : [chosen.biz];
    for (const biz of bizs) {
      const views = await this.#needs.listViews(userId, { ...chosen, biz });
      const found = views.find((view) => view.orders.has(orderId));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
