// Owns what events mean for orders, plans and TWAPs. Pure: stored rows come in, changed rows go out. Must give the same
// rows however the events are cut into batches, as long as a command stays whole.
import type { EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import { endState } from "@clockwork/core/protocol/names";
import type { LedgerFacts } from "@clockwork/host/projector";
import type { OrderRow } from "../rows/rows.ts";
import { fillValue } from "./fills.ts";
import type { AmendmentRow, PreventedRow } from "./order-events.ts";
import { exitsOf, makeOrderRow, type OrderEvent } from "./order-row.ts";

/** Where the rows are that the events change. */
export interface OrderRows {
  find(account: number, orderId: number): OrderRow | undefined;
  /** False when the account's orders are not stored. */
  add(row: OrderRow): boolean;
}

export class OrderFold {
  readonly #facts: LedgerFacts;
  readonly #rows: OrderRows;
  readonly #firstSequence: number;
  /** Those that began here too, each once, in the order of their first change. */
  readonly changed: OrderRow[] = [];
  readonly amendments: AmendmentRow[] = [];
  readonly prevented: PreventedRow[] = [];

  #lastBegun: OrderRow | undefined;

  constructor(facts: LedgerFacts, rows: OrderRows, firstSequence: number) {
    this.#facts = facts;
    this.#rows = rows;
    this.#firstSequence = firstSequence;
  }

  apply(event: MachineEvent): void {
    switch (event.kind) {
      case "orderAccepted":
        this.#addOrder(event);
        break;
      case "conditionalAccepted":
        this.#addConditional(event);
        break;
      case "twapStarted":
        this.#addTwap(event);
        break;
      case "orderEnded":
        this.#endOrder(event);
        break;
      case "orderAmended":
        this.#amendOrder(event);
        break;
      case "trade":
        this.#addTrade(event);
        break;
      case "selfTradePrevented":
        this.#prevent(event);
        this.#decrement(event);
        break;
      case "clientOrderId":
        this.#change(event, event.orderId, { client_order_id: event.clientOrderId });
        break;
      case "icebergShown":
        this.#change(event, event.orderId, { visible_lots: event.lots });
        break;
      case "expirySet":
        this.#change(event, event.orderId, { expires_ms: event.expiresAt });
        break;
      case "rejected":
        this.#rejectTriggered(event);
        break;
      case "conditionalTriggered":
        this.#change(event, event.orderId, { state: "TRIGGERED" });
        break;
      case "conditionalAmended":
        this.#change(event, event.orderId, {
          price_ticks: event.price,
          quantity: BigInt(event.quantity),
          trigger_ticks: event.trigger,
          callback_bps: event.callbackBps,
        });
        break;
      case "trailingActivated":
      case "trailingMoved":
        this.#change(event, event.orderId, { peak_ticks: event.observed });
        break;
      case "listLeg":
        this.#change(event, event.orderId, { list_id: event.list, list_leg: event.leg, ...exitsOf(event) });
        break;
      case "twapSlice":
        this.#fillTwap(event);
        break;
      case "twapEnded":
        this.#endTwap(event);
        break;
      default:
        // The rest is not stored in a table: depth, clocks, refusals, switches, prices.
        break;
    }
  }

  #newOrder(event: OrderEvent, orderId: number, kind: OrderRow["kind"], quantity: number, state: string): OrderRow {
    const row = makeOrderRow(event, orderId, kind, quantity, state);
    if (this.#rows.add(row)) this.changed.push(row);
    return row;
  }

  /** A fired plan continues under its own id and keeps how it was placed. */
  #addOrder(event: EventOf<"orderAccepted">): void {
    const plan = this.#rows.find(event.account, event.orderId);
    if (plan === undefined) this.#lastBegun = this.#newOrder(event, event.orderId, "order", event.quantity, "NEW");
    else {
      const quantity = BigInt(event.quantity);
      this.#change(event, event.orderId, { kind: "order", state: "NEW", price_ticks: event.price, quantity });
    }
  }

  /** A triggered plan that could not become an order. */
  #rejectTriggered(event: EventOf<"rejected">): void {
    this.#lastBegun = undefined;
    if (event.orderId === 0 || this.#rows.find(event.account, event.orderId)?.state !== "TRIGGERED") return;
    this.#change(event, event.orderId, { state: "REJECTED", end_reason: event.code });
  }

  #addConditional(event: EventOf<"conditionalAccepted">): void {
    const row = this.#newOrder(event, event.orderId, "conditional", event.quantity, "PENDING_TRIGGER");
    row.type = event.conditionalType;
    row.trigger_ticks = event.trigger;
    row.trigger_source = event.source;
    row.trigger_direction = event.direction;
    row.callback_bps = event.callbackBps;
    row.peak_ticks = event.peak === 0 ? null : event.peak;
  }

  #addTwap(event: EventOf<"twapStarted">): void {
    const row = this.#newOrder(event, event.twap, "twap", event.lots, "NEW");
    row.type = "twap";
    row.slices_done = 0;
    row.slice_count = event.intervals;
    row.slice_ms = event.intervalMs;
  }

  #change(event: EventHead, orderId: number, members: Partial<OrderRow>): void {
    const row = this.#rows.find(event.account, orderId);
    if (row === undefined) return;
    Object.assign(row, members);
    this.#touch(row, event);
  }

  #touch(row: OrderRow, event: Pick<EventHead, "sequence" | "time">): void {
    // Every change carries its sequence: an older row has not been changed here yet.
    if (row.updated_sequence < this.#firstSequence) this.changed.push(row);
    row.updated_sequence = event.sequence;
    row.updated_ms = event.time;
  }

  #endOrder(event: EventOf<"orderEnded">): void {
    const row = this.#rows.find(event.account, event.orderId);
    if (row === undefined) return;
    row.state = endState(event.reason);
    row.end_reason = event.reason;
    this.#touch(row, event);
  }

  #amendOrder(event: EventOf<"orderAmended">): void {
    const row = this.#rows.find(event.account, event.orderId);
    const quantity = BigInt(event.lots) + (row?.filled_lots ?? 0n);
    if (row !== undefined) {
      this.amendments.push({
        order_id: event.orderId,
        sequence: event.sequence,
        time_ms: event.time,
        price_before: row.price_ticks ?? event.price,
        price_after: event.price,
        lots_before: row.quantity,
        lots_after: quantity,
      });
    }
    this.#change(event, event.orderId, { price_ticks: event.price, quantity });
  }

  #fillTwap(event: EventOf<"twapSlice">): void {
    const row = this.#rows.find(event.account, event.twap);
    if (row === undefined) return;
    const slice = this.#takeSlice(event);
    if (slice !== undefined) Object.assign(slice, { parent_id: event.twap, slices_done: event.slice });
    const filled = row.filled_lots + BigInt(event.filledLots);
    const units = row.filled_units + (slice?.filled_units ?? 0n);
    const state = filled > 0n ? "PARTIALLY_FILLED" : row.state;
    this.#change(event, event.twap, { filled_lots: filled, filled_units: units, slices_done: event.slice, state });
  }

  /** A slice's order is the last its account began by the same command; a rejected one began none. */
  #takeSlice({ account, sequence }: EventOf<"twapSlice">): OrderRow | undefined {
    const begun = this.#lastBegun;
    this.#lastBegun = undefined;
    return begun?.account === account && begun.created_sequence === sequence ? begun : undefined;
  }

  #endTwap(event: EventOf<"twapEnded">): void {
    const state = event.leftLots === 0 ? "FILLED" : endState(event.reason);
    this.#change(event, event.twap, { state, end_reason: event.reason });
  }

  #addTrade(event: EventOf<"trade">): void {
    const { takerOrderId, makerOrderId, account, makerAccount, takerSide } = event;
    this.#fillOrder(event, account, takerOrderId, takerSide === "sell", event.takerDone);
    this.#fillOrder(event, makerAccount, makerOrderId, takerSide === "buy", event.makerDone);
  }

  #fillOrder(event: EventOf<"trade">, account: number, orderId: number, isSell: boolean, isDone: boolean): void {
    const row = this.#rows.find(account, orderId);
    if (row === undefined) return;
    // An amount in quote always reports its end; until then the state is the one it most often ends in.
    const isFilled = isDone || row.in_quote;
    row.filled_lots += BigInt(event.lots);
    row.filled_units += BigInt(fillValue(this.#facts.markets.get(event.market), event.lots, event.price, isSell));
    row.state = isFilled ? "FILLED" : "PARTIALLY_FILLED";
    this.#touch(row, event);
  }

  #prevent(event: EventOf<"selfTradePrevented">): void {
    const before = this.prevented.at(-1);
    this.prevented.push({
      sequence: event.sequence,
      place: before?.sequence === event.sequence ? before.place + 1 : 0,
      time_ms: event.time,
      market: event.market,
      mode: event.mode,
      taker_order: event.takerOrderId,
      maker_order: event.makerOrderId,
      price_ticks: event.price,
      lots: BigInt(event.lots),
    });
  }

  /** In this mode both orders shrink by the overlap without a trade. */
  #decrement(event: EventOf<"selfTradePrevented">): void {
    if (event.mode !== "DECREMENT") return;
    const sides = [
      [event.account, event.takerOrderId],
      [event.makerAccount, event.makerOrderId],
    ] as const;
    for (const [account, orderId] of sides) {
      const row = this.#rows.find(account, orderId);
      if (row === undefined || row.in_quote) continue;
      row.quantity -= BigInt(event.lots);
      this.#touch(row, event);
    }
  }
}

interface EventHead {
  readonly account: number;
  readonly sequence: number;
  readonly time: number;
}
