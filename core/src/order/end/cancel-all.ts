// Owns ending many orders at once: by account and market, by a dead-man's switch, by delisting.
// Orders end oldest first; those of one command, which are equally old, by id.
import { DEAD_MAN_MAX_MS, DEAD_MAN_MIN_MS } from "@clockwork/kit/order-bounds";
import {
  EXTRA_DOUBLE_SHIFT,
  EXTRA_SHIFT,
  FLAG_CONDITIONAL,
  FLAG_LIVE,
  FLAG_ROLE,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  OF_SEQUENCE,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
  ROLE_DEAD_MAN,
  ROLE_TWAP,
  X_LIST,
  X_MARKET,
  X_ROLE,
  XF_LEFT,
} from "../../book/orders.ts";
import { A_DEAD_MAN, A_MARKETS } from "../../ledger/ledger.ts";
import { AM_ACCOUNT, AM_DEAD_MAN, AM_NEXT } from "../../market/account-markets.ts";
import { EVENTS } from "../../protocol/event.ts";
import { END_REASONS } from "../../protocol/names.ts";
import { REJECT } from "../../protocol/rejection.ts";
import type { Core } from "../../state/core.ts";
import { endOrder } from "./finish.ts";
import { endTwap } from "./twap-end.ts";

const REASON_ALL = END_REASONS.indexOf("CANCEL_ALL");
const REASON_DEAD_MAN = END_REASONS.indexOf("DEAD_MAN");
const EVERY_MARKET = -1;

/** Ends the given orders and slicers, oldest first. */
export function endAll(core: Core, slots: number[], reason: number): void {
  const orders = core.books.orders;
  const age = (slot: number): number => orders.table.f64[(slot << ORDER_DOUBLE_SHIFT) | OF_SEQUENCE] as number;
  slots.sort((a, b) => age(a) - age(b) || orders.id(a) - orders.id(b));
  for (const slot of slots) {
    const flags = orders.table.i32[(slot << ORDER_SHIFT) | O_FLAGS] as number;
    if ((flags & FLAG_ROLE) === 0) endOrder(core, slot, reason);
    else if (roleOf(core, slot) === ROLE_TWAP) endTwap(core, slot, reason);
  }
}

export function roleOf(core: Core, slot: number): number {
  const extra = core.books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  return core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_ROLE] as number;
}

/** Brackets that end as a whole arm no exits for what came in and is not covered yet: it stays with its owner. */
export function giveUpLists(core: Core, slots: readonly number[]): void {
  const { table, extras } = core.books.orders;
  for (const slot of slots) {
    const extra = table.i32[(slot << ORDER_SHIFT) | O_EXTRA] as number;
    // The record of none, which most orders have, names no list.
    const list = extras.i32[(extra << EXTRA_SHIFT) | X_LIST] as number;
    if (list === 0) continue;
    const listExtra = table.i32[(list << ORDER_SHIFT) | O_EXTRA] as number;
    extras.f64[(listExtra << EXTRA_DOUBLE_SHIFT) | XF_LEFT] = 0;
  }
}

function slotsOf(core: Core, account: number, market: number, conditionals: boolean): number[] {
  const slots: number[] = [];
  const gather = (accountMarket: number): void => {
    for (const slot of core.accountMarkets.openOrdersOf(accountMarket)) {
      const flags = core.books.orderWords[(slot << ORDER_SHIFT) | O_FLAGS] as number;
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
  const market = core.inputWord(24);
  if (market !== EVERY_MARKET && !core.markets.isMarket(market)) return REJECT.UNKNOWN_MARKET;
  cancelMarket(core, account, market, core.inputByte(28) !== 0);
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
  const market = core.inputWord(24);
  const timeoutMs = core.inputWord(28);
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
    core.books.orderWords[(slot << ORDER_SHIFT) | O_FLAGS] = FLAG_ROLE | FLAG_LIVE;
    core.books.orderWords[(slot << ORDER_SHIFT) | O_ACCOUNT_MARKET] = accountMarket;
    core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_ROLE] = ROLE_DEAD_MAN;
    core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_MARKET] = accountMarket === 0 ? account : 0;
    core.timers.add(slot, firesAt);
    if (accountMarket === 0) core.ledger.setAccountWord(account, A_DEAD_MAN, slot);
    else core.accountMarkets.setWord(accountMarket, AM_DEAD_MAN, slot);
  }
  const record = core.events.openClean(EVENTS.deadManSet.kind, 0, 0, account, core.sequence);
  core.events.i32[(record << 4) | 4] = market;
  core.events.f64[(record << 3) | 3] = firesAt;
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
  const accountMarket = orders.table.i32[(slot << ORDER_SHIFT) | O_ACCOUNT_MARKET] as number;
  const extra = orders.table.i32[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  const account =
    accountMarket === 0
      ? (orders.extras.i32[(extra << EXTRA_SHIFT) | X_MARKET] as number)
      : core.accountMarkets.word(accountMarket, AM_ACCOUNT);
  const market = accountMarket === 0 ? EVERY_MARKET : core.accountMarkets.word(accountMarket, 1);
  dropDeadMan(core, slot, account, accountMarket);
  const record = core.events.openClean(EVENTS.deadManFired.kind, 0, 0, account, core.sequence);
  core.events.i32[(record << 4) | 4] = market;
  const slots = slotsOf(core, account, market, true);
  giveUpLists(core, slots);
  endAll(core, slots, REASON_DEAD_MAN);
}

/** Words 4 and 5 of an event: the id of a slot. */
export function writeId(core: Core, record: number, word: number, slot: number): void {
  core.events.i32[record * 16 + word] = slot;
  core.events.i32[record * 16 + word + 1] = core.books.orderWords[(slot << ORDER_SHIFT) | O_GENERATION] as number;
}
