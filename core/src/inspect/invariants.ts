// Owns what must be true after every command, checked from scratch against the state. Never repairs anything.
// Returns the names of broken rules with what was found; an empty list is the only good answer.

import { heldByReference } from "../account/holds.ts";
import { atTop, hiddenLots, T_ASK, T_BID } from "../book/book.ts";
import { LEVEL_SHIFT } from "../book/ladder.ts";
import {
  atOrder,
  EXTRA_WORDS,
  FLAG_CONDITIONAL,
  FLAG_ICEBERG,
  FLAG_LIVE,
  FLAG_RESTING,
  FLAG_ROLE,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_FLAGS,
  O_LEVEL,
  O_NEXT,
  O_OPEN_PLACE,
  O_PREV,
  O_PRICE,
  OF_LOTS,
  OF_SEQUENCE,
  ORDER_WORDS,
  ROLE_LIST,
} from "../book/orders.ts";
import { H_PLACE, HF_EXPIRES, HF_LEFT } from "../ledger/holds.ts";
import { mayOwe, U_RESTRICTIONS } from "../ledger/ledger.ts";
import { R_NEXT, R_PLACE, RF_UNITS, RF_UNTIL } from "../ledger/restrictions.ts";
import { coreOf } from "../machine/machine.ts";
import { AM_CONDITIONALS, AM_LISTS, AM_RESTING } from "../market/account-markets.ts";
import { getDouble, getWord } from "../memory/record.ts";
import { roleOf } from "../order/end/cancel-all.ts";
import { conditionalHold, heldBeyond, holdCell, holdUnits } from "../order/end/finish.ts";
import { listHeldCell, listHeldUnits } from "../order/plan/list-record.ts";
import { CT_DEMO_BUYS, CT_DEMO_SELLS, CT_MIRROR, SYMBOL_MARGIN_WORDS } from "../perp/state/records.ts";
import type { Machine } from "../protocol/contract.ts";
import { type Core, DEADLINE_HOLD, DEADLINE_RESTRICTION } from "../state/core.ts";
import { checkBots } from "./bot-invariants.ts";
import { checkCopies, sharesByCell } from "./copy-invariants.ts";
import { checkFollowUps } from "./follow-ups.ts";
import { checkPerps, marginByCell } from "./perp-invariants.ts";

export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

export function checkInvariants(machine: Machine): Violation[] {
  const core = coreOf(machine);
  const found: Violation[] = [];
  const report = (rule: string, detail: string): void => {
    found.push({ rule, detail });
  };
  checkNone(core, report);
  checkCells(core, report);
  checkHolds(core, report);
  checkDeadlines(core, report);
  checkAccountMarkets(core, report);
  for (let market = 1; market < core.markets.table.count; market++) checkBook(core, market, report);
  checkPerps(core, report);
  checkFollowUps(core, report);
  checkCopies(core, report);
  return found;
}

type Report = (rule: string, detail: string) => void;

/** RECORD-1: the first records, which stand for none, are empty. */
function checkNone(core: Core, report: Report): void {
  const { table, extras } = core.books.orders;
  for (const { name, words, i32 } of [
    { name: "order", words: ORDER_WORDS, i32: table.i32 },
    { name: "second record", words: EXTRA_WORDS, i32: extras.i32 },
    { name: "symbol margin", words: SYMBOL_MARGIN_WORDS, i32: core.perps.symbolMargins.i32 },
  ])
    for (let word = 0; word < words; word++)
      if (i32[word] !== 0) report("RECORD-1", `word ${word} of the ${name} of none is ${i32[word]}`);
}

/** LEDGER-3: every asset sums to zero over all books. LEDGER-1, LEDGER-2: nothing is negative or fractional. */
function checkCells(core: Core, report: Report): void {
  const sums = new Map<number, number>();
  for (let cell = 1; cell < core.ledger.cells.count; cell++) {
    const available = core.ledger.available(cell);
    const frozen = core.ledger.frozen(cell);
    const asset = core.ledger.cellAsset(cell);
    const external = mayOwe(core.ledger.cellAccount(cell));
    if (available < 0 && !external) report("LEDGER-1", `cell ${cell} has ${available} available`);
    if (frozen < 0) report("LEDGER-2", `cell ${cell} has ${frozen} frozen`);
    if (!Number.isSafeInteger(available) || !Number.isSafeInteger(frozen))
      report("LEDGER-4", `cell ${cell} is not whole`);
    sums.set(asset, (sums.get(asset) ?? 0) + available + frozen);
  }
  for (const [asset, sum] of sums) if (sum !== 0) report("LEDGER-3", `asset ${asset} sums to ${sum}`);
}

/** LEDGER-5: what is frozen is exactly what open orders, lists and holds need. */
function checkHolds(core: Core, report: Report): void {
  const needed = heldByReference(core);
  const add = (cell: number, units: number): void => {
    if (units !== 0) needed.set(cell, (needed.get(cell) ?? 0) + units);
  };
  for (const [cell, units] of marginByCell(core)) add(cell, units);
  for (const [cell, units] of sharesByCell(core)) add(cell, units);
  const orders = core.books.orders.table;
  for (let slot = 1; slot < orders.count; slot++) {
    const flags = getWord(orders.i32, atOrder(slot), O_FLAGS);
    if ((flags & FLAG_LIVE) === 0) continue;
    const accountMarket = getWord(orders.i32, atOrder(slot), O_ACCOUNT_MARKET);
    if ((flags & FLAG_ROLE) !== 0) {
      if (roleOf(core, slot) === ROLE_LIST) add(listHeldCell(core, slot), listHeldUnits(core, slot));
    } else if ((flags & FLAG_CONDITIONAL) !== 0) add(holdCell(core, accountMarket, flags), conditionalHold(core, slot));
    else {
      const price = getWord(orders.i32, atOrder(slot), O_PRICE);
      let lots = getDouble(orders.f64, atOrder(slot), OF_LOTS);
      if ((flags & FLAG_ICEBERG) !== 0) lots += hiddenLots(core.books, slot);
      add(
        holdCell(core, accountMarket, flags),
        holdUnits(core, flags >>> 16, flags, price, lots) + heldBeyond(core, slot),
      );
    }
  }
  for (let cell = 1; cell < core.ledger.cells.count; cell++) {
    const want = needed.get(cell) ?? 0;
    if (core.ledger.frozen(cell) !== want)
      report("LEDGER-5", `cell ${cell} holds ${core.ledger.frozen(cell)}, orders need ${want}`);
  }
}

/** LEDGER-6: holds and restrictions have units left, and are among the deadlines exactly when they have an end. */
function checkDeadlines(core: Core, report: Report): void {
  const { holds, deadlines } = core;
  let timed = 0;
  for (let account = 1; account < core.ledger.accounts.count; account++) {
    for (const hold of holds.of(account)) {
      const expires = holds.double(hold, HF_EXPIRES);
      const place = holds.word(hold, H_PLACE);
      if (!(holds.double(hold, HF_LEFT) > 0)) report("LEDGER-6", `hold ${hold} has nothing left`);
      if ((expires !== 0) !== (place !== 0)) report("LEDGER-6", `hold ${hold} ends at ${expires}, place ${place}`);
      if (place !== 0 && !deadlines.isAt(place, DEADLINE_HOLD, hold, expires))
        report("LEDGER-6", `hold ${hold} is not at its place ${place}`);
      if (place !== 0) timed++;
    }
  }
  for (let owner = 1; owner < core.ledger.users.count; owner++) {
    for (
      let made = core.ledger.ownerWord(owner, U_RESTRICTIONS);
      made !== 0;
      made = core.restrictions.word(made, R_NEXT)
    ) {
      const until = core.restrictions.double(made, RF_UNTIL);
      const place = core.restrictions.word(made, R_PLACE);
      if (!(core.restrictions.double(made, RF_UNITS) > 0)) report("LEDGER-6", `restriction ${made} has nothing left`);
      if (until === 0 ? place !== 0 : !deadlines.isAt(place, DEADLINE_RESTRICTION, made, until))
        report("LEDGER-6", `restriction ${made} is not at its place ${place}`);
      if (place !== 0) timed++;
    }
  }
  timed += checkBots(core, report);
  if (timed !== deadlines.heap.count - 1) report("LEDGER-6", `${deadlines.heap.count - 1} deadlines of ${timed}`);
}

/** ACCOUNT-MARKET-1: counts agree with the open orders. ACCOUNT-MARKET-2: the list and its orders name each other. */
function checkAccountMarkets(core: Core, report: Report): void {
  const orders = core.books.orders.table;
  const lists = new Map<number, number>();
  for (let slot = 1; slot < orders.count; slot++) {
    const flags = getWord(orders.i32, atOrder(slot), O_FLAGS);
    if ((flags & FLAG_LIVE) === 0 || (flags & FLAG_ROLE) === 0 || roleOf(core, slot) !== ROLE_LIST) continue;
    const accountMarket = getWord(orders.i32, atOrder(slot), O_ACCOUNT_MARKET);
    lists.set(accountMarket, (lists.get(accountMarket) ?? 0) + 1);
  }
  for (let accountMarket = 1; accountMarket < core.accountMarkets.table.count; accountMarket++) {
    let resting = 0;
    let conditionals = 0;
    const places = new Set<number>();
    for (const slot of core.accountMarkets.openOrdersOf(accountMarket)) {
      const flags = getWord(orders.i32, atOrder(slot), O_FLAGS);
      if (getWord(orders.i32, atOrder(slot), O_ACCOUNT_MARKET) !== accountMarket || (flags & FLAG_LIVE) === 0)
        report("ACCOUNT-MARKET-2", `account market ${accountMarket} lists slot ${slot}`);
      places.add(getWord(orders.i32, atOrder(slot), O_OPEN_PLACE));
      if ((flags & FLAG_RESTING) !== 0) resting++;
      else conditionals++;
    }
    if (places.size !== resting + conditionals)
      report("ACCOUNT-MARKET-2", `account market ${accountMarket} lists a place twice`);
    if (resting !== core.accountMarkets.word(accountMarket, AM_RESTING))
      report(
        "ACCOUNT-MARKET-1",
        `account market ${accountMarket} counts ${core.accountMarkets.word(accountMarket, AM_RESTING)} resting, has ${resting}`,
      );
    if (conditionals !== core.accountMarkets.word(accountMarket, AM_CONDITIONALS))
      report("ACCOUNT-MARKET-1", `account market ${accountMarket} miscounts conditionals`);
    if ((lists.get(accountMarket) ?? 0) !== core.accountMarkets.word(accountMarket, AM_LISTS))
      report("ACCOUNT-MARKET-1", `account market ${accountMarket} miscounts lists`);
  }
}

/** BOOK-1: never crossed. BOOK-2: queues whole and in order. BOOK-3: level sums agree. BOOK-4: bests are the bests. */
function checkBook(core: Core, market: number, report: Report): void {
  const bid = getWord(core.books.topWords, atTop(market), T_BID);
  const ask = getWord(core.books.topWords, atTop(market), T_ASK);
  const ladder = core.books.ladder(market);
  if (bid !== 0 && ask !== 0 && bid >= ask) report("BOOK-1", `market ${market} is crossed at ${bid}/${ask}`);
  let seen = 0;
  let highestBid = 0;
  let lowestAsk = 0;
  for (let price = ladder.nextAbove(0); price !== 0; price = ladder.nextAbove(price)) {
    const level = ladder.levelAt(price);
    const sell = checkLevel(core, market, level, price, report);
    if (sell) lowestAsk = lowestAsk === 0 ? price : lowestAsk;
    else highestBid = price;
    if (sell !== (ask !== 0 && price >= ask)) report("BOOK-4", `market ${market} has price ${price} on the wrong side`);
    seen += countLevel(core, level);
  }
  if (highestBid !== bid || lowestAsk !== ask)
    report("BOOK-4", `market ${market} says ${bid}/${ask}, is ${highestBid}/${lowestAsk}`);
  const orders = core.books.orders.table;
  let resting = 0;
  for (let slot = 1; slot < orders.count; slot++) {
    const flags = getWord(orders.i32, atOrder(slot), O_FLAGS);
    if ((flags & FLAG_RESTING) !== 0 && flags >>> 16 === market) resting++;
  }
  if (core.perps.contract(market, CT_MIRROR) !== 0) seen += countDemo(core, market, report);
  if (resting !== seen) report("BOOK-2", `market ${market} has ${resting} resting orders, ${seen} in queues`);
}

/** DEMO-1: resting demo orders stand in two chains, best price first, linked both ways. */
function countDemo(core: Core, market: number, report: Report): number {
  const orders = core.books.orderWords;
  let count = 0;
  for (const sell of [0, FLAG_SELL]) {
    let before = 0;
    let best = 0;
    let slot = core.perps.contract(market, sell !== 0 ? CT_DEMO_SELLS : CT_DEMO_BUYS);
    for (; slot !== 0; slot = getWord(orders, atOrder(slot), O_NEXT)) {
      const base = atOrder(slot);
      const price = getWord(orders, base, O_PRICE);
      if (best !== 0 && (sell !== 0 ? price < best : price > best)) report("DEMO-1", `slot ${slot} is out of order`);
      if ((getWord(orders, base, O_FLAGS) & FLAG_SELL) !== sell || getWord(orders, base, O_PREV) !== before)
        report("DEMO-1", `slot ${slot} is misplaced`);
      best = price;
      before = slot;
      count++;
    }
  }
  return count;
}

function countLevel(core: Core, level: number): number {
  let count = 0;
  let slot = core.books.levelWords[level << LEVEL_SHIFT] as number;
  while (slot !== 0) {
    count++;
    slot = getWord(core.books.orderWords, atOrder(slot), O_NEXT);
  }
  return count;
}

function checkLevel(core: Core, market: number, level: number, price: number, report: Report): boolean {
  const orders = core.books.orders.table;
  const head = core.books.levelWords[level << LEVEL_SHIFT] as number;
  const sell = (getWord(orders.i32, atOrder(head), O_FLAGS) & FLAG_SELL) !== 0;
  let lots = 0;
  let before = 0;
  let sequence = 0;
  for (let slot = head; slot !== 0; slot = getWord(orders.i32, atOrder(slot), O_NEXT)) {
    const base = atOrder(slot);
    const flags = getWord(orders.i32, base, O_FLAGS);
    const right = (flags & FLAG_RESTING) !== 0 && flags >>> 16 === market && ((flags & FLAG_SELL) !== 0) === sell;
    if (!right || getWord(orders.i32, base, O_PRICE) !== price || getWord(orders.i32, base, O_LEVEL) !== level)
      report("BOOK-2", `slot ${slot} is misplaced`);
    if (getWord(orders.i32, base, O_PREV) !== before) report("BOOK-2", `slot ${slot} is not linked back`);
    const own = getDouble(orders.f64, atOrder(slot), OF_SEQUENCE);
    if (own < sequence) report("BOOK-2", `slot ${slot} is ahead of an older order`);
    const visible = getDouble(orders.f64, atOrder(slot), OF_LOTS);
    if (visible <= 0) report("BOOK-3", `slot ${slot} rests with ${visible} lots`);
    lots += visible;
    sequence = own;
    before = slot;
  }
  if (core.books.levelWords[(level << LEVEL_SHIFT) + 1] !== before) report("BOOK-2", `level ${price} has a wrong tail`);
  if (lots !== core.books.levelDoubles[(level << 1) | 1]) report("BOOK-3", `level ${price} shows a wrong sum`);
  return sell;
}
