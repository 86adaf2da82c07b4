// Owns what every movement of money shares: who may be moved from and to, and the posting itself.
import { A_BOOK, A_FLAGS, ACCOUNT_BLOCK_OUTGOING } from "../ledger/ledger.ts";
import { BOOKS, EXTERNAL_ACCOUNT } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";

const BONUS = BOOKS.indexOf("bonus");
const DEMO = BOOKS.indexOf("demo");

/** One entry of two legs. */
export function postMove(core: Core, from: number, to: number, units: number, business: number): void {
  core.ledger.move(from, to, units);
  core.emitPosting(business, from, to, -units, 0, 0);
  core.emitPosting(business, to, from, units, 0, 0);
}

export function isOutgoingBlocked(core: Core, account: number): boolean {
  return (core.ledger.accountWord(account, A_FLAGS) & ACCOUNT_BLOCK_OUTGOING) !== 0;
}

/** Bonus and demo money stays where it is, and the external book only mints and burns. */
export function isMovable(core: Core, account: number): boolean {
  const book = core.ledger.accountWord(account, A_BOOK);
  return account !== EXTERNAL_ACCOUNT && book !== BONUS && book !== DEMO;
}
