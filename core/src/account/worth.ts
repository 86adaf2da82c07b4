// Owns what holdings are worth in USDT at the one valuation of assets. Only reads.

import { H_CELL, H_OUTGOING, HF_LEFT } from "../ledger/holds.ts";
import { A_BOOK, A_CELLS, A_NEXT, atCell, C_NEXT, U_ACCOUNTS } from "../ledger/ledger.ts";
import { getWord } from "../memory/record.ts";
import { crossProfit } from "../perp/margin/equity.ts";
import { BOOKS } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";
import { fairValue } from "../value/value.ts";

const BONUS = BOOKS.indexOf("bonus");
const DEMO = BOOKS.indexOf("demo");

/** Worth of what leaves, rounded up. */
export function worthCeil(core: Core, asset: number, units: number): bigint {
  const { up, down } = fairValue(core, asset);
  return (BigInt(units) * up + down - 1n) / down;
}

/** Whether an asset's worth is known at all. */
export function isPriced(core: Core, asset: number): boolean {
  return fairValue(core, asset).up !== 0n;
}

/**
 * Worth of all a user has, each holding rounded down: balances of every book but bonus and demo, less what is already on
 * its way out under a hold, less what cross positions have lost so far.
 */
export function worthOfUser(core: Core, owner: number): bigint {
  const { ledger } = core;
  let sum = 0n;
  for (
    let account = ledger.ownerWord(owner, U_ACCOUNTS);
    account !== 0;
    account = ledger.accountWord(account, A_NEXT)
  ) {
    const book = ledger.accountWord(account, A_BOOK);
    if (book === BONUS || book === DEMO) continue;
    for (
      let cell = ledger.accountWord(account, A_CELLS);
      cell !== 0;
      cell = getWord(ledger.cellWords, atCell(cell), C_NEXT)
    ) {
      const units = heldIn(core, account, cell);
      if (units <= 0) continue;
      const { up, down } = fairValue(core, ledger.cellAsset(cell));
      sum += (BigInt(units) * up) / down;
    }
  }
  return sum;
}

function heldIn(core: Core, account: number, cell: number): number {
  const { ledger, perps, holds } = core;
  let units = ledger.available(cell) + ledger.frozen(cell);
  for (const hold of holds.of(account))
    if (holds.word(hold, H_CELL) === cell && holds.word(hold, H_OUTGOING) !== 0) units -= holds.double(hold, HF_LEFT);
  const marginAccount = perps.marginAccountIndex.find(account, ledger.cellAsset(cell));
  return marginAccount === 0 ? units : units + Math.min(0, crossProfit(core, marginAccount));
}
