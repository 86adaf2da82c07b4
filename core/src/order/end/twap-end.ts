// Owns the end of an order sliced over time: what is left is told, its timer and its place are given back.

import {
  atExtra,
  atOrder,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_OPEN_PLACE,
  XF_LEFT,
} from "../../book/orders.ts";
import { AM_ACCOUNT, AM_CONDITIONALS } from "../../market/account-markets.ts";
import { getDouble, getWord } from "../../memory/record.ts";
import { eventPlaces } from "../../protocol/event.ts";
import type { Core } from "../../state/core.ts";

const TWAP_ENDED = eventPlaces("twapEnded");

export function endTwap(core: Core, slot: number, reason: number): void {
  const orders = core.books.orders;
  const base = atOrder(slot);
  const extra = getWord(orders.table.i32, base, O_EXTRA);
  const accountMarket = getWord(orders.table.i32, base, O_ACCOUNT_MARKET);
  const record = core.events.openClean(
    TWAP_ENDED.kind,
    reason,
    0,
    core.accountMarkets.word(accountMarket, AM_ACCOUNT),
    core.sequence,
  );
  core.events.setId(record, TWAP_ENDED.twap, slot, getWord(orders.table.i32, base, O_GENERATION));
  core.events.setWord(record, TWAP_ENDED.market, getWord(orders.table.i32, base, O_FLAGS) >>> 16);
  core.events.setDouble(record, TWAP_ENDED.leftLots, getDouble(orders.extras.f64, atExtra(extra), XF_LEFT));
  core.timers.remove(slot);
  core.accountMarkets.removeOpenOrder(accountMarket, getWord(orders.table.i32, base, O_OPEN_PLACE));
  core.accountMarkets.bump(accountMarket, AM_CONDITIONALS, -1);
  orders.give(slot);
}
