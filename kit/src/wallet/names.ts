// The names of accounts, in every page, dialog, bill and statement. The terminals, whose first load is limited in
// bytes, keep the same names in their own catalogues; a test compares them.
import type { WalletType } from "../books.ts";

export const WALLET_NAMES = {
  "1": "Spot",
  "2": "Funding",
  "3": "Futures, USDT",
  "4": "Futures, coin",
  "5": "Copy, futures",
  "6": "Copy, spot",
  "7": "Bots",
  "8": "Earn",
  "9": "OTC",
} as const satisfies Readonly<Record<WalletType, string>>;
