// How single facts of an order look: its kind with its marks, its side, its trigger. Shared by tables, cards and details.

import { Badge } from "@clockwork/ui/pill";
import type { TradeOrder } from "#trade/trade-order.ts";
import { isTradeKey, type TradeText, useTradeText } from "#trade/trade-text.ts";
import { groupOf } from "./order-groups.ts";
import { showNumber } from "./orders-model.ts";

export function describeKind(text: TradeText, kind: string): string {
  const key = `kind.${kind}`;
  return isTradeKey(key) ? text(key) : kind;
}

export function describeOrderKind(text: TradeText, order: TradeOrder): string {
  if (order.slice !== undefined) return text("kind.slice");
  return describeKind(text, order.isIceberg ? "iceberg" : order.type);
}

/** Which part of its list an order is: "Take profit", "Stop". */
export function describeLeg(text: TradeText, order: TradeOrder): string {
  const key = `leg.${order.listLeg}`;
  return isTradeKey(key) ? text(key) : (order.listLeg ?? "");
}

export function describeStatus(text: TradeText, order: TradeOrder): string {
  return text(`status.${order.status}`);
}

export function describeEndReason(text: TradeText, reason: string): string {
  const key = `ended.${reason}`;
  return isTradeKey(key) ? text(key) : reason;
}

export function describeEnding(text: TradeText, order: TradeOrder): string | undefined {
  return order.endReason === null ? undefined : describeEndReason(text, order.endReason);
}

/** How an order stands, and in a few words why it ended where nobody asked for it. */
export function StatusCell({ order }: { readonly order: TradeOrder }) {
  const text = useTradeText();
  const key = `short.${order.endReason}`;
  if (!isTradeKey(key)) return describeStatus(text, order);
  return (
    <span className="block truncate" title={describeEnding(text, order)}>
      {describeStatus(text, order)} <span className="text-muted">· {text(key)}</span>
    </span>
  );
}

/** "OCO 0045", "Ladder 2/5", "3": which others an order belongs to. */
export function describeGroup(text: TradeText, order: TradeOrder, all: readonly TradeOrder[]): string | undefined {
  if (order.slice !== undefined) return text("group.slice", { number: order.slice.number });
  const group = groupOf(order, all);
  if (group === undefined) return undefined;
  if (group.kind === "list") return text("group.list", { mark: group.mark });
  return text("group.ladder", { place: group.place, count: group.count });
}

/** "2 of 6 slices, every 60 s". */
export function describeSchedule(text: TradeText, order: TradeOrder): string | undefined {
  if (order.schedule === undefined || order.schedule === null) return undefined;
  const { done, count, intervalSeconds } = order.schedule;
  return text("sliceProgress", { done, count, seconds: intervalSeconds });
}

/** "rises to 65,000.0", "callback 1%, now 64,350.0". */
export function describeTrigger(text: TradeText, order: TradeOrder): string {
  const parts: string[] = [];
  if (order.stopPrice !== null) {
    const way = order.triggerDirection === "falls" ? text("falls") : text("rises");
    parts.push(`${way} ${showNumber(order.stopPrice)}`);
  }
  if (order.callbackPercent !== null) parts.push(text("trailing", { percent: order.callbackPercent }));
  if (typeof order.currentTrigger === "string")
    parts.push(text("firesAt", { price: showNumber(order.currentTrigger) }));
  const schedule = describeSchedule(text, order);
  if (schedule !== undefined) parts.push(schedule);
  return parts.length === 0 ? "–" : parts.join(", ");
}

const NONE: readonly TradeOrder[] = [];

interface KindCellProps {
  readonly order: TradeOrder;
  /** All that is open, to say which belong together. */
  readonly all?: readonly TradeOrder[];
}

export function KindCell({ order, all = NONE }: KindCellProps) {
  const text = useTradeText();
  const isPlain =
    order.type === "market" || order.type === "twap" || order.slice !== undefined || order.listLeg !== null;
  const mark = order.postOnly ? text("postOnly") : isPlain ? undefined : order.timeInForce;
  const group = describeGroup(text, order, all);
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      {describeOrderKind(text, order)}
      {group !== undefined && <Badge>{group}</Badge>}
      {order.listLeg !== null && <Badge>{describeLeg(text, order)}</Badge>}
      {mark !== undefined && <Badge>{mark}</Badge>}
    </span>
  );
}

export function SideText({ side }: { readonly side: "buy" | "sell" }) {
  const text = useTradeText();
  return <span className={side === "buy" ? "text-up-text" : "text-down-text"}>{text(side)}</span>;
}
