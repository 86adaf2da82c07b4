// How a person wants to be asked before an order is sent, kept in this browser. A broken or missing note means: ask.
import { PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";
import { createStore, type Store } from "#live/store.ts";
import { ORDER_KINDS, type OrderKind } from "../../features/spot/form-state.ts";

export interface FormSettings {
  /** Orders and cancels are sent without asking. */
  readonly oneClick: boolean;
  /** Kinds somebody said not to ask about again. */
  readonly unasked: readonly OrderKind[];
  /** Single orders are cancelled without asking. */
  readonly unaskedCancel: boolean;
}

const KEY = `${PRODUCT_SHORT_NAME}_spot_asking`;
export const ASK_ALWAYS: FormSettings = { oneClick: false, unasked: [], unaskedCancel: false };

export function readSettings(text: string | null): FormSettings {
  if (text === null) return ASK_ALWAYS;
  try {
    const kept = JSON.parse(text) as Partial<Record<keyof FormSettings, unknown>>;
    const unasked = Array.isArray(kept.unasked) ? kept.unasked : [];
    return {
      oneClick: kept.oneClick === true,
      unasked: ORDER_KINDS.filter((kind) => unasked.includes(kind)),
      unaskedCancel: kept.unaskedCancel === true,
    };
  } catch {
    return ASK_ALWAYS;
  }
}

let store: Store<FormSettings> | undefined;

/** Browser only: the same for every panel of the page. */
export function formSettings(): Store<FormSettings> {
  if (store !== undefined) return store;
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    // A browser without storage asks every time.
  }
  store = createStore(readSettings(kept));
  return store;
}

export function changeSettings(change: Partial<FormSettings>): void {
  const settings = formSettings();
  settings.set({ ...settings.get(), ...change });
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.get()));
  } catch {
    // Kept for this visit only.
  }
}

export function isAsked(settings: FormSettings, kind: OrderKind): boolean {
  return !settings.oneClick && !settings.unasked.includes(kind);
}
