// Owns what a spot fill means to copy trading: a leader's is noted to be copied, a follower's opens or closes lots. Told
// before and after the ledger has moved, only for accounts that are watched.

import { mulDivFloor } from "@clockwork/kit/money";
import { A_COPY } from "../../ledger/ledger.ts";
import { AM_ACCOUNT, AM_BASE_CELL, AM_MARKET, AM_QUOTE_CELL } from "../../market/account-markets.ts";
import { M_BASE, M_KIND, M_QUOTE, MF_STEP_UNITS, MF_TICK_LOT_UNITS } from "../../market/markets.ts";
import type { Core } from "../../state/core.ts";
import {
  FO_CELL,
  FOF_FUNDED,
  FOF_REALIZED,
  JOB_CLOSE,
  JOB_OPEN,
  JOF_GIVEN,
  JOF_ORDER_LOTS,
  JOF_WHOLE,
  LE_ASSET,
} from "../state/records.ts";
import { noteTaken, raiseBase } from "./base.ts";
import { addInvested, followOf, isSubBook, noteMoved } from "./funds.ts";
import { publishFollow, turnDay } from "./hold.ts";
import { isFollowed, isInQuote, noteFill, orderTotal } from "./jobs.ts";
import { addLot, dropUncovered, heldUnits, priceOf, takeLots, worthOfUnits } from "./lots.ts";

/** Units of a cell in all. */
function unitsIn(core: Core, cell: number): number {
  return core.ledger.available(cell) + core.ledger.frozen(cell);
}

/** What the fill of a side is measured against. */
export interface SpotSide {
  readonly accountMarket: number;
  readonly slot: number;
  readonly base: number;
  readonly quote: number;
}

export function beforeSpotFill(core: Core, accountMarket: number, slot: number): SpotSide {
  const { accountMarkets } = core;
  return {
    accountMarket,
    slot,
    base: unitsIn(core, accountMarkets.word(accountMarket, AM_BASE_CELL)),
    quote: unitsIn(core, accountMarkets.word(accountMarket, AM_QUOTE_CELL)),
  };
}

/** The ledger has moved: `lots` at a value in quote units. */
export function afterSpotFill(core: Core, side: SpotSide, sells: boolean, lots: number, valueUnits: number): void {
  const account = core.accountMarkets.word(side.accountMarket, AM_ACCOUNT);
  if (core.ledger.accountWord(account, A_COPY) === 0) return;
  if (isSubBook(core, account)) noteFollower(core, account, side, sells);
  else noteLeader(core, account, side, sells, lots, valueUnits);
}

function noteLeader(
  core: Core,
  account: number,
  side: SpotSide,
  sells: boolean,
  lots: number,
  valueUnits: number,
): void {
  const { copies } = core;
  const leader = core.ledger.accountWord(account, A_COPY);
  const market = core.accountMarkets.word(side.accountMarket, AM_MARKET);
  if (!isFollowed(core, leader)) return;
  copies.orderSlot = side.slot;
  if (core.markets.word(market, M_QUOTE) === copies.leaders.word(leader, LE_ASSET)) {
    const noted = noteFill(core, leader, sells ? JOB_CLOSE : JOB_OPEN, market, sells ? 1 : 0, 0, lots, valueUnits);
    if (noted < 0) {
      copies.jobs.setDouble(0 - noted, JOF_WHOLE, side.base);
      // An amount is counted in quote units; told as a negative number.
      const total = orderTotal(core);
      copies.jobs.setDouble(0 - noted, JOF_ORDER_LOTS, isInQuote(core) ? 0 - total : total);
    }
  } else noteSwap(core, leader, side, market, sells);
  copies.orderSlot = 0;
}

/**
 * A leader gave one coin for another: followers sell the same part of theirs for the coin they are counted in. What he got
 * for it is not bought for them.
 */
function noteSwap(core: Core, leader: number, side: SpotSide, market: number, sells: boolean): void {
  const { copies, markets, accountMarkets } = core;
  const coin = markets.word(market, sells ? M_BASE : M_QUOTE);
  const before = sells ? side.base : side.quote;
  const cell = accountMarkets.word(side.accountMarket, sells ? AM_BASE_CELL : AM_QUOTE_CELL);
  const given = before - unitsIn(core, cell);
  const home = marketOf(core, coin, copies.leaders.word(leader, LE_ASSET));
  const price = home === 0 ? 0 : priceOf(core, home);
  if (price === 0 || given <= 0) return;
  const lots = Math.max(1, Math.floor(given / markets.double(home, MF_STEP_UNITS)));
  const worth = lots * price * markets.double(home, MF_TICK_LOT_UNITS);
  const noted = noteFill(core, leader, JOB_CLOSE, home, 1, 0, lots, worth);
  if (noted < 0) copies.jobs.setDouble(0 - noted, JOF_WHOLE, before);
  copies.jobs.add(Math.abs(noted), JOF_GIVEN, given);
}

/** The spot market of a coin in another, 0 when there is none. */
function marketOf(core: Core, base: number, quote: number): number {
  const { markets } = core;
  for (let market = 1; markets.isMarket(market); market++) {
    const isSpot = markets.word(market, M_KIND) === 0;
    if (isSpot && markets.word(market, M_BASE) === base && markets.word(market, M_QUOTE) === quote) return market;
  }
  return 0;
}

function noteFollower(core: Core, account: number, side: SpotSide, sells: boolean): void {
  const { follows } = core.copies;
  const follow = followOf(core, account);
  const quoteCell = core.accountMarkets.word(side.accountMarket, AM_QUOTE_CELL);
  if (follow === 0) return;
  const market = core.accountMarkets.word(side.accountMarket, AM_MARKET);
  const asset = core.markets.word(market, M_BASE);
  const moved = unitsIn(core, core.accountMarkets.word(side.accountMarket, AM_BASE_CELL)) - side.base;
  const paid = unitsIn(core, quoteCell) - side.quote;
  if (follows.word(follow, FO_CELL) !== quoteCell) {
    noteOwnSwap(core, follow, side, moved);
    return;
  }
  if (!sells) {
    addLot(core, follow, asset, market, moved, 0 - paid);
    return;
  }
  const sold = 0 - moved;
  const covered = Math.min(sold, heldUnits(core, follow, asset));
  // Coins that came in otherwise bring in what they are sold for.
  const proceeds = covered === sold ? paid : mulDivFloor(paid, covered, sold);
  follows.add(follow, FOF_FUNDED, paid - proceeds);
  addInvested(core, follow, paid - proceeds);
  if (paid > proceeds) raiseBase(core, follow, paid - proceeds);
  turnDay(core, follow);
  follows.add(follow, FOF_REALIZED, proceeds - takeLots(core, follow, asset, covered));
  publishFollow(core, follow);
}

/**
 * A follower gave coins for others than his follow is counted in: what was copied of them is realised at what it is worth and
 * has left, as if it had been sold and taken out. What came for it is no lot.
 */
function noteOwnSwap(core: Core, follow: number, side: SpotSide, moved: number): void {
  const { follows } = core.copies;
  const cell = core.accountMarkets.word(side.accountMarket, AM_BASE_CELL);
  if (moved >= 0) return;
  if (cell === follows.word(follow, FO_CELL)) {
    noteMoved(core, cell, moved);
    return;
  }
  const asset = core.ledger.cellAsset(cell);
  const covered = dropUncovered(core, follow, asset, cell, 0 - moved);
  if (covered === 0) return;
  const worth = worthOfUnits(core, follow, asset, covered);
  turnDay(core, follow);
  noteTaken(core, follow, worth);
  follows.add(follow, FOF_FUNDED, 0 - worth);
  addInvested(core, follow, 0 - worth);
  follows.add(follow, FOF_REALIZED, worth - takeLots(core, follow, asset, covered));
  publishFollow(core, follow);
}
