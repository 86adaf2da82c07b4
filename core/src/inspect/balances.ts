// Owns reading what every account holds of every asset, for whoever compares it with a copy. Changes nothing.
import { coreOf } from "../machine/machine.ts";
import type { Machine } from "../protocol/contract.ts";

/** Columns of the same length, one entry for each account and asset that ever met; units are whole numbers. */
export interface BalanceColumns {
  /** The last command they contain. */
  readonly sequence: number;
  /** Of the whole core. */
  readonly total: number;
  readonly accounts: Int32Array;
  readonly assets: Int32Array;
  readonly availableUnits: Float64Array;
  readonly frozenUnits: Float64Array;
}

/** Some of them; those made later come later. */
export interface BalanceSlice {
  readonly from: number;
  readonly count: number;
}

const ALL: BalanceSlice = { from: 0, count: Number.MAX_SAFE_INTEGER };

export function readBalances(machine: Machine, slice: BalanceSlice = ALL): BalanceColumns {
  const { ledger } = coreOf(machine);
  const total = ledger.cells.count - 1;
  const count = Math.max(0, Math.min(slice.count, total - slice.from));
  const columns = {
    sequence: machine.sequence,
    total,
    accounts: new Int32Array(count),
    assets: new Int32Array(count),
    availableUnits: new Float64Array(count),
    frozenUnits: new Float64Array(count),
  };
  for (let at = 0; at < count; at++) {
    const cell = slice.from + at + 1;
    columns.accounts[at] = ledger.cellAccount(cell);
    columns.assets[at] = ledger.cellAsset(cell);
    columns.availableUnits[at] = ledger.available(cell);
    columns.frozenUnits[at] = ledger.frozen(cell);
  }
  return columns;
}
