// Owns following prices: which plans a print makes due and which trailing stops begin to follow. Fires nothing: that
// waits until no match is under way.

import { atTop, T_LAST } from "../../book/book.ts";
import { atOrder, O_ACCOUNT_MARKET, O_GENERATION } from "../../book/orders.ts";
import { wakeBots, wakeByFair } from "../../bot/note/prices.ts";
import { AM_ACCOUNT } from "../../market/account-markets.ts";
import { M_INDEX, M_MARK } from "../../market/markets.ts";
import { getWord, type Opened } from "../../memory/record.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { TRIGGER_SOURCES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";

/** Both have the same members in the same places. */
const TRAILING_MOVED = eventPlaces("trailingMoved");
const TRAILING_ACTIVATED = eventPlaces("trailingActivated");

export const SOURCE_LAST = TRIGGER_SOURCES.indexOf("last");
export const SOURCE_MARK = TRIGGER_SOURCES.indexOf("mark");
export const SOURCE_INDEX = TRIGGER_SOURCES.indexOf("index");

/** The current price of a trigger source, 0 when there is none yet. */
export function sourcePrice(core: Core, market: number, source: number): number {
  if (source === SOURCE_LAST) return getWord(core.books.topWords, atTop(market), T_LAST);
  return core.markets.word(market, source === SOURCE_MARK ? M_MARK : M_INDEX);
}

/** Notes what the source's price makes due, in firing order, and reports trailing stops that began to follow or moved. */
export function observePrice(core: Core, market: number, source: number): void {
  const price = sourcePrice(core, market, source);
  const triggers = core.triggers;
  if (source === SOURCE_LAST) wakeBots(core, market, price);
  else if (source === SOURCE_MARK) wakeByFair(core, market);
  if (price === 0 || !triggers.concerns(market, source, price)) return;
  triggers.collect(market, source, price);
  for (const slot of triggers.activated) publishFollowed(core, TRAILING_ACTIVATED.kind, market, slot, price);
  for (const slot of triggers.moved) publishFollowed(core, TRAILING_MOVED.kind, market, slot, price);
  triggers.activated.length = 0;
  triggers.moved.length = 0;
}

function publishFollowed(core: Core, kind: number, market: number, slot: number, price: number): void {
  const accountMarket = getWord(core.books.orderWords, atOrder(slot), O_ACCOUNT_MARKET);
  const account = core.accountMarkets.word(accountMarket, AM_ACCOUNT);
  const record: Opened<"trailingMoved"> = core.events.openClean(kind, 0, 0, account, core.sequence);
  core.events.setId(record, TRAILING_MOVED.orderId, slot, getWord(core.books.orderWords, atOrder(slot), O_GENERATION));
  core.events.setWord(record, TRAILING_MOVED.market, market);
  core.events.setWord(record, TRAILING_MOVED.observed, price);
}
