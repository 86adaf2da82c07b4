// Owns the fast path of one side of a fill between plain orders on a linear contract: its position with its bills, as
// fill.ts does it, with every table's view bound as a constant. A side that is special is answered with false and left
// alone.
import {
  EXACT_SLACK,
  splitCost,
  X_COST,
  X_EXCESS,
  X_LEAVING,
  X_LEAVING_EXCESS,
  X_LEFT,
  X_LOTS,
  X_MOVED,
  X_REMAINING,
  X_REMAINING_EXCESS,
  X_WHOLE,
} from "@clockwork/kit/exact-cost";
import { CELL_DOUBLE_SHIFT } from "../../ledger/ledger.ts";
import { ACCOUNT_MARKET_SHIFT, AM_ACCOUNT, AM_LISTS, AM_SYMBOL_MARGIN } from "../../market/account-markets.ts";
import { CLEARING_ACCOUNT } from "../../protocol/names.ts";
import { type Core, G_NOW } from "../../state/core.ts";
import type { PlainSide } from "../fill/steps.ts";
import { markStale } from "../margin/exposure.ts";
import { leaveRemainder } from "../margin/fill.ts";
import { unwatch } from "../margin/heap.ts";
import {
  CONTRACT_DOUBLE_SHIFT,
  CONTRACT_SHIFT,
  CT_CLEARING_CELL,
  CTF_FACTOR,
  CTF_OPEN_LOTS,
  MA_CELL,
  MA_DIRTY,
  MAF_BONUS,
  MARGIN_ACCOUNT_DOUBLE_SHIFT,
  MARGIN_ACCOUNT_SHIFT,
  MODE_AUTO_APPEND,
  PO_GENERATION,
  PO_PLACE,
  PO_WARN_PLACE,
  POF_COST,
  POF_EXCESS,
  POF_LOTS,
  POF_OPENED,
  POF_REALIZED,
  POSITION_DOUBLE_SHIFT,
  POSITION_SHIFT,
  SM_FLAGS,
  SM_LONG,
  SM_MARGIN_ACCOUNT,
  SM_STALE,
  SM_STOPS,
  SMF_REDUCE_BUY,
  SMF_REDUCE_SELL,
  SYMBOL_MARGIN_DOUBLE_SHIFT,
  SYMBOL_MARGIN_SHIFT,
} from "../state/records.ts";
import { delistPosition, listPosition } from "../state/symbol-margins.ts";
import { bindBills, HEAD_CLOSE_FEE, HEAD_OPEN_FEE, HEAD_REALIZED, W_DELTA, W_PROFIT } from "./bills.ts";
import { type FastExposure, RATE_UNIT, W_LOTS, W_ROUNDED } from "./exposure.ts";

/**
 * The word with the sign of a position's lots; numbers lie little end first on all we run on. Sides come as if drawn by
 * lot, and a branch on them would be guessed wrong.
 */
const SIGN_WORD = POF_LOTS * 2 + 1;
/** A side that turns its position: two legs of profit, two fees of three, two reports of the position. */
const SIDE_RECORDS_MAX = 10;

export function bindPlainSide(core: Core, exposure: FastExposure): PlainSide {
  const { events, ledger, clock, perps } = core;
  const accountMarkets = core.accountMarkets.words;
  const cells = ledger.cellDoubles;
  const contracts = perps.contractWords;
  const contractDoubles = perps.contractDoubles;
  const marginAccounts = perps.marginAccountWords;
  const marginAccountDoubles = perps.marginAccountDoubles;
  const symbolMargins = perps.symbolMarginWords;
  const symbolMarginDoubles = perps.symbolMarginDoubles;
  const positions = perps.positionWords;
  const positionDoubles = perps.positionDoubles;
  const { wide, take } = exposure;
  const { exact } = perps;
  const wideWords = new Int32Array(wide.buffer);
  const { post, charge, publish } = bindBills(core, wide);

  /** The position is flat: nobody watches it, and the next one has another id. */
  function end(position: number, marginAccount: number): void {
    const at = position << POSITION_SHIFT;
    if (((positions[at | PO_PLACE] as number) | (positions[at | PO_WARN_PLACE] as number)) !== 0)
      unwatch(core, position);
    delistPosition(perps, marginAccount, position);
    positions[at | PO_GENERATION] = (positions[at | PO_GENERATION] as number) + 1;
  }

  /** W_LOTS of one side's order, filled at a price; false when the general path must. */
  function fill(
    market: number,
    accountMarket: number,
    sell: number,
    orderPrice: number,
    price: number,
    rateAt: number,
  ): boolean {
    let record = events.count;
    if (record + SIDE_RECORDS_MAX > events.capacity) return false;
    const symbolMargin = accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_SYMBOL_MARGIN] as number;
    const symbolMarginAt = symbolMargin << SYMBOL_MARGIN_SHIFT;
    const marginAccount = symbolMargins[symbolMarginAt | SM_MARGIN_ACCOUNT] as number;
    if (((symbolMargins[symbolMarginAt | SM_FLAGS] as number) & ~MODE_AUTO_APPEND) !== 0) return false;
    if (marginAccountDoubles[(marginAccount << MARGIN_ACCOUNT_DOUBLE_SHIFT) | MAF_BONUS] !== 0) return false;
    const position = symbolMargins[symbolMarginAt | SM_LONG] as number;
    const from = position << POSITION_DOUBLE_SHIFT;
    const contractDouble = market << CONTRACT_DOUBLE_SHIFT;
    const factor = contractDoubles[contractDouble | CTF_FACTOR] as number;
    const held = positionDoubles[from | POF_LOTS] as number;
    const short = (positions[(position << POSITION_SHIFT) | SIGN_WORD] as number) >>> 31;
    const direction = 1 - 2 * short;
    const cost = positionDoubles[from | POF_COST] as number;
    const lots = wide[W_LOTS] as number;
    const whole = held * direction;
    const closes = held !== 0 && (short ^ sell) !== 0;
    const closing = closes ? (lots < whole ? lots : whole) : 0;
    const rate = accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) + rateAt] as number;
    const account = accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number;
    const cell = marginAccounts[(marginAccount << MARGIN_ACCOUNT_SHIFT) | MA_CELL] as number;
    const cash = cells[cell << CELL_DOUBLE_SHIFT] as number;
    const value = lots * price * factor;
    if (!(value * rate <= Number.MAX_SAFE_INTEGER) || rate < 0) return false;
    let profit = 0;
    const closeValue = closing * price * factor;
    if (closes) {
      const sums = symbolMargin << SYMBOL_MARGIN_DOUBLE_SHIFT;
      if (symbolMargins[symbolMarginAt | SM_STOPS] !== 0) return false;
      if (accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_LISTS] !== 0) return false;
      if (symbolMarginDoubles[sums | SMF_REDUCE_BUY] !== 0 || symbolMarginDoubles[sums | SMF_REDUCE_SELL] !== 0)
        return false;
      exact[X_COST] = cost;
      exact[X_EXCESS] = positionDoubles[from | POF_EXCESS] as number;
      exact[X_LOTS] = closing;
      exact[X_WHOLE] = whole;
      splitCost(exact);
      const part = (exact[X_LEAVING_EXCESS] as number) * direction;
      wide[W_ROUNDED] = Math.floor(part + EXACT_SLACK);
      const down = wide[W_ROUNDED] as number;
      exact[X_LEFT] = part - down + (exact[X_MOVED] as number) * direction;
      // A nought has no sign, as the general path has it.
      profit = (closeValue - (exact[X_LEAVING] as number)) * direction + down;
    }
    // Both fees rounded up and no more than the wallet has, so that nobody else must lend.
    if (cash + profit < value * rate * RATE_UNIT + 4) return false;
    wide[W_PROFIT] = profit;
    if (closes) {
      positionDoubles[from | POF_LOTS] = held - closing * direction;
      positionDoubles[from | POF_COST] = exact[X_REMAINING] as number;
      positionDoubles[from | POF_EXCESS] = exact[X_REMAINING_EXCESS] as number;
      if (exact[X_LEFT] !== 0) leaveRemainder(core, market);
      positionDoubles[from | POF_REALIZED] = (positionDoubles[from | POF_REALIZED] as number) + profit;
      contractDoubles[contractDouble | CTF_OPEN_LOTS] =
        (contractDoubles[contractDouble | CTF_OPEN_LOTS] as number) - closing * (1 - short);
      if (profit !== 0) {
        const clearing = contracts[(market << CONTRACT_SHIFT) | CT_CLEARING_CELL] as number;
        cells[cell << CELL_DOUBLE_SHIFT] = cash + profit;
        cells[clearing << CELL_DOUBLE_SHIFT] = (cells[clearing << CELL_DOUBLE_SHIFT] as number) - profit;
        // Whoever pays comes first.
        const lost = (wideWords[W_PROFIT * 2 + 1] as number) >> 31;
        const first = (account & lost) | (CLEARING_ACCOUNT & ~lost);
        const second = (CLEARING_ACCOUNT & lost) | (account & ~lost);
        wide[W_DELTA] = 0 - Math.abs(profit);
        post(record, HEAD_REALIZED, first, (cell & lost) | (clearing & ~lost), second, market);
        wide[W_DELTA] = Math.abs(profit);
        post(record + 1, HEAD_REALIZED, second, (clearing & lost) | (cell & ~lost), first, market);
        record += 2;
      }
      wide[W_DELTA] = closeValue;
      record = charge(record, HEAD_CLOSE_FEE, account, cell, rate, market);
      if (closing === whole && closing < lots) {
        // Crossing zero ends one position and begins another.
        publish(record++, position, account, market);
        end(position, marginAccount);
        wide[W_PROFIT] = 0;
      }
    }
    if (closing < lots) {
      const opening = lots - closing;
      const heldNow = positionDoubles[from | POF_LOTS] as number;
      if (heldNow === 0) {
        positionDoubles[from | POF_OPENED] = clock[G_NOW] as number;
        positionDoubles[from | POF_REALIZED] = 0;
        listPosition(perps, marginAccount, position);
      }
      positionDoubles[from | POF_LOTS] = heldNow + opening * (1 - 2 * sell);
      positionDoubles[from | POF_COST] = (positionDoubles[from | POF_COST] as number) + opening * price * factor;
      contractDoubles[contractDouble | CTF_OPEN_LOTS] =
        (contractDoubles[contractDouble | CTF_OPEN_LOTS] as number) + opening * (1 - sell);
      wide[W_DELTA] = opening * price * factor;
      record = charge(record, HEAD_OPEN_FEE, account, cell, rate, market);
    }
    publish(record, position, account, market);
    events.count = record + 1;
    if (positionDoubles[from | POF_LOTS] === 0) end(position, marginAccount);
    take(symbolMargin, market, sell, orderPrice);
    if (symbolMargins[symbolMarginAt | SM_STALE] === 0) markStale(core, symbolMargin);
    if (marginAccounts[(marginAccount << MARGIN_ACCOUNT_SHIFT) | MA_DIRTY] === 0) perps.markDirty(marginAccount);
    return true;
  }

  return { wide, fill };
}
