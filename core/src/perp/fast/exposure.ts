// Owns what open orders ask of a plain symbol margin (one-way, cross, linear) on the fast path: the same margin as
// exposure.ts, with every table's view bound as a constant. Most orders pass a bound that needs neither a quotient nor
// a branch on side or sign; the others are measured closely. Knows no order.
import { RATE_ONE } from "@clockwork/kit/money";
import { CELL_DOUBLE_SHIFT, CELL_SHIFT } from "../../ledger/ledger.ts";
import { ACCOUNT_MARKET_SHIFT, AM_QUOTE_CELL, AM_TAKER_RATE } from "../../market/account-markets.ts";
import { M_MARK, MARKET_SHIFT } from "../../market/markets.ts";
import { feeCeil } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";
import { crossProfit } from "../margin/equity.ts";
import { requestedNow } from "../margin/exposure.ts";
import {
  CONTRACT_DOUBLE_SHIFT,
  CONTRACT_SHIFT,
  CT_LEVERAGES,
  CT_TIERS,
  CTF_CAPS,
  CTF_FACTOR,
  MA_OPEN,
  MA_REDUCING,
  MA_STALE,
  MAF_BONUS,
  MAF_REQUIRED,
  MARGIN_ACCOUNT_DOUBLE_SHIFT,
  MARGIN_ACCOUNT_SHIFT,
  POF_COST,
  POF_LOTS,
  POSITION_DOUBLE_SHIFT,
  POSITION_SHIFT,
  SM_LEVERAGE_LONG,
  SM_LONG,
  SM_MARGIN_ACCOUNT,
  SMF_BUY_LOTS,
  SMF_BUY_VALUE,
  SMF_REQUIRED,
  SMF_SELL_LOTS,
  SMF_SELL_VALUE,
  SYMBOL_MARGIN_DOUBLE_SHIFT,
  SYMBOL_MARGIN_SHIFT,
} from "../state/records.ts";

/** Registers: lots of the order at hand; the bills have the others. */
export const W_LOTS = 0;
/** Whatever Math has rounded, on its way to a sum. */
export const W_ROUNDED = 8;
const W_REQUESTED = 5;

/** One part of a rate, rounded; good for bounds only. */
export const RATE_UNIT = 1e-8;
/** Units by which all roundings of the bound together cannot be more. */
const SLACK_UNITS = 16;
/** From a symbol margin's buys to its sells are two doubles. */
const SELLS_SHIFT = 1;

export interface FastExposure {
  readonly wide: Float64Array;
  /** Whether the symbol margin's sums, W_LOTS at a price among them, certainly pass tier and margin. */
  admits(symbolMargin: number, market: number, accountMarket: number, sell: number, price: number): boolean;
  /** Adds W_LOTS of an order to its symbol margin's sums; nobody is told yet. */
  add(symbolMargin: number, market: number, sell: number, price: number): void;
  /** Takes them off again. */
  take(symbolMargin: number, market: number, sell: number, price: number): void;
}

export function bindExposure(core: Core): FastExposure {
  const { perps, markets } = core;
  const accountMarkets = core.accountMarkets.words;
  const limits = markets.words;
  const contractDoubles = perps.contractDoubles;
  const marginAccounts = perps.marginAccountWords;
  const marginAccountDoubles = perps.marginAccountDoubles;
  const contracts = perps.contractWords;
  const cells = core.ledger.cellDoubles;
  const symbolMargins = perps.symbolMarginWords;
  const symbolMarginDoubles = perps.symbolMarginDoubles;
  const positionDoubles = perps.positionDoubles;
  const wide = new Float64Array(16);
  // Indices of what every order asks are masked by their tables: see memory/table.ts.
  const accountMarketMask = core.accountMarkets.table.mask;
  const marketMask = markets.table.mask;
  const cellMask = core.ledger.cells.mask;
  const contractMask = perps.contracts.mask;
  const marginAccountMask = perps.marginAccounts.mask;
  const symbolMarginMask = perps.symbolMargins.mask;
  const positionMask = perps.positions.mask;

  /** Margin a symbol margin asks with its sums as they are; the answer is in W_REQUESTED. */
  function measure(symbolMargin: number, market: number, accountMarket: number): void {
    const symbolMarginAt = symbolMargin << SYMBOL_MARGIN_SHIFT;
    const symbolMarginDouble = symbolMargin << SYMBOL_MARGIN_DOUBLE_SHIFT;
    const buyValue = symbolMarginDoubles[symbolMarginDouble | SMF_BUY_VALUE] as number;
    const sellValue = symbolMarginDoubles[symbolMarginDouble | SMF_SELL_VALUE] as number;
    const from = (symbolMargins[symbolMarginAt | SM_LONG] as number) << POSITION_DOUBLE_SHIFT;
    const cost = positionDoubles[from | POF_COST] as number;
    const signed = (positionDoubles[from | POF_LOTS] as number) < 0 ? 0 - cost : cost;
    const up = Math.abs(signed + buyValue);
    const down = Math.abs(signed - sellValue);
    const most = up > down ? up : down;
    // What Math rounds goes through a register: taken as it is, the compiler would believe it a small integer.
    wide[W_REQUESTED] = Math.ceil(most / (symbolMargins[symbolMarginAt | SM_LEVERAGE_LONG] as number));
    if (most <= cost) return;
    const rate = accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_TAKER_RATE] as number;
    const product = (most - cost) * rate;
    wide[W_ROUNDED] = product <= Number.MAX_SAFE_INTEGER ? Math.ceil(product / RATE_ONE) : feeCeil(most - cost, rate);
    let requested = (wide[W_REQUESTED] as number) + (wide[W_ROUNDED] as number);
    const mark = limits[(market << MARKET_SHIFT) | M_MARK] as number;
    const one = mark * (contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) | CTF_FACTOR] as number);
    const buyLoss = buyValue - (symbolMarginDoubles[symbolMarginDouble | SMF_BUY_LOTS] as number) * one;
    const sellLoss = (symbolMarginDoubles[symbolMarginDouble | SMF_SELL_LOTS] as number) * one - sellValue;
    if (buyLoss > 0) requested += buyLoss;
    if (sellLoss > 0) requested += sellLoss;
    wide[W_REQUESTED] = requested;
  }

  /** Whether the tier of the leverage has room for a side's orders and the position. */
  function fitsTier(symbolMargin: number, market: number, sell: number): boolean {
    const symbolMarginAt = symbolMargin << SYMBOL_MARGIN_SHIFT;
    const contractAt = market << CONTRACT_SHIFT;
    const from = (symbolMargins[symbolMarginAt | SM_LONG] as number) << POSITION_DOUBLE_SHIFT;
    const cost = positionDoubles[from | POF_COST] as number;
    const signed = (positionDoubles[from | POF_LOTS] as number) < 0 ? 0 - cost : cost;
    const value = symbolMarginDoubles[
      (symbolMargin << SYMBOL_MARGIN_DOUBLE_SHIFT) | (SMF_BUY_VALUE + (sell << SELLS_SHIFT))
    ] as number;
    let tier = (contracts[contractAt | CT_TIERS] as number) - 1;
    while (
      tier > 0 &&
      (contracts[contractAt + CT_LEVERAGES + tier] as number) <
        (symbolMargins[symbolMarginAt | SM_LEVERAGE_LONG] as number)
    )
      tier--;
    const cap = contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) + CTF_CAPS + tier] as number;
    return (sell !== 0 ? value - signed : value + signed) <= cap;
  }

  /** The same as the bound of admits with nothing but its own fee and loss taken from above. */
  function admitsClosely(
    symbolMargin: number,
    market: number,
    accountMarket: number,
    sell: number,
    price: number,
  ): boolean {
    const marginAccount = symbolMargins[(symbolMargin << SYMBOL_MARGIN_SHIFT) | SM_MARGIN_ACCOUNT] as number;
    measure(symbolMargin, market, accountMarket);
    const factor = contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) | CTF_FACTOR] as number;
    const mark = limits[(market << MARKET_SHIFT) | M_MARK] as number;
    const away = sell !== 0 ? mark - price : price - mark;
    const value = price * (wide[W_LOTS] as number) * factor;
    const loss = away > 0 ? away * factor * (wide[W_LOTS] as number) : 0;
    const own =
      loss +
      value * (accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_TAKER_RATE] as number) * RATE_UNIT +
      2;
    const equity =
      (cells[
        (accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_QUOTE_CELL] as number) << CELL_DOUBLE_SHIFT
      ] as number) + crossProfit(core, marginAccount);
    return equity - othersAsk(marginAccount, symbolMargin) - (wide[W_REQUESTED] as number) >= own;
  }

  /** What all symbol margins of a margin account but one ask. */
  function othersAsk(marginAccount: number, symbolMargin: number): number {
    const requested =
      (marginAccountDoubles[(marginAccount << MARGIN_ACCOUNT_DOUBLE_SHIFT) | MAF_REQUIRED] as number) -
      (symbolMarginDoubles[(symbolMargin << SYMBOL_MARGIN_DOUBLE_SHIFT) | SMF_REQUIRED] as number);
    const waiting = marginAccounts[(marginAccount << MARGIN_ACCOUNT_SHIFT) | MA_STALE] as number;
    if (waiting === 0 || waiting === symbolMargin) return requested;
    return (
      requested +
      requestedNow(core, waiting) -
      (symbolMarginDoubles[(waiting << SYMBOL_MARGIN_DOUBLE_SHIFT) | SMF_REQUIRED] as number)
    );
  }

  function admits(symbolMargin: number, market: number, accountMarket: number, sell: number, price: number): boolean {
    const symbolMarginAt = (symbolMargin << SYMBOL_MARGIN_SHIFT) & symbolMarginMask;
    const symbolMarginDouble = symbolMarginAt >> 1;
    const accountMarketAt = (accountMarket << ACCOUNT_MARKET_SHIFT) & accountMarketMask;
    const marginAccount = symbolMargins[symbolMarginAt + SM_MARGIN_ACCOUNT] as number;
    const marginAccountAt = (marginAccount << MARGIN_ACCOUNT_SHIFT) & marginAccountMask;
    const marginAccountDouble = marginAccountAt >> 1;
    const contractAt = (market << CONTRACT_SHIFT) & contractMask;
    const contractDouble = contractAt >> 1;
    const leverage = symbolMargins[symbolMarginAt + SM_LEVERAGE_LONG] as number;
    const from = (((symbolMargins[symbolMarginAt + SM_LONG] as number) << POSITION_SHIFT) & positionMask) >> 1;
    const rate = accountMarkets[accountMarketAt + AM_TAKER_RATE] as number;
    if (
      marginAccounts[marginAccountAt + MA_REDUCING] !== 0 ||
      marginAccountDoubles[marginAccountDouble + MAF_BONUS] !== 0
    )
      return false;
    if (rate < 0 || (contracts[contractAt + CT_LEVERAGES] as number) < leverage) return false;
    const cost = positionDoubles[from + POF_COST] as number;
    const held = positionDoubles[from + POF_LOTS] as number;
    const buyValue = symbolMarginDoubles[symbolMarginDouble + SMF_BUY_VALUE] as number;
    const sellValue = symbolMarginDoubles[symbolMarginDouble + SMF_SELL_VALUE] as number;
    const values = buyValue + sellValue;
    const most = cost + values;
    if (most > (contractDoubles[contractDouble + CTF_CAPS] as number) && !fitsTier(symbolMargin, market, sell))
      return false;
    const open = marginAccounts[marginAccountAt + MA_OPEN] as number;
    const waiting = marginAccounts[marginAccountAt + MA_STALE] as number;
    if (open > 1 || (open !== 0 && held === 0) || (waiting !== 0 && waiting !== symbolMargin))
      return admitsClosely(symbolMargin, market, accountMarket, sell, price);
    // From above: both sides and the position together, every distance from the mark a loss.
    const factor = contractDoubles[contractDouble + CTF_FACTOR] as number;
    const mark = limits[((market << MARKET_SHIFT) & marketMask) + M_MARK] as number;
    const one = mark * factor;
    const lots = (wide[W_LOTS] as number) * factor;
    const lost =
      Math.abs(Math.abs(held) * one - cost) +
      Math.abs(buyValue - (symbolMarginDoubles[symbolMarginDouble + SMF_BUY_LOTS] as number) * one) +
      Math.abs((symbolMarginDoubles[symbolMarginDouble + SMF_SELL_LOTS] as number) * one - sellValue) +
      Math.abs(mark - price) * lots;
    const others =
      (marginAccountDoubles[marginAccountDouble + MAF_REQUIRED] as number) -
      (symbolMarginDoubles[symbolMarginDouble + SMF_REQUIRED] as number);
    const fees = (values + price * lots) * rate * RATE_UNIT;
    const cash = cells[
      (((accountMarkets[accountMarketAt + AM_QUOTE_CELL] as number) << CELL_SHIFT) & cellMask) >> 1
    ] as number;
    if ((cash - others - lost - fees - SLACK_UNITS) * leverage >= most) return true;
    return admitsClosely(symbolMargin, market, accountMarket, sell, price);
  }

  function add(symbolMargin: number, market: number, sell: number, price: number): void {
    const sumsAt = (((symbolMargin << SYMBOL_MARGIN_SHIFT) & symbolMarginMask) >> 1) + ((sell & 1) << SELLS_SHIFT);
    const lots = wide[W_LOTS] as number;
    const value =
      lots * price * (contractDoubles[(((market << CONTRACT_SHIFT) & contractMask) >> 1) + CTF_FACTOR] as number);
    symbolMarginDoubles[sumsAt + SMF_BUY_VALUE] = (symbolMarginDoubles[sumsAt + SMF_BUY_VALUE] as number) + value;
    symbolMarginDoubles[sumsAt + SMF_BUY_LOTS] = (symbolMarginDoubles[sumsAt + SMF_BUY_LOTS] as number) + lots;
  }

  function take(symbolMargin: number, market: number, sell: number, price: number): void {
    const sumsAt = (((symbolMargin << SYMBOL_MARGIN_SHIFT) & symbolMarginMask) >> 1) + ((sell & 1) << SELLS_SHIFT);
    const lots = wide[W_LOTS] as number;
    const value =
      lots * price * (contractDoubles[(((market << CONTRACT_SHIFT) & contractMask) >> 1) + CTF_FACTOR] as number);
    symbolMarginDoubles[sumsAt + SMF_BUY_VALUE] = (symbolMarginDoubles[sumsAt + SMF_BUY_VALUE] as number) - value;
    symbolMarginDoubles[sumsAt + SMF_BUY_LOTS] = (symbolMarginDoubles[sumsAt + SMF_BUY_LOTS] as number) - lots;
  }

  return { wide, admits, add, take };
}
