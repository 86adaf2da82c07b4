// A large amount in few letters, as the visitor's language shortens it (SITE-8): 1.234M, in Chinese 123.456万.
import { type AbbreviationOptions, type Amount, formatAbbreviated } from "@clockwork/kit/format";
import { use } from "react";
import { LocaleContext } from "#words/text.ts";

/** For text that is no element of its own, such as a chart's. */
export function useShortAmount(): (amount: Amount, options?: AbbreviationOptions) => string {
  const locale = use(LocaleContext);
  return (amount, options) => formatAbbreviated(amount, { locale, ...options });
}

export function ShortAmount({ amount, ...options }: AbbreviationOptions & { readonly amount: Amount }) {
  return useShortAmount()(amount, options);
}
