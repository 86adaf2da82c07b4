// Owns the short road of perpetuals: plain orders and fills of one-way cross stands on linear contracts, which are nearly
// all of a busy day. Does exactly what the long road does (checks, exposure, fill) in one body with no wide number passed
// between calls, or it does nothing and answers false.
import { RATE_ONE } from "@clockwork/kit/money";
import { CELL_DOUBLE_SHIFT } from "../ledger/ledger.ts";
import { type Core, G_NOW } from "../machine/core.ts";
import { M_MARK, MARKET_SHIFT } from "../market/markets.ts";
import { SE_MAKER_RATE, SE_PERP, SE_TAKER_RATE, SEAT_SHIFT } from "../market/seats.ts";
import { BUSINESSES } from "../names.ts";
import { feeCeil } from "../spot/settle.ts";
import { emitPosition } from "./emit.ts";
import { crossProfit } from "./equity.ts";
import {
  CONTRACT_DOUBLE_SHIFT,
  CONTRACT_SHIFT,
  CT_CLEARING_CELL,
  CT_FEES_CELL,
  CT_ROUNDING_CELL,
  CTF_FACTOR,
  CTF_LAST_TRADE,
  CTF_OPEN_LOTS,
  PO_NEXT,
  POF_COST,
  POF_LOTS,
  POF_REALIZED,
  POSITION_DOUBLE_SHIFT,
  POSITION_SHIFT,
  PU_CELL,
  PU_POSITIONS,
  PUF_BONUS,
  PUF_REQUIRED,
  PURSE_DOUBLE_SHIFT,
  PURSE_SHIFT,
  ST_FLAGS,
  ST_LEVERAGE_LONG,
  ST_LONG,
  ST_MARKET,
  ST_PURSE,
  ST_SEAT,
  ST_STOPS,
  STAND_AUTO_APPEND,
  STAND_DOUBLE_SHIFT,
  STAND_SHIFT,
  STF_BUY_LOTS,
  STF_BUY_VALUE,
  STF_REDUCE_BUY,
  STF_REDUCE_SELL,
  STF_REQUIRED,
  STF_SELL_LOTS,
  STF_SELL_VALUE,
} from "./state.ts";
import { capOfLeverage } from "./values.ts";

const LINEAR = 1;
const OPEN_FEE = BUSINESSES.indexOf("openFee");
const CLOSE_FEE = BUSINESSES.indexOf("closeFee");
const REALIZED = BUSINESSES.indexOf("realized");
const ROUNDING = BUSINESSES.indexOf("rounding");
/** Flags a stand may have on the short road. */
const PLAIN = STAND_AUTO_APPEND;

/** Whether a stand is one-way, cross, a user's, and its contract linear. */
export function isPlainStand(core: Core, stand: number, market: number): boolean {
  const { perps } = core;
  return (
    ((perps.standWords[(stand << STAND_SHIFT) | ST_FLAGS] as number) & ~PLAIN) === 0 &&
    perps.contractWords[market << CONTRACT_SHIFT] === LINEAR
  );
}

/** leanOrder and refreshRequired of a plain stand, lots added (or, negative, taken off) at a price. */
export function leanPlain(
  core: Core,
  stand: number,
  market: number,
  sells: boolean,
  price: number,
  lots: number,
): void {
  const { perps } = core;
  const f64 = perps.standDoubles;
  const base = stand << STAND_DOUBLE_SHIFT;
  const at = stand << STAND_SHIFT;
  const words = perps.standWords;
  const factor = perps.contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) | CTF_FACTOR] as number;
  let buyValue = f64[base | STF_BUY_VALUE] as number;
  let buyLots = f64[base | STF_BUY_LOTS] as number;
  let sellValue = f64[base | STF_SELL_VALUE] as number;
  let sellLots = f64[base | STF_SELL_LOTS] as number;
  if (sells) {
    sellValue += lots * price * factor;
    sellLots += lots;
    f64[base | STF_SELL_VALUE] = sellValue;
    f64[base | STF_SELL_LOTS] = sellLots;
  } else {
    buyValue += lots * price * factor;
    buyLots += lots;
    f64[base | STF_BUY_VALUE] = buyValue;
    f64[base | STF_BUY_LOTS] = buyLots;
  }
  const from = (words[at | ST_LONG] as number) << POSITION_DOUBLE_SHIFT;
  const cost = perps.positionDoubles[from | POF_COST] as number;
  const signed = (perps.positionDoubles[from | POF_LOTS] as number) < 0 ? 0 - cost : cost;
  const up = Math.abs(signed + buyValue);
  const down = Math.abs(signed - sellValue);
  const most = up > down ? up : down;
  const leverage = words[at | ST_LEVERAGE_LONG] as number;
  const quotient = Math.floor(most / leverage);
  let required = quotient * leverage === most ? quotient : quotient + 1;
  if (most > cost) {
    const rate = core.seats.words[((words[at | ST_SEAT] as number) << SEAT_SHIFT) | SE_TAKER_RATE] as number;
    const product = (most - cost) * rate;
    required += product <= Number.MAX_SAFE_INTEGER ? Math.ceil(product / RATE_ONE) : feeCeil(most - cost, rate);
    const mark = core.markets.words[(market << MARKET_SHIFT) | M_MARK] as number;
    if (mark !== 0) {
      const one = mark * factor;
      const buyLoss = buyValue - buyLots * one;
      const sellLoss = sellLots * one - sellValue;
      if (buyLoss > 0) required += buyLoss;
      if (sellLoss > 0) required += sellLoss;
    }
  }
  const before = f64[base | STF_REQUIRED] as number;
  if (required === before) return;
  f64[base | STF_REQUIRED] = required;
  const sum = ((words[at | ST_PURSE] as number) << PURSE_DOUBLE_SHIFT) | PUF_REQUIRED;
  perps.purseDoubles[sum] = (perps.purseDoubles[sum] as number) + required - before;
}

/** Whether a plain stand's order at a price certainly passes tier and margin; false means ask the long road. */
export function fitsPlain(
  core: Core,
  stand: number,
  market: number,
  sells: boolean,
  price: number,
  lots: number,
): boolean {
  const { perps } = core;
  const f64 = perps.standDoubles;
  const base = stand << STAND_DOUBLE_SHIFT;
  const at = stand << STAND_SHIFT;
  const words = perps.standWords;
  const purse = words[at | ST_PURSE] as number;
  const factor = perps.contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) | CTF_FACTOR] as number;
  const value = lots * price * factor;
  if (value > Number.MAX_SAFE_INTEGER / 4 || perps.purseDoubles[(purse << PURSE_DOUBLE_SHIFT) | PUF_BONUS] !== 0)
    return false;
  const position = words[at | ST_LONG] as number;
  const from = position << POSITION_DOUBLE_SHIFT;
  const cost = perps.positionDoubles[from | POF_COST] as number;
  const held = perps.positionDoubles[from | POF_LOTS] as number;
  const signed = held < 0 ? 0 - cost : cost;
  const buyValue = (f64[base | STF_BUY_VALUE] as number) + (sells ? 0 : value);
  const sellValue = (f64[base | STF_SELL_VALUE] as number) + (sells ? value : 0);
  const leverage = words[at | ST_LEVERAGE_LONG] as number;
  if ((sells ? sellValue - signed : buyValue + signed) > capOfLeverage(perps, market, leverage)) return false;
  const most = Math.max(Math.abs(signed + buyValue), Math.abs(signed - sellValue));
  const mark = core.markets.words[(market << MARKET_SHIFT) | M_MARK] as number;
  const rate = core.seats.words[((words[at | ST_SEAT] as number) << SEAT_SHIFT) | SE_TAKER_RATE] as number;
  // A bound from above: margin, fee on all of it, and every open loss counted in full.
  const away = sells ? mark - price : price - mark;
  const loss = away > 0 ? away * factor * lots : 0;
  const asked = most / leverage + ((most + value) * rate) / RATE_ONE + loss + 4;
  const cell = perps.purseWords[(purse << PURSE_SHIFT) | PU_CELL] as number;
  const cash = core.ledger.cellDoubles[cell << CELL_DOUBLE_SHIFT] as number;
  const head = perps.purseWords[(purse << PURSE_SHIFT) | PU_POSITIONS] as number;
  let profit = 0;
  if (head === position && perps.positionWords[(position << POSITION_SHIFT) | PO_NEXT] === 0)
    profit = held > 0 ? held * mark * factor - cost : cost + held * mark * factor;
  else if (head !== 0) profit = crossProfit(core, purse);
  const required = perps.purseDoubles[(purse << PURSE_DOUBLE_SHIFT) | PUF_REQUIRED] as number;
  // What is asked already is not given back here, so this errs on the careful side; a close never loses more than that.
  return cash + profit - required >= asked;
}

/** One side of a trade on a plain stand whose order stood at `orderPrice`; delta positive when bought. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one body, so that no wide number crosses a call.
export function fillPlain(
  core: Core,
  seat: number,
  orderPrice: number,
  delta: number,
  price: number,
  takes: boolean,
  tradeNumber: number,
): boolean {
  const { perps } = core;
  const stand = core.seats.words[(seat << SEAT_SHIFT) | SE_PERP] as number;
  const at = stand << STAND_SHIFT;
  const words = perps.standWords;
  const market = words[at | ST_MARKET] as number;
  const position = words[at | ST_LONG] as number;
  const from = position << POSITION_DOUBLE_SHIFT;
  const f64 = perps.positionDoubles;
  const held = f64[from | POF_LOTS] as number;
  const size = delta > 0 ? delta : 0 - delta;
  const grows = held > 0 === delta > 0;
  // Beginnings, ends and whatever others lean on take the long road.
  if (held === 0 || (!grows && size >= (held > 0 ? held : 0 - held))) return false;
  const purse = words[at | ST_PURSE] as number;
  if (perps.purseDoubles[(purse << PURSE_DOUBLE_SHIFT) | PUF_BONUS] !== 0) return false;
  const contract = market << CONTRACT_SHIFT;
  const factor = perps.contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) | CTF_FACTOR] as number;
  const value = size * price * factor;
  const rate = core.seats.words[(seat << SEAT_SHIFT) + (takes ? SE_TAKER_RATE : SE_MAKER_RATE)] as number;
  const product = value * rate;
  if (product > Number.MAX_SAFE_INTEGER) return false;
  const floor = Math.floor(product / RATE_ONE);
  const fee = floor * RATE_ONE === product ? floor : floor + 1;
  const cell = perps.purseWords[(purse << PURSE_SHIFT) | PU_CELL] as number;
  const cells = core.ledger.cellDoubles;
  const cash = cells[cell << CELL_DOUBLE_SHIFT] as number;
  const cost = f64[from | POF_COST] as number;
  let profit = 0;
  let leaving = 0;
  if (!grows) {
    const sums = stand << STAND_DOUBLE_SHIFT;
    if (words[at | ST_STOPS] !== 0) return false;
    if (perps.standDoubles[sums | STF_REDUCE_BUY] !== 0 || perps.standDoubles[sums | STF_REDUCE_SELL] !== 0)
      return false;
    const share = cost * size;
    const whole = held > 0 ? held : 0 - held;
    if (share > Number.MAX_SAFE_INTEGER) return false;
    const down = Math.floor(share / whole);
    leaving = held > 0 && down * whole !== share ? down + 1 : down;
    profit = held > 0 ? value - leaving : leaving - value;
  }
  if (cash + (profit < 0 ? profit : 0) < 0 || cash + profit < fee) return false;
  const book = market << CONTRACT_DOUBLE_SHIFT;
  if (grows) {
    f64[from | POF_COST] = cost + value;
    if (delta > 0)
      perps.contractDoubles[book | CTF_OPEN_LOTS] = (perps.contractDoubles[book | CTF_OPEN_LOTS] as number) + size;
  } else {
    f64[from | POF_COST] = cost - leaving;
    f64[from | POF_REALIZED] = (f64[from | POF_REALIZED] as number) + profit;
    if (held > 0)
      perps.contractDoubles[book | CTF_OPEN_LOTS] = (perps.contractDoubles[book | CTF_OPEN_LOTS] as number) - size;
    if (profit !== 0) {
      const clearing = perps.contractWords[contract | CT_CLEARING_CELL] as number;
      core.ledger.move(clearing, cell, profit);
      const first = profit > 0 ? clearing : cell;
      const second = profit > 0 ? cell : clearing;
      const amount = profit > 0 ? profit : 0 - profit;
      core.emitPosting(REALIZED, first, second, 0 - amount, tradeNumber, market);
      core.emitPosting(REALIZED, second, first, amount, tradeNumber, market);
    }
  }
  f64[from | POF_LOTS] = held + delta;
  if (fee !== 0) {
    const fees = perps.contractWords[contract | CT_FEES_CELL] as number;
    const rounding = perps.contractWords[contract | CT_ROUNDING_CELL] as number;
    if (floor !== 0) core.ledger.move(cell, fees, floor);
    if (fee !== floor) core.ledger.move(cell, rounding, fee - floor);
    const business = grows ? OPEN_FEE : CLOSE_FEE;
    core.emitPosting(business, cell, fees, 0 - fee, tradeNumber, market);
    if (floor !== 0) core.emitPosting(business, fees, cell, floor, tradeNumber, market);
    if (fee !== floor) core.emitPosting(ROUNDING, rounding, cell, fee - floor, tradeNumber, market);
  }
  emitPosition(core, position, profit);
  leanPlain(core, stand, market, delta < 0, orderPrice, 0 - size);
  perps.markDirty(purse);
  perps.contractDoubles[book | CTF_LAST_TRADE] = core.clock[G_NOW] as number;
  return true;
}
