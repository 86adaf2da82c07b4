// The words of futures alone, in the visitor's language; those of trading are `#trade/trade-text.ts`.
import { WALLET_NAMES } from "@clockwork/kit/books";
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

/** The account a contract settles in, named as the wallet names it; every coin has an inverse account of its own. */
export function nameAccount(biz: string, settle: string): string {
  return biz === "delivery" ? `${WALLET_NAMES["4"]} ${settle}` : WALLET_NAMES["3"];
}

/** Refusals that only contracts know have words of their own; all others are trading's. */
export function sayFuturesRefusal(text: FuturesSpeak, trade: TradeSpeak, failed: Failed): string {
  const key = `fault.${failed.code}`;
  return isFuturesKey(key) ? text(key) : sayRefusal(trade, failed);
}
