// The texts of trading between users, in the visitor's language.
import { formatDecimal } from "@clockwork/kit/format";
import { type OtcTextKey, otcCatalogue } from "#locales/en-us-otc.ts";
import { defineTexts, type TextOf } from "#words/text.ts";

export type OtcText = TextOf<OtcTextKey>;

export const useOtcText = defineTexts<OtcTextKey>(
  otcCatalogue,
  import.meta.glob("../../locales/*.json", { query: "?area=otc", import: "default" }),
);

/** For codes the server may learn later than this page. */
export function describeOr(text: OtcText, key: string, otherwise: string): string {
  return Object.hasOwn(otcCatalogue, key) ? text(key as OtcTextKey) : otherwise;
}

/** Four decimals, or two from a thousand on. */
export function formatPrice(price: string): string {
  const isCoarse = /^[0-9]{4}/.test(price);
  return formatDecimal(price, { grouped: true, decimals: isCoarse ? 2 : 4 });
}

/** A user's public record. */
export function recordText(
  text: OtcText,
  maker: { readonly orders: number; readonly completion: string | null; readonly releaseMinutes: number | null },
): string {
  if (maker.completion === null) return text("list.new");
  const minutes = maker.releaseMinutes === null ? "–" : text("list.minutes", { minutes: maker.releaseMinutes });
  const known = { completion: `${maker.completion}%`, minutes };
  return maker.orders === 1
    ? text("list.recordOne", known)
    : text("list.record", { orders: formatDecimal(String(maker.orders), { grouped: true, decimals: 0 }), ...known });
}
