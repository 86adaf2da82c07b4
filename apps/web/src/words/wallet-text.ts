// The texts of the wallet pages, in the visitor's language.
import { type WalletTextKey, walletCatalogue } from "#locales/en-us-wallet.ts";
import { defineTexts, type TextOf } from "./text.ts";

export type WalletText = TextOf<WalletTextKey>;

export const useWalletText = defineTexts<WalletTextKey>(
  walletCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=wallet", import: "default" }),
);
