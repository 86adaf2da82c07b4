// Owns the records of restrictions: how much of a user's worth must stay and until when. A user's chain from the user.
import { Table } from "../memory/table.ts";
import { type Ledger, U_RESTRICTIONS } from "./ledger.ts";

const RESTRICTION_WORDS = 12;
const RESTRICTION_DOUBLES = 6;
export const R_OWNER = 1;
/** The entry that knows its reference. */
export const R_ENTRY = 2;
export const R_NEXT = 3;
const R_PREV = 4;
/** Place among the deadlines, 0 for none. */
export const R_PLACE = 5;
export const RF_UNITS = 3;
/** When it ends by itself; 0 for never. */
export const RF_UNTIL = 4;

export class Restrictions {
  readonly table = new Table("restrictions", RESTRICTION_WORDS, 16);
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  word(made: number, word: number): number {
    return this.table.i32[made * RESTRICTION_WORDS + word] as number;
  }

  setWord(made: number, word: number, value: number): void {
    this.table.i32[made * RESTRICTION_WORDS + word] = value;
  }

  double(made: number, double: number): number {
    return this.table.f64[made * RESTRICTION_DOUBLES + double] as number;
  }

  setDouble(made: number, double: number, value: number): void {
    this.table.f64[made * RESTRICTION_DOUBLES + double] = value;
  }

  open(owner: number, entry: number, units: number, until: number): number {
    const made = this.table.take();
    this.table.i32.fill(0, made * RESTRICTION_WORDS, (made + 1) * RESTRICTION_WORDS);
    const first = this.#ledger.ownerWord(owner, U_RESTRICTIONS);
    this.setWord(made, R_OWNER, owner);
    this.setWord(made, R_ENTRY, entry);
    this.setWord(made, R_NEXT, first);
    this.setDouble(made, RF_UNITS, units);
    this.setDouble(made, RF_UNTIL, until);
    if (first !== 0) this.setWord(first, R_PREV, made);
    this.#ledger.setOwnerWord(owner, U_RESTRICTIONS, made);
    return made;
  }

  /** Nothing is left of it, and its deadline is gone. */
  close(made: number): void {
    const next = this.word(made, R_NEXT);
    const prev = this.word(made, R_PREV);
    if (next !== 0) this.setWord(next, R_PREV, prev);
    if (prev !== 0) this.setWord(prev, R_NEXT, next);
    else this.#ledger.setOwnerWord(this.word(made, R_OWNER), U_RESTRICTIONS, next);
    this.table.give(made);
  }
}
