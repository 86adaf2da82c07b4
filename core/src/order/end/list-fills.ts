// Owns the note a fill leaves on the order list it belongs to. The list itself is worked off at the end of the
// command, when no match is under way.

import {
  atExtra,
  atOrder,
  EXTRA_DOUBLE_SHIFT,
  FLAG_SELL,
  O_EXTRA,
  O_FLAGS,
  X_LEG,
  X_LIST,
  X_SLICE,
  XF_LEFT,
} from "../../book/orders.ts";
import { ACCOUNT_FEE_IN_QUOTE } from "../../ledger/ledger.ts";
import { AM_FLAGS, AM_MAKER_RATE, AM_TAKER_RATE } from "../../market/account-markets.ts";
import { MF_STEP_UNITS } from "../../market/markets.ts";
import { getWord } from "../../memory/record.ts";
import { LIST_LEGS } from "../../protocol/names.ts";
import { feeCeil } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";

export const LEG_ENTRY = LIST_LEGS.indexOf("entry");
export const LEG_PROFIT = LIST_LEGS.indexOf("profit");
export const LEG_STOP = LIST_LEGS.indexOf("stop");
/** In X_SLICE of a list: its profit leg has begun to fill. */
export const LIST_PROFIT_FILLED = 1;

/**
 * A leg of a list was filled: an entry arms exits for what came in after fees, a profit leg resolves the pair. A stop leg has
 * left its list when it fired.
 */
export function noteListFill(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  lots: number,
  taker: boolean,
): void {
  const orders = core.books.orders;
  const extra = getWord(orders.table.i32, atOrder(slot), O_EXTRA);
  const list = getWord(orders.extras.i32, atExtra(extra), X_LIST);
  const leg = getWord(orders.extras.i32, atExtra(extra), X_LEG);
  const listExtra = getWord(orders.table.i32, atOrder(list), O_EXTRA);
  if (leg === LEG_ENTRY) {
    let units = lots * core.markets.double(market, MF_STEP_UNITS);
    const sells = (getWord(orders.table.i32, atOrder(slot), O_FLAGS) & FLAG_SELL) !== 0;
    if (
      !sells &&
      !core.perps.isPerp(market) &&
      (core.accountMarkets.word(accountMarket, AM_FLAGS) & ACCOUNT_FEE_IN_QUOTE) === 0
    ) {
      units -= feeCeil(units, core.accountMarkets.word(accountMarket, taker ? AM_TAKER_RATE : AM_MAKER_RATE));
    }
    const at = (listExtra << EXTRA_DOUBLE_SHIFT) | XF_LEFT;
    orders.extras.f64[at] = (orders.extras.f64[at] as number) + units;
  } else {
    const at = atExtra(listExtra) | X_SLICE;
    orders.extras.i32[at] = (orders.extras.i32[at] as number) | LIST_PROFIT_FILLED;
  }
  core.touchedLists.push(list);
}
