// Owns what follows from a match: each step becomes events, money and, for makers that are done, an end.
// Never matches.

import {
  S_DONE,
  S_KIND,
  S_MAKER,
  S_PRICE,
  SF_LOTS,
  STEP_DEPTH,
  STEP_DOUBLE_SHIFT,
  STEP_PREVENTED,
  STEP_SHIFT,
  STEP_TRADE,
} from "../../book/book.ts";
import {
  FLAG_IN_QUOTE,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_FLAGS,
  O_GENERATION,
  O_PRICE,
  ORDER_SHIFT,
  STP_DECREMENT,
} from "../../book/orders.ts";
import { ACCOUNT_MARKET_SHIFT, AM_ACCOUNT } from "../../market/account-markets.ts";
import { fillPerpSteps } from "../../perp/fill/steps.ts";
import { addExposure } from "../../perp/margin/exposure.ts";
import { EVENTS } from "../../protocol/event.ts";
import { BUSINESSES, END_REASONS } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { enter } from "../../state/paths.ts";
import { STEP_RECORDS_MAX } from "../../state/views.ts";
import { endOffBook, holdCell, holdUnits } from "../end/finish.ts";
import { fillSpotSteps } from "../fill/spot-fills.ts";

const KIND_PREVENTED = EVENTS.selfTradePrevented.kind;
const KIND_REFILLED = EVENTS.icebergRefilled.kind;
const REASON_MAKER = END_REASONS.indexOf("STP_MAKER");
const REASON_DECREMENT = END_REASONS.indexOf("STP_DECREMENT");
const BUSINESS_TRADE = BUSINESSES.indexOf("trade");

/** Scratch of the taker at hand: lots still open, lots lost to decrements, whether a decrement took the last. */
const LEFT = 0;
const LOST = 1;
const USED_UP = 2;
const scratch = new Float64Array(3);

/** Settles all steps of a taker whose lots were `lots`; returns the lots it lost to decrements. */
export function settleSteps(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  mode: number,
  lots: number,
): number {
  const { books } = core;
  const perp = core.perps.isPerp(market);
  scratch[LEFT] = lots;
  scratch[LOST] = 0;
  scratch[USED_UP] = 0;
  for (let step = 0; step < books.stepCount; ) {
    const base = step << STEP_SHIFT;
    const kind = books.steps[base + S_KIND] as number;
    if (kind === STEP_TRADE || kind === STEP_DEPTH) {
      step = fill(core, perp, market, slot, accountMarket, flags, step);
      continue;
    }
    const maker = books.steps[base + S_MAKER] as number;
    const price = books.steps[base + S_PRICE] as number;
    const done = books.steps[base + S_DONE] as number;
    const amount = books.stepDoubles[(step << STEP_DOUBLE_SHIFT) | SF_LOTS] as number;
    if (kind === STEP_PREVENTED) prevent(core, market, slot, accountMarket, flags, mode, maker, price, done, amount);
    else refilled(core, market, maker, price, amount);
    step++;
  }
  return scratch[LOST] as number;
}

/** Settles trades and depth from `step` on; returns the first step that is neither, or that needs new views. */
function fill(
  core: Core,
  perp: boolean,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  step: number,
): number {
  const { paths } = core;
  if (paths !== undefined)
    return enter(perp ? paths.perpFills : paths.spotFills, market, slot, accountMarket, flags, step, scratch);
  core.events.reserve(STEP_RECORDS_MAX);
  return perp
    ? fillPerpSteps(core.views, market, slot, accountMarket, flags, step, scratch)
    : fillSpotSteps(core.views, market, slot, accountMarket, flags, step, scratch);
}

/** Whether the taker just settled lost its last lots to a decrement rather than filled them. */
export function isUsedUp(): boolean {
  return scratch[USED_UP] !== 0;
}

function prevent(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  mode: number,
  maker: number,
  price: number,
  done: number,
  lots: number,
): void {
  const orders = core.books.orderWords;
  const accountMarkets = core.accountMarkets.words;
  const makerAccountMarket = orders[(maker << ORDER_SHIFT) | O_ACCOUNT_MARKET] as number;
  const record = core.events.openClean(
    KIND_PREVENTED,
    mode,
    flags & FLAG_SELL,
    accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number,
    core.sequence,
  );
  const i32 = core.events.i32;
  const word = record << 4;
  i32[word + 4] = slot;
  i32[word + 5] = orders[(slot << ORDER_SHIFT) | O_GENERATION] as number;
  i32[word + 6] = maker;
  i32[word + 7] = orders[(maker << ORDER_SHIFT) | O_GENERATION] as number;
  core.events.f64[(record << 3) | 4] = lots;
  i32[word + 12] = market;
  i32[word + 13] = price;
  i32[word + 14] = accountMarkets[(makerAccountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number;
  if (mode === STP_DECREMENT) {
    const left = (scratch[LEFT] as number) - lots;
    scratch[LEFT] = left;
    scratch[USED_UP] = left === 0 ? 1 : 0;
    scratch[LOST] = (scratch[LOST] as number) + lots;
    shrinkHold(core, market, maker, makerAccountMarket, price, lots);
    if ((flags & FLAG_IN_QUOTE) === 0) {
      shrinkHold(core, market, slot, accountMarket, orders[(slot << ORDER_SHIFT) | O_PRICE] as number, lots);
    } else {
      // The budget was reduced by what the overlap would have cost.
      shrinkHold(core, market, slot, accountMarket, price, lots);
    }
  }
  if (done !== 0) endOffBook(core.views, maker, mode === STP_DECREMENT ? REASON_DECREMENT : REASON_MAKER);
}

/** Frees what an order no longer needs for lots it lost. */
function shrinkHold(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  price: number,
  lots: number,
): void {
  const flags = core.books.orderWords[(slot << ORDER_SHIFT) | O_FLAGS] as number;
  const cell = holdCell(core, accountMarket, flags);
  if (core.perps.isPerp(market)) {
    addExposure(core.views, accountMarket, market, flags, price, 0 - lots);
    return;
  }
  const units = holdUnits(core, market, flags, price, lots);
  core.ledger.unfreeze(cell, units);
  core.emitFrozen(BUSINESS_TRADE, cell, -units, core.books.orders.id(slot));
}

function refilled(core: Core, market: number, maker: number, price: number, lots: number): void {
  const orders = core.books.orderWords;
  const account = core.accountMarkets.word(orders[(maker << ORDER_SHIFT) | O_ACCOUNT_MARKET] as number, AM_ACCOUNT);
  const record = core.events.openClean(KIND_REFILLED, 0, 0, account, core.sequence);
  core.events.i32[(record << 4) | 4] = maker;
  core.events.i32[(record << 4) | 5] = orders[(maker << ORDER_SHIFT) | O_GENERATION] as number;
  core.events.i32[(record << 4) | 6] = market;
  core.events.i32[(record << 4) | 7] = price;
  core.events.f64[(record << 3) | 4] = lots;
}
