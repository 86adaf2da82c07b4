// Checks the ledger by itself: which numbers are accounts and whose, that every account and cell is found again and no other,
// and that nothing moves that is not there, but for the three books that may owe.
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { BOOKS, CLEARING_ACCOUNT, DEFICIT_ACCOUNT, EXTERNAL_ACCOUNT, HOUSE_PURPOSES } from "../protocol/names.ts";
import * as words from "./ledger.ts";
import {
  A_BOOK,
  A_CELLS,
  A_FLAGS,
  A_GROUP,
  A_NEXT,
  A_OWNER,
  A_SUB,
  A_USER,
  ACCOUNT_ALLOW_SELF_TRADE,
  ACCOUNT_BLOCK_OUTGOING,
  ACCOUNT_BLOCK_TRADING,
  ACCOUNT_BOT,
  ACCOUNT_COPY_BOOK,
  ACCOUNT_FEE_IN_QUOTE,
  ACCOUNT_WATCHED,
  C_NEXT,
  CELL_SHIFT,
  Ledger,
  mayOwe,
  U_ACCOUNTS,
  U_USER,
} from "./ledger.ts";

const HOUSE = BOOKS.indexOf("house");
const SUBS = [0, 1, 5, 0xfffffe, 0xffffff];

test("[LEDGER-1] the external, the clearing and the deficit book may owe, and nobody else", () => {
  const owing = Array.from({ length: 40 }, (_, account) => account).filter(mayOwe);
  expect(owing).toEqual([EXTERNAL_ACCOUNT, CLEARING_ACCOUNT, DEFICIT_ACCOUNT]);
});

test("[LEDGER-15] house books have the first numbers, users follow, and numbers between or behind are nobody's", () => {
  const ledger = new Ledger(4);
  const user = ledger.createAccount(7, 1, 0, 0);
  const house = ledger.openHouse(3, 0);
  const numbers = Array.from({ length: 24 }, (_, at) => at - 3);
  expect([user, house]).toEqual([16, 17]);
  expect(numbers.filter((account) => ledger.isAccount(account))).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 17,
  ]);
  expect(numbers.filter((account) => ledger.isUserAccount(account))).toEqual([16]);
  for (let account = 1; account <= 12; account++) expect(ledger.accountWord(account, A_BOOK)).toBe(HOUSE);
});

test("[LEDGER-15] an account is found by its user, book and sub, keeps what it was made with, and chains from its user", () => {
  const ledger = new Ledger(4);
  const made: { user: number; book: number; sub: number; group: number; account: number }[] = [];
  for (const user of [7, 8, 2 ** 31 - 1])
    for (const book of [0, 1, 6, 7, 12])
      for (const sub of SUBS) {
        expect(ledger.findAccount(user, book, sub)).toBe(0);
        const group = user + made.length;
        made.push({ user, book, sub, group, account: ledger.createAccount(user, book, sub, group) });
      }
  for (const { user, book, sub, group, account } of made) {
    expect(ledger.findAccount(user, book, sub)).toBe(account);
    const owner = ledger.accountWord(account, A_OWNER);
    expect([A_USER, A_BOOK, A_SUB, A_GROUP].map((word) => ledger.accountWord(account, word))).toEqual([
      ...[user, book, sub, group | 0],
    ]);
    // Bots and spot followers pay fees in quote.
    const pays = ["bot", "copyS"].includes(BOOKS[book] ?? "");
    expect(ledger.accountWord(account, A_FLAGS)).toBe(pays ? ACCOUNT_FEE_IN_QUOTE : 0);
    expect([ledger.ownerOf(user), ledger.ownerWord(owner, U_USER)]).toEqual([owner, user]);
  }
  for (const user of [7, 8, 2 ** 31 - 1]) {
    const chain: number[] = [];
    let account = ledger.ownerWord(ledger.ownerOf(user), U_ACCOUNTS);
    for (; account !== 0; account = ledger.accountWord(account, A_NEXT)) chain.push(account);
    const own = made.filter((one) => one.user === user).map((one) => one.account);
    expect(chain).toEqual(own.toReversed());
  }
});

test("[LEDGER-21] a house account is found by its purpose and sub; under sub 0 a house book is its purpose", () => {
  const ledger = new Ledger(4);
  const books = HOUSE_PURPOSES.map((_, purpose) => ledger.findHouse(purpose, 0));
  expect(books).toEqual([8, 9, 5, 6, 7, 4, 0, 0, 0, 0, 0]);
  const made = new Map<string, number>();
  for (const [purpose] of HOUSE_PURPOSES.entries())
    for (const sub of SUBS.slice(1)) made.set(`${purpose} ${sub}`, ledger.openHouse(purpose, sub));
  for (const [purpose] of HOUSE_PURPOSES.entries())
    for (const sub of SUBS.slice(1)) {
      const account = made.get(`${purpose} ${sub}`) ?? 0;
      expect(ledger.findHouse(purpose, sub)).toBe(account);
      expect([A_BOOK, A_SUB, A_OWNER].map((word) => ledger.accountWord(account, word))).toEqual([HOUSE, sub, 0]);
      expect(ledger.isUserAccount(account)).toBe(false);
    }
});

test("[LEDGER-4] each account and asset has a cell of its own, in its account's chain, through any growth", () => {
  const ledger = new Ledger(2);
  const random = createRandom(8);
  const assets = [8, 6, 2].map((scale) => ledger.listAsset(scale));
  const accounts = Array.from({ length: 60 }, (_, at) => ledger.createAccount(at + 1, 1, 0, 0));
  const known = new Map<number, string>();
  const chains = new Map<number, number[]>();
  for (let step = 0; step < 400; step++) {
    const [account, asset] = [random.pick(accounts), random.pick(assets)];
    const isNew = ledger.cellIndex.find(account, asset) === 0;
    const cell = ledger.cellOf(account, asset);
    expect([ledger.cellAccount(cell), ledger.cellAsset(cell)]).toEqual([account, asset]);
    expect(known.get(cell) ?? `${account} ${asset}`).toBe(`${account} ${asset}`);
    known.set(cell, `${account} ${asset}`);
    if (isNew) chains.set(account, [cell, ...(chains.get(account) ?? [])]);
  }
  for (const account of accounts) {
    const chain: number[] = [];
    let cell = ledger.accountWord(account, A_CELLS);
    for (; cell !== 0; cell = ledger.cellWords[(cell << CELL_SHIFT) + C_NEXT] as number) chain.push(cell);
    expect(chain).toEqual(chains.get(account) ?? []);
  }
  expect([0, 1, 2, 3, 4, -1].map((asset) => ledger.isAsset(asset))).toEqual([false, true, true, true, false, false]);
});

test("[LEDGER-1] units go from where they are, to the last one and no further", () => {
  const ledger = new Ledger(4);
  const asset = ledger.listAsset(6);
  const [alice, bob] = [1, 2].map((user) => ledger.cellOf(ledger.createAccount(user, 1, 0, 0), asset)) as [
    number,
    number,
  ];
  const external = ledger.cellOf(EXTERNAL_ACCOUNT, asset);
  const held = (): number[] => [alice, bob].flatMap((cell) => [ledger.available(cell), ledger.frozen(cell)]);
  ledger.move(external, alice, 100);
  expect([ledger.minted(asset), ...held()]).toEqual([100, 100, 0, 0, 0]);
  expect(() => ledger.freeze(alice, 101)).toThrow("LEDGER-1");
  expect(() => ledger.move(alice, bob, 101)).toThrow("LEDGER-1");
  ledger.freeze(alice, 100);
  expect(held()).toEqual([0, 100, 0, 0]);
  expect(() => ledger.unfreeze(alice, 101)).toThrow("LEDGER-2");
  expect(() => ledger.moveFrozen(alice, bob, 101)).toThrow("LEDGER-2");
  ledger.moveFrozen(alice, bob, 40);
  ledger.unfreeze(alice, 60);
  expect(held()).toEqual([60, 0, 40, 0]);
  ledger.move(alice, bob, 60);
  expect([ledger.minted(asset), ...held()]).toEqual([100, 0, 0, 100, 0]);
});

test("[LEDGER-14] each flag of an account is a bit of its own", () => {
  const flags = [
    ...[ACCOUNT_BLOCK_TRADING, ACCOUNT_BLOCK_OUTGOING, ACCOUNT_ALLOW_SELF_TRADE, ACCOUNT_FEE_IN_QUOTE],
    ...[ACCOUNT_WATCHED, ACCOUNT_COPY_BOOK, ACCOUNT_BOT],
  ];
  for (const flag of flags) expect(Math.log2(flag) % 1).toBe(0);
  expect(new Set(flags).size).toBe(flags.length);
});

test("[LEDGER-4] no two things that a record keeps share a word, and all of them lie within it", () => {
  const { A_MARKETS, A_DEAD_MAN, A_PERP, A_DEMO_RESET, A_HOLDS, A_COPY, A_BOT, A_RATES } = words;
  const { U_RATES, U_RESTRICTIONS, U_BOTS, AS_SCALE, AS_FEES_CELL, AS_ROUNDING_CELL, AS_EXTERNAL_CELL } = words;
  const single = (...places: readonly number[]): [number, number][] => places.map((place) => [place, 1]);
  const records: readonly (readonly [length: number, ...parts: [number, number][]])[] = [
    [
      words.ACCOUNT_WORDS,
      ...single(A_USER, A_BOOK, A_SUB, A_GROUP, A_FLAGS, A_CELLS, A_MARKETS, A_DEAD_MAN, A_PERP, A_DEMO_RESET),
      ...single(A_NEXT, A_OWNER, A_HOLDS, A_COPY, A_BOT),
      [A_RATES, 32],
    ],
    // Word 0 of a user chains nothing.
    [16, [0, 1], ...single(U_USER, U_ACCOUNTS, U_RESTRICTIONS, U_BOTS), [U_RATES, 4]],
    [words.ASSET_WORDS, ...single(AS_SCALE, AS_FEES_CELL, AS_ROUNDING_CELL, AS_EXTERNAL_CELL), [words.AS_SYMBOL, 4]],
    // Two doubles come first.
    [1 << CELL_SHIFT, [0, 4], ...single(words.C_ACCOUNT, words.C_ASSET, C_NEXT)],
  ];
  for (const [length, ...parts] of records) {
    const taken = parts.flatMap(([from, count]) => Array.from({ length: count }, (_, at) => from + at));
    expect(new Set(taken).size).toBe(taken.length);
    expect(Math.min(...taken)).toBe(0);
    expect(Math.max(...taken)).toBeLessThan(length);
  }
  expect([1 << CELL_SHIFT, 2 << words.CELL_DOUBLE_SHIFT]).toEqual([words.CELL_WORDS, words.CELL_WORDS]);
});
