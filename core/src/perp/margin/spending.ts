// Owns what may leave an account that perpetuals depend on and what leaving does to its bonus, and which coins are play
// money. Moves nothing.

import { M_QUOTE } from "../../market/markets.ts";
import { getDouble } from "../../memory/record.ts";
import type { Core } from "../../state/core.ts";
import { atMarginAccount, CT_MIRROR, MAF_BONUS } from "../state/records.ts";
import { voidShare } from "./bonus.ts";
import { transferable } from "./equity.ts";

/** Available units, less what open positions and orders ask. */
export function spendable(core: Core, account: number, asset: number): number {
  const available = core.ledger.available(core.ledger.cellOf(account, asset));
  const marginAccount = core.perps.marginAccountIndex.find(account, asset);
  return marginAccount === 0 ? available : Math.min(available, transferable(core, marginAccount));
}

/** Money left: margins are looked at again, and the same share of the bonus is void. */
export function noteSpent(core: Core, account: number, asset: number, units: number, own: number): void {
  const marginAccount = core.perps.marginAccountIndex.find(account, asset);
  if (marginAccount === 0) return;
  core.perps.markDirty(marginAccount);
  if (getDouble(core.perps.marginAccountDoubles, atMarginAccount(marginAccount), MAF_BONUS) > 0)
    voidShare(core, marginAccount, units, own);
}

/** Whether a coin is the settlement coin of a demo market. */
export function isPlayMoney(core: Core, asset: number): boolean {
  for (let market = 1; market < core.perps.contracts.count; market++)
    if (core.perps.contract(market, CT_MIRROR) !== 0 && core.markets.word(market, M_QUOTE) === asset) return true;
  return false;
}
