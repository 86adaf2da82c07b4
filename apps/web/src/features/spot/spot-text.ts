// The words of spot trading alone, in the visitor's language; those of trading are `#trade/trade-text.ts`.
import type { Failed } from "#live/answer.ts";
import { type SpotTextKey, spotCatalogue } from "#locales/en-us-spot.ts";
import { sayRefusal, type TradeSpeak } from "#trade/trade-text.ts";
import { defineTexts, type SpeakOf } from "#words/text.ts";

export type SpotSpeak = SpeakOf<SpotTextKey>;

export const useSpotText = defineTexts<SpotTextKey>(
  spotCatalogue,
  import.meta.glob("../../locales/*.json", { query: "?area=spot", import: "default" }),
);

/** The refusals of coupons have words of their own; all others are trading's. */
export function saySpotRefusal(text: SpotSpeak, trade: TradeSpeak, failed: Failed): string {
  const key = `fault.${failed.code}`;
  return Object.hasOwn(spotCatalogue, key) ? text(key as SpotTextKey) : sayRefusal(trade, failed);
}
