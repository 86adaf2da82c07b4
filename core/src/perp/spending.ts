// Owns what may leave an account that perpetuals lean on, and what leaving does to its bonus. Moves nothing.
import type { Core } from "../machine/core.ts";
import { voidShare } from "./bonus.ts";
import { transferable } from "./equity.ts";
import { PUF_BONUS, PURSE_DOUBLE_SHIFT } from "./state.ts";

/** Available units, less what open positions and orders ask. */
export function spendable(core: Core, account: number, asset: number): number {
  const available = core.ledger.available(core.ledger.cellOf(account, asset));
  const purse = core.perps.purseIndex.find(account, asset);
  return purse === 0 ? available : Math.min(available, transferable(core, purse));
}

/** Money left: margins are looked at again, and the same share of the bonus is void. */
export function noteSpent(core: Core, account: number, asset: number, units: number, own: number): void {
  const purse = core.perps.purseIndex.find(account, asset);
  if (purse === 0) return;
  core.perps.markDirty(purse);
  if ((core.perps.purseDoubles[(purse << PURSE_DOUBLE_SHIFT) | PUF_BONUS] as number) > 0)
    voidShare(core, purse, units, own);
}
