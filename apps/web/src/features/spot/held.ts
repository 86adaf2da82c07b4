// What open spot orders hold, by asset. Pure.
import { add, type Decimal, multiply, readServed, subtract, ZERO } from "#trade/order/exact.ts";
import type { TradeOrder } from "#trade/trade-order.ts";

/** Quote for buys, base for sells. Plans hold only what they sell. */
export function sumHeld(orders: readonly TradeOrder[]): ReadonlyMap<string, Decimal> {
  const held = new Map<string, Decimal>();
  for (const order of orders) {
    const left = subtract(readServed(order.quantity ?? undefined), readServed(order.filledQuantity));
    if (order.quantity === null || left.units <= 0n || order.type === "twap") continue;
    const isWaiting = order.status === "PENDING_TRIGGER";
    if (order.side === "buy" && (isWaiting || order.price === null)) continue;
    // The legs of a list share one hold.
    if (isWaiting && order.listId !== null) continue;
    const [base = "", quote = ""] = order.pairCode.split("_");
    const [asset, amount] =
      order.side === "sell" ? [base, left] : [quote, multiply(left, readServed(order.price ?? undefined))];
    held.set(asset, add(held.get(asset) ?? ZERO, amount));
  }
  return held;
}
