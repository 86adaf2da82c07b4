// Owns reading what every account holds of every asset, for whoever compares it with a copy. Changes nothing.
import { coreOf } from "../machine/machine.ts";
import type { Machine } from "../protocol/contract.ts";

/** Columns of the same length, one entry for each account and asset that ever met; units are whole numbers. */
export interface BalanceColumns {
  /** The last command they contain. */
  readonly sequence: number;
  readonly accounts: Int32Array;
  readonly assets: Int32Array;
  readonly availableUnits: Float64Array;
  readonly frozenUnits: Float64Array;
}

export function readBalances(machine: Machine): BalanceColumns {
  const { ledger } = coreOf(machine);
  const count = Math.max(0, ledger.cells.count - 1);
  const columns = {
    sequence: machine.sequence,
    accounts: new Int32Array(count),
    assets: new Int32Array(count),
    availableUnits: new Float64Array(count),
    frozenUnits: new Float64Array(count),
  };
  for (let cell = 1; cell <= count; cell++) {
    columns.accounts[cell - 1] = ledger.cellAccount(cell);
    columns.assets[cell - 1] = ledger.cellAsset(cell);
    columns.availableUnits[cell - 1] = ledger.available(cell);
    columns.frozenUnits[cell - 1] = ledger.frozen(cell);
  }
  return columns;
}
