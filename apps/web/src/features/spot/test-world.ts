// A small exact market for the form's tests: BTC/USDT as the default rules list it.
import type { FormState, FormWorld, TextField } from "./form-state.ts";
import { EMPTY_FORM } from "./form-state.ts";

export const WORLD: FormWorld = {
  pair: {
    pairCode: "BTC_USDT",
    base: "BTC",
    quote: "USDT",
    status: "TRADING",
    priceDecimals: 1,
    quantityDecimals: 5,
    quoteScale: 6,
    tickSize: "0.1",
    stepSize: "0.00001",
    minQuantity: "0.00001",
    maxQuantity: "900",
    maxMarketQuantity: "90",
    minNotional: "5",
    band: { buyMax: "1.2", buyMin: "0.2", sellMin: "0.8", sellMax: "5" },
    openOrdersMax: 200,
  },
  availableBase: "0.3824",
  availableQuote: "25620",
  makerRate: "0.001",
  takerRate: "0.001",
  last: "64118.4",
  bandPrice: "64000",
  bids: [
    ["64118.3", "0.5"],
    ["64110.0", "1"],
  ],
  asks: [
    ["64118.5", "0.2"],
    ["64120.0", "0.3"],
    ["64200.0", "5"],
  ],
  openOrders: 0,
  nowMs: Date.UTC(2026, 10, 15, 12),
  zone: "UTC0",
};

export function formOf(
  options: Partial<Omit<FormState, "texts">>,
  texts: Partial<Record<TextField, string>> = {},
): FormState {
  return { ...EMPTY_FORM, ...options, texts: { ...EMPTY_FORM.texts, ...texts } };
}
