// Owns what every movement of money shares: who may be moved from and to, and the posting itself.
import { assert } from "@clockwork/kit/assert";
import { noteMoved } from "../copy/share/funds.ts";
import { A_BOOK, A_FLAGS, ACCOUNT_BLOCK_OUTGOING, ACCOUNT_BOT } from "../ledger/ledger.ts";
import { BOOKS, EXTERNAL_ACCOUNT } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";

const BONUS = BOOKS.indexOf("bonus");
const DEMO = BOOKS.indexOf("demo");

/** One entry of two legs. */
export function postMove(core: Core, from: number, to: number, units: number, business: number): void {
  assert(units > 0 && from !== to, "LEDGER-30", "an entry moves nothing, backwards, or nowhere");
  core.ledger.move(from, to, units);
  core.emitPosting(business, from, to, -units, 0, 0);
  core.emitPosting(business, to, from, units, 0, 0);
  noteMoved(core, from, 0 - units);
  noteMoved(core, to, units);
}

export function isOutgoingBlocked(core: Core, account: number): boolean {
  return (core.ledger.accountWord(account, A_FLAGS) & ACCOUNT_BLOCK_OUTGOING) !== 0;
}

/**
 * Bonus and demo money stays where it is, whoever asks: bonus comes and goes by its grants, play money by a reset. The
 * external book only mints and burns. A bot moves its own money.
 */
export function isMovable(core: Core, account: number): boolean {
  const book = core.ledger.accountWord(account, A_BOOK);
  const isBot = (core.ledger.accountWord(account, A_FLAGS) & ACCOUNT_BOT) !== 0;
  return account !== EXTERNAL_ACCOUNT && book !== BONUS && book !== DEMO && !isBot;
}
