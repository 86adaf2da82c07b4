// The message after an order was sent: the exact effect, and a link to the order.
import type { PlacedOrder } from "@clockwork/trading/spot/contract";
import { readServed, writeShown } from "#trade/order/exact.ts";
import { notify } from "#trade/order/notices.ts";
import { showOrder } from "#trade/orders/shown-order.ts";
import type { TradeText } from "#trade/trade-text.ts";
import type { FormState, FormWorld } from "./form-state.ts";

const PLANS: ReadonlySet<string> = new Set(["stopLimit", "stopMarket", "trailingStop", "oco", "twap"]);

function titleOf(text: TradeText, form: FormState, placed: PlacedOrder): string {
  const side = text(form.side);
  if (placed.isRepeat) return text("toast.repeat");
  if (placed.status === "FILLED") return text("toast.filled", { side });
  if (readServed(placed.filledQuantity).units > 0n) return text("toast.partly", { side });
  return PLANS.has(form.kind) ? text("toast.planned") : text("toast.placed", { side });
}

export function reportPlaced(text: TradeText, form: FormState, world: FormWorld, placed: PlacedOrder): void {
  const { pair } = world;
  const filled = readServed(placed.filledQuantity);
  const wanted = readServed(form.texts.quantity);
  const quantity = `${writeShown(filled.units > 0n ? filled : wanted, pair.quantityDecimals)} ${pair.base}`;
  const at = placed.averagePrice ?? (form.kind === "limit" ? form.texts.price : undefined);
  const detail = at === undefined ? quantity : `${quantity} @ ${writeShown(readServed(at), pair.priceDecimals)}.`;
  notify({
    title: titleOf(text, form, placed),
    detail,
    action: { label: text("toast.view"), onPress: () => showOrder(placed.orderId) },
  });
}
