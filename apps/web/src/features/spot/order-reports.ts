// The message after an order was sent: the exact effect, and a link to the order.

import type { PlacedOrder } from "@clockwork/trading/spot/contract";
import { isWaiting } from "#trade/order/form-kinds.ts";
import { notify } from "#trade/order/notices.ts";
import { describePlaced } from "#trade/orders/placed-notice.ts";
import { showOrder } from "#trade/orders/shown-order.ts";
import type { TradeText } from "#trade/trade-text.ts";
import type { FormState, FormWorld } from "./form-state.ts";

export function reportPlaced(text: TradeText, form: FormState, world: FormWorld, placed: PlacedOrder): void {
  const { base, priceDecimals, quantityDecimals } = world.pair;
  const sent = {
    side: form.side,
    isPlan: isWaiting(form.kind) || form.kind === "oco" || form.kind === "twap",
    quantity: form.texts.quantity,
    price: form.kind === "limit" ? form.texts.price : undefined,
    unit: base,
    priceDecimals,
    quantityDecimals,
  };
  notify({
    ...describePlaced(text, sent, placed),
    action: { label: text("toast.view"), onPress: () => showOrder(placed.orderId) },
  });
}
