// Owns moving a bot's money between its book and where it came from, and opening that book.
import { assert } from "@clockwork/kit/assert";
import { postMove } from "../../account/moving.ts";
import { A_GROUP, A_OWNER, A_USER, U_BOTS } from "../../ledger/ledger.ts";
import { noteSpent, spendable } from "../../perp/margin/spending.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { BOOKS, BUSINESSES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";

const ACCOUNT_CREATED = eventPlaces("accountCreated");

/** Running at once by one user, whatever their kind. */
export const BOTS_MAX = 20;
const BOT_BOOK = BOOKS.indexOf("bot");
const BOT_FUND = BUSINESSES.indexOf("botFund");

export function openBook(core: Core, source: number, sub: number): number {
  const { ledger } = core;
  const user = ledger.accountWord(source, A_USER);
  const group = ledger.accountWord(source, A_GROUP);
  const account = ledger.createAccount(user, BOT_BOOK, sub, group);
  const record = core.events.openClean(ACCOUNT_CREATED.kind, BOT_BOOK, 0, account, core.sequence);
  core.events.setWord(record, ACCOUNT_CREATED.user, user);
  core.events.setWord(record, ACCOUNT_CREATED.sub, sub);
  core.events.setWord(record, ACCOUNT_CREATED.group, group);
  return account;
}

/** One more runs, or one less. */
export function countBots(core: Core, account: number, by: number): void {
  const owner = core.ledger.accountWord(account, A_OWNER);
  const count = core.ledger.ownerWord(owner, U_BOTS) + by;
  assert(count >= 0 && count <= BOTS_MAX, "BOT-1", "more bots run than a user may have, or fewer than none");
  core.ledger.setOwnerWord(owner, U_BOTS, count);
}

export function runningBots(core: Core, account: number): number {
  return core.ledger.ownerWord(core.ledger.accountWord(account, A_OWNER), U_BOTS);
}

export function moveFunds(core: Core, from: number, to: number, asset: number, units: number): void {
  const { ledger } = core;
  const cell = ledger.cellOf(from, asset);
  const own = ledger.available(cell);
  postMove(core, cell, ledger.cellOf(to, asset), units, BOT_FUND);
  noteSpent(core, from, asset, units, own);
}

/** All of an asset that may leave the bot's book goes to where the money came from. */
export function moveAllBack(core: Core, account: number, source: number, asset: number): void {
  const units = spendable(core, account, asset);
  if (units > 0) moveFunds(core, account, source, asset, units);
}
