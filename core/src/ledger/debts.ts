// Owns the records of debts: how much of a coin a user owes the house. A user's chain from the user.
import type { Double, Word } from "../memory/record.ts";
import { Records } from "../memory/records.ts";
import { type Ledger, U_DEBTS } from "./ledger.ts";

const DEBT_WORDS = 8;
const D_OWNER: Word<"debt"> = 1;
export const D_ASSET: Word<"debt"> = 2;
const D_NEXT: Word<"debt"> = 3;
const DF_UNITS: Double<"debt"> = 2;

export class Debts extends Records<"debt"> {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    super("debts", DEBT_WORDS, 16);
    this.#ledger = ledger;
  }

  units(debt: number): number {
    return this.double(debt, DF_UNITS);
  }

  setUnits(debt: number, units: number): void {
    this.setDouble(debt, DF_UNITS, units);
  }

  /** Everything a user owes. */
  *of(owner: number): Generator<number> {
    for (let debt = this.#ledger.ownerWord(owner, U_DEBTS); debt !== 0; debt = this.word(debt, D_NEXT)) yield debt;
  }

  /** The debt of a user in an asset, 0 for none. */
  find(owner: number, asset: number): number {
    for (const debt of this.of(owner)) if (this.word(debt, D_ASSET) === asset) return debt;
    return 0;
  }

  open(owner: number, asset: number): number {
    const debt = this.take();
    this.setWord(debt, D_OWNER, owner);
    this.setWord(debt, D_ASSET, asset);
    this.setWord(debt, D_NEXT, this.#ledger.ownerWord(owner, U_DEBTS));
    this.#ledger.setOwnerWord(owner, U_DEBTS, debt);
    return debt;
  }

  /** Nothing is owed of it any more. */
  close(debt: number): void {
    const owner = this.word(debt, D_OWNER);
    const next = this.word(debt, D_NEXT);
    if (this.#ledger.ownerWord(owner, U_DEBTS) === debt) this.#ledger.setOwnerWord(owner, U_DEBTS, next);
    else for (const other of this.of(owner)) if (this.word(other, D_NEXT) === debt) this.setWord(other, D_NEXT, next);
    this.table.give(debt);
  }
}
