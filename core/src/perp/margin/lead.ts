// Owns what a position's change means to copy trading: a leader's fills, margins and stops are noted to be copied. Asked
// only for symbol margins that are watched.

import { atExtra, atOrder, FLAG_SELL, O_ACCOUNT_MARKET, O_EXTRA, O_FLAGS, X_POSITION } from "../../book/orders.ts";
import { isSubBook } from "../../copy/share/funds.ts";
import { addJob, isFollowed, noteFill, orderTotal } from "../../copy/share/jobs.ts";
import {
  JO_BY_STOP,
  JO_ISOLATED,
  JO_KIND,
  JO_LEADER,
  JO_LEVERAGE,
  JO_MARKET,
  JO_MOVED,
  JO_SHORT,
  JO_STOPS,
  JO_STOPS_WORDS,
  JOB_CLOSE,
  JOB_MARGIN,
  JOB_OPEN,
  JOB_STOPS,
  JOB_STOPS_ENDED,
  JOF_EQUITY,
  JOF_LOTS,
  JOF_ORDER_LOTS,
  JOF_SET,
  JOF_WHOLE,
} from "../../copy/state/records.ts";
import { A_COPY } from "../../ledger/ledger.ts";
import { AM_ACCOUNT } from "../../market/account-markets.ts";
import { getWord } from "../../memory/record.ts";
import { commandPlaces } from "../../protocol/command.ts";
import type { Core } from "../../state/core.ts";
import {
  MA_CELL,
  MA_POSITIONS,
  MODE_WATCHED,
  PO_LEVERAGE,
  PO_NEXT,
  PO_SYMBOL_MARGIN,
  SM_ACCOUNT,
  SM_FLAGS,
} from "../state/records.ts";
import { isIsolated } from "../state/symbol-margins.ts";
import { profitOf } from "./equity.ts";

const SET_POSITION_STOPS = commandPlaces("setPositionStops");

/** All a margin account is worth at the marks: wallet, isolated margins and what is set aside, with every profit. */
export function equityOf(core: Core, marginAccount: number): number {
  const { perps, ledger } = core;
  const cell = perps.marginAccount(marginAccount, MA_CELL);
  let equity = ledger.available(cell) + ledger.frozen(cell);
  for (let at = perps.marginAccount(marginAccount, MA_POSITIONS); at !== 0; at = perps.position(at, PO_NEXT))
    equity += profitOf(core, at);
  return equity;
}

/** The followed leader a position belongs to, 0 for everybody else's. */
function leaderOf(core: Core, position: number): number {
  const { perps, ledger } = core;
  const symbolMargin = perps.position(position, PO_SYMBOL_MARGIN);
  if ((perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_WATCHED) === 0) return 0;
  const account = perps.symbolMargin(symbolMargin, SM_ACCOUNT);
  const leader = ledger.accountWord(account, A_COPY);
  return leader !== 0 && !isSubBook(core, account) && isFollowed(core, leader) ? leader : 0;
}

/** Lots are about to come in at a value. */
export function noteOpen(core: Core, position: number, delta: number, valueUnits: number): void {
  const leader = leaderOf(core, position);
  if (leader === 0) return;
  const { perps, copies } = core;
  const market = perps.marketOf(position);
  const lots = Math.abs(delta);
  const id = perps.positionId(position);
  const noted = noteFill(core, leader, JOB_OPEN, market, delta < 0 ? 1 : 0, id, lots, valueUnits);
  if (noted >= 0) return;
  const job = 0 - noted;
  copies.jobs.setWord(job, JO_LEVERAGE, perps.position(position, PO_LEVERAGE));
  copies.jobs.setWord(job, JO_ISOLATED, isIsolated(perps, position) ? 1 : 0);
  copies.jobs.setDouble(job, JOF_EQUITY, equityOf(core, perps.marginAccountOf(position)));
  copies.jobs.setDouble(job, JOF_ORDER_LOTS, orderTotal(core));
}

/** Lots are about to leave at a value. */
export function noteClose(core: Core, position: number, lots: number, valueUnits: number): void {
  const leader = leaderOf(core, position);
  if (leader === 0) return;
  const { perps, copies } = core;
  const held = perps.lots(position);
  const market = perps.marketOf(position);
  const id = perps.positionId(position);
  const noted = noteFill(core, leader, JOB_CLOSE, market, held < 0 ? 1 : 0, id, lots, valueUnits);
  if (noted >= 0) return;
  copies.jobs.setDouble(0 - noted, JOF_WHOLE, Math.abs(held));
  copies.jobs.setWord(0 - noted, JO_BY_STOP, copies.isStopping ? 1 : 0);
}

/** The leader added to an isolated margin that was so much before. */
export function noteMargin(core: Core, position: number, addedUnits: number, beforeUnits: number): void {
  const leader = leaderOf(core, position);
  if (leader === 0) return;
  const { perps, copies } = core;
  const short = perps.lots(position) < 0 ? 1 : 0;
  const job = addJob(core, leader, JOB_MARGIN, perps.marketOf(position), short, perps.positionId(position));
  copies.jobs.setDouble(job, JOF_LOTS, addedUnits);
  copies.jobs.setDouble(job, JOF_WHOLE, beforeUnits);
}

/** The leader set stops, as the command at hand says from byte 40 on. */
export function noteStops(core: Core, position: number): void {
  const leader = leaderOf(core, position);
  if (leader === 0) return;
  const { perps, copies } = core;
  const held = perps.lots(position);
  const job = addJob(core, leader, JOB_STOPS, perps.marketOf(position), held < 0 ? 1 : 0, perps.positionId(position));
  copies.jobs.setDouble(job, JOF_LOTS, core.readDouble(SET_POSITION_STOPS.lots));
  copies.jobs.setDouble(job, JOF_WHOLE, Math.abs(held));
  for (let i = 0; i < JO_STOPS_WORDS; i++)
    copies.jobs.setWord(job, JO_STOPS + i, core.readWord(SET_POSITION_STOPS.profitTrigger + i));
}

/** The leader moved one stop of a position, which the command `set` had set. */
export function noteMovedStop(core: Core, position: number, set: number, stop: readonly number[]): void {
  const leader = leaderOf(core, position);
  if (leader === 0) return;
  const { perps, copies } = core;
  const short = perps.lots(position) < 0 ? 1 : 0;
  const job = addJob(core, leader, JOB_STOPS, perps.marketOf(position), short, perps.positionId(position));
  copies.jobs.setWord(job, JO_MOVED, 1);
  copies.jobs.setDouble(job, JOF_SET, set);
  for (const [i, word] of stop.entries()) copies.jobs.setWord(job, JO_STOPS + i, word);
}

/** A waiting stop of a position is taken back. One note a command is enough for a side of a market. */
export function noteStopEnd(core: Core, slot: number): void {
  const { books, copies, ledger } = core;
  const flags = getWord(books.orderWords, atOrder(slot), O_FLAGS);
  const extra = getWord(books.orderWords, atOrder(slot), O_EXTRA);
  if (getWord(books.orders.extras.i32, atExtra(extra), X_POSITION) === 0) return;
  const accountMarket = getWord(books.orderWords, atOrder(slot), O_ACCOUNT_MARKET);
  const account = core.accountMarkets.word(accountMarket, AM_ACCOUNT);
  const leader = ledger.accountWord(account, A_COPY);
  if (leader === 0 || isSubBook(core, account) || !isFollowed(core, leader)) return;
  const market = flags >>> 16;
  const short = (flags & FLAG_SELL) === 0 ? 1 : 0;
  const { fresh, jobs } = copies;
  const isNoted = fresh.some(
    (job) =>
      jobs.word(job, JO_KIND) === JOB_STOPS_ENDED &&
      jobs.word(job, JO_LEADER) === leader &&
      jobs.word(job, JO_MARKET) === market &&
      jobs.word(job, JO_SHORT) === short,
  );
  if (!isNoted) addJob(core, leader, JOB_STOPS_ENDED, market, short, 0);
}
