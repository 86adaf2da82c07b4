// Owns ending many orders at once: by account and market, by a dead-man's switch, by delisting.
// Orders end oldest first; those of one command, which are equally old, by id.

import { DEAD_MAN_MAX_MS, DEAD_MAN_MIN_MS } from "@clockwork/kit/order-bounds";
import {
  atExtra,
  atOrder,
  FLAG_CONDITIONAL,
  FLAG_LIVE,
  FLAG_ROLE,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  OF_SEQUENCE,
  ROLE_DEAD_MAN,
  ROLE_TWAP,
  X_LIST,
  X_MARKET,
  X_ROLE,
  XF_LEFT,
} from "../../book/orders.ts";
import { A_DEAD_MAN, A_MARKETS } from "../../ledger/ledger.ts";
import { AM_ACCOUNT, AM_DEAD_MAN, AM_NEXT } from "../../market/account-markets.ts";
import { getDouble, getWord, type Id, type Opened, setDouble, setWord } from "../../memory/record.ts";
import { commandPlaces } from "../../protocol/command.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { END_REASONS } from "../../protocol/names.ts";
import { REJECT } from "../../protocol/rejection.ts";
import type { Core } from "../../state/core.ts";
import { endOrder } from "./finish.ts";
import { endTwap } from "./twap-end.ts";

const CANCEL_ALL = commandPlaces("cancelAll");
const SET_DEAD_MAN = commandPlaces("setDeadMan");

const DEAD_MAN_SET = eventPlaces("deadManSet");
const DEAD_MAN_FIRED = eventPlaces("deadManFired");

const REASON_ALL = END_REASONS.indexOf("CANCEL_ALL");
const REASON_DEAD_MAN = END_REASONS.indexOf("DEAD_MAN");
const EVERY_MARKET = -1;

/** Ends the given orders and slicers, oldest first. */
export function endAll(core: Core, slots: number[], reason: number): void {
  const orders = core.books.orders;
  const age = (slot: number): number => getDouble(orders.table.f64, atOrder(slot), OF_SEQUENCE);
  slots.sort((a, b) => age(a) - age(b) || orders.id(a) - orders.id(b));
  for (const slot of slots) {
    const flags = getWord(orders.table.i32, atOrder(slot), O_FLAGS);
    if ((flags & FLAG_ROLE) === 0) endOrder(core, slot, reason);
    else if (roleOf(core, slot) === ROLE_TWAP) endTwap(core, slot, reason);
  }
}

export function roleOf(core: Core, slot: number): number {
  const extra = getWord(core.books.orderWords, atOrder(slot), O_EXTRA);
  return getWord(core.books.orders.extras.i32, atExtra(extra), X_ROLE);
}

/** Brackets that end as a whole arm no exits for what came in and is not covered yet: it stays with its owner. */
export function giveUpLists(core: Core, slots: readonly number[]): void {
  const { table, extras } = core.books.orders;
  for (const slot of slots) {
    const extra = getWord(table.i32, atOrder(slot), O_EXTRA);
    // The record of none, which most orders have, names no list.
    const list = getWord(extras.i32, atExtra(extra), X_LIST);
    if (list === 0) continue;
    const listExtra = getWord(table.i32, atOrder(list), O_EXTRA);
    setDouble(extras.f64, atExtra(listExtra), XF_LEFT, 0);
  }
}

function slotsOf(core: Core, account: number, market: number, conditionals: boolean): number[] {
  const slots: number[] = [];
  const gather = (accountMarket: number): void => {
    for (const slot of core.accountMarkets.openOrdersOf(accountMarket)) {
      const flags = getWord(core.books.orderWords, atOrder(slot), O_FLAGS);
      if (conditionals || (flags & (FLAG_CONDITIONAL | FLAG_ROLE)) === 0) slots.push(slot);
    }
  };
  if (market !== EVERY_MARKET) {
    // Whoever never came to the market has no orders there.
    gather(core.accountMarkets.find(account, market));
    return slots;
  }
  for (
    let accountMarket = core.ledger.accountWord(account, A_MARKETS);
    accountMarket !== 0;
    accountMarket = core.accountMarkets.word(accountMarket, AM_NEXT)
  )
    gather(accountMarket);
  return slots;
}

export function cancelAll(core: Core, account: number): number {
  const market = core.readWord(CANCEL_ALL.market);
  if (market !== EVERY_MARKET && !core.markets.isMarket(market)) return REJECT.UNKNOWN_MARKET;
  cancelMarket(core, account, market, core.readByte(CANCEL_ALL.conditionals) !== 0);
  return 0;
}

/** Ends an account's orders in a market, with or without what waits for a price. */
export function cancelMarket(core: Core, account: number, market: number, conditionals: boolean): void {
  const slots = slotsOf(core, account, market, conditionals);
  if (conditionals) giveUpLists(core, slots);
  endAll(core, slots, REASON_ALL);
}

/** Arms, renews or (0 ms) disarms the switch of an account, for one market or all. */
export function setDeadMan(core: Core, account: number): number {
  const market = core.readWord(SET_DEAD_MAN.market);
  const timeoutMs = core.readWord(SET_DEAD_MAN.timeoutMs);
  if (market !== EVERY_MARKET && !core.markets.isMarket(market)) return REJECT.UNKNOWN_MARKET;
  if (timeoutMs !== 0 && (timeoutMs < DEAD_MAN_MIN_MS || timeoutMs > DEAD_MAN_MAX_MS)) return REJECT.INVALID_TIMEOUT;
  const accountMarket = market === EVERY_MARKET ? 0 : core.accountMarketOf(account, market);
  const old =
    accountMarket === 0
      ? core.ledger.accountWord(account, A_DEAD_MAN)
      : core.accountMarkets.word(accountMarket, AM_DEAD_MAN);
  if (old !== 0) dropDeadMan(core, old, account, accountMarket);
  let firesAt = 0;
  if (timeoutMs !== 0) {
    firesAt = core.now + timeoutMs;
    const slot = core.books.orders.take();
    const extra = core.books.orders.extra(slot);
    setWord(core.books.orderWords, atOrder(slot), O_FLAGS, FLAG_ROLE | FLAG_LIVE);
    setWord(core.books.orderWords, atOrder(slot), O_ACCOUNT_MARKET, accountMarket);
    setWord(core.books.orders.extras.i32, atExtra(extra), X_ROLE, ROLE_DEAD_MAN);
    setWord(core.books.orders.extras.i32, atExtra(extra), X_MARKET, accountMarket === 0 ? account : 0);
    core.timers.add(slot, firesAt);
    if (accountMarket === 0) core.ledger.setAccountWord(account, A_DEAD_MAN, slot);
    else core.accountMarkets.setWord(accountMarket, AM_DEAD_MAN, slot);
  }
  const record = core.events.openClean(DEAD_MAN_SET.kind, 0, 0, account, core.sequence);
  core.events.setWord(record, DEAD_MAN_SET.market, market);
  core.events.setDouble(record, DEAD_MAN_SET.firesAt, firesAt);
  return 0;
}

function dropDeadMan(core: Core, slot: number, account: number, accountMarket: number): void {
  core.timers.remove(slot);
  core.books.orders.give(slot);
  if (accountMarket === 0) core.ledger.setAccountWord(account, A_DEAD_MAN, 0);
  else core.accountMarkets.setWord(accountMarket, AM_DEAD_MAN, 0);
}

/** The switch was not renewed in time. */
export function fireDeadMan(core: Core, slot: number): void {
  const orders = core.books.orders;
  const accountMarket = getWord(orders.table.i32, atOrder(slot), O_ACCOUNT_MARKET);
  const extra = getWord(orders.table.i32, atOrder(slot), O_EXTRA);
  const account =
    accountMarket === 0
      ? getWord(orders.extras.i32, atExtra(extra), X_MARKET)
      : core.accountMarkets.word(accountMarket, AM_ACCOUNT);
  const market = accountMarket === 0 ? EVERY_MARKET : core.accountMarkets.word(accountMarket, 1);
  dropDeadMan(core, slot, account, accountMarket);
  const record = core.events.openClean(DEAD_MAN_FIRED.kind, 0, 0, account, core.sequence);
  core.events.setWord(record, DEAD_MAN_FIRED.market, market);
  const slots = slotsOf(core, account, market, true);
  giveUpLists(core, slots);
  endAll(core, slots, REASON_DEAD_MAN);
}

/** Words 4 and 5 of an event: the id of a slot. */
export function writeId<E>(core: Core, record: Opened<NoInfer<E>>, member: Id<E>, slot: number): void {
  core.events.setId(record, member, slot, getWord(core.books.orderWords, atOrder(slot), O_GENERATION));
}
