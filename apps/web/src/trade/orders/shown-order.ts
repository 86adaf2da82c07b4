// The order whose details are shown: set by notices and rows, read by the orders panel.
import { createStore } from "#live/store.ts";

export const shownOrder = createStore<string | undefined>(undefined);

export function showOrder(orderId: string | undefined): void {
  shownOrder.set(orderId);
}
