// Owns the records of holds by reference: what is left of each, whose cell it freezes and when it ends. An account's holds
// chain from the account. Never changes a balance.
import type { Double, Word } from "../memory/record.ts";
import { Records } from "../memory/records.ts";
import { A_HOLDS, type Ledger } from "./ledger.ts";

const HOLD_WORDS = 16;
export const H_CELL: Word<"hold"> = 1;
/** The entry that knows its reference. */
export const H_ENTRY: Word<"hold"> = 2;
const H_NEXT: Word<"hold"> = 3;
const H_PREV: Word<"hold"> = 4;
/** Place among the deadlines, 0 for none. */
export const H_PLACE: Word<"hold"> = 5;
export const H_BUSINESS: Word<"hold"> = 6;
/** 1 when the units are on their way out of the exchange or to somebody else. */
export const H_OUTGOING: Word<"hold"> = 7;
export const HF_LEFT: Double<"hold"> = 4;
/** When it ends by itself; 0 for never. */
export const HF_EXPIRES: Double<"hold"> = 5;

export class Holds extends Records<"hold"> {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    super("holds", HOLD_WORDS, 64);
    this.#ledger = ledger;
  }

  open(cell: number, entry: number, business: number, units: number): number {
    const hold = this.take();
    const account = this.#ledger.cellAccount(cell);
    const first = this.#ledger.accountWord(account, A_HOLDS);
    this.setWord(hold, H_CELL, cell);
    this.setWord(hold, H_ENTRY, entry);
    this.setWord(hold, H_BUSINESS, business);
    this.setWord(hold, H_NEXT, first);
    this.setDouble(hold, HF_LEFT, units);
    if (first !== 0) this.setWord(first, H_PREV, hold);
    this.#ledger.setAccountWord(account, A_HOLDS, hold);
    return hold;
  }

  /** Nothing is left of it, and its deadline is gone. */
  close(hold: number): void {
    const next = this.word(hold, H_NEXT);
    const prev = this.word(hold, H_PREV);
    if (next !== 0) this.setWord(next, H_PREV, prev);
    if (prev !== 0) this.setWord(prev, H_NEXT, next);
    else this.#ledger.setAccountWord(this.#ledger.cellAccount(this.word(hold, H_CELL)), A_HOLDS, next);
    this.setWord(hold, H_CELL, 0);
    this.table.give(hold);
  }

  /** The holds of an account, newest first. */
  *of(account: number): Generator<number> {
    for (let hold = this.#ledger.accountWord(account, A_HOLDS); hold !== 0; hold = this.word(hold, H_NEXT)) yield hold;
  }
}
