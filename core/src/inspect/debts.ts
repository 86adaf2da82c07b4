// Owns reading what a user owes the house. Changes nothing.
import { D_ASSET } from "../ledger/debts.ts";
import { coreOf } from "../machine/machine.ts";
import type { Machine } from "../protocol/contract.ts";

export interface Debt {
  readonly asset: number;
  readonly owedUnits: number;
}

export function readDebts(machine: Machine, user: number): Debt[] {
  const { ledger, debts } = coreOf(machine);
  const owner = ledger.userIndex.find(user, 0);
  if (owner === 0) return [];
  return Array.from(debts.of(owner), (debt) => ({ asset: debts.word(debt, D_ASSET), owedUnits: debts.units(debt) }));
}
