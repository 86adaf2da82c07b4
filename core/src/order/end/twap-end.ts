// Owns the end of an order sliced over time: what is left is told, its timer and its place are given back.
import {
  EXTRA_DOUBLE_SHIFT,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_OPEN_PLACE,
  ORDER_SHIFT,
  XF_LEFT,
} from "../../book/orders.ts";
import { AM_ACCOUNT, AM_CONDITIONALS } from "../../market/account-markets.ts";
import { EVENTS } from "../../protocol/event.ts";
import type { Core } from "../../state/core.ts";

export function endTwap(core: Core, slot: number, reason: number): void {
  const orders = core.books.orders;
  const base = slot << ORDER_SHIFT;
  const extra = orders.table.i32[base | O_EXTRA] as number;
  const accountMarket = orders.table.i32[base | O_ACCOUNT_MARKET] as number;
  const record = core.events.openClean(
    EVENTS.twapEnded.kind,
    reason,
    0,
    core.accountMarkets.word(accountMarket, AM_ACCOUNT),
    core.sequence,
  );
  core.events.i32[(record << 4) | 4] = slot;
  core.events.i32[(record << 4) | 5] = orders.table.i32[base | O_GENERATION] as number;
  core.events.i32[(record << 4) | 6] = (orders.table.i32[base | O_FLAGS] as number) >>> 16;
  core.events.f64[(record << 3) | 4] = orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) | XF_LEFT] as number;
  core.timers.remove(slot);
  core.accountMarkets.removeOpenOrder(accountMarket, orders.table.i32[base | O_OPEN_PLACE] as number);
  core.accountMarkets.bump(accountMarket, AM_CONDITIONALS, -1);
  orders.give(slot);
}
