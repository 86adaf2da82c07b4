// Owns what a transfer does to a follower's sub-book: money put in or taken out is no profit and no loss, and a withdrawal
// never resets the high-water mark. Coins that leave a spot sub-book leave at what they cost.
import { A_BOOK, A_COPY } from "../../ledger/ledger.ts";
import { BOOKS } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { COPY_SPOT, FO_ACTIVE, FO_CELL, FO_KIND, FOF_FUNDED, FOF_INVESTED } from "../state/records.ts";
import { noteTaken, raiseBase } from "./base.ts";
import { publishFollow } from "./hold.ts";
import { dropUncovered, takeLots, worthOfUnits } from "./lots.ts";

const SUB_BOOKS = [BOOKS.indexOf("copyF"), BOOKS.indexOf("copyS")];

export function isSubBook(core: Core, account: number): boolean {
  return SUB_BOOKS.includes(core.ledger.accountWord(account, A_BOOK));
}

/** The follow of a sub-book, 0 when it is none or nobody was ever followed from it. */
export function followOf(core: Core, account: number): number {
  return isSubBook(core, account) ? core.ledger.accountWord(account, A_COPY) : 0;
}

/** Of a follow that is over stays told what was invested in it, wherever the money goes then. */
export function addInvested(core: Core, follow: number, units: number): void {
  const { follows } = core.copies;
  if (follows.word(follow, FO_ACTIVE) !== 0) follows.add(follow, FOF_INVESTED, units);
}

/** Units came into a cell (negative: left it) other than by trading; the ledger has already moved them. */
export function noteMoved(core: Core, cell: number, units: number): void {
  const account = core.ledger.cellAccount(cell);
  if (core.ledger.accountWord(account, A_COPY) === 0) return;
  const follow = followOf(core, account);
  if (follow === 0) return;
  const { follows } = core.copies;
  if (follows.word(follow, FO_CELL) === cell) {
    follows.add(follow, FOF_FUNDED, units);
    addInvested(core, follow, units);
    if (units > 0) raiseBase(core, follow, units);
    else noteTaken(core, follow, 0 - units);
    publishFollow(core, follow);
  } else if (follows.word(follow, FO_KIND) === COPY_SPOT && units < 0) {
    const asset = core.ledger.cellAsset(cell);
    const covered = dropUncovered(core, follow, asset, cell, 0 - units);
    if (covered === 0) return;
    noteTaken(core, follow, worthOfUnits(core, follow, asset, covered));
    const cost = takeLots(core, follow, asset, covered);
    follows.add(follow, FOF_FUNDED, 0 - cost);
    addInvested(core, follow, 0 - cost);
    publishFollow(core, follow);
  }
}
