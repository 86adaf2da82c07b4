// Own orders and fills as rows: which are shown, their cells, and the content of an export. Pure; independent of
// screens.

import { groupThousands } from "@clockwork/kit/decimal";
import { DAY_MS, formatDateTime } from "@clockwork/kit/time";
import type { readTimezone } from "@clockwork/kit/timezone";
import { type Decimal, divideFloor, floorTo, multiply, readServed, writeShown } from "#trade/order/exact.ts";
import { goldFeeOf, isPlan, type TradeFill, type TradeOrder } from "#trade/trade-order.ts";
import type { TradeText } from "#trade/trade-text.ts";

export const ORDERS_TABS = ["open", "plan", "history", "fills"] as const;
export type OrdersTab = (typeof ORDERS_TABS)[number];
export function isOrdersTab(tab: string): tab is OrdersTab {
  return (ORDERS_TABS as readonly string[]).includes(tab);
}

export type Zone = ReturnType<typeof readTimezone>;

export interface OrderFilters {
  readonly pairCode: string | undefined;
  readonly side: "all" | "buy" | "sell";
  /** A kind on the wire, or all. */
  readonly type: string;
  readonly span: "all" | "day" | "week" | "month";
}

export const NO_FILTERS: OrderFilters = { pairCode: undefined, side: "all", type: "all", span: "all" };

const SPAN_DAYS = { day: 1, week: 7, month: 30 } as const;

/** The start of the selected time span; nothing for all of it. */
export function spanStart(filters: OrderFilters, nowMs: number): number | undefined {
  return filters.span === "all" ? undefined : nowMs - SPAN_DAYS[filters.span] * DAY_MS;
}

export function keepOrders(orders: readonly TradeOrder[], filters: OrderFilters, nowMs: number): readonly TradeOrder[] {
  const fromMs = spanStart(filters, nowMs);
  return orders.filter(
    (order) =>
      (filters.pairCode === undefined || order.pairCode === filters.pairCode) &&
      (filters.side === "all" || order.side === filters.side) &&
      (filters.type === "all" || order.type === filters.type) &&
      (fromMs === undefined || order.createdAtMs >= fromMs),
  );
}

export function keepFills(fills: readonly TradeFill[], filters: OrderFilters, nowMs: number): readonly TradeFill[] {
  const fromMs = spanStart(filters, nowMs);
  return fills.filter(
    (fill) =>
      (filters.pairCode === undefined || fill.pairCode === filters.pairCode) &&
      (filters.side === "all" || fill.side === filters.side) &&
      (fromMs === undefined || fill.timeMs >= fromMs),
  );
}

/** Fetched pages and what arrived since, each order once, newest first; what arrived last is right. */
export function mergeOrders(fetched: readonly TradeOrder[], live: readonly TradeOrder[]): readonly TradeOrder[] {
  const byId = new Map(fetched.map((order) => [order.orderId, order]));
  for (const order of live) {
    const known = byId.get(order.orderId);
    if (known === undefined || known.updatedAtMs <= order.updatedAtMs) byId.set(order.orderId, order);
  }
  return [...byId.values()].sort(
    (left, right) => right.createdAtMs - left.createdAtMs || Number(right.orderId) - Number(left.orderId),
  );
}

/** Served text for display, with at least the given decimals; a dash where there is none. */
export function showNumber(text: string | null | undefined, decimals = 0): string {
  if (text === null || text === undefined) return "–";
  const point = text.indexOf(".");
  const places = point === -1 ? 0 : text.length - point - 1;
  return places >= decimals ? groupThousands(text) : writeShown(readServed(text), decimals);
}

/** How much of it is done, whole per cent, cut. An order by amount is done when less than a step was left of it. */
export function filledPercent(order: TradeOrder): string {
  if (order.status === "FILLED") return "100%";
  const [part, whole] =
    order.quantity === null
      ? [readServed(order.filledAmount), readServed(order.amount ?? undefined)]
      : [readServed(order.filledQuantity), readServed(order.quantity)];
  if (whole.units === 0n) return "0%";
  return `${divideFloor(multiply(part, { units: 100n, scale: 0 }), whole, 0).units}%`;
}

/** The requested quantity; for an order by amount the filled quantity, or the amount itself before any fill. */
export function orderAmount(order: TradeOrder, valueAsset: string): string {
  if (order.quantity !== null) return showNumber(order.quantity);
  if (readServed(order.filledQuantity).units > 0n) return showNumber(order.filledQuantity);
  return order.amount === null ? "–" : `${showNumber(order.amount, 2)} ${valueAsset}`;
}

/** Orders that end when this one is cancelled: the other legs of its list. */
export function endsWith(order: TradeOrder, all: readonly TradeOrder[]): readonly TradeOrder[] {
  if (order.listId === null) return [];
  return all.filter((one) => one.listId === order.listId && one.orderId !== order.orderId);
}

export const CLEAR_SCOPES = ["orders", "plans", "all"] as const;
export type ClearScope = (typeof CLEAR_SCOPES)[number];

/** Which orders are to be cancelled at once. */
export interface ClearChoice {
  readonly scope: ClearScope;
  /** Of this instrument alone. */
  readonly pairCode: string | undefined;
}

export function isCleared(order: TradeOrder, { scope, pairCode }: ClearChoice): boolean {
  const isMeant = scope === "all" || isPlan(order) === (scope === "plans");
  return isMeant && (pairCode === undefined || order.pairCode === pairCode);
}

export function countCleared(all: readonly TradeOrder[], choice: ClearChoice): number {
  return all.filter((order) => isCleared(order, choice)).length;
}

/** The total of the order in the quote coin: at its price, or as requested, or as filled. */
export function orderTotal(order: TradeOrder): string {
  if (order.amount !== null) return showNumber(order.amount, 2);
  const price = order.price ?? order.stopPrice;
  if (order.quantity === null || price === null) {
    return readServed(order.filledAmount).units === 0n ? "–" : showNumber(order.filledAmount, 2);
  }
  return writeShown(floorTo(multiply(readServed(price), readServed(order.quantity)), 8), 2);
}

/** The prices of the exits that belong to an order: its own, or those of the other legs of its list. */
export function exitsOf(order: TradeOrder, all: readonly TradeOrder[]): string {
  if (order.listId === null) return "–";
  const legs = all.filter((one) => one.listId === order.listId && one.orderId !== order.orderId);
  const profit = order.takeProfitPrice ?? legs.find((leg) => leg.listLeg === "profit")?.price ?? undefined;
  const stop = order.stopLossPrice ?? legs.find((leg) => leg.listLeg === "stop")?.stopPrice ?? undefined;
  return profit === undefined && stop === undefined ? "–" : `${showNumber(profit)} / ${showNumber(stop)}`;
}

/** "03-18 14:21:40", as narrow tables have it. */
export function shortTime(timeMs: number, zone: Zone): string {
  return formatDateTime(timeMs, zone).slice(5);
}

export const ORDER_EXPORT_HEAD = [
  "Time",
  "Pair",
  "Type",
  "Side",
  "Price",
  "Trigger",
  "Amount",
  "Filled",
  "Average",
  "Filled total",
  "Status",
  "Reason",
  "Order",
  "Client id",
] as const;

/** Plain figures for spreadsheets: no grouping, full precision, times as written everywhere. */
export function orderExport(order: TradeOrder, zone: Zone, pair: string): readonly string[] {
  return [
    formatDateTime(order.createdAtMs, zone),
    pair,
    order.type,
    order.side,
    order.price ?? "",
    order.stopPrice ?? "",
    order.quantity ?? "",
    order.filledQuantity,
    order.averagePrice ?? "",
    order.filledAmount,
    order.status,
    order.endReason ?? "",
    order.orderId,
    order.clientOrderId ?? "",
  ];
}

export const FILL_EXPORT_HEAD = [
  "Time",
  "Pair",
  "Side",
  "Role",
  "Price",
  "Amount",
  "Total",
  "Fee",
  "Fee asset",
  "Trade",
  "Order",
  "Fee paid by gold",
] as const;

export function fillExport(fill: TradeFill, zone: Zone, pair: string): readonly string[] {
  return [
    formatDateTime(fill.timeMs, zone),
    pair,
    fill.side,
    fill.role,
    fill.price,
    fill.quantity,
    fill.amount,
    fill.fee,
    fill.feeAsset,
    String(fill.tradeId),
    fill.orderId,
    goldFeeOf(fill) ?? "0",
  ];
}

/** "0.38 USDT", and what of it gold paid. */
export function formatFee(text: TradeText, fill: TradeFill, places = 0): string {
  const gold = goldFeeOf(fill);
  const fee = `${showNumber(fill.fee, places)} ${fill.feeAsset}`;
  return gold === undefined ? fee : `${fee}, ${text("goldPaid", { amount: showNumber(gold, places) })}`;
}

/** Sums for the foot of the table: "63,380.10". */
export function showHeld(amount: Decimal): string {
  return writeShown(floorTo(amount, 8), 2);
}
