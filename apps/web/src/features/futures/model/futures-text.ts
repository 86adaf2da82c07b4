// The texts of futures alone, in the visitor's language; those of trading are `#trade/trade-text.ts`.
import type { Failed } from "#live/answer.ts";
import { type FuturesTextKey, futuresCatalogue } from "#locales/en-us-futures.ts";
import { describeRefusal, type TradeText } from "#trade/trade-text.ts";
import { defineTexts, type TextOf } from "#words/text.ts";

export type FuturesText = TextOf<FuturesTextKey>;

export const useFuturesText = defineTexts<FuturesTextKey>(
  futuresCatalogue,
  import.meta.glob("../../../locales/*.json", { query: "?area=futures", import: "default" }),
);

export function isFuturesKey(key: string): key is FuturesTextKey {
  return Object.hasOwn(futuresCatalogue, key);
}

/** Refusals specific to contracts have their own texts; all others are trading's. */
export function describeFuturesRefusal(text: FuturesText, trade: TradeText, failed: Failed): string {
  const key = `fault.${failed.code}`;
  return isFuturesKey(key) ? text(key) : describeRefusal(trade, failed);
}
