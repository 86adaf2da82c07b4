// Owns accounts, assets and balance cells: whole units, available and frozen, as doubles that never leave 2^53.
// The only code that changes a balance; everything else asks it. It never asks who traded what.

import { assert } from "@clockwork/kit/assert";
import { PairIndex } from "../memory/pair-index.ts";
import {
  addDouble,
  type Begin,
  type Double,
  type Doubles,
  getDouble,
  getWord,
  setDouble,
  setWord,
  type Word,
  type Words,
} from "../memory/record.ts";
import { Table } from "../memory/table.ts";
import {
  BOOKS,
  CLEARING_ACCOUNT,
  DEFICIT_ACCOUNT,
  EXTERNAL_ACCOUNT,
  FEES_ACCOUNT,
  FIRST_USER_ACCOUNT,
  HOUSE_BOOKS,
  HOUSE_PURPOSES,
  ROUNDING_ACCOUNT,
} from "../protocol/names.ts";

/** A cell is 32 bytes: available, frozen, then account, asset and the account's next cell. */
export const CELL_WORDS = 8;
export const CELL_SHIFT = 3;
export const CELL_DOUBLE_SHIFT = 2;
export function atCell(cell: number): Begin<"cell"> {
  return cell << CELL_SHIFT;
}
export const CF_AVAILABLE: Double<"cell"> = 0;
export const CF_FROZEN: Double<"cell"> = 1;
export const C_ACCOUNT: Word<"cell"> = 4;
export const C_ASSET: Word<"cell"> = 5;
export const C_NEXT: Word<"cell"> = 6;
/** 1 while the owner owes anything: whatever moves here is looked at before the command is over. */
export const C_OWING: Word<"cell"> = 7;

export const ACCOUNT_WORDS = 48;
export const A_USER: Word<"account"> = 0;
export const A_BOOK: Word<"account"> = 1;
export const A_SUB: Word<"account"> = 2;
/** Self-trade group: the master user. */
export const A_GROUP: Word<"account"> = 3;
export const A_FLAGS: Word<"account"> = 4;
export const A_CELLS: Word<"account"> = 5;
export const A_MARKETS: Word<"account"> = 6;
export const A_DEAD_MAN: Word<"account"> = 7;
/** Position mode and layout of a futures account. */
export const A_PERP: Word<"account"> = 8;
/** Minute of a demo account's last reset. */
export const A_DEMO_RESET: Word<"account"> = 9;
/** The user's next account, older than this one, and the user's record. */
export const A_NEXT: Word<"account"> = 10;
export const A_OWNER: Word<"account"> = 11;
/** The newest hold by reference. */
export const A_HOLDS: Word<"account"> = 12;
/** Of a follower's sub-book its follow, of any other book its leader; 0 for most. */
export const A_COPY: Word<"account"> = 13;
/** The grid bot whose book it is, negative for a rebalancing bot; 0 for every other book. */
export const A_BOT: Word<"account"> = 14;
/** Own fee rates by fee group, +1 so that 0 means none: 16 × (maker, taker). */
export const A_RATES: Word<"account"> = 16;

export const ACCOUNT_BLOCK_TRADING = 1;
export const ACCOUNT_BLOCK_OUTGOING = 2;
export const ACCOUNT_ALLOW_SELF_TRADE = 4;
/** Bot and copy books pay fees in quote, so that quantities stay whole. */
export const ACCOUNT_FEE_IN_QUOTE = 8;

/** A leader's or a follower's: fills take the general path, which tells copy trading. */
export const ACCOUNT_WATCHED = 16;
/** A follower's sub-book: by hand its owner may only close. */
export const ACCOUNT_COPY_BOOK = 32;
/** A bot's book: only the bot trades and moves money there. */
export const ACCOUNT_BOT = 64;
/** The owner owes the house: only what repays or reduces is open. */
export const ACCOUNT_INDEBTED = 128;

export const ASSET_WORDS = 16;
export const AS_SCALE: Word<"asset"> = 0;
export const AS_FEES_CELL: Word<"asset"> = 1;
export const AS_ROUNDING_CELL: Word<"asset"> = 2;
export const AS_EXTERNAL_CELL: Word<"asset"> = 3;
/** Symbol: length byte and text in words 4 to 7. */
export const AS_SYMBOL: Word<"asset"> = 4;

/** What a user has across accounts. Word 0 chains nothing. */
const USER_WORDS = 16;
export const U_USER: Word<"user"> = 1;
/** The user's newest account; they chain through A_NEXT. */
export const U_ACCOUNTS: Word<"user"> = 2;
/** Rates every account inherits, +1 so that 0 means none: spot maker and taker, perpetual maker and taker. */
export const U_RATES: Word<"user"> = 3;

/** The newest restriction of the user. */
export const U_RESTRICTIONS: Word<"user"> = 7;
/** Bots that run. */
export const U_BOTS: Word<"user"> = 8;
/** The newest debt of the user. */
export const U_DEBTS: Word<"user"> = 9;

const SUB_MAX = 0xffffff;
const HOUSE = BOOKS.indexOf("house");
const FEE_IN_QUOTE_BOOKS = [BOOKS.indexOf("bot"), BOOKS.indexOf("copyS")];

/**
 * The external book owes what was minted, the clearing book what open positions have gained, the deficit book what
 * neither a bankrupt account nor the insurance fund could pay. The fund itself never owes.
 */
export function mayOwe(account: number): boolean {
  return account === EXTERNAL_ACCOUNT || account === CLEARING_ACCOUNT || account === DEFICIT_ACCOUNT;
}

export class Ledger {
  readonly accounts: Table<"account">;
  readonly accountIndex: PairIndex;
  readonly users = new Table<"user">("users", USER_WORDS, 64);
  readonly userIndex = new PairIndex("user-index");
  readonly cells: Table<"cell">;
  readonly cellIndex: PairIndex;
  readonly assets = new Table<"asset">("assets", ASSET_WORDS, 64);

  cellWords: Words<"cell">;
  cellDoubles: Doubles<"cell">;
  /** Cells of users who owe that moved in this command. Scratch. */
  readonly moved: number[] = [];

  constructor(accountCapacity: number) {
    this.accounts = new Table("accounts", ACCOUNT_WORDS, accountCapacity + FIRST_USER_ACCOUNT);
    this.accountIndex = new PairIndex("account-index");
    this.cells = new Table("cells", CELL_WORDS, accountCapacity * 2);
    this.cellIndex = new PairIndex("cell-index");
    this.cellWords = this.cells.i32;
    this.cellDoubles = this.cells.f64;
    this.cells.onGrow = () => {
      this.cellWords = this.cells.i32;
      this.cellDoubles = this.cells.f64;
    };
    while (this.accounts.count < FIRST_USER_ACCOUNT) {
      const account = this.accounts.take();
      if (account < HOUSE_BOOKS.length) setWord(this.accounts.i32, account * ACCOUNT_WORDS, A_BOOK, HOUSE);
    }
  }

  isAccount(account: number): boolean {
    if (account <= 0 || account >= this.accounts.count) return false;
    return account >= FIRST_USER_ACCOUNT || account < HOUSE_BOOKS.length;
  }

  /** House accounts that were opened have numbers among the users'. */
  isUserAccount(account: number): boolean {
    return (
      account >= FIRST_USER_ACCOUNT && account < this.accounts.count && this.accountWord(account, A_BOOK) !== HOUSE
    );
  }

  accountWord(account: number, word: Word<"account">): number {
    return getWord(this.accounts.i32, account * ACCOUNT_WORDS, word);
  }

  setAccountWord(account: number, word: Word<"account">, value: number): void {
    setWord(this.accounts.i32, account * ACCOUNT_WORDS, word, value);
  }

  findAccount(user: number, book: number, sub: number): number {
    return this.accountIndex.find(user, book * (SUB_MAX + 1) + sub);
  }

  createAccount(user: number, book: number, sub: number, group: number): number {
    const account = this.accounts.take();
    const words = this.accounts.i32;
    const base = account * ACCOUNT_WORDS;
    setWord(words, base, A_USER, user);
    setWord(words, base, A_BOOK, book);
    setWord(words, base, A_SUB, sub);
    setWord(words, base, A_GROUP, group);
    setWord(words, base, A_FLAGS, FEE_IN_QUOTE_BOOKS.includes(book) ? ACCOUNT_FEE_IN_QUOTE : 0);
    this.accountIndex.insert(user, book * (SUB_MAX + 1) + sub, account);
    const owner = this.ownerOf(user);
    setWord(words, base, A_OWNER, owner);
    setWord(words, base, A_NEXT, this.ownerWord(owner, U_ACCOUNTS));
    this.setOwnerWord(owner, U_ACCOUNTS, account);
    return account;
  }

  /** The record of a user, made when there is none. */
  ownerOf(user: number): number {
    const found = this.userIndex.find(user, 0);
    if (found !== 0) return found;
    const owner = this.users.take();
    this.setOwnerWord(owner, U_USER, user);
    this.userIndex.insert(user, 0, owner);
    return owner;
  }

  ownerWord(owner: number, word: Word<"user">): number {
    return getWord(this.users.i32, owner * USER_WORDS, word);
  }

  setOwnerWord(owner: number, word: Word<"user">, value: number): void {
    setWord(this.users.i32, owner * USER_WORDS, word, value);
  }

  /** The account of a purpose and sub, 0 when it was never opened; a house book is there from the start. */
  findHouse(purpose: number, sub: number): number {
    const book = sub === 0 ? (HOUSE_BOOKS as readonly string[]).indexOf(HOUSE_PURPOSES[purpose] ?? "") : -1;
    return book > 0 ? book : this.accountIndex.find(-1 - purpose, sub);
  }

  openHouse(purpose: number, sub: number): number {
    const account = this.accounts.take();
    this.setAccountWord(account, A_BOOK, HOUSE);
    this.setAccountWord(account, A_SUB, sub);
    this.accountIndex.insert(-1 - purpose, sub, account);
    return account;
  }

  isAsset(asset: number): boolean {
    return asset > 0 && asset < this.assets.count;
  }

  assetWord(asset: number, word: Word<"asset">): number {
    return getWord(this.assets.i32, asset * ASSET_WORDS, word);
  }

  listAsset(scale: number): number {
    const asset = this.assets.take();
    const fees = this.cellOf(FEES_ACCOUNT, asset);
    const rounding = this.cellOf(ROUNDING_ACCOUNT, asset);
    const external = this.cellOf(EXTERNAL_ACCOUNT, asset);
    const base = asset * ASSET_WORDS;
    setWord(this.assets.i32, base, AS_SCALE, scale);
    setWord(this.assets.i32, base, AS_FEES_CELL, fees);
    setWord(this.assets.i32, base, AS_ROUNDING_CELL, rounding);
    setWord(this.assets.i32, base, AS_EXTERNAL_CELL, external);
    return asset;
  }

  /** The cell of an account and asset, made when there is none. */
  cellOf(account: number, asset: number): number {
    const found = this.cellIndex.find(account, asset);
    if (found !== 0) return found;
    const cell = this.cells.take();
    const base = atCell(cell);
    setWord(this.cellWords, base, C_ACCOUNT, account);
    setWord(this.cellWords, base, C_ASSET, asset);
    setWord(this.cellWords, base, C_NEXT, this.accountWord(account, A_CELLS));
    setWord(this.cellWords, base, C_OWING, (this.accountWord(account, A_FLAGS) & ACCOUNT_INDEBTED) !== 0 ? 1 : 0);
    this.setAccountWord(account, A_CELLS, cell);
    this.cellIndex.insert(account, asset, cell);
    return cell;
  }

  available(cell: number): number {
    return getDouble(this.cellDoubles, atCell(cell), CF_AVAILABLE);
  }

  frozen(cell: number): number {
    return getDouble(this.cellDoubles, atCell(cell), CF_FROZEN);
  }

  /** As every move of units notes it. */
  note(cell: number): void {
    note(this, atCell(cell), cell);
  }

  cellAccount(cell: number): number {
    return getWord(this.cellWords, atCell(cell), C_ACCOUNT);
  }

  cellAsset(cell: number): number {
    return getWord(this.cellWords, atCell(cell), C_ASSET);
  }

  /** Units in circulation: what the external book owes. */
  minted(asset: number): number {
    return -this.available(this.assetWord(asset, AS_EXTERNAL_CELL));
  }

  freeze(cell: number, units: number): void {
    freeze(this, cell, units);
  }

  unfreeze(cell: number, units: number): void {
    unfreeze(this, cell, units);
  }

  move(from: number, to: number, units: number): void {
    move(this, from, to, units);
  }

  /** Moves frozen units to another cell's available. */
  moveFrozen(from: number, to: number, units: number): void {
    const cells = this.cellDoubles;
    const left = getDouble(cells, atCell(from), CF_FROZEN) - units;
    assert(left >= 0, "LEDGER-2", "frozen would go negative");
    setDouble(cells, atCell(from), CF_FROZEN, left);
    addDouble(cells, atCell(to), CF_AVAILABLE, units);
    note(this, atCell(from), from);
    note(this, atCell(to), to);
  }

  tables(): readonly Table[] {
    return [
      this.accounts,
      this.accountIndex.table,
      this.users,
      this.userIndex.table,
      this.cells,
      this.cellIndex.table,
      this.assets,
    ];
  }
}

/** The views of cells; the ledger is its own. */
export interface CellViews {
  readonly cellWords: Words<"cell">;
  readonly cellDoubles: Doubles<"cell">;
  readonly moved: number[];
}

/** Available to frozen; the caller has checked that it is there. */
export function freeze({ cellDoubles }: CellViews, cell: number, units: number): void {
  const at = atCell(cell);
  const left = getDouble(cellDoubles, at, CF_AVAILABLE) - units;
  assert(left >= 0, "LEDGER-1", "available would go negative");
  setDouble(cellDoubles, at, CF_AVAILABLE, left);
  addDouble(cellDoubles, at, CF_FROZEN, units);
}

/** Frozen back to available. */
export function unfreeze(c: CellViews, cell: number, units: number): void {
  const at = atCell(cell);
  const left = getDouble(c.cellDoubles, at, CF_FROZEN) - units;
  assert(left >= 0, "LEDGER-2", "frozen would go negative");
  setDouble(c.cellDoubles, at, CF_FROZEN, left);
  addDouble(c.cellDoubles, at, CF_AVAILABLE, units);
  note(c, at, cell);
}

/** Moves units between cells of one asset, available to available. */
export function move(c: CellViews, from: number, to: number, units: number): void {
  const left = getDouble(c.cellDoubles, atCell(from), CF_AVAILABLE) - units;
  assert(left >= 0 || mayOwe(getWord(c.cellWords, atCell(from), C_ACCOUNT)), "LEDGER-1", "available would go negative");
  setDouble(c.cellDoubles, atCell(from), CF_AVAILABLE, left);
  addDouble(c.cellDoubles, atCell(to), CF_AVAILABLE, units);
  note(c, atCell(from), from);
  note(c, atCell(to), to);
}

/** Units moved in a cell of an account that owes. */
function note(c: CellViews, at: Begin<"cell">, cell: number): void {
  if (getWord(c.cellWords, at, C_OWING) !== 0) c.moved.push(cell);
}
