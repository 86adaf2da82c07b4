// Owns debts from their beginning to their end: what a reorganisation left owed, everything that moves in a debtor's books
// repaying it, trading closed meanwhile and opened again with the last unit.

import { REORG } from "../account/debts.ts";
import { isMovable, postMove } from "../account/moving.ts";
import { isUnits } from "../account/references.ts";
import { stopBot } from "../bot/change.ts";
import { ask } from "../copy/input.ts";
import { accountMarketsOf, unwatchAccount, watchAccount } from "../copy/watching.ts";
import {
  A_BOOK,
  A_CELLS,
  A_NEXT,
  A_OWNER,
  ACCOUNT_INDEBTED,
  ACCOUNT_WATCHED,
  atCell,
  C_NEXT,
  C_OWING,
  U_ACCOUNTS,
  U_DEBTS,
  U_USER,
} from "../ledger/ledger.ts";
import { AM_MARKET } from "../market/account-markets.ts";
import { getWord, setWord } from "../memory/record.ts";
import { cancelMarket } from "../order/end/cancel-all.ts";
import { noteSpent, spendable } from "../perp/margin/spending.ts";
import { commandPlaces } from "../protocol/command.ts";
import { eventPlaces } from "../protocol/event.ts";
import { BOOKS, RESERVES_ACCOUNT } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import { isBotBook } from "../state/access.ts";
import type { Core } from "../state/core.ts";

const OWE = commandPlaces("owe");

const DEBT_CHANGED = eventPlaces("debtChanged");

const BOT = BOOKS.indexOf("bot");

export function owe(core: Core): number {
  const user = core.readWord(OWE.user);
  const units = core.readDouble(OWE.units);
  const asset = core.readWord(OWE.asset);
  if (user <= 0) return REJECT.MALFORMED_COMMAND;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (!core.ledger.isAsset(asset)) return REJECT.UNKNOWN_ASSET;
  const owner = core.ledger.ownerOf(user);
  const known = core.debts.find(owner, asset);
  if (known !== 0 && units > Number.MAX_SAFE_INTEGER - core.debts.units(known)) return REJECT.INVALID_AMOUNT;
  const debt = known !== 0 ? known : core.debts.open(owner, asset);
  changeDebt(core, debt, owner, asset, units);
  for (const account of accountsOf(core, owner)) closeTrading(core, account);
  for (const account of accountsOf(core, owner)) {
    const cell = core.ledger.cellIndex.find(account, asset);
    if (cell !== 0 && isMovable(core, account)) core.ledger.moved.push(cell);
  }
  return 0;
}

function accountsOf({ ledger }: Core, owner: number): number[] {
  const accounts: number[] = [];
  for (let at = ledger.ownerWord(owner, U_ACCOUNTS); at !== 0; at = ledger.accountWord(at, A_NEXT)) accounts.push(at);
  return accounts;
}

function changeDebt(core: Core, debt: number, owner: number, asset: number, byUnits: number): void {
  const left = core.debts.units(debt) + byUnits;
  core.debts.setUnits(debt, left);
  const record = core.events.openClean(DEBT_CHANGED.kind, 0, 0, 0, core.sequence);
  core.events.setWord(record, DEBT_CHANGED.user, core.ledger.ownerWord(owner, U_USER));
  core.events.setWord(record, DEBT_CHANGED.asset, asset);
  core.events.setDouble(record, DEBT_CHANGED.changeUnits, byUnits);
  core.events.setDouble(record, DEBT_CHANGED.owedUnits, left);
}

/** Bots end and give back what they hold; orders end, but for what waits to reduce a position. */
function closeTrading(core: Core, account: number): void {
  if (isBotBook(core, account)) {
    if (core.ledger.accountWord(account, A_BOOK) === BOT) ask(core, account, stopBot, new Map());
    return;
  }
  if (!isMovable(core, account)) return;
  markIndebted(core, account);
  for (const accountMarket of accountMarketsOf(core, account)) {
    const market = core.accountMarkets.word(accountMarket, AM_MARKET);
    cancelMarket(core, account, market, !core.perps.isPerp(market));
  }
}

/** Also for an account that is opened while its owner owes. */
export function markIndebted(core: Core, account: number): void {
  if (core.ledger.ownerWord(core.ledger.accountWord(account, A_OWNER), U_DEBTS) === 0 || !isMovable(core, account))
    return;
  watchAccount(core, account, ACCOUNT_WATCHED | ACCOUNT_INDEBTED, 0);
  markCells(core, account, 1);
}

function markCells({ ledger }: Core, account: number, value: number): void {
  for (let cell = ledger.accountWord(account, A_CELLS); cell !== 0; ) {
    setWord(ledger.cellWords, atCell(cell), C_OWING, value);
    cell = getWord(ledger.cellWords, atCell(cell), C_NEXT);
  }
}

/** Whatever this command moved in books of users who owe. */
export function repayMoved(core: Core): void {
  const { moved } = core.ledger;
  while (moved.length !== 0) repay(core, moved.pop() as number);
}

function repay(core: Core, cell: number): void {
  const { ledger, debts } = core;
  const account = ledger.cellAccount(cell);
  const asset = ledger.cellAsset(cell);
  const owner = ledger.accountWord(account, A_OWNER);
  const debt = debts.find(owner, asset);
  if (debt === 0) return;
  const units = Math.min(debts.units(debt), spendable(core, account, asset));
  if (units <= 0) return;
  const own = ledger.available(cell);
  postMove(core, cell, ledger.cellOf(RESERVES_ACCOUNT, asset), units, REORG);
  noteSpent(core, account, asset, units, own);
  changeDebt(core, debt, owner, asset, 0 - units);
  if (debts.units(debt) !== 0) return;
  debts.close(debt);
  if (ledger.ownerWord(owner, U_DEBTS) === 0) for (const one of accountsOf(core, owner)) release(core, one);
}

function release(core: Core, account: number): void {
  unwatchAccount(core, account, ACCOUNT_INDEBTED);
  markCells(core, account, 0);
}
