// How single facts of an order look: its kind with its marks, its side, its trigger. Shared by tables, cards and details.

import { Badge } from "@clockwork/ui/pill";
import type { TradeOrder } from "#trade/trade-order.ts";
import { isTradeKey, type TradeSpeak, useTradeText } from "#trade/trade-text.ts";
import { showNumber } from "./orders-model.ts";

export function sayKind(text: TradeSpeak, kind: string): string {
  const key = `kind.${kind}`;
  return isTradeKey(key) ? text(key) : kind;
}

export function sayOrderKind(text: TradeSpeak, order: TradeOrder): string {
  return sayKind(text, order.isIceberg ? "iceberg" : order.type);
}

export function sayStatus(text: TradeSpeak, order: TradeOrder): string {
  return text(`status.${order.status}`);
}

export function sayEnding(text: TradeSpeak, order: TradeOrder): string | undefined {
  if (order.endReason === null) return undefined;
  const key = `ended.${order.endReason}`;
  return isTradeKey(key) ? text(key) : order.endReason;
}

/** "rises to 65,000.0", "callback 1%". */
export function sayTrigger(text: TradeSpeak, order: TradeOrder): string {
  const parts: string[] = [];
  if (order.stopPrice !== null) {
    const way = order.triggerDirection === "falls" ? text("falls") : text("rises");
    parts.push(`${way} ${showNumber(order.stopPrice)}`);
  }
  if (order.callbackPercent !== null) parts.push(text("trailing", { percent: order.callbackPercent }));
  return parts.length === 0 ? "–" : parts.join(", ");
}

export function KindCell({ order }: { readonly order: TradeOrder }) {
  const text = useTradeText();
  const mark = order.postOnly ? text("postOnly") : order.type === "market" ? undefined : order.timeInForce;
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      {sayOrderKind(text, order)}
      {mark !== undefined && <Badge>{mark}</Badge>}
    </span>
  );
}

export function SideText({ side }: { readonly side: "buy" | "sell" }) {
  const text = useTradeText();
  return <span className={side === "buy" ? "text-up-text" : "text-down-text"}>{text(side)}</span>;
}
