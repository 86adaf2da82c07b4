// Which confirmations the user wants before an order is sent, kept in this browser for each product. A broken or
// missing setting means: confirm.
import { PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";
import { useSyncExternalStore } from "react";
import { createStore, type Store } from "#live/store.ts";
import { type KeptSetting, readKept, sameShape, writeKept } from "#session/kept-setting.ts";
import { useProduct } from "#trade/product.ts";

export interface Asking {
  /** Orders and cancels are sent without asking. */
  readonly oneClick: boolean;
  /** Kinds the user chose not to confirm again. */
  readonly unasked: readonly string[];
  /** Single orders are cancelled without asking. */
  readonly unaskedCancel: boolean;
  /** Orders dragged on the chart are changed without asking. */
  readonly unaskedAmend: boolean;
  /** What a press on a level of the book brings into the form. */
  readonly bookPick: BookPick;
}

/** The price alone, or also the amount up to the level as far as it can be paid. */
export const BOOK_PICKS = ["price", "affordable"] as const;
export type BookPick = (typeof BOOK_PICKS)[number];

const ASK_ALWAYS: Asking = {
  oneClick: false,
  unasked: [],
  unaskedCancel: false,
  unaskedAmend: false,
  bookPick: "affordable",
};

function checkAsking(value: unknown): Asking | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const kept = value as Partial<Record<keyof Asking, unknown>>;
  const unasked: readonly unknown[] = Array.isArray(kept.unasked) ? kept.unasked : [];
  return {
    oneClick: kept.oneClick === true,
    unasked: unasked.filter((kind): kind is string => typeof kind === "string"),
    unaskedCancel: kept.unaskedCancel === true,
    unaskedAmend: kept.unaskedAmend === true,
    bookPick: kept.bookPick === "price" ? "price" : "affordable",
  };
}

function settingOf(biz: string): KeptSetting<Asking> {
  return { key: `${PRODUCT_SHORT_NAME}_${biz}_asking`, steps: [sameShape], check: checkAsking };
}

const stores = new Map<string, Store<Asking>>();

/** Browser only: the same for every panel of the page. */
export function askingOf(biz: string): Store<Asking> {
  const store = stores.get(biz) ?? createStore(readKept(settingOf(biz)) ?? ASK_ALWAYS);
  stores.set(biz, store);
  return store;
}

export function changeAsking(biz: string, change: Partial<Asking>): void {
  const store = askingOf(biz);
  store.set({ ...store.get(), ...change });
  writeKept(settingOf(biz), store.get());
}

export function isAsked(asking: Asking, kind: string): boolean {
  return !asking.oneClick && !asking.unasked.includes(kind);
}

/** As React state. Before hydration: always confirm. */
export function useAsking(): Asking {
  const { biz } = useProduct();
  return useSyncExternalStore(
    (listener) => askingOf(biz).subscribe(listener),
    () => askingOf(biz).get(),
    () => ASK_ALWAYS,
  );
}
