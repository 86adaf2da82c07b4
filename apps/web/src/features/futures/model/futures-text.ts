// The words of futures alone, in the visitor's language; those of trading are `#trade/trade-text.ts`.
import type { Failed } from "#live/answer.ts";
import { type FuturesTextKey, futuresCatalogue } from "#locales/en-us-futures.ts";
import { sayRefusal, type TradeSpeak } from "#trade/trade-text.ts";
import { defineTexts, type SpeakOf } from "#words/text.ts";

export type FuturesSpeak = SpeakOf<FuturesTextKey>;

export const useFuturesText = defineTexts<FuturesTextKey>(
  futuresCatalogue,
  import.meta.glob("../../../locales/*.json", { query: "?area=futures", import: "default" }),
);

export function isFuturesKey(key: string): key is FuturesTextKey {
  return Object.hasOwn(futuresCatalogue, key);
}

/** Refusals that only contracts know have words of their own; all others are trading's. */
export function sayFuturesRefusal(text: FuturesSpeak, trade: TradeSpeak, failed: Failed): string {
  const key = `fault.${failed.code}`;
  return isFuturesKey(key) ? text(key) : sayRefusal(trade, failed);
}
