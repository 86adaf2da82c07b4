// The words of trading between people, in the visitor's language.
import { formatDecimal } from "@clockwork/kit/format";
import { type OtcTextKey, otcCatalogue } from "#locales/en-us-otc.ts";
import { defineTexts, type SpeakOf } from "#words/text.ts";

export type OtcSpeak = SpeakOf<OtcTextKey>;

export const useOtcText = defineTexts<OtcTextKey>(
  otcCatalogue,
  import.meta.glob("../../locales/*.json", { query: "?area=otc", import: "default" }),
);

/** For codes the server may learn later than this page. */
export function sayKnown(text: OtcSpeak, key: string, otherwise: string): string {
  return Object.hasOwn(otcCatalogue, key) ? text(key as OtcTextKey) : otherwise;
}

/** Four decimals, or two from a thousand on. */
export function formatPrice(price: string): string {
  const isCoarse = /^[0-9]{4}/.test(price);
  return formatDecimal(price, { grouped: true, decimals: isCoarse ? 2 : 4 });
}
