// Remembers which account of the core is which book of a user, both ways. A book never changes hands, so what was found
// stays true; the bound only keeps memory small.

export interface BookFinder {
  readonly find: (userId: number, book: "spot" | "funding") => Promise<number | undefined>;
  /** The same at once, if it was asked for before. */
  readonly recall: (userId: number, book: "spot" | "funding") => number | undefined;
  /** Whose spot account this is, if it was asked for before. */
  readonly userOf: (account: number) => number | undefined;
}

const BOOKS_MAX = 200_000;

export function createBookFinder(ask: BookFinder["find"]): BookFinder {
  const accounts = { spot: new Map<number, number>(), funding: new Map<number, number>() };
  const users = new Map<number, number>();
  return {
    recall: (userId, book) => accounts[book].get(userId),
    userOf: (account) => users.get(account),
    async find(userId, book) {
      const known = accounts[book].get(userId);
      if (known !== undefined) return known;
      const account = await ask(userId, book);
      if (account === undefined) return undefined;
      if (users.size >= BOOKS_MAX) {
        accounts.spot.clear();
        accounts.funding.clear();
        users.clear();
      }
      accounts[book].set(userId, account);
      users.set(account, userId);
      return account;
    },
  };
}
