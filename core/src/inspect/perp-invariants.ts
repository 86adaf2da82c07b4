// Owns what must be true of perpetuals after every command, checked from scratch. Never repairs anything.

import { COST_PARTS } from "@clockwork/kit/margin";
import { openLots } from "../book/book.ts";
import {
  atExtra,
  atOrder,
  FLAG_LIVE,
  FLAG_REDUCE_ONLY,
  FLAG_RESTING,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_PRICE,
  X_POSITION,
} from "../book/orders.ts";
import { AM_SYMBOL_MARGIN } from "../market/account-markets.ts";
import { getWord } from "../memory/record.ts";
import { isDue, markOf } from "../perp/margin/equity.ts";
import { keyOf } from "../perp/margin/watch.ts";
import {
  CT_CLEARING_CELL,
  CT_DEGRADED,
  CTF_OPEN_LOTS,
  CTF_REMAINDER,
  CTF_ROUNDED,
  LOOK_END,
  LOOK_WARN,
  MA_BONUS_CELL,
  MA_CELL,
  MA_DIRTY,
  MA_OPEN,
  MA_POSITIONS,
  MA_STALE,
  MAF_BONUS,
  MAF_REQUIRED,
  MODE_HEDGE,
  MODE_HOUSE,
  MODE_SPLIT,
  PO_FLAGS,
  PO_KEY,
  PO_NEXT,
  PO_PLACE,
  PO_SYMBOL_MARGIN,
  PO_WARN_PLACE,
  POF_COST,
  POF_EXCESS,
  POF_LOTS,
  POF_MARGIN,
  POSITION_LISTED,
  SM_FLAGS,
  SM_LONG,
  SM_MARGIN_ACCOUNT,
  SM_MARKET,
  SM_SHORT,
  SM_SPLITS,
  SM_STALE,
  SMF_BUY_LOTS,
  SMF_BUY_VALUE,
  SMF_REDUCE_BUY,
  SMF_REDUCE_SELL,
  SMF_REQUIRED,
  SMF_SELL_LOTS,
  SMF_SELL_VALUE,
} from "../perp/state/records.ts";
import { isIsolated } from "../perp/state/symbol-margins.ts";
import { worthOfLotCeil } from "../perp/state/values.ts";
import type { Core } from "../state/core.ts";

const COST_WHOLE = BigInt(COST_PARTS);

type Report = (rule: string, detail: string) => void;

/** Units of isolated margin frozen per cell, for the ledger's own check of what is frozen. */
export function marginByCell(core: Core): Map<number, number> {
  const { perps } = core;
  const margins = new Map<number, number>();
  for (let position = 1; position < perps.positions.count; position++) {
    const margin = perps.positionDouble(position, POF_MARGIN);
    if (margin === 0 || perps.position(position, PO_SYMBOL_MARGIN) === 0) continue;
    const cell = perps.marginAccount(perps.marginAccountOf(position), MA_CELL);
    margins.set(cell, (margins.get(cell) ?? 0) + margin);
  }
  return margins;
}

export function checkPerps(core: Core, report: Report): void {
  checkPositions(core, report);
  checkSymbolMargins(core, report);
  checkMarginAccounts(core, report);
  checkHeaps(core, report);
}

/**
 * PERP-2: long and short lots are equal. PERP-3: clearing owes what open positions have gained. PERP-4: no empty cost.
 */
function checkPositions(core: Core, report: Report): void {
  const { perps } = core;
  const lots = new Map<number, number>();
  const longs = new Map<number, number>();
  // In parts of a unit; what rounding left is taken off.
  const costs = new Map<number, bigint>();
  for (let market = 1; market < perps.contracts.count; market++) {
    if (!perps.isPerp(market)) continue;
    const cell = perps.contract(market, CT_CLEARING_CELL);
    const part = perps.contractDouble(market, CTF_REMAINDER);
    if (!(part >= 0 && part < 1)) report("PERP-3", `market ${market} has a remainder of ${part}`);
    const left = BigInt(perps.contractDouble(market, CTF_ROUNDED)) * COST_WHOLE + BigInt(part * COST_PARTS);
    costs.set(cell, (costs.get(cell) ?? 0n) - left);
  }
  for (let position = 1; position < perps.positions.count; position++) {
    const held = perps.lots(position);
    if (perps.position(position, PO_SYMBOL_MARGIN) === 0) continue;
    const cost = perps.positionDouble(position, POF_COST);
    const excess = perps.positionDouble(position, POF_EXCESS);
    const margin = perps.positionDouble(position, POF_MARGIN);
    const listed = (perps.position(position, PO_FLAGS) & POSITION_LISTED) !== 0;
    if ((held !== 0) !== listed)
      report("PERP-4", `position ${position} of ${held} lots is ${listed ? "" : "not "}listed`);
    if (held === 0 && (cost !== 0 || excess !== 0 || margin !== 0))
      report("PERP-4", `flat position ${position} has cost ${cost} less ${excess}, margin ${margin}`);
    if (
      cost < excess ||
      !(excess >= 0 && excess < 1) ||
      margin < 0 ||
      !Number.isSafeInteger(cost) ||
      !Number.isSafeInteger(margin) ||
      !Number.isSafeInteger(held)
    )
      report("PERP-4", `position ${position} has cost ${cost}, margin ${margin}, lots ${held}`);
    if (held === 0) continue;
    if (margin !== 0 && !isIsolated(perps, position)) report("PERP-4", `cross position ${position} has a margin`);
    const market = perps.marketOf(position);
    lots.set(market, (lots.get(market) ?? 0) + held);
    longs.set(market, (longs.get(market) ?? 0) + Math.max(0, held));
    const cell = perps.contract(market, CT_CLEARING_CELL);
    const parts = BigInt(cost) * COST_WHOLE - BigInt(excess * COST_PARTS);
    costs.set(cell, (costs.get(cell) ?? 0n) + (held > 0 !== perps.isInverse(market) ? parts : -parts));
  }
  for (const [market, sum] of lots) if (sum !== 0) report("PERP-2", `market ${market} sums to ${sum} lots`);
  for (let market = 1; market < perps.contracts.count; market++)
    if (perps.contractDouble(market, CTF_OPEN_LOTS) !== (longs.get(market) ?? 0) && perps.isPerp(market))
      report("PERP-2", `market ${market} counts ${perps.contractDouble(market, CTF_OPEN_LOTS)} open lots`);
  for (const [cell, cost] of costs)
    if (BigInt(core.ledger.available(cell)) * COST_WHOLE + cost !== 0n)
      report("PERP-3", `clearing cell ${cell} holds ${core.ledger.available(cell)}, positions cost ${cost} parts`);
}

/** PERP-5: what orders ask agrees with the orders. PERP-6: reducing orders never exceed their position. */
function checkSymbolMargins(core: Core, report: Report): void {
  const { perps } = core;
  const sums = new Map<number, number[]>();
  const reducing = new Map<number, number>();
  const orders = core.books.orders.table;
  for (let slot = 1; slot < orders.count; slot++) {
    const flags = getWord(orders.i32, atOrder(slot), O_FLAGS);
    if ((flags & FLAG_LIVE) === 0 || (flags & FLAG_RESTING) === 0 || !perps.isPerp(flags >>> 16)) continue;
    const symbolMargin = core.accountMarkets.word(
      getWord(orders.i32, atOrder(slot), O_ACCOUNT_MARKET),
      AM_SYMBOL_MARGIN,
    );
    const sum = sums.get(symbolMargin) ?? [0, 0, 0, 0, 0, 0];
    const lots = openLots(core.books, slot);
    const sells = (flags & FLAG_SELL) !== 0 ? 1 : 0;
    if ((flags & FLAG_REDUCE_ONLY) !== 0) {
      sum[4 + sells] = (sum[4 + sells] as number) + lots;
      const extra = getWord(orders.i32, atOrder(slot), O_EXTRA);
      const position = getWord(core.books.orders.extras.i32, atExtra(extra), X_POSITION);
      reducing.set(position, (reducing.get(position) ?? 0) + lots);
    } else {
      const value = lots * worthOfLotCeil(perps, flags >>> 16, getWord(orders.i32, atOrder(slot), O_PRICE));
      sum[sells * 2] = (sum[sells * 2] as number) + value;
      sum[sells * 2 + 1] = (sum[sells * 2 + 1] as number) + lots;
    }
    sums.set(symbolMargin, sum);
  }
  const doubles = [SMF_BUY_VALUE, SMF_BUY_LOTS, SMF_SELL_VALUE, SMF_SELL_LOTS, SMF_REDUCE_BUY, SMF_REDUCE_SELL];
  for (let symbolMargin = 1; symbolMargin < perps.symbolMargins.count; symbolMargin++) {
    const sum = sums.get(symbolMargin) ?? [0, 0, 0, 0, 0, 0];
    for (const [i, double] of doubles.entries())
      if (perps.symbolMarginDouble(symbolMargin, double) !== sum[i])
        report(
          "PERP-5",
          `symbol margin ${symbolMargin} counts ${perps.symbolMarginDouble(symbolMargin, double)} where orders say ${sum[i]}`,
        );
    checkReducers(core, symbolMargin, report);
  }
  // Only split layout has orders that name the position they reduce.
  reducing.delete(0);
  for (const [position, lots] of reducing)
    if (lots > Math.abs(perps.lots(position)))
      report("PERP-6", `orders may take ${lots} lots off position ${position}`);
}

function checkReducers(core: Core, symbolMargin: number, report: Report): void {
  const { perps } = core;
  const flags = perps.symbolMargin(symbolMargin, SM_FLAGS);
  if ((flags & MODE_SPLIT) !== 0) return;
  const long = perps.lots(perps.symbolMargin(symbolMargin, SM_LONG));
  const short = (flags & MODE_HEDGE) !== 0 ? perps.lots(perps.symbolMargin(symbolMargin, SM_SHORT)) : Math.min(0, long);
  if (perps.symbolMarginDouble(symbolMargin, SMF_REDUCE_SELL) > Math.max(0, long))
    report("PERP-6", `symbol margin ${symbolMargin} may sell too much`);
  if (perps.symbolMarginDouble(symbolMargin, SMF_REDUCE_BUY) > 0 - short)
    report("PERP-6", `symbol margin ${symbolMargin} may buy too much`);
  if ((flags & MODE_HEDGE) !== 0 && (long < 0 || short > 0))
    report("PERP-1", `symbol margin ${symbolMargin} has a side turned`);
  if (perps.symbolMargin(symbolMargin, SM_SPLITS) !== 0)
    report("PERP-4", `symbol margin ${symbolMargin} keeps split positions in merge layout`);
}

/** PERP-7: a margin account's sums agree with its symbol margins, positions and bonus. */
function checkMarginAccounts(core: Core, report: Report): void {
  const { perps } = core;
  const required = new Map<number, number>();
  const stale = new Set<number>();
  for (let symbolMargin = 1; symbolMargin < perps.symbolMargins.count; symbolMargin++) {
    const marginAccount = perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT);
    required.set(
      marginAccount,
      (required.get(marginAccount) ?? 0) + perps.symbolMarginDouble(symbolMargin, SMF_REQUIRED),
    );
    if (perps.symbolMargin(symbolMargin, SM_STALE) !== 0) stale.add(symbolMargin);
  }
  const listed = new Set<number>();
  for (let marginAccount = 1; marginAccount < perps.marginAccounts.count; marginAccount++) {
    if (perps.marginAccountDouble(marginAccount, MAF_REQUIRED) !== (required.get(marginAccount) ?? 0))
      report(
        "PERP-7",
        `margin account ${marginAccount} asks ${perps.marginAccountDouble(marginAccount, MAF_REQUIRED)}, symbol margins ${required.get(marginAccount)}`,
      );
    let open = 0;
    for (let at = perps.marginAccount(marginAccount, MA_POSITIONS); at !== 0; at = perps.position(at, PO_NEXT)) {
      open++;
      if (perps.marginAccountOf(at) !== marginAccount || listed.has(at))
        report("PERP-7", `margin account ${marginAccount} lists position ${at}`);
      listed.add(at);
    }
    if (perps.marginAccount(marginAccount, MA_OPEN) !== open)
      report("PERP-7", `margin account ${marginAccount} miscounts its ${open} positions`);
    const waiting = perps.marginAccount(marginAccount, MA_STALE);
    if (waiting !== 0 && (perps.symbolMargin(waiting, SM_MARGIN_ACCOUNT) !== marginAccount || !stale.delete(waiting)))
      report("PERP-7", `margin account ${marginAccount} waits for symbol margin ${waiting}`);
    const bonus = perps.marginAccount(marginAccount, MA_BONUS_CELL);
    const counted = perps.marginAccountDouble(marginAccount, MAF_BONUS);
    if ((bonus === 0 ? 0 : core.ledger.available(bonus)) !== counted)
      report("PERP-7", `margin account ${marginAccount} miscounts its bonus`);
  }
  for (const symbolMargin of stale) report("PERP-7", `symbol margin ${symbolMargin} waits on no margin account`);
}

/** PERP-8: whoever would be liquidated at the mark is watched at it or waits to be looked at. */
function checkHeaps(core: Core, report: Report): void {
  const { perps } = core;
  const watched = new Map<number, number>();
  const warned = new Map<number, number>();
  for (let market = 1; market < perps.contracts.count; market++) {
    if (!perps.isPerp(market)) continue;
    for (const side of [0, 1]) {
      const heap = perps.heap(market, side, LOOK_END);
      for (let at = 1; at < heap.count; at++) watched.set(heap.i32[at * 2] as number, at);
      const warnings = perps.heap(market, side, LOOK_WARN);
      for (let at = 1; at < warnings.count; at++) warned.set(warnings.i32[at * 2] as number, at);
    }
  }
  for (let position = 1; position < perps.positions.count; position++) {
    const place = perps.position(position, PO_PLACE);
    if (perps.position(position, PO_SYMBOL_MARGIN) === 0) continue;
    if ((watched.get(position) ?? 0) !== place)
      report("PERP-8", `position ${position} is at ${place}, heap says ${watched.get(position)}`);
    if ((warned.get(position) ?? 0) !== perps.position(position, PO_WARN_PLACE))
      report("PERP-8", `position ${position} waits for no warning at ${warned.get(position)}`);
    const held = perps.positionDouble(position, POF_LOTS);
    const symbolMargin = perps.position(position, PO_SYMBOL_MARGIN);
    const market = perps.symbolMargin(symbolMargin, SM_MARKET);
    const house = (perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_HOUSE) !== 0;
    if (held === 0 || house || perps.contract(market, CT_DEGRADED) !== 0) continue;
    if (perps.marginAccount(perps.marginAccountOf(position), MA_DIRTY) !== 0 || markOf(core, market) === 0) continue;
    const key = perps.position(position, PO_KEY);
    const mark = markOf(core, market);
    const isReached = place !== 0 && (held > 0 ? mark <= key : mark >= key);
    if (!isReached && isDue(core, position) && !othersReached(core, position))
      report(
        "PERP-8",
        `position ${position} is due at ${mark} but watched at ${key}, would be ${keyOf(core, position, 0, 100)}`,
      );
  }
}

/** A cross margin is looked at when any of its positions comes up. */
function othersReached(core: Core, position: number): boolean {
  const { perps } = core;
  if (isIsolated(perps, position)) return false;
  const marginAccount = perps.marginAccountOf(position);
  for (let at = perps.marginAccount(marginAccount, MA_POSITIONS); at !== 0; at = perps.position(at, PO_NEXT)) {
    const mark = markOf(core, perps.marketOf(at));
    const key = perps.position(at, PO_KEY);
    if (perps.position(at, PO_PLACE) !== 0 && (perps.lots(at) > 0 ? mark <= key : mark >= key)) return true;
  }
  return false;
}
