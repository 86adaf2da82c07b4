// Owns the making of margin accounts, symbol margins and positions. Knows accounts and contracts, never orders or
// prices.

import { assert } from "@clockwork/kit/assert";
import { A_PERP, type Ledger } from "../../ledger/ledger.ts";
import { setWord } from "../../memory/record.ts";
import { FIRST_USER_ACCOUNT } from "../../protocol/names.ts";
import {
  atMarginAccount,
  atPosition,
  CT_LEVERAGE_MAX,
  CT_MIRROR,
  MA_ACCOUNT,
  MA_ASSET,
  MA_CELL,
  MA_OPEN,
  MA_POSITIONS,
  MODE_DEMO,
  MODE_HEDGE,
  MODE_HOUSE,
  MODE_ISOLATED,
  MODE_SPLIT,
  MODE_WATCHED,
  type Perps,
  PO_FLAGS,
  PO_GENERATION,
  PO_LEVERAGE,
  PO_NEXT,
  PO_PREV,
  PO_SIBLING,
  PO_SYMBOL_MARGIN,
  PO_WARN_KEY,
  PO_WARN_PLACE,
  PO_WARNED,
  POF_COST,
  POF_EXCESS,
  POF_LOTS,
  POF_MARGIN,
  POF_OPENED,
  POF_REALIZED,
  POSITION_LISTED,
  POSITION_SPLIT,
  SM_ACCOUNT,
  SM_ACCOUNT_MARKET,
  SM_FLAGS,
  SM_LEVERAGE_LONG,
  SM_LEVERAGE_SHORT,
  SM_LONG,
  SM_MARGIN_ACCOUNT,
  SM_MARKET,
  SM_SHORT,
  SM_SPLITS,
} from "./records.ts";

const LEVERAGE_FIRST = 20;

/** The account's margin account in a coin, made when there is none. */
export function openMarginAccount(perps: Perps, ledger: Ledger, account: number, asset: number): number {
  const found = perps.marginAccountIndex.find(account, asset);
  if (found !== 0) return found;
  const marginAccount = perps.marginAccounts.take();
  const at = atMarginAccount(marginAccount);
  setWord(perps.marginAccountWords, at, MA_ACCOUNT, account);
  setWord(perps.marginAccountWords, at, MA_ASSET, asset);
  setWord(perps.marginAccountWords, at, MA_CELL, ledger.cellOf(account, asset));
  perps.marginAccountIndex.insert(account, asset, marginAccount);
  return marginAccount;
}

/** The account's place in a perpetual market: cross margin, its own modes, a leverage that is neither low nor high. */
export function openSymbolMargin(
  perps: Perps,
  ledger: Ledger,
  account: number,
  market: number,
  asset: number,
  accountMarket: number,
): number {
  const marginAccount = openMarginAccount(perps, ledger, account, asset);
  const symbolMargin = perps.symbolMargins.take();
  const house = account < FIRST_USER_ACCOUNT;
  const modes = ledger.accountWord(account, A_PERP) & (MODE_HEDGE | MODE_SPLIT | MODE_WATCHED);
  const leverage = Math.min(LEVERAGE_FIRST, Math.max(1, perps.contract(market, CT_LEVERAGE_MAX)));
  perps.setSymbolMargin(symbolMargin, SM_ACCOUNT_MARKET, accountMarket);
  perps.setSymbolMargin(symbolMargin, SM_ACCOUNT, account);
  perps.setSymbolMargin(symbolMargin, SM_MARKET, market);
  perps.setSymbolMargin(symbolMargin, SM_MARGIN_ACCOUNT, marginAccount);
  const demo = perps.contract(market, CT_MIRROR) !== 0 ? MODE_DEMO : 0;
  const own = house ? MODE_HOUSE : (modes & MODE_SPLIT) !== 0 ? modes | MODE_ISOLATED : modes;
  perps.setSymbolMargin(symbolMargin, SM_FLAGS, own | demo);
  perps.setSymbolMargin(symbolMargin, SM_LEVERAGE_LONG, leverage);
  perps.setSymbolMargin(symbolMargin, SM_LEVERAGE_SHORT, leverage);
  perps.setSymbolMargin(symbolMargin, SM_LONG, addPosition(perps, symbolMargin, leverage, 0));
  perps.setSymbolMargin(symbolMargin, SM_SHORT, addPosition(perps, symbolMargin, leverage, 0));
  return symbolMargin;
}

function addPosition(perps: Perps, symbolMargin: number, leverage: number, flags: number): number {
  const position = perps.positions.take();
  const at = atPosition(position);
  perps.positionWords.fill(0, at + 1, at + PO_GENERATION);
  setWord(perps.positionWords, at, PO_NEXT, 0);
  setWord(perps.positionWords, at, PO_WARN_PLACE, 0);
  setWord(perps.positionWords, at, PO_WARN_KEY, 0);
  setWord(perps.positionWords, at, PO_PREV, 0);
  setWord(perps.positionWords, at, PO_SIBLING, 0);
  setWord(perps.positionWords, at, PO_SYMBOL_MARGIN, symbolMargin);
  setWord(perps.positionWords, at, PO_LEVERAGE, leverage);
  setWord(perps.positionWords, at, PO_FLAGS, flags);
  for (const double of [POF_LOTS, POF_COST, POF_EXCESS, POF_MARGIN, POF_REALIZED, POF_OPENED])
    perps.setPositionDouble(position, double, 0);
  return position;
}

/** A position of its own for an opening order, in split layout. */
export function addSplit(perps: Perps, symbolMargin: number, leverage: number): number {
  const position = addPosition(perps, symbolMargin, leverage, POSITION_SPLIT);
  perps.setPosition(position, PO_SIBLING, perps.symbolMargin(symbolMargin, SM_SPLITS));
  perps.setSymbolMargin(symbolMargin, SM_SPLITS, position);
  return position;
}

/** Gives a flat split position's record back; its id is never used again. */
export function dropSplit(perps: Perps, symbolMargin: number, position: number): void {
  let at = perps.symbolMargin(symbolMargin, SM_SPLITS);
  if (at === position) perps.setSymbolMargin(symbolMargin, SM_SPLITS, perps.position(position, PO_SIBLING));
  else {
    while (at !== 0 && perps.position(at, PO_SIBLING) !== position) at = perps.position(at, PO_SIBLING);
    assert(at !== 0, "PERP-18", "a split position is not of its symbol margin");
    perps.setPosition(at, PO_SIBLING, perps.position(position, PO_SIBLING));
  }
  perps.setPosition(position, PO_SYMBOL_MARGIN, 0);
  perps.positions.give(position);
}

/** Puts a position that has opened on its margin account's list. */
export function listPosition(perps: Perps, marginAccount: number, position: number): void {
  const isListed = (perps.position(position, PO_FLAGS) & POSITION_LISTED) !== 0;
  assert(!isListed, "PERP-18", "a position opens twice");
  const head = perps.marginAccount(marginAccount, MA_POSITIONS);
  perps.setPosition(position, PO_NEXT, head);
  // The position before in this record may have been warned.
  perps.setPosition(position, PO_WARNED, 0);
  if (head !== 0) perps.setPosition(head, PO_PREV, position);
  setWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_POSITIONS, position);
  setWord(
    perps.marginAccountWords,
    atMarginAccount(marginAccount),
    MA_OPEN,
    perps.marginAccount(marginAccount, MA_OPEN) + 1,
  );
  perps.setPosition(position, PO_FLAGS, perps.position(position, PO_FLAGS) | POSITION_LISTED);
}

export function delistPosition(perps: Perps, marginAccount: number, position: number): void {
  const next = perps.position(position, PO_NEXT);
  const prev = perps.position(position, PO_PREV);
  if (next !== 0) perps.setPosition(next, PO_PREV, prev);
  if (prev !== 0) perps.setPosition(prev, PO_NEXT, next);
  else setWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_POSITIONS, next);
  perps.setPosition(position, PO_NEXT, 0);
  perps.setPosition(position, PO_PREV, 0);
  setWord(
    perps.marginAccountWords,
    atMarginAccount(marginAccount),
    MA_OPEN,
    perps.marginAccount(marginAccount, MA_OPEN) - 1,
  );
  assert(perps.marginAccount(marginAccount, MA_OPEN) >= 0, "PERP-18", "fewer open positions than none");
  perps.setPosition(position, PO_FLAGS, perps.position(position, PO_FLAGS) & ~POSITION_LISTED);
}

/** Whether a position has a margin of its own. */
export function isIsolated(perps: Perps, position: number): boolean {
  return (perps.symbolMargin(perps.position(position, PO_SYMBOL_MARGIN), SM_FLAGS) & MODE_ISOLATED) !== 0;
}
