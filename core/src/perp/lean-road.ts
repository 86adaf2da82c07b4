// Owns what open orders ask of a plain stand (one-way, cross, linear) on the short road: the same margin as exposure.ts,
// with every table's view bound as a constant and wide numbers in registers. Knows no order.
import { RATE_ONE } from "@clockwork/kit/money";
import { CELL_DOUBLE_SHIFT } from "../ledger/ledger.ts";
import type { Core } from "../machine/core.ts";
import { M_MARK, MARKET_SHIFT } from "../market/markets.ts";
import { SE_QUOTE_CELL, SE_TAKER_RATE, SEAT_SHIFT } from "../market/seats.ts";
import { feeCeil } from "../spot/settle.ts";
import { crossProfit } from "./equity.ts";
import { measureStale, soilStand } from "./exposure.ts";
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
  PU_OPEN,
  PU_POSITIONS,
  PU_REDUCING,
  PU_STALE,
  PUF_BONUS,
  PUF_REQUIRED,
  PURSE_DOUBLE_SHIFT,
  PURSE_SHIFT,
  ST_LEVERAGE_LONG,
  ST_LONG,
  ST_PURSE,
  ST_SEAT,
  ST_STALE,
  STAND_DOUBLE_SHIFT,
  STAND_SHIFT,
  STF_BUY_LOTS,
  STF_BUY_VALUE,
  STF_REQUIRED,
  STF_SELL_LOTS,
  STF_SELL_VALUE,
} from "./state.ts";

/** Registers: lots of the order at hand, open orders by side, and the margin they ask. */
export const W_LOTS = 0;
export const W_BUY_VALUE = 1;
export const W_BUY_LOTS = 2;
export const W_SELL_VALUE = 3;
export const W_SELL_LOTS = 4;
export const W_ASKED = 5;
/** Whatever Math has rounded, on its way to a sum. */
export const W_ROUNDED = 8;

/** One part of a rate, rounded; good for bounds only. */
export const RATE_UNIT = 1e-8;

export interface Lean {
  readonly wide: Float64Array;
  /** Whether the orders in the registers, W_LOTS at a price among them, certainly pass tier and margin. */
  admits(stand: number, market: number, seat: number, sell: number, price: number): boolean;
  /** Makes the registers what the stand's orders ask. */
  commit(stand: number): void;
  /** Takes W_LOTS of an order off its stand. */
  take(stand: number, market: number, sell: number, price: number): void;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: both share what is bound here.
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

  /** Margin a stand asks with the orders in the registers; the answer is in W_ASKED. */
  function measure(stand: number, market: number): void {
    const standAt = stand << STAND_SHIFT;
    const buyValue = wide[W_BUY_VALUE] as number;
    const sellValue = wide[W_SELL_VALUE] as number;
    const from = (stands[standAt | ST_LONG] as number) << POSITION_DOUBLE_SHIFT;
    const cost = positionDoubles[from | POF_COST] as number;
    const signed = (positionDoubles[from | POF_LOTS] as number) < 0 ? 0 - cost : cost;
    let up = signed + buyValue;
    if (up < 0) up = 0 - up;
    let down = signed - sellValue;
    if (down < 0) down = 0 - down;
    const most = up > down ? up : down;
    // What Math rounds goes through a register: taken as it is, the compiler would believe it a small integer.
    wide[W_ASKED] = Math.ceil(most / (stands[standAt | ST_LEVERAGE_LONG] as number));
    if (most > cost) {
      const rate = seats[((stands[standAt | ST_SEAT] as number) << SEAT_SHIFT) | SE_TAKER_RATE] as number;
      const product = (most - cost) * rate;
      wide[W_ROUNDED] = product <= Number.MAX_SAFE_INTEGER ? Math.ceil(product / RATE_ONE) : feeCeil(most - cost, rate);
      let asked = (wide[W_ASKED] as number) + (wide[W_ROUNDED] as number);
      const mark = limits[(market << MARKET_SHIFT) | M_MARK] as number;
      if (mark !== 0) {
        const one = mark * (contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) | CTF_FACTOR] as number);
        const buyLoss = buyValue - (wide[W_BUY_LOTS] as number) * one;
        const sellLoss = (wide[W_SELL_LOTS] as number) * one - sellValue;
        if (buyLoss > 0) asked += buyLoss;
        if (sellLoss > 0) asked += sellLoss;
      }
      wide[W_ASKED] = asked;
    }
  }

  function admits(stand: number, market: number, seat: number, sell: number, price: number): boolean {
    const standAt = stand << STAND_SHIFT;
    const purse = stands[standAt | ST_PURSE] as number;
    const purseAt = purse << PURSE_SHIFT;
    const purseDouble = purse << PURSE_DOUBLE_SHIFT;
    if (purses[purseAt | PU_REDUCING] !== 0 || purseDoubles[purseDouble | PUF_BONUS] !== 0) return false;
    // The stand's own is measured here, with the order; others that changed come first.
    const stale = purses[purseAt | PU_STALE] as number;
    if (stale !== 0 && (stale !== stand || stands[standAt | ST_STALE] !== -1)) measureStale(core, purse);
    const contractAt = market << CONTRACT_SHIFT;
    const contractDouble = market << CONTRACT_DOUBLE_SHIFT;
    const position = stands[standAt | ST_LONG] as number;
    const from = position << POSITION_DOUBLE_SHIFT;
    const cost = positionDoubles[from | POF_COST] as number;
    const held = positionDoubles[from | POF_LOTS] as number;
    const signed = held < 0 ? 0 - cost : cost;
    const leverage = stands[standAt | ST_LEVERAGE_LONG] as number;
    const exposure = sell !== 0 ? (wide[W_SELL_VALUE] as number) - signed : (wide[W_BUY_VALUE] as number) + signed;
    // Most orders are within the lowest cap; the others look for the tier of their leverage.
    let tier = 0;
    if (exposure > (contractDoubles[contractDouble + CTF_CAPS] as number))
      tier = (contracts[contractAt | CT_TIERS] as number) - 1;
    while (tier > 0 && (contracts[contractAt + CT_LEVERAGES + tier] as number) < leverage) tier--;
    if (exposure > (contractDoubles[contractDouble + CTF_CAPS + tier] as number)) return false;
    if ((contracts[contractAt + CT_LEVERAGES] as number) < leverage) return false;
    measure(stand, market);
    const factor = contractDoubles[contractDouble | CTF_FACTOR] as number;
    const mark = limits[(market << MARKET_SHIFT) | M_MARK] as number;
    const lots = wide[W_LOTS] as number;
    let profit = 0;
    if (held !== 0 && purses[purseAt | PU_OPEN] === 1)
      profit = held > 0 ? held * mark * factor - cost : cost + held * mark * factor;
    else if (purses[purseAt | PU_POSITIONS] !== 0) profit = crossProfit(core, purse);
    // From above: all that is asked, all it would lose at once and its own fee. The long road says what is less.
    const away = sell !== 0 ? mark - price : price - mark;
    const rate = seats[(seat << SEAT_SHIFT) | SE_TAKER_RATE] as number;
    const own = (away > 0 ? away * factor * lots : 0) + price * lots * factor * rate * RATE_UNIT + 2;
    const others =
      (purseDoubles[purseDouble | PUF_REQUIRED] as number) -
      (standDoubles[(stand << STAND_DOUBLE_SHIFT) | STF_REQUIRED] as number);
    const cell = seats[(seat << SEAT_SHIFT) | SE_QUOTE_CELL] as number;
    const equity = (cells[cell << CELL_DOUBLE_SHIFT] as number) + profit;
    return equity - others - (wide[W_ASKED] as number) >= own;
  }

  function commit(stand: number): void {
    const standDouble = stand << STAND_DOUBLE_SHIFT;
    standDoubles[standDouble | STF_BUY_VALUE] = wide[W_BUY_VALUE] as number;
    standDoubles[standDouble | STF_BUY_LOTS] = wide[W_BUY_LOTS] as number;
    standDoubles[standDouble | STF_SELL_VALUE] = wide[W_SELL_VALUE] as number;
    standDoubles[standDouble | STF_SELL_LOTS] = wide[W_SELL_LOTS] as number;
    const before = standDoubles[standDouble | STF_REQUIRED] as number;
    const asked = wide[W_ASKED] as number;
    standDoubles[standDouble | STF_REQUIRED] = asked;
    const purse = stands[(stand << STAND_SHIFT) | ST_PURSE] as number;
    const sum = (purse << PURSE_DOUBLE_SHIFT) | PUF_REQUIRED;
    purseDoubles[sum] = (purseDoubles[sum] as number) + asked - before;
    // Only the stand itself can be waiting: admits has measured the others.
    purses[(purse << PURSE_SHIFT) | PU_STALE] = 0;
    stands[(stand << STAND_SHIFT) | ST_STALE] = 0;
  }

  function take(stand: number, market: number, sell: number, price: number): void {
    const standDouble = stand << STAND_DOUBLE_SHIFT;
    const lots = wide[W_LOTS] as number;
    const value = lots * price * (contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) | CTF_FACTOR] as number);
    if (sell !== 0) {
      standDoubles[standDouble | STF_SELL_VALUE] = (standDoubles[standDouble | STF_SELL_VALUE] as number) - value;
      standDoubles[standDouble | STF_SELL_LOTS] = (standDoubles[standDouble | STF_SELL_LOTS] as number) - lots;
    } else {
      standDoubles[standDouble | STF_BUY_VALUE] = (standDoubles[standDouble | STF_BUY_VALUE] as number) - value;
      standDoubles[standDouble | STF_BUY_LOTS] = (standDoubles[standDouble | STF_BUY_LOTS] as number) - lots;
    }
    if (stands[(stand << STAND_SHIFT) | ST_STALE] === 0) soilStand(perps, stand);
  }

  return { wide, admits, commit, take };
}
