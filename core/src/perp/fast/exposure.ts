// Owns what open orders ask of a plain stand (one-way, cross, linear) on the short road: the same margin as exposure.ts,
// with every table's view bound as a constant. Most orders pass a bound that needs neither a quotient nor a branch on
// side or sign; the others are measured closely. Knows no order.
import { RATE_ONE } from "@clockwork/kit/money";
import { CELL_DOUBLE_SHIFT, CELL_SHIFT } from "../../ledger/ledger.ts";
import { SE_QUOTE_CELL, SE_TAKER_RATE, SEAT_SHIFT } from "../../market/account-markets.ts";
import { M_MARK, MARKET_SHIFT } from "../../market/markets.ts";
import { feeCeil } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";
import { crossProfit } from "../margin/equity.ts";
import { askedNow } from "../margin/exposure.ts";
import {
  CONTRACT_DOUBLE_SHIFT,
  CONTRACT_SHIFT,
  CT_LEVERAGES,
  CT_TIERS,
  CTF_CAPS,
  CTF_FACTOR,
  POF_COST,
  POF_LOTS,
  POSITION_DOUBLE_SHIFT,
  POSITION_SHIFT,
  PU_OPEN,
  PU_REDUCING,
  PU_STALE,
  PUF_BONUS,
  PUF_REQUIRED,
  PURSE_DOUBLE_SHIFT,
  PURSE_SHIFT,
  ST_LEVERAGE_LONG,
  ST_LONG,
  ST_PURSE,
  STAND_DOUBLE_SHIFT,
  STAND_SHIFT,
  STF_BUY_LOTS,
  STF_BUY_VALUE,
  STF_REQUIRED,
  STF_SELL_LOTS,
  STF_SELL_VALUE,
} from "../state/records.ts";

/** Registers: lots of the order at hand; the bills have the others. */
export const W_LOTS = 0;
/** Whatever Math has rounded, on its way to a sum. */
export const W_ROUNDED = 8;
const W_ASKED = 5;

/** One part of a rate, rounded; good for bounds only. */
export const RATE_UNIT = 1e-8;
/** Units by which all roundings of the bound together cannot be more. */
const SLACK_UNITS = 16;
/** From a stand's buys to its sells are two doubles. */
const SELLS_SHIFT = 1;

export interface Lean {
  readonly wide: Float64Array;
  /** Whether the stand's sums, W_LOTS at a price among them, certainly pass tier and margin. */
  admits(stand: number, market: number, seat: number, sell: number, price: number): boolean;
  /** Adds W_LOTS of an order to its stand's sums; nobody is told yet. */
  add(stand: number, market: number, sell: number, price: number): void;
  /** Takes them off again. */
  take(stand: number, market: number, sell: number, price: number): void;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: all share what is bound here.
export function bindLean(core: Core): Lean {
  const { perps, markets } = core;
  const seats = core.seats.words;
  const limits = markets.words;
  const contractDoubles = perps.contractDoubles;
  const purses = perps.purseWords;
  const purseDoubles = perps.purseDoubles;
  const contracts = perps.contractWords;
  const cells = core.ledger.cellDoubles;
  const stands = perps.standWords;
  const standDoubles = perps.standDoubles;
  const positionDoubles = perps.positionDoubles;
  const wide = new Float64Array(16);
  // Indices of what every order asks are masked by their tables: see memory/table.ts.
  const seatMask = core.seats.table.mask;
  const marketMask = markets.table.mask;
  const cellMask = core.ledger.cells.mask;
  const contractMask = perps.contracts.mask;
  const purseMask = perps.purses.mask;
  const standMask = perps.stands.mask;
  const positionMask = perps.positions.mask;

  /** Margin a stand asks with its sums as they are; the answer is in W_ASKED. */
  function measure(stand: number, market: number, seat: number): void {
    const standAt = stand << STAND_SHIFT;
    const standDouble = stand << STAND_DOUBLE_SHIFT;
    const buyValue = standDoubles[standDouble | STF_BUY_VALUE] as number;
    const sellValue = standDoubles[standDouble | STF_SELL_VALUE] as number;
    const from = (stands[standAt | ST_LONG] as number) << POSITION_DOUBLE_SHIFT;
    const cost = positionDoubles[from | POF_COST] as number;
    const signed = (positionDoubles[from | POF_LOTS] as number) < 0 ? 0 - cost : cost;
    const up = Math.abs(signed + buyValue);
    const down = Math.abs(signed - sellValue);
    const most = up > down ? up : down;
    // What Math rounds goes through a register: taken as it is, the compiler would believe it a small integer.
    wide[W_ASKED] = Math.ceil(most / (stands[standAt | ST_LEVERAGE_LONG] as number));
    if (most <= cost) return;
    const rate = seats[(seat << SEAT_SHIFT) | SE_TAKER_RATE] as number;
    const product = (most - cost) * rate;
    wide[W_ROUNDED] = product <= Number.MAX_SAFE_INTEGER ? Math.ceil(product / RATE_ONE) : feeCeil(most - cost, rate);
    let asked = (wide[W_ASKED] as number) + (wide[W_ROUNDED] as number);
    const mark = limits[(market << MARKET_SHIFT) | M_MARK] as number;
    const one = mark * (contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) | CTF_FACTOR] as number);
    const buyLoss = buyValue - (standDoubles[standDouble | STF_BUY_LOTS] as number) * one;
    const sellLoss = (standDoubles[standDouble | STF_SELL_LOTS] as number) * one - sellValue;
    if (buyLoss > 0) asked += buyLoss;
    if (sellLoss > 0) asked += sellLoss;
    wide[W_ASKED] = asked;
  }

  /** Whether the tier of the leverage has room for a side's orders and the position. */
  function fitsTier(stand: number, market: number, sell: number): boolean {
    const standAt = stand << STAND_SHIFT;
    const contractAt = market << CONTRACT_SHIFT;
    const from = (stands[standAt | ST_LONG] as number) << POSITION_DOUBLE_SHIFT;
    const cost = positionDoubles[from | POF_COST] as number;
    const signed = (positionDoubles[from | POF_LOTS] as number) < 0 ? 0 - cost : cost;
    const value = standDoubles[(stand << STAND_DOUBLE_SHIFT) | (STF_BUY_VALUE + (sell << SELLS_SHIFT))] as number;
    let tier = (contracts[contractAt | CT_TIERS] as number) - 1;
    while (
      tier > 0 &&
      (contracts[contractAt + CT_LEVERAGES + tier] as number) < (stands[standAt | ST_LEVERAGE_LONG] as number)
    )
      tier--;
    const cap = contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) + CTF_CAPS + tier] as number;
    return (sell !== 0 ? value - signed : value + signed) <= cap;
  }

  /** The same as the bound of admits with nothing but its own fee and loss taken from above. */
  function admitsClosely(stand: number, market: number, seat: number, sell: number, price: number): boolean {
    const purse = stands[(stand << STAND_SHIFT) | ST_PURSE] as number;
    measure(stand, market, seat);
    const factor = contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) | CTF_FACTOR] as number;
    const mark = limits[(market << MARKET_SHIFT) | M_MARK] as number;
    const away = sell !== 0 ? mark - price : price - mark;
    const value = price * (wide[W_LOTS] as number) * factor;
    const loss = away > 0 ? away * factor * (wide[W_LOTS] as number) : 0;
    const own = loss + value * (seats[(seat << SEAT_SHIFT) | SE_TAKER_RATE] as number) * RATE_UNIT + 2;
    const equity =
      (cells[(seats[(seat << SEAT_SHIFT) | SE_QUOTE_CELL] as number) << CELL_DOUBLE_SHIFT] as number) +
      crossProfit(core, purse);
    return equity - othersAsk(purse, stand) - (wide[W_ASKED] as number) >= own;
  }

  /** What all stands of a purse but one ask. */
  function othersAsk(purse: number, stand: number): number {
    const asked =
      (purseDoubles[(purse << PURSE_DOUBLE_SHIFT) | PUF_REQUIRED] as number) -
      (standDoubles[(stand << STAND_DOUBLE_SHIFT) | STF_REQUIRED] as number);
    const waiting = purses[(purse << PURSE_SHIFT) | PU_STALE] as number;
    if (waiting === 0 || waiting === stand) return asked;
    return asked + askedNow(core, waiting) - (standDoubles[(waiting << STAND_DOUBLE_SHIFT) | STF_REQUIRED] as number);
  }

  function admits(stand: number, market: number, seat: number, sell: number, price: number): boolean {
    const standAt = (stand << STAND_SHIFT) & standMask;
    const standDouble = standAt >> 1;
    const seatAt = (seat << SEAT_SHIFT) & seatMask;
    const purse = stands[standAt + ST_PURSE] as number;
    const purseAt = (purse << PURSE_SHIFT) & purseMask;
    const purseDouble = purseAt >> 1;
    const contractAt = (market << CONTRACT_SHIFT) & contractMask;
    const contractDouble = contractAt >> 1;
    const leverage = stands[standAt + ST_LEVERAGE_LONG] as number;
    const from = (((stands[standAt + ST_LONG] as number) << POSITION_SHIFT) & positionMask) >> 1;
    const rate = seats[seatAt + SE_TAKER_RATE] as number;
    if (purses[purseAt + PU_REDUCING] !== 0 || purseDoubles[purseDouble + PUF_BONUS] !== 0) return false;
    if (rate < 0 || (contracts[contractAt + CT_LEVERAGES] as number) < leverage) return false;
    const cost = positionDoubles[from + POF_COST] as number;
    const held = positionDoubles[from + POF_LOTS] as number;
    const buyValue = standDoubles[standDouble + STF_BUY_VALUE] as number;
    const sellValue = standDoubles[standDouble + STF_SELL_VALUE] as number;
    const values = buyValue + sellValue;
    const most = cost + values;
    if (most > (contractDoubles[contractDouble + CTF_CAPS] as number) && !fitsTier(stand, market, sell)) return false;
    const open = purses[purseAt + PU_OPEN] as number;
    const waiting = purses[purseAt + PU_STALE] as number;
    if (open > 1 || (open !== 0 && held === 0) || (waiting !== 0 && waiting !== stand))
      return admitsClosely(stand, market, seat, sell, price);
    // From above: both sides and the position together, every distance from the mark a loss.
    const factor = contractDoubles[contractDouble + CTF_FACTOR] as number;
    const mark = limits[((market << MARKET_SHIFT) & marketMask) + M_MARK] as number;
    const one = mark * factor;
    const lots = (wide[W_LOTS] as number) * factor;
    const lost =
      Math.abs(Math.abs(held) * one - cost) +
      Math.abs(buyValue - (standDoubles[standDouble + STF_BUY_LOTS] as number) * one) +
      Math.abs((standDoubles[standDouble + STF_SELL_LOTS] as number) * one - sellValue) +
      Math.abs(mark - price) * lots;
    const others =
      (purseDoubles[purseDouble + PUF_REQUIRED] as number) - (standDoubles[standDouble + STF_REQUIRED] as number);
    const fees = (values + price * lots) * rate * RATE_UNIT;
    const cash = cells[(((seats[seatAt + SE_QUOTE_CELL] as number) << CELL_SHIFT) & cellMask) >> 1] as number;
    if ((cash - others - lost - fees - SLACK_UNITS) * leverage >= most) return true;
    return admitsClosely(stand, market, seat, sell, price);
  }

  function add(stand: number, market: number, sell: number, price: number): void {
    const sumsAt = (((stand << STAND_SHIFT) & standMask) >> 1) + ((sell & 1) << SELLS_SHIFT);
    const lots = wide[W_LOTS] as number;
    const value =
      lots * price * (contractDoubles[(((market << CONTRACT_SHIFT) & contractMask) >> 1) + CTF_FACTOR] as number);
    standDoubles[sumsAt + STF_BUY_VALUE] = (standDoubles[sumsAt + STF_BUY_VALUE] as number) + value;
    standDoubles[sumsAt + STF_BUY_LOTS] = (standDoubles[sumsAt + STF_BUY_LOTS] as number) + lots;
  }

  function take(stand: number, market: number, sell: number, price: number): void {
    const sumsAt = (((stand << STAND_SHIFT) & standMask) >> 1) + ((sell & 1) << SELLS_SHIFT);
    const lots = wide[W_LOTS] as number;
    const value =
      lots * price * (contractDoubles[(((market << CONTRACT_SHIFT) & contractMask) >> 1) + CTF_FACTOR] as number);
    standDoubles[sumsAt + STF_BUY_VALUE] = (standDoubles[sumsAt + STF_BUY_VALUE] as number) - value;
    standDoubles[sumsAt + STF_BUY_LOTS] = (standDoubles[sumsAt + STF_BUY_LOTS] as number) - lots;
  }

  return { wide, admits, add, take };
}
