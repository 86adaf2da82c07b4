// Owns the liquidation account: the insurance fund's own symbol margin in every market. It takes bankrupt positions
// over at their bankruptcy value and works them off through the book in small slices; gain and loss are the fund's.

import { assert } from "@clockwork/kit/assert";
import { mulDivFloor } from "@clockwork/kit/money";
import { atTop, levelLots, T_ASK, T_BID } from "../../book/book.ts";
import { FLAG_SELL } from "../../book/orders.ts";
import { M_SETTLE, M_SLIPPAGE_BPS, M_STATUS, STATUS_TRADING } from "../../market/markets.ts";
import { getWord } from "../../memory/record.ts";
import { BUSINESSES, DEFICIT_ACCOUNT, INSURANCE_ACCOUNT } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { refreshClock } from "../margin/clock-state.ts";
import { crossProfit, markOf } from "../margin/equity.ts";
import { symbolMarginOf } from "../margin/exposure.ts";
import { finishFill, growPosition, reducePosition } from "../margin/fill.ts";
import {
  CT_DEGRADED,
  CT_INSURANCE_CELL,
  CT_MIRROR,
  CTF_NEXT_SLICE,
  PO_SYMBOL_MARGIN,
  POF_COST,
  SM_LONG,
} from "../state/records.ts";
import { profitAt } from "../state/values.ts";
import { deleverage } from "./adl.ts";
import { sendForced } from "./forced.ts";

const REALIZED = BUSINESSES.indexOf("realized");
const SLICE_MS = 500;
const SLICE_SHARE = 10;

function housePosition(core: Core, market: number): number {
  return core.perps.symbolMargin(symbolMarginOf(core, core.accountMarketOf(INSURANCE_ACCOUNT, market)), SM_LONG);
}

/** Balance of the fund and profit of what it holds. */
function fundEquity(core: Core, market: number): number {
  const { perps } = core;
  const marginAccount = perps.marginAccountIndex.find(INSURANCE_ACCOUNT, core.markets.word(market, M_SETTLE));
  const asset = core.markets.word(market, M_SETTLE);
  const owed = core.ledger.available(core.ledger.cellIndex.find(DEFICIT_ACCOUNT, asset));
  const cash = core.ledger.available(perps.contract(market, CT_INSURANCE_CELL)) + owed;
  return marginAccount === 0 ? cash : cash + crossProfit(core, marginAccount);
}

/** Whether the fund would still be worth something after taking lots over at a value. */
export function fundCanBear(core: Core, market: number, held: number, value: number): boolean {
  const { perps } = core;
  // Play money never runs out, and one demo account's luck is nobody else's business.
  if (perps.contract(market, CT_MIRROR) !== 0) return true;
  const gain = profitAt(core.perps, market, held, value, 0, markOf(core, market));
  return gain >= 0 || fundEquity(core, market) + gain >= 0;
}

/** The fund's symbol margin takes lots (long positive) at a value. */
export function takeOver(core: Core, market: number, lots: number, value: number): void {
  const { perps } = core;
  const position = housePosition(core, market);
  const held = perps.lots(position);
  const size = Math.abs(lots);
  let realized = 0;
  let left = size;
  let rest = value;
  if (held !== 0 && held > 0 !== lots > 0) {
    const closing = Math.min(size, Math.abs(held));
    const share = closing === size ? value : mulDivFloor(value, closing, size);
    realized = reducePosition(core.views, position, closing, share, 0, 0, REALIZED, perps.positionId(position));
    left -= closing;
    rest -= share;
    if (left > 0) {
      finishFill(core.views, position, perps.position(position, PO_SYMBOL_MARGIN), realized);
      realized = 0;
    }
  }
  if (left > 0) growPosition(core.views, position, lots > 0 ? left : 0 - left, rest, 0, 0, perps.positionId(position));
  finishFill(core.views, position, perps.position(position, PO_SYMBOL_MARGIN), realized);
  const demo = perps.contract(market, CT_MIRROR) !== 0;
  if (!demo && perps.lots(position) !== 0 && perps.contractDouble(market, CTF_NEXT_SLICE) === 0) {
    perps.setContractDouble(market, CTF_NEXT_SLICE, core.now + SLICE_MS);
    refreshClock(core);
  }
}

/** Sends one slice: at most a tenth of what the book shows within reach of the mark. */
export function workOff(core: Core, market: number): void {
  const { perps } = core;
  const position = housePosition(core, market);
  const held = perps.lots(position);
  if (held === 0) {
    perps.setContractDouble(market, CTF_NEXT_SLICE, 0);
    return;
  }
  perps.setContractDouble(market, CTF_NEXT_SLICE, core.now + SLICE_MS);
  if (core.markets.word(market, M_STATUS) !== STATUS_TRADING || perps.contract(market, CT_DEGRADED) !== 0) return;
  const sells = held > 0;
  const mark = markOf(core, market);
  const reach = Math.floor((mark * core.markets.word(market, M_SLIPPAGE_BPS)) / 10_000);
  const limit = sells ? Math.max(1, mark - reach) : mark + reach;
  const visible = visibleLots(core, market, sells, limit);
  if (visible === 0) return;
  const lots = Math.min(Math.abs(held), Math.max(1, Math.floor(visible / SLICE_SHARE)));
  assert(lots >= 1 && limit >= 1, "PERP-16", "a slice of nothing, or at no price");
  sendForced(core, position, sells ? FLAG_SELL : 0, limit, lots);
}

function visibleLots(core: Core, market: number, sells: boolean, limit: number): number {
  const { books } = core;
  const ladder = books.ladder(market);
  let lots = 0;
  let price = getWord(books.topWords, atTop(market), sells ? T_BID : T_ASK);
  while (price !== 0 && (sells ? price >= limit : price <= limit)) {
    lots += levelLots(books, ladder.levelAt(price));
    price = sells ? ladder.nextBelow(price) : ladder.nextAbove(price);
  }
  return lots;
}

/** When what the fund holds has eaten the fund, winners take it at what the fund gave for it. */
export function guardFund(core: Core, market: number): void {
  const { perps } = core;
  const accountMarket = core.accountMarkets.find(INSURANCE_ACCOUNT, market);
  if (accountMarket === 0 || perps.contract(market, CT_MIRROR) !== 0) return;
  const position = perps.symbolMargin(symbolMarginOf(core, accountMarket), SM_LONG);
  const held = perps.lots(position);
  if (held === 0 || fundEquity(core, market) >= 0) return;
  const mark = markOf(core, market);
  const cost = perps.positionDouble(position, POF_COST);
  if (profitAt(perps, market, held, cost, 0, mark) >= 0) return;
  const rest = deleverage(core, market, held, cost, mark, 0);
  // What the fund holds somebody else holds the other way round: longs and shorts of a symbol are equal.
  assert(rest.lots === 0, "PERP-15", "lots of the fund without another side");
  const profit = reducePosition(core.views, position, Math.abs(held), cost, 0, 0, REALIZED, perps.positionId(position));
  finishFill(core.views, position, perps.position(position, PO_SYMBOL_MARGIN), profit);
}
