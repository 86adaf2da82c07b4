// The books a user can have and the wallet types of calls. A closed list: each number maps to the core's name of a
// book, and a book without a number is not shown as a wallet.

export const WALLET_TYPES = {
  "1": "spot",
  "2": "funding",
  "3": "linear",
  "4": "inverse",
  "5": "copyF",
  "6": "copyS",
  "7": "bot",
  "8": "earn",
  "9": "otc",
} as const;
export type WalletType = keyof typeof WALLET_TYPES;
export type WalletBook = (typeof WALLET_TYPES)[WalletType];

const TYPES = new Map<string, WalletType>([
  ...Object.entries(WALLET_TYPES).map(([type, book]) => [book, type as WalletType] as const),
  // A leader has a book of their own besides those of their followers.
  ["copyFLead", "5"],
]);

export function walletTypeOf(book: string): WalletType | undefined {
  return TYPES.get(book);
}

/**
 * How the wire names a book: its wallet type, and which of several such books: the coin of an inverse book, else a
 * number.
 */
export interface BookName {
  readonly walletType: WalletType | null;
  readonly sub: string | null;
}

export function nameBook(
  { book, sub }: Pick<AccountOwner, "book" | "sub">,
  coinOf: (asset: number) => string | undefined,
): BookName {
  const text = book === "inverse" ? coinOf(sub) : String(sub);
  return { walletType: walletTypeOf(book) ?? null, sub: sub === 0 ? null : (text ?? String(sub)) };
}

/** The default spot book of every user. */
export const SPOT_MAIN: BookName = { walletType: "1", sub: null };

/**
 * The owner of an account: a user, one of their books, and which of several such books (a coin, a bot, a follow); 0 is
 * the only one.
 */
export interface AccountOwner {
  readonly userId: number;
  readonly book: string;
  readonly sub: number;
}
