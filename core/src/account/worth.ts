// Owns what holdings are worth in USDT, at prices the core knows: an index where there is one, else the market's average.
// Only reads; cold, so it looks through all markets each time.
import { T_LAST, TOP_SHIFT } from "../book/book.ts";
import { H_CELL, H_OUTGOING, HF_LEFT } from "../ledger/holds.ts";
import { A_BOOK, A_CELLS, A_NEXT, AS_SYMBOL, ASSET_WORDS, C_NEXT, CELL_SHIFT, U_ACCOUNTS } from "../ledger/ledger.ts";
import {
  KIND_SPOT,
  M_BASE,
  M_INDEX,
  M_KIND,
  M_QUOTE,
  M_STATUS,
  MF_STEP_UNITS,
  MF_TICK_LOT_UNITS,
  STATUS_DELISTED,
} from "../market/markets.ts";
import { crossProfit } from "../perp/margin/equity.ts";
import { CT_DEGRADED, CT_MIRROR } from "../perp/state/records.ts";
import { BOOKS } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";

/** "USDT" with its length byte, as listAsset keeps symbols. */
const USDT_WORDS = [0x44535504, 0x54, 0, 0];
const BONUS = BOOKS.indexOf("bonus");
const DEMO = BOOKS.indexOf("demo");
const LINEAR = 1;

/** Worth of units in USDT units: units × up ÷ down, 0 ÷ 1 where no price is known. */
interface Price {
  readonly up: bigint;
  readonly down: bigint;
}
const NONE: Price = { up: 0n, down: 1n };

/** Prices by asset, for one command. */
export type Prices = Map<number, Price>;

function findUsdt(core: Core): number {
  const { assets } = core.ledger;
  for (let asset = 1; asset < assets.count; asset++) {
    const at = asset * ASSET_WORDS + AS_SYMBOL;
    if (USDT_WORDS.every((word, i) => assets.i32[at + i] === word)) return asset;
  }
  return 0;
}

function priceOf(core: Core, prices: Prices, asset: number): Price {
  const known = prices.get(asset);
  if (known !== undefined) return known;
  const usdt = findUsdt(core);
  const price = asset === usdt ? { up: 1n, down: 1n } : findPrice(core, asset, usdt);
  prices.set(asset, price);
  return price;
}

/** An index of a contract that can be trusted comes first, then one of a spot market, its average, its last trade. */
function findPrice(core: Core, asset: number, usdt: number): Price {
  const { markets } = core;
  let best = 0;
  let ticks = 0;
  let rank = 0;
  for (let market = 1; market < markets.table.count; market++) {
    const isPair = markets.word(market, M_BASE) === asset && markets.word(market, M_QUOTE) === usdt;
    if (!isPair || markets.word(market, M_STATUS) === STATUS_DELISTED) continue;
    const found = rankPrice(core, market);
    if (found.rank <= rank) continue;
    rank = found.rank;
    ticks = found.ticks;
    best = market;
  }
  if (best === 0) return NONE;
  const up = BigInt(ticks) * BigInt(markets.double(best, MF_TICK_LOT_UNITS));
  return { up, down: BigInt(markets.double(best, MF_STEP_UNITS)) };
}

function rankPrice(core: Core, market: number): { readonly rank: number; readonly ticks: number } {
  const { markets, perps } = core;
  const index = markets.word(market, M_INDEX);
  if (markets.word(market, M_KIND) !== KIND_SPOT) {
    const trusted = perps.contract(market, CT_DEGRADED) === 0 && perps.contract(market, CT_MIRROR) === 0;
    return { rank: perps.contract(market, 0) === LINEAR && trusted && index !== 0 ? 4 : 0, ticks: index };
  }
  if (index !== 0) return { rank: 3, ticks: index };
  const average = markets.readAverage(market, core.now);
  if (average !== 0) return { rank: 2, ticks: average };
  const last = core.books.topWords[(market << TOP_SHIFT) | T_LAST] as number;
  return { rank: last !== 0 ? 1 : 0, ticks: last };
}

/** Worth of what leaves, rounded up. */
export function worthCeil(core: Core, prices: Prices, asset: number, units: number): bigint {
  const { up, down } = priceOf(core, prices, asset);
  return (BigInt(units) * up + down - 1n) / down;
}

/** Whether an asset's worth is known at all. */
export function isPriced(core: Core, prices: Prices, asset: number): boolean {
  return priceOf(core, prices, asset).up !== 0n;
}

/**
 * Worth of all a user has, each holding rounded down: balances of every book but bonus and demo, less what is already on
 * its way out under a hold, less what cross positions have lost so far.
 */
export function worthOfUser(core: Core, prices: Prices, owner: number): bigint {
  const { ledger } = core;
  let sum = 0n;
  for (
    let account = ledger.ownerWord(owner, U_ACCOUNTS);
    account !== 0;
    account = ledger.accountWord(account, A_NEXT)
  ) {
    const book = ledger.accountWord(account, A_BOOK);
    if (book === BONUS || book === DEMO) continue;
    for (
      let cell = ledger.accountWord(account, A_CELLS);
      cell !== 0;
      cell = ledger.cellWords[(cell << CELL_SHIFT) + C_NEXT] as number
    ) {
      const units = heldIn(core, account, cell);
      if (units <= 0) continue;
      const { up, down } = priceOf(core, prices, ledger.cellAsset(cell));
      sum += (BigInt(units) * up) / down;
    }
  }
  return sum;
}

function heldIn(core: Core, account: number, cell: number): number {
  const { ledger, perps, holds } = core;
  let units = ledger.available(cell) + ledger.frozen(cell);
  for (const hold of holds.of(account))
    if (holds.word(hold, H_CELL) === cell && holds.word(hold, H_OUTGOING) !== 0) units -= holds.double(hold, HF_LEFT);
  const marginAccount = perps.marginAccountIndex.find(account, ledger.cellAsset(cell));
  return marginAccount === 0 ? units : units + Math.min(0, crossProfit(core, marginAccount));
}
