// Owns the fast path of a changed price or a grown quantity of a plain order that goes on resting, as cancel.ts
// does it, with every table's view bound as a constant. Answers false and changes nothing for any other; see
// fast-paths.ts.
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { emptyLevel, T_ASK, T_BID, TOP_SHIFT } from "../book/book.ts";
import type { BoundBook } from "../book/bound-book.ts";
import { type Ladder, LEVEL_SHIFT } from "../book/ladder.ts";
import {
  EVENT_FLAGS,
  FLAG_LIVE,
  FLAG_RESTING,
  FLAG_SELL,
  GENERATION_MAX,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_LEVEL,
  O_NEXT,
  O_PREV,
  O_PRICE,
  OF_FILLED,
  OF_LOTS,
  OF_SEQUENCE,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
  STP_NONE,
  STP_SHIFT,
} from "../book/orders.ts";
import { ACCOUNT_ALLOW_SELF_TRADE, CELL_DOUBLE_SHIFT } from "../ledger/ledger.ts";
import { ACCOUNT_MARKET_SHIFT, AM_ACCOUNT, AM_FLAGS, AM_QUOTE_CELL, AM_RESTING } from "../market/account-markets.ts";
import {
  KIND_SPOT,
  M_BAND_STALE,
  M_BUY_MAX,
  M_BUY_MIN,
  M_KIND,
  M_RESTING_MAX,
  M_SELL_MAX,
  M_SELL_MIN,
  M_STATUS,
  MARKET_DOUBLE_SHIFT,
  MARKET_SHIFT,
  MF_BUCKET_END,
  MF_MAX_LOTS,
  MF_MIN_LOTS,
  MF_MIN_NOTIONAL,
  MF_STEP_UNITS,
  MF_TICK_LOT_UNITS,
  STATUS_TRADING,
} from "../market/markets.ts";
import { EVENTS } from "../protocol/event.ts";
import { type Core, G_NOW, G_SEQUENCE } from "../state/core.ts";
import type { Amend, PerpAmend } from "../state/fast-paths.ts";
import { bindFastEvents } from "./events.ts";

const KIND_AMENDED = EVENTS.orderAmended.kind;
const STP_MODES = 7;
/** All state and kind bits of an order; of a plain one only these two are set. */
const PLAIN_MASK = 0xffff & ~(FLAG_SELL | (STP_MODES << STP_SHIFT));
const PLAIN = FLAG_LIVE | FLAG_RESTING;

export function bindAmend(core: Core, book: BoundBook, amendPerp: PerpAmend): Amend {
  const { books, events, ledger, markets, clock } = core;
  const accountMarkets = core.accountMarkets.words;
  const limits = markets.words;
  const sizes = markets.doubles;
  const cells = ledger.cellDoubles;
  const orderTable = books.orders.table;
  const orders = books.orderWords;
  const orderDoubles = books.orderDoubles;
  const levels = books.levelWords;
  const levelDoubles = books.levelDoubles;
  const tops = books.topWords;
  const ladders = books.ladders;
  const f64 = events.f64;
  const { rest } = book;
  const { writeDepth, writeOrder } = bindFastEvents(core);
  /** The lots it is to have; too wide for an argument. */
  const wanted = new Float64Array(1);

  /** Whether an order of that size and price may rest there; refreshes the band as the general path's check does. */
  function mayRest(market: number, sell: number, price: number): boolean {
    const sizeAt = market << MARKET_DOUBLE_SHIFT;
    const marketAt = market << MARKET_SHIFT;
    const lots = wanted[0] as number;
    if (lots < (sizes[sizeAt | MF_MIN_LOTS] as number) || lots > (sizes[sizeAt | MF_MAX_LOTS] as number)) return false;
    const notional = price * lots * (sizes[sizeAt | MF_TICK_LOT_UNITS] as number);
    if (notional < (sizes[sizeAt | MF_MIN_NOTIONAL] as number) || notional > Number.MAX_SAFE_INTEGER) return false;
    if (lots * (sizes[sizeAt | MF_STEP_UNITS] as number) > Number.MAX_SAFE_INTEGER) return false;
    if (limits[marketAt | M_BAND_STALE] !== 0 || (clock[G_NOW] as number) >= (sizes[sizeAt | MF_BUCKET_END] as number))
      markets.refreshBand(market, clock[G_NOW] as number);
    const high = limits[marketAt | (sell !== 0 ? M_SELL_MAX : M_BUY_MAX)] as number;
    if (price < (limits[marketAt | (sell !== 0 ? M_SELL_MIN : M_BUY_MIN)] as number)) return false;
    if (high !== 0 && price > high) return false;
    const best = tops[(market << TOP_SHIFT) | (sell !== 0 ? T_BID : T_ASK)] as number;
    return best === 0 || (sell !== 0 ? best < price : best > price);
  }

  return function amend(words, doubles, at, account, isCut): boolean {
    const slot = words[at + 6] as number;
    const record = events.count;
    if (slot <= 0 || slot >= orderTable.count || record + 3 > events.capacity) return false;
    const order = slot << ORDER_SHIFT;
    const orderDouble = slot << ORDER_DOUBLE_SHIFT;
    const flags = orders[order | O_FLAGS] as number;
    if ((flags & PLAIN_MASK) !== PLAIN || orders[order | O_EXTRA] !== 0) return false;
    const generation = orders[order | O_GENERATION] as number;
    if (generation !== words[at + 7] || generation >= GENERATION_MAX) return false;
    const accountMarketAt = (orders[order | O_ACCOUNT_MARKET] as number) << ACCOUNT_MARKET_SHIFT;
    const market = flags >>> 16;
    const marketAt = market << MARKET_SHIFT;
    if (accountMarkets[accountMarketAt | AM_ACCOUNT] !== account) return false;
    const mode = (flags >> STP_SHIFT) & STP_MODES;
    const accountMarketFlags = accountMarkets[accountMarketAt | AM_FLAGS] as number;
    if (
      accountMarketFlags !== ACCOUNT_ALLOW_SELF_TRADE ? accountMarketFlags !== 0 || mode >= STP_NONE : mode > STP_NONE
    )
      return false;
    if (limits[marketAt | M_STATUS] !== STATUS_TRADING) return false;
    const oldPrice = orders[order | O_PRICE] as number;
    const price = words[at + 8] === 0 ? oldPrice : (words[at + 8] as number);
    const open = orderDoubles[orderDouble | OF_LOTS] as number;
    const total = isCut ? 0 : (doubles[(at >> 1) + 5] as number);
    if (!(total >= 0 && total <= Number.MAX_SAFE_INTEGER) || Math.floor(total) !== total) return false;
    const lots = total === 0 ? open : total - (orderDoubles[orderDouble | OF_FILLED] as number);
    if (lots < 1 || (price === oldPrice && lots <= open) || price <= 0 || price > PRICE_TICKS_MAX) return false;
    wanted[0] = lots;
    const sell = flags & FLAG_SELL;
    const ladder = ladders[market] as Ladder;
    if (!mayRest(market, sell, price) || ladder.peek(price) === 0) return false;
    if ((accountMarkets[accountMarketAt | AM_RESTING] as number) > (limits[marketAt | M_RESTING_MAX] as number))
      return false;
    if (limits[marketAt | M_KIND] !== KIND_SPOT) return total === 0 && amendPerp(slot, account, price);
    const sizeAt = market << MARKET_DOUBLE_SHIFT;
    const unit = sizes[sizeAt | (sell !== 0 ? MF_STEP_UNITS : MF_TICK_LOT_UNITS)] as number;
    const released = open * unit * (sell !== 0 ? 1 : oldPrice);
    const need = lots * unit * (sell !== 0 ? 1 : price);
    const cell = (accountMarkets[accountMarketAt + AM_QUOTE_CELL - sell] as number) << CELL_DOUBLE_SHIFT;
    const available = (cells[cell] as number) + released - need;
    const frozen = (cells[cell + 1] as number) - released;
    if (available < 0 || frozen < 0) return false;
    // Nothing can refuse it any more.
    cells[cell] = available;
    cells[cell + 1] = frozen + need;
    const level = orders[order | O_LEVEL] as number;
    const next = orders[order | O_NEXT] as number;
    const prev = orders[order | O_PREV] as number;
    if (next !== 0) orders[(next << ORDER_SHIFT) | O_PREV] = prev;
    else levels[(level << LEVEL_SHIFT) + 1] = prev;
    if (prev !== 0) orders[(prev << ORDER_SHIFT) | O_NEXT] = next;
    else levels[level << LEVEL_SHIFT] = next;
    levelDoubles[(level << 1) | 1] = (levelDoubles[(level << 1) | 1] as number) - open;
    if ((next | prev) === 0) emptyLevel(books, market, level, oldPrice, sell);
    orderDoubles[orderDouble | OF_LOTS] = lots;
    orderDoubles[orderDouble | OF_SEQUENCE] = clock[G_SEQUENCE] as number;
    writeOrder(record, KIND_AMENDED | ((flags & EVENT_FLAGS) << 16), account, slot, price, cell >> CELL_DOUBLE_SHIFT);
    f64[(record << 3) + 4] = lots;
    f64[(record << 3) + 5] = need - released;
    writeDepth(record + 1, market, sell, oldPrice, level);
    // Its page may just have gone with the old price; it then comes back first, so that no table grows. Its place in
    // the open orders is the hole it would leave.
    const target = ladder.reserve(price);
    rest(market, slot, price, target);
    writeDepth(record + 2, market, sell, price, target);
    events.count = record + 3;
    return true;
  };
}
