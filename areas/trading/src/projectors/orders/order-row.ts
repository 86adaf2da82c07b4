// Owns the first row of an order, plan or TWAP, from its event. Pure; used by the fold that changes it.
import type { EventOf } from "@clockwork/core/protocol/event";
import type { OrderRow } from "../rows/rows.ts";

export type OrderEvent = EventOf<"orderAccepted" | "conditionalAccepted" | "twapStarted">;

export function makeOrderRow(
  event: OrderEvent,
  orderId: number,
  kind: OrderRow["kind"],
  quantity: number,
  state: string,
): OrderRow {
  return {
    order_id: orderId,
    kind,
    account: event.account,
    market: event.market,
    side: event.side,
    type: event.type,
    time_in_force: event.timeInForce,
    post_only: event.postOnly,
    self_trade: event.selfTrade,
    reduce_only: event.reduceOnly,
    iceberg: event.iceberg,
    in_quote: event.inQuote,
    price_ticks: event.price,
    quantity: BigInt(quantity),
    filled_lots: 0n,
    filled_units: 0n,
    state,
    end_reason: null,
    client_order_id: null,
    list_id: null,
    list_leg: null,
    trigger_ticks: null,
    trigger_source: null,
    trigger_direction: null,
    callback_bps: null,
    profit_ticks: null,
    stop_ticks: null,
    stop_limit_ticks: null,
    peak_ticks: null,
    slices_done: null,
    slice_count: null,
    slice_ms: null,
    visible_lots: null,
    expires_ms: null,
    parent_id: null,
    created_sequence: event.sequence,
    created_ms: event.time,
    updated_sequence: event.sequence,
    updated_ms: event.time,
  };
}

/** Zero means none, and a leg that is no entry has none of its own. */
export function exitsOf({ profitPrice, stopTrigger, stopPrice }: EventOf<"listLeg">): Partial<OrderRow> {
  const ticks = (price: number): number | null => (price === 0 ? null : price);
  return { profit_ticks: ticks(profitPrice), stop_ticks: ticks(stopTrigger), stop_limit_ticks: ticks(stopPrice) };
}
