// Owns slicing an order over time (TWAP) and over prices (scaled). Slices are ordinary orders; nothing is frozen
// for slices to come.

import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import {
  SCALED_MAX,
  SCALED_MIN,
  TWAP_DURATION_MAX_MS,
  TWAP_DURATION_MIN_MS,
  TWAP_INTERVAL_MAX_MS,
  TWAP_INTERVAL_MIN_MS,
} from "@clockwork/kit/order-bounds";
import { R_LOTS } from "../../book/book.ts";
import {
  atExtra,
  atOrder,
  EVENT_FLAGS,
  FLAG_IN_QUOTE,
  FLAG_LIVE,
  FLAG_MARKET,
  FLAG_ROLE,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_OPEN_PLACE,
  O_PRICE,
  OF_FILLED,
  OF_LOTS,
  OF_SEQUENCE,
  POST_ONLY_SHIFT,
  ROLE_TWAP,
  STP_NONE,
  STP_SHIFT,
  TIF_IOC,
  TIF_SHIFT,
  X_INTERVAL_MS,
  X_INTERVALS,
  X_ROLE,
  X_SLICE,
  XF_LEFT,
  XF_SLICE,
} from "../../book/orders.ts";
import { ACCOUNT_ALLOW_SELF_TRADE, ACCOUNT_BLOCK_TRADING } from "../../ledger/ledger.ts";
import { AM_ACCOUNT, AM_CONDITIONALS, AM_FLAGS } from "../../market/account-markets.ts";
import {
  M_CONDITIONAL_MAX,
  M_STATUS,
  MF_MIN_LOTS,
  MF_MIN_NOTIONAL,
  MF_TICK_LOT_UNITS,
  STATUS_CANCEL_ONLY,
  STATUS_TRADING,
} from "../../market/markets.ts";
import { getDouble, getWord, setDouble, setWord } from "../../memory/record.ts";
import { commandPlaces } from "../../protocol/command.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { END_REASONS } from "../../protocol/names.ts";
import { REJECT } from "../../protocol/rejection.ts";
import type { Core } from "../../state/core.ts";
import { recordClientId } from "../end/client-ids.ts";
import { endTwap } from "../end/twap-end.ts";
import { submitOrder } from "../entry/place.ts";

const PLACE_TWAP = commandPlaces("placeTwap");
const PLACE_SCALED = commandPlaces("placeScaled");

const TWAP_STARTED = eventPlaces("twapStarted");
const TWAP_SLICE = eventPlaces("twapSlice");

const REASON_ENDED = END_REASONS.indexOf("TWAP_ENDED");
const SLICE_FACTOR_MAX = 3;

export function placeTwap(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  text: number,
): number {
  const lots = core.books.registers[R_LOTS] as number;
  const durationMs = core.readWord(PLACE_TWAP.durationMs);
  const intervalMs = core.readWord(PLACE_TWAP.intervalMs);
  const status = core.markets.word(market, M_STATUS);
  const accountMarketFlags = core.accountMarkets.word(accountMarket, AM_FLAGS);
  if ((accountMarketFlags & ACCOUNT_BLOCK_TRADING) !== 0) return REJECT.ACCOUNT_BLOCKED;
  if (status === STATUS_CANCEL_ONLY) return REJECT.MARKET_CANCEL_ONLY;
  if (status !== STATUS_TRADING) return REJECT.MARKET_NOT_TRADING;
  if (price <= 0 || price > PRICE_TICKS_MAX) return REJECT.INVALID_PRICE;
  if (!(lots >= 1) || !Number.isSafeInteger(lots)) return REJECT.INVALID_QUANTITY;
  if ((flags & (FLAG_MARKET | FLAG_IN_QUOTE | (3 << POST_ONLY_SHIFT))) !== 0) return REJECT.INVALID_COMBINATION;
  const timely =
    durationMs >= TWAP_DURATION_MIN_MS &&
    durationMs <= TWAP_DURATION_MAX_MS &&
    intervalMs >= TWAP_INTERVAL_MIN_MS &&
    intervalMs <= TWAP_INTERVAL_MAX_MS;
  if (!timely) return REJECT.INVALID_TWAP;
  const intervals = Math.floor(durationMs / intervalMs);
  const code = checkSlice(core, market, price, Math.floor(lots / intervals));
  if (code !== 0) return code;
  const most = core.markets.word(market, M_CONDITIONAL_MAX);
  if (core.accountMarkets.word(accountMarket, AM_CONDITIONALS) >= most)
    return core.refuse(REJECT.TOO_MANY_CONDITIONALS, most);
  const allowed = (accountMarketFlags & ACCOUNT_ALLOW_SELF_TRADE) !== 0;
  if (((flags >> STP_SHIFT) & 7) >= STP_NONE && !allowed) return REJECT.SELF_TRADE_MODE_FORBIDDEN;
  const slot = startTwap(core, accountMarket, market, flags, price, lots, intervals, intervalMs, text);
  runTwap(core, slot);
  return 0;
}

/** Whether an even slice could stand as an order. */
function checkSlice(core: Core, market: number, price: number, lots: number): number {
  const minLots = core.markets.double(market, MF_MIN_LOTS);
  if (lots < minLots) return core.refuse(REJECT.QUANTITY_TOO_SMALL, minLots);
  const minNotional = core.markets.double(market, MF_MIN_NOTIONAL);
  const notional = lots * price * core.markets.double(market, MF_TICK_LOT_UNITS);
  return notional < minNotional ? core.refuse(REJECT.NOTIONAL_TOO_SMALL, minNotional) : 0;
}

function startTwap(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  lots: number,
  intervals: number,
  intervalMs: number,
  text: number,
): number {
  const orders = core.books.orders;
  const slot = orders.take();
  const base = atOrder(slot);
  const extra = orders.extra(slot);
  setWord(
    orders.table.i32,
    base,
    O_FLAGS,
    (market << 16) | (flags & ~(3 << TIF_SHIFT)) | (TIF_IOC << TIF_SHIFT) | FLAG_ROLE | FLAG_LIVE,
  );
  setWord(orders.table.i32, base, O_ACCOUNT_MARKET, accountMarket);
  setWord(orders.table.i32, base, O_PRICE, price);
  setDouble(orders.table.f64, atOrder(slot), OF_LOTS, lots);
  setDouble(orders.table.f64, atOrder(slot), OF_FILLED, 0);
  setDouble(orders.table.f64, atOrder(slot), OF_SEQUENCE, core.sequence);
  setWord(orders.extras.i32, atExtra(extra), X_ROLE, ROLE_TWAP);
  setWord(orders.extras.i32, atExtra(extra), X_INTERVALS, intervals);
  setWord(orders.extras.i32, atExtra(extra), X_INTERVAL_MS, intervalMs);
  setDouble(orders.extras.f64, atExtra(extra), XF_LEFT, lots);
  // A slice never exceeds three times the even one, however much has rolled forward.
  setDouble(orders.extras.f64, atExtra(extra), XF_SLICE, Math.ceil(lots / intervals) * SLICE_FACTOR_MAX);
  setWord(orders.table.i32, base, O_OPEN_PLACE, core.accountMarkets.addOpenOrder(accountMarket, slot));
  core.accountMarkets.bump(accountMarket, AM_CONDITIONALS, 1);
  const record = core.events.openClean(
    TWAP_STARTED.kind,
    0,
    ((flags & ~(3 << TIF_SHIFT)) | (TIF_IOC << TIF_SHIFT)) & EVENT_FLAGS,
    core.accountMarkets.word(accountMarket, AM_ACCOUNT),
    core.sequence,
  );
  core.events.setId(record, TWAP_STARTED.twap, slot, getWord(orders.table.i32, base, O_GENERATION));
  core.events.setWord(record, TWAP_STARTED.market, market);
  core.events.setWord(record, TWAP_STARTED.price, price);
  core.events.setDouble(record, TWAP_STARTED.lots, lots);
  core.events.setWord(record, TWAP_STARTED.intervals, intervals);
  core.events.setWord(record, TWAP_STARTED.intervalMs, intervalMs);
  if (text >= 0) recordClientId(core, slot, text);
  return slot;
}

/** One slice: what is left divided by the intervals left, at once or not at all. */
export function runTwap(core: Core, slot: number): void {
  const orders = core.books.orders;
  const base = atOrder(slot);
  const extra = getWord(orders.table.i32, base, O_EXTRA);
  const flags = getWord(orders.table.i32, base, O_FLAGS);
  const accountMarket = getWord(orders.table.i32, base, O_ACCOUNT_MARKET);
  const market = flags >>> 16;
  const left = getDouble(orders.extras.f64, atExtra(extra), XF_LEFT);
  const intervals = getWord(orders.extras.i32, atExtra(extra), X_INTERVALS);
  const slice = Math.min(Math.floor(left / intervals), getDouble(orders.extras.f64, atExtra(extra), XF_SLICE));
  core.books.registers[R_LOTS] = slice;
  core.checkLimit[0] = 0;
  const price = getWord(orders.table.i32, base, O_PRICE);
  const code = submitOrder(core, accountMarket, market, flags & EVENT_FLAGS, price, 0);
  if (code !== 0) {
    const account = core.accountMarkets.word(accountMarket, AM_ACCOUNT);
    core.emitRejected(code, account, market, 0, core.checkLimit[0] as number);
  }
  const filled = code !== 0 ? 0 : (core.placed[1] as number);
  const extras = orders.extras;
  const number = getWord(extras.i32, atExtra(extra), X_SLICE) + 1;
  setWord(extras.i32, atExtra(extra), X_SLICE, number);
  setWord(extras.i32, atExtra(extra), X_INTERVALS, intervals - 1);
  setDouble(extras.f64, atExtra(extra), XF_LEFT, left - filled);
  const record = core.events.openClean(
    TWAP_SLICE.kind,
    0,
    0,
    core.accountMarkets.word(accountMarket, AM_ACCOUNT),
    core.sequence,
  );
  core.events.setId(record, TWAP_SLICE.twap, slot, getWord(orders.table.i32, base, O_GENERATION));
  core.events.setWord(record, TWAP_SLICE.market, market);
  core.events.setWord(record, TWAP_SLICE.slice, number);
  core.events.setDouble(record, TWAP_SLICE.filledLots, filled);
  core.events.setDouble(record, TWAP_SLICE.leftLots, left - filled);
  if (left === filled || intervals === 1) endTwap(core, slot, REASON_ENDED);
  else core.timers.add(slot, core.now + getWord(extras.i32, atExtra(extra), X_INTERVAL_MS));
}

/** Several limits between two prices; each is checked and answered on its own under its place in the scale. */
export function placeScaled(core: Core, accountMarket: number, market: number, flags: number, price: number): number {
  const lots = core.books.registers[R_LOTS] as number;
  const priceTo = core.readWord(PLACE_SCALED.priceTo);
  const count = core.readByte(PLACE_SCALED.count);
  const shape = core.readByte(PLACE_SCALED.shape);
  if (price <= 0 || priceTo <= 0 || price > PRICE_TICKS_MAX || priceTo > PRICE_TICKS_MAX) return REJECT.INVALID_PRICE;
  if (!(lots >= 1) || !Number.isSafeInteger(lots)) return REJECT.INVALID_QUANTITY;
  if ((flags & (FLAG_MARKET | FLAG_IN_QUOTE)) !== 0) return REJECT.INVALID_COMBINATION;
  if (count < SCALED_MIN || count > SCALED_MAX || shape > 2 || Math.abs(priceTo - price) < count - 1)
    return REJECT.INVALID_SCALE;
  const sizes = scaledLots(lots, count, shape);
  if (sizes.some((size) => size < 1)) return REJECT.INVALID_SCALE;
  for (let i = 0; i < count; i++) {
    core.books.registers[R_LOTS] = sizes[i] as number;
    core.item = i;
    const at = price + Math.trunc(((priceTo - price) * i) / (count - 1));
    core.checkLimit[0] = 0;
    const code = submitOrder(core, accountMarket, market, flags, at, 0);
    if (code !== 0)
      core.emitRejected(
        code,
        core.accountMarkets.word(accountMarket, AM_ACCOUNT),
        market,
        0,
        core.checkLimit[0] as number,
      );
  }
  core.item = 0;
  return 0;
}

/** Sizes by weight, each rounded down; the last takes what rounding left. */
export function scaledLots(lots: number, count: number, shape: number): number[] {
  const weights = Array.from({ length: count }, (_, i) => (shape === 0 ? 1 : shape === 1 ? i + 1 : count - i));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const whole = Math.floor(lots / sum);
  const rest = lots - whole * sum;
  const sizes = weights.map((weight) => whole * weight + Math.floor((rest * weight) / sum));
  const given = sizes.reduce((total, size) => total + size, 0);
  sizes[count - 1] = (sizes[count - 1] as number) + (lots - given);
  return sizes;
}
