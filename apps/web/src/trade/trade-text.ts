// The trading texts common to all products, in the visitor's language, and the texts of refusals.
import type { Failed } from "#live/answer.ts";
import { type TradeTextKey, tradeCatalogue } from "#locales/en-us-trade.ts";
import { defineTexts, type TextOf } from "#words/text.ts";

export type TradeText = TextOf<TradeTextKey>;

export const useTradeText = defineTexts<TradeTextKey>(
  tradeCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=trade", import: "default" }),
);

export function isTradeKey(key: string): key is TradeTextKey {
  return Object.hasOwn(tradeCatalogue, key);
}

/** Our own text for a recognised code that needs no bound, the server's for any other. */
export function describeRefusal(text: TradeText, failed: Failed): string {
  if (failed.err.kind !== "refused") return text("fault.network");
  const key = `fault.${failed.code}`;
  if (isTradeKey(key) && !tradeCatalogue[key].includes("{")) return text(key);
  return failed.message === "" ? text("toast.refused") : failed.message;
}
