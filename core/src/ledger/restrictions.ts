// Owns the records of restrictions: how much of a user's worth must stay and until when. A user's chain from the user.
import type { Double, Word } from "../memory/record.ts";
import { Records } from "../memory/records.ts";
import { type Ledger, U_RESTRICTIONS } from "./ledger.ts";

const RESTRICTION_WORDS = 12;
export const R_OWNER: Word<"restriction"> = 1;
/** The entry that knows its reference. */
export const R_ENTRY: Word<"restriction"> = 2;
export const R_NEXT: Word<"restriction"> = 3;
const R_PREV: Word<"restriction"> = 4;
/** Place among the deadlines, 0 for none. */
export const R_PLACE: Word<"restriction"> = 5;
export const RF_UNITS: Double<"restriction"> = 3;
/** When it ends by itself; 0 for never. */
export const RF_UNTIL: Double<"restriction"> = 4;

export class Restrictions extends Records<"restriction"> {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    super("restrictions", RESTRICTION_WORDS, 16);
    this.#ledger = ledger;
  }

  open(owner: number, entry: number, units: number, until: number): number {
    const made = this.take();
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
