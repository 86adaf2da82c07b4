// The texts of the orders page, in the visitor's language.
import { type OrdersTextKey, ordersCatalogue } from "#locales/en-us-orders.ts";
import { defineTexts, type TextOf } from "./text.ts";

export type OrdersText = TextOf<OrdersTextKey>;

export const useOrdersText = defineTexts<OrdersTextKey>(
  ordersCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=orders", import: "default" }),
);

/** A word the server may have more of than we do. */
export function describeOrder(text: OrdersText, key: string, other: string): string {
  return Object.hasOwn(ordersCatalogue, key) ? text(key as OrdersTextKey) : other;
}
