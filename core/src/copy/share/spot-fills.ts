// Owns what a spot fill means to copy trading: a leader's is noted to be copied, a follower's opens or closes lots. Told
// before and after the ledger has moved, only for accounts that are watched.

import { mulDivFloor } from "@clockwork/kit/money";
import { A_COPY } from "../../ledger/ledger.ts";
import { AM_ACCOUNT, AM_BASE_CELL, AM_MARKET, AM_QUOTE_CELL } from "../../market/account-markets.ts";
import { M_BASE, M_QUOTE } from "../../market/markets.ts";
import type { Core } from "../../state/core.ts";
import {
  FO_CELL,
  FOF_FUNDED,
  FOF_INVESTED,
  FOF_REALIZED,
  JOB_CLOSE,
  JOB_OPEN,
  JOF_ORDER_LOTS,
  JOF_WHOLE,
  LE_ASSET,
} from "../state/records.ts";
import { raiseBase } from "./base.ts";
import { followOf, isSubBook } from "./funds.ts";
import { tellFollow, turnDay } from "./hold.ts";
import { isFollowed, isInQuote, noteFill, orderTotal } from "./jobs.ts";
import { addLot, heldUnits, takeLots } from "./lots.ts";

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
  if (!isFollowed(core, leader) || core.markets.word(market, M_QUOTE) !== copies.leaders.word(leader, LE_ASSET)) return;
  copies.orderSlot = side.slot;
  const noted = noteFill(core, leader, sells ? JOB_CLOSE : JOB_OPEN, market, sells ? 1 : 0, 0, lots, valueUnits);
  if (noted < 0) {
    copies.jobs.setDouble(0 - noted, JOF_WHOLE, side.base);
    // An amount is counted in quote units; told as a negative number.
    const total = orderTotal(core);
    copies.jobs.setDouble(0 - noted, JOF_ORDER_LOTS, isInQuote(core) ? 0 - total : total);
  }
  copies.orderSlot = 0;
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
  // Lots are counted in the follow's own coin; a market in another one is a transfer of coins.
  if (follows.word(follow, FO_CELL) !== quoteCell) return;
  if (!sells) {
    addLot(core, follow, asset, market, moved, 0 - paid);
    return;
  }
  const sold = 0 - moved;
  const covered = Math.min(sold, heldUnits(core, follow, asset));
  // Coins that came in otherwise bring in what they are sold for.
  const proceeds = covered === sold ? paid : mulDivFloor(paid, covered, sold);
  follows.add(follow, FOF_FUNDED, paid - proceeds);
  follows.add(follow, FOF_INVESTED, paid - proceeds);
  if (paid > proceeds) raiseBase(core, follow, paid - proceeds);
  turnDay(core, follow);
  follows.add(follow, FOF_REALIZED, proceeds - takeLots(core, follow, asset, covered));
  tellFollow(core, follow);
}
