// How single facts of an order look: its kind with its marks, its side, its trigger. Shared by tables, cards and details.
import type { SpotOrder } from "@clockwork/domains/spot/api";
import { Badge } from "@clockwork/ui/pill";
import { showNumber } from "./orders-model.ts";
import { isSpotKey, type SpotSpeak, useSpotText } from "../../features/spot/spot-text.ts";

export function sayKind(text: SpotSpeak, order: SpotOrder): string {
  if (order.isIceberg) return text("kind.iceberg");
  const key = `kind.${order.type}`;
  return isSpotKey(key) ? text(key) : order.type;
}

export function sayStatus(text: SpotSpeak, order: SpotOrder): string {
  return text(`status.${order.status}`);
}

export function sayEnding(text: SpotSpeak, order: SpotOrder): string | undefined {
  if (order.endReason === null) return undefined;
  const key = `ended.${order.endReason}`;
  return isSpotKey(key) ? text(key) : order.endReason;
}

/** "rises to 65,000.0", "callback 1%". */
export function sayTrigger(text: SpotSpeak, order: SpotOrder): string {
  const parts: string[] = [];
  if (order.stopPrice !== null) {
    const way = order.triggerDirection === "falls" ? text("falls") : text("rises");
    parts.push(`${way} ${showNumber(order.stopPrice)}`);
  }
  if (order.callbackPercent !== null) parts.push(text("trailing", { percent: order.callbackPercent }));
  return parts.length === 0 ? "–" : parts.join(", ");
}

export function KindCell({ order }: { readonly order: SpotOrder }) {
  const text = useSpotText();
  const mark = order.postOnly ? text("postOnly") : order.type === "market" ? undefined : order.timeInForce;
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      {sayKind(text, order)}
      {mark !== undefined && <Badge>{mark}</Badge>}
    </span>
  );
}

export function SideText({ side }: { readonly side: "buy" | "sell" }) {
  const text = useSpotText();
  return <span className={side === "buy" ? "text-up-text" : "text-down-text"}>{text(side)}</span>;
}
