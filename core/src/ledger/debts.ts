// Owns the records of debts: how much of a coin a user owes the house. A user's chain from the user.
import { Table } from "../memory/table.ts";
import { type Ledger, U_DEBTS } from "./ledger.ts";

const DEBT_WORDS = 8;
const DEBT_DOUBLES = 4;
const D_OWNER = 1;
export const D_ASSET = 2;
const D_NEXT = 3;
const DF_UNITS = 2;

export class Debts {
  readonly table = new Table("debts", DEBT_WORDS, 16);
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  word(debt: number, word: number): number {
    return this.table.i32[debt * DEBT_WORDS + word] as number;
  }

  #setWord(debt: number, word: number, value: number): void {
    this.table.i32[debt * DEBT_WORDS + word] = value;
  }

  units(debt: number): number {
    return this.table.f64[debt * DEBT_DOUBLES + DF_UNITS] as number;
  }

  setUnits(debt: number, units: number): void {
    this.table.f64[debt * DEBT_DOUBLES + DF_UNITS] = units;
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
    const debt = this.table.take();
    this.#setWord(debt, 0, 0);
    this.#setWord(debt, D_OWNER, owner);
    this.#setWord(debt, D_ASSET, asset);
    this.#setWord(debt, D_NEXT, this.#ledger.ownerWord(owner, U_DEBTS));
    this.setUnits(debt, 0);
    this.#ledger.setOwnerWord(owner, U_DEBTS, debt);
    return debt;
  }

  /** Nothing is owed of it any more. */
  close(debt: number): void {
    const owner = this.word(debt, D_OWNER);
    const next = this.word(debt, D_NEXT);
    if (this.#ledger.ownerWord(owner, U_DEBTS) === debt) this.#ledger.setOwnerWord(owner, U_DEBTS, next);
    else for (const other of this.of(owner)) if (this.word(other, D_NEXT) === debt) this.#setWord(other, D_NEXT, next);
    this.table.give(debt);
  }
}
