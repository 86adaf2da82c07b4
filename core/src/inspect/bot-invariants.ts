// Owns what must be true of grid bots after every command, checked from scratch. Never repairs anything.

import { atOrder, FLAG_SELL, O_ACCOUNT_MARKET, O_FLAGS, O_PRICE, OF_LOTS } from "../book/orders.ts";
import { orderLots, orderSlot } from "../bot/note/view.ts";
import {
  BO_ACCOUNT,
  BO_ACCOUNT_MARKET,
  BO_BOTTOM,
  BO_CELLS,
  BO_DEADLINE,
  BO_FIRST,
  BO_LOOKS,
  BO_MARKET,
  BO_PLACES,
  BO_STATUS,
  BO_TOP,
  BO_WATCHED,
  BOF_DEADLINE_AT,
  CE_LOW,
  CE_ORDER,
  CE_SELLS,
  CEF_FILLED,
} from "../bot/state/records.ts";
import { A_OWNER, U_BOTS } from "../ledger/ledger.ts";
import { AM_RESTING } from "../market/account-markets.ts";
import { getDouble, getWord } from "../memory/record.ts";
import { BOT_STATUSES } from "../protocol/names.ts";
import { type Core, DEADLINE_BOT } from "../state/core.ts";
import { checkRebalancers } from "./rebalancer-invariants.ts";

type Report = (rule: string, detail: string) => void;

const CLOSED = BOT_STATUSES.indexOf("CLOSED");

/**
 * BOT-1: nothing is left in motion. BOT-2: a cell's order is at its line, of its side, and what is open of it is what the
 * cell lacks. BOT-3: nothing else rests in a bot's book. BOT-4: bots are counted by their owners. BOT-5: a bot is among the
 * deadlines when it has one. BOT-6: a bot is in the heaps exactly at the prices it waits for. Returns how many have a deadline.
 */
export function checkBots(core: Core, report: Report): number {
  const { bots, fresh } = core.bots;
  if (fresh.length !== 0) report("BOT-1", `${fresh.length} are left in motion`);
  const running = new Map<number, number>();
  let timed = 0;
  let watched = 0;
  for (let bot = 1; bot < bots.table.count; bot++) {
    const owner = core.ledger.accountWord(bots.word(bot, BO_ACCOUNT), A_OWNER);
    const isClosed = bots.word(bot, BO_STATUS) === CLOSED;
    running.set(owner, (running.get(owner) ?? 0) + (isClosed ? 0 : 1));
    checkCells(core, bot, report);
    const place = bots.word(bot, BO_DEADLINE);
    if (place !== 0) {
      timed++;
      if (!core.deadlines.isAt(place, DEADLINE_BOT, bot, bots.double(bot, BOF_DEADLINE_AT)))
        report("BOT-5", `bot ${bot} is not at its place ${place}`);
    }
    watched += checkHeaps(core, bot, report);
  }
  timed += checkRebalancers(core, running, report);
  if (watched !== bots.word(0, BO_WATCHED)) report("BOT-6", `${bots.word(0, BO_WATCHED)} watched of ${watched}`);
  for (const [owner, count] of running)
    if (core.ledger.ownerWord(owner, U_BOTS) !== count) report("BOT-4", `owner ${owner} has ${count} bots`);
  return timed;
}

function checkCells(core: Core, bot: number, report: Report): void {
  const { bots, cells } = core.bots;
  const first = bots.word(bot, BO_FIRST);
  const accountMarket = bots.word(bot, BO_ACCOUNT_MARKET);
  const { orderWords, orderDoubles } = core.books;
  let resting = 0;
  const edges = [cells.word(first, CE_LOW), cells.word(first + bots.word(bot, BO_CELLS), CE_LOW)];
  if (first !== 0 && (edges[0] !== bots.word(bot, BO_BOTTOM) || edges[1] !== bots.word(bot, BO_TOP)))
    report("BOT-2", `bot ${bot} has other edges than its cells`);
  for (let cell = 0; cell < bots.word(bot, BO_CELLS); cell++) {
    const record = first + cell;
    if (cells.word(record, CE_LOW) >= cells.word(record + 1, CE_LOW))
      report("BOT-2", `bot ${bot} has lines out of order`);
    const slot = orderSlot(core, record);
    if (slot === 0) continue;
    resting++;
    const base = atOrder(slot);
    const sells = (cells.word(record, CE_ORDER) & CE_SELLS) !== 0;
    const isRight =
      getWord(orderWords, base, O_ACCOUNT_MARKET) === accountMarket &&
      ((getWord(orderWords, base, O_FLAGS) & FLAG_SELL) !== 0) === sells &&
      getWord(orderWords, base, O_PRICE) === cells.word(sells ? record + 1 : record, CE_LOW);
    const open = getDouble(orderDoubles, atOrder(slot), OF_LOTS);
    if (!isRight || open !== orderLots(core, bot, record) - cells.double(record, CEF_FILLED))
      report("BOT-2", `bot ${bot} has another order in cell ${cell}`);
  }
  if (core.accountMarkets.word(accountMarket, AM_RESTING) !== resting)
    report("BOT-3", `bot ${bot} has ${resting} orders of ${core.accountMarkets.word(accountMarket, AM_RESTING)}`);
}

function checkHeaps(core: Core, bot: number, report: Report): number {
  const { bots } = core.bots;
  let watched = 0;
  for (let side = 0; side < 2; side++) {
    const ticks = bots.word(bot, BO_LOOKS + side);
    const place = bots.word(bot, BO_PLACES + side);
    if ((ticks === 0) !== (place === 0)) report("BOT-6", `bot ${bot} waits for ${ticks} at place ${place}`);
    if (place === 0) continue;
    watched++;
    const { i32 } = core.bots.heap(bots.word(bot, BO_MARKET), side);
    if (i32[place * 2] !== bot || i32[place * 2 + 1] !== (side === 0 ? ticks : 0 - ticks))
      report("BOT-6", `bot ${bot} is not at its place ${place}`);
  }
  return watched;
}
