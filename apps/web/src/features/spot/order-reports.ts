// The message after an order was sent: the exact effect, and a link to the order.
import type { PlacedOrder } from "@clockwork/trading/spot/contract";
import { notify } from "#trade/order/notices.ts";
import { describePlaced } from "#trade/orders/placed-notice.ts";
import { showOrder } from "#trade/orders/shown-order.ts";
import type { TradeText } from "#trade/trade-text.ts";
import type { FormState, FormWorld } from "./form-state.ts";

const PLANS: ReadonlySet<string> = new Set(["stopLimit", "stopMarket", "trailingStop", "oco", "twap"]);

export function reportPlaced(text: TradeText, form: FormState, world: FormWorld, placed: PlacedOrder): void {
  const { base, priceDecimals, quantityDecimals } = world.pair;
  const sent = {
    side: form.side,
    isPlan: PLANS.has(form.kind),
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
