// Owns reading what each asset adds up to: what users and the house hold against what was minted. Changes nothing.
import { type Units, units } from "@clockwork/kit/money";
import { coreOf } from "../machine/machine.ts";
import type { Machine } from "../protocol/contract.ts";
import { EXTERNAL_ACCOUNT } from "../protocol/names.ts";
import { type ListedAsset, readAssets } from "./listing.ts";

export interface AssetSum extends ListedAsset {
  /** Available and frozen of all users. */
  readonly users: Units;
  /** The same of the house's books but for the external one; what one of them owes counts against it. */
  readonly house: Units;
  /** What the external book owes. */
  readonly minted: Units;
}

/** One sum for each asset that was listed; `users + house = minted`, or units were made or lost. */
export function readSums(machine: Machine): AssetSum[] {
  const { ledger } = coreOf(machine);
  const users = new Map<number, bigint>();
  const house = new Map<number, bigint>();
  for (let cell = 1; cell < ledger.cells.count; cell++) {
    const account = ledger.cellAccount(cell);
    if (account === EXTERNAL_ACCOUNT) continue;
    const sums = ledger.isUserAccount(account) ? users : house;
    const asset = ledger.cellAsset(cell);
    const held = BigInt(ledger.available(cell)) + BigInt(ledger.frozen(cell));
    sums.set(asset, (sums.get(asset) ?? 0n) + held);
  }
  return readAssets(machine).map((listed) => ({
    ...listed,
    users: units(users.get(listed.asset) ?? 0n),
    house: units(house.get(listed.asset) ?? 0n),
    minted: units(ledger.minted(listed.asset)),
  }));
}
