// The texts of the account pages, in the visitor's language.
import { type AccountTextKey, accountCatalogue } from "#locales/en-us-account.ts";
import { defineTexts, type TextOf } from "./text.ts";

export type AccountText = TextOf<AccountTextKey>;

export const useAccountText = defineTexts<AccountTextKey>(
  accountCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=account", import: "default" }),
);

/** A word the server may have more of than we do. */
export function describeOr(text: AccountText, key: string, other: string): string {
  return Object.hasOwn(accountCatalogue, key) ? text(key as AccountTextKey) : other;
}
