// The texts of spot trading alone, in the visitor's language; those of trading are `#trade/trade-text.ts`.
import type { Failed } from "#live/answer.ts";
import { type SpotTextKey, spotCatalogue } from "#locales/en-us-spot.ts";
import { describeRefusal, type TradeText } from "#trade/trade-text.ts";
import { defineTexts, type TextOf } from "#words/text.ts";

export type SpotText = TextOf<SpotTextKey>;

export const useSpotText = defineTexts<SpotTextKey>(
  spotCatalogue,
  import.meta.glob("../../locales/*.json", { query: "?area=spot", import: "default" }),
);

/** The refusals of coupons have their own texts; all others are trading's. */
export function describeSpotRefusal(text: SpotText, trade: TradeText, failed: Failed): string {
  const key = `fault.${failed.code}`;
  return Object.hasOwn(spotCatalogue, key) ? text(key as SpotTextKey) : describeRefusal(trade, failed);
}
