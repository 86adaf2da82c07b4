// Amounts in the visitor's price currency (SITE-7): a value in US dollars, written at the served rate.
import { type Currency, DEFAULT_CURRENCY } from "@clockwork/kit/constants";
import { type Amount, type CurrencyTextOptions, formatConverted } from "@clockwork/kit/format";
import { useGlobal } from "#boot/state.ts";

export type WritePrice = (dollars: Amount, options?: CurrencyTextOptions) => string;

/** Without a rate for the currency the dollars themselves are shown: a wrong amount is worse than a foreign one. */
export function priceWriter(currency: Currency, rates: Readonly<Partial<Record<Currency, string>>>): WritePrice {
  const rate = rates[currency];
  return (dollars, options) =>
    rate === undefined
      ? formatConverted(dollars, "1", DEFAULT_CURRENCY, options)
      : formatConverted(dollars, rate, currency, options);
}

export function usePrice(): WritePrice {
  const currency = useGlobal((state) => state.currency);
  const rates = useGlobal((state) => state.priceRate);
  return priceWriter(currency, rates);
}
