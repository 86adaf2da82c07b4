// Owns the making of purses, stands and positions. Knows accounts and contracts, never orders or prices.
import { A_PERP, type Ledger } from "../../ledger/ledger.ts";
import { FIRST_USER_ACCOUNT } from "../../protocol/names.ts";
import {
  CT_LEVERAGE_MAX,
  CT_MIRROR,
  type Perps,
  PO_FLAGS,
  PO_GENERATION,
  PO_LEVERAGE,
  PO_NEXT,
  PO_PREV,
  PO_SIBLING,
  PO_STAND,
  PO_WARN_KEY,
  PO_WARN_PLACE,
  POF_COST,
  POF_LOTS,
  POF_MARGIN,
  POF_OPENED,
  POF_REALIZED,
  POSITION_LISTED,
  POSITION_SHIFT,
  POSITION_SPLIT,
  PU_ACCOUNT,
  PU_ASSET,
  PU_CELL,
  PU_OPEN,
  PU_POSITIONS,
  PURSE_SHIFT,
  ST_ACCOUNT,
  ST_FLAGS,
  ST_LEVERAGE_LONG,
  ST_LEVERAGE_SHORT,
  ST_LONG,
  ST_MARKET,
  ST_PURSE,
  ST_SEAT,
  ST_SHORT,
  ST_SPLITS,
  STAND_DEMO,
  STAND_HEDGE,
  STAND_HOUSE,
  STAND_ISOLATED,
  STAND_SPLIT,
} from "./records.ts";

const LEVERAGE_FIRST = 20;

/** The account's purse in a coin, made when there is none. */
export function openPurse(perps: Perps, ledger: Ledger, account: number, asset: number): number {
  const found = perps.purseIndex.find(account, asset);
  if (found !== 0) return found;
  const purse = perps.purses.take();
  const at = purse << PURSE_SHIFT;
  perps.purseWords[at | PU_ACCOUNT] = account;
  perps.purseWords[at | PU_ASSET] = asset;
  perps.purseWords[at | PU_CELL] = ledger.cellOf(account, asset);
  perps.purseIndex.insert(account, asset, purse);
  return purse;
}

/** The account's place in a perpetual market: cross margin, its own modes, a leverage that is neither low nor high. */
export function openStand(
  perps: Perps,
  ledger: Ledger,
  account: number,
  market: number,
  asset: number,
  seat: number,
): number {
  const purse = openPurse(perps, ledger, account, asset);
  const stand = perps.stands.take();
  const house = account < FIRST_USER_ACCOUNT;
  const modes = ledger.accountWord(account, A_PERP) & (STAND_HEDGE | STAND_SPLIT);
  const leverage = Math.min(LEVERAGE_FIRST, Math.max(1, perps.contract(market, CT_LEVERAGE_MAX)));
  perps.setStand(stand, ST_SEAT, seat);
  perps.setStand(stand, ST_ACCOUNT, account);
  perps.setStand(stand, ST_MARKET, market);
  perps.setStand(stand, ST_PURSE, purse);
  const demo = perps.contract(market, CT_MIRROR) !== 0 ? STAND_DEMO : 0;
  const own = house ? STAND_HOUSE : (modes & STAND_SPLIT) !== 0 ? modes | STAND_ISOLATED : modes;
  perps.setStand(stand, ST_FLAGS, own | demo);
  perps.setStand(stand, ST_LEVERAGE_LONG, leverage);
  perps.setStand(stand, ST_LEVERAGE_SHORT, leverage);
  perps.setStand(stand, ST_LONG, addPosition(perps, stand, leverage, 0));
  perps.setStand(stand, ST_SHORT, addPosition(perps, stand, leverage, 0));
  return stand;
}

function addPosition(perps: Perps, stand: number, leverage: number, flags: number): number {
  const position = perps.positions.take();
  const at = position << POSITION_SHIFT;
  perps.positionWords.fill(0, at + 1, at + PO_GENERATION);
  perps.positionWords[at | PO_NEXT] = 0;
  perps.positionWords[at | PO_WARN_PLACE] = 0;
  perps.positionWords[at | PO_WARN_KEY] = 0;
  perps.positionWords[at | PO_PREV] = 0;
  perps.positionWords[at | PO_SIBLING] = 0;
  perps.positionWords[at | PO_STAND] = stand;
  perps.positionWords[at | PO_LEVERAGE] = leverage;
  perps.positionWords[at | PO_FLAGS] = flags;
  for (const double of [POF_LOTS, POF_COST, POF_MARGIN, POF_REALIZED, POF_OPENED])
    perps.setPositionDouble(position, double, 0);
  return position;
}

/** A position of its own for an opening order, in split layout. */
export function addSplit(perps: Perps, stand: number, leverage: number): number {
  const position = addPosition(perps, stand, leverage, POSITION_SPLIT);
  perps.setPosition(position, PO_SIBLING, perps.stand(stand, ST_SPLITS));
  perps.setStand(stand, ST_SPLITS, position);
  return position;
}

/** Gives a flat split position's record back; its id is never used again. */
export function dropSplit(perps: Perps, stand: number, position: number): void {
  let at = perps.stand(stand, ST_SPLITS);
  if (at === position) perps.setStand(stand, ST_SPLITS, perps.position(position, PO_SIBLING));
  else {
    while (perps.position(at, PO_SIBLING) !== position) at = perps.position(at, PO_SIBLING);
    perps.setPosition(at, PO_SIBLING, perps.position(position, PO_SIBLING));
  }
  perps.setPosition(position, PO_STAND, 0);
  perps.positions.give(position);
}

/** Puts a position that has opened on its purse's list. */
export function listPosition(perps: Perps, purse: number, position: number): void {
  const head = perps.purse(purse, PU_POSITIONS);
  perps.setPosition(position, PO_NEXT, head);
  perps.setPosition(position, PO_PREV, 0);
  if (head !== 0) perps.setPosition(head, PO_PREV, position);
  perps.purseWords[(purse << PURSE_SHIFT) | PU_POSITIONS] = position;
  perps.purseWords[(purse << PURSE_SHIFT) | PU_OPEN] = perps.purse(purse, PU_OPEN) + 1;
  perps.setPosition(position, PO_FLAGS, perps.position(position, PO_FLAGS) | POSITION_LISTED);
}

export function delistPosition(perps: Perps, purse: number, position: number): void {
  const next = perps.position(position, PO_NEXT);
  const prev = perps.position(position, PO_PREV);
  if (next !== 0) perps.setPosition(next, PO_PREV, prev);
  if (prev !== 0) perps.setPosition(prev, PO_NEXT, next);
  else perps.purseWords[(purse << PURSE_SHIFT) | PU_POSITIONS] = next;
  perps.setPosition(position, PO_NEXT, 0);
  perps.setPosition(position, PO_PREV, 0);
  perps.purseWords[(purse << PURSE_SHIFT) | PU_OPEN] = perps.purse(purse, PU_OPEN) - 1;
  perps.setPosition(position, PO_FLAGS, perps.position(position, PO_FLAGS) & ~POSITION_LISTED);
}

/** Whether a position has a margin of its own. */
export function isIsolated(perps: Perps, position: number): boolean {
  return (perps.stand(perps.position(position, PO_STAND), ST_FLAGS) & STAND_ISOLATED) !== 0;
}
