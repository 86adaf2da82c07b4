// Which dialog of the futures screens is open: set by form, rows, keys and the bar, shown by one host.
import { createStore } from "#live/store.ts";

export type FuturesDialog =
  | { readonly kind: "leverage" | "mode" | "transfer" | "calculator" }
  | { readonly kind: "close"; readonly positionId: string; readonly by: "market" | "limit" }
  | { readonly kind: "reverse" | "margin" | "stops" | "share"; readonly positionId: string };

export const openedDialog = createStore<FuturesDialog | undefined>(undefined);

export function openDialog(dialog: FuturesDialog): void {
  openedDialog.set(dialog);
}
