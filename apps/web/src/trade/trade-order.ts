// Orders and fills as every terminal shows them. A product's own rows have these fields and may have more; a field a
// product does not have is null.
import type { FillRow, OrderRow } from "#live/feeds/own-feeds.ts";

export type TradeSide = "buy" | "sell";

export type OrderStatus =
  | "PENDING_TRIGGER"
  | "NEW"
  | "PARTIALLY_FILLED"
  | "FILLED"
  | "CANCELED"
  | "EXPIRED"
  | "EXPIRED_STP"
  | "REJECTED";

export interface TradeOrder extends OrderRow {
  readonly clientOrderId: string | null;
  readonly pairCode: string;
  readonly side: TradeSide;
  /** As placed: limit, market, stopLimit … */
  readonly type: string;
  readonly timeInForce: string;
  readonly postOnly: boolean;
  readonly isIceberg: boolean;
  readonly price: string | null;
  /** Null for an order by amount. */
  readonly quantity: string | null;
  readonly amount: string | null;
  readonly filledQuantity: string;
  readonly filledAmount: string;
  readonly averagePrice: string | null;
  readonly status: OrderStatus;
  readonly endReason: string | null;
  readonly stopPrice: string | null;
  readonly triggerDirection: string | null;
  readonly callbackPercent: string | null;
  /** Where a trailing stop that follows the price would fire now. */
  readonly currentTrigger?: string | null;
  /** A slicer's slices: those that ran, all of them, and the time between two. */
  readonly schedule?: { readonly done: number; readonly count: number; readonly intervalSeconds: number } | null;
  /** Of a TWAP's slice: the order it belongs to, and its number there. */
  readonly slice?: { readonly twapId: string; readonly number: number };
  readonly takeProfitPrice: string | null;
  readonly stopLossPrice: string | null;
  /** Orders of one list, an OCO or an entry with its exits, share it. */
  readonly listId: string | null;
  readonly listLeg: string | null;
}

export interface TradeFill extends FillRow {
  readonly side: TradeSide;
  readonly role: "maker" | "taker";
  readonly price: string;
  readonly quantity: string;
  readonly amount: string;
  /** What was charged, whichever account paid it. */
  readonly fee: string;
  readonly feeAsset: string;
  /** Of contracts: what of the fee almighty gold bore. */
  readonly goldFee?: string;
}

/** What gold bore of a fill's fee; nothing where it bore none. */
export function goldFeeOf({ goldFee }: Pick<TradeFill, "goldFee">): string | undefined {
  return goldFee === undefined || /^0(?:\.0*)?$/.test(goldFee) ? undefined : goldFee;
}

/** Plans wait for a price or work off a schedule; everything else rests in the book. */
export function isPlan(order: TradeOrder): boolean {
  return order.status === "PENDING_TRIGGER" || order.type === "twap";
}

/** A resting limit order may get another price or quantity; everything else is cancelled and placed anew. */
export function canAmend(order: TradeOrder): boolean {
  return order.type === "limit" && (order.status === "NEW" || order.status === "PARTIALLY_FILLED");
}

/** A plan that waits for a price may get another one; a schedule that runs may not. */
export function canAmendPlan(order: TradeOrder): boolean {
  return order.status === "PENDING_TRIGGER" && order.type !== "twap";
}
