// What a notice says of an order that was sent: filled, resting, or ended at once with its reason. Pure.
import type { ToastTone } from "@clockwork/ui/toast";
import { describeEndReason } from "#trade/orders/order-cells.tsx";
import type { TradeSide } from "#trade/trade-order.ts";
import type { TradeText } from "#trade/trade-text.ts";
import { readServed, writeShown } from "../order/exact.ts";

export interface PlacedOutcome {
  readonly status: string;
  readonly endReason?: string;
  readonly filledQuantity: string;
  readonly averagePrice: string | null;
  readonly isRepeat: boolean;
}

export interface SentOrder {
  readonly side: TradeSide;
  readonly isPlan: boolean;
  /** As typed. */
  readonly quantity: string;
  /** Of a limit order. */
  readonly price: string | undefined;
  /** The coin or unit quantities are in; nothing for contracts. */
  readonly unit: string;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
}

function titleOf(text: TradeText, sent: SentOrder, placed: PlacedOutcome, isTouched: boolean): string {
  const side = text(sent.side);
  if (placed.isRepeat) return text("toast.repeat");
  if (placed.status === "FILLED") return text("toast.filled", { side });
  if (placed.endReason !== undefined) return text(isTouched ? "toast.partlyEnded" : "toast.notFilled", { side });
  if (isTouched) return text("toast.partly", { side });
  return sent.isPlan ? text("toast.planned") : text("toast.placed", { side });
}

export function describePlaced(
  text: TradeText,
  sent: SentOrder,
  placed: PlacedOutcome,
): { readonly title: string; readonly detail: string; readonly tone: ToastTone } {
  const filled = readServed(placed.filledQuantity);
  const isTouched = filled.units > 0n;
  const isEnded = placed.endReason !== undefined && !placed.isRepeat && placed.status !== "FILLED";
  const quantity = writeShown(isTouched ? filled : readServed(sent.quantity), sent.quantityDecimals);
  const size = sent.unit === "" ? quantity : `${quantity} ${sent.unit}`;
  const at = placed.averagePrice ?? sent.price;
  const traded = at === undefined ? size : `${size} @ ${writeShown(readServed(at), sent.priceDecimals)}`;
  const reason = isEnded ? describeEndReason(text, placed.endReason) : undefined;
  return {
    title: titleOf(text, sent, placed, isTouched),
    detail: reason === undefined ? traded : isTouched ? `${traded}. ${reason}` : reason,
    tone: isEnded ? "warn" : "done",
  };
}
