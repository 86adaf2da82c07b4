// Owns what must be true of perpetuals after every command, checked from scratch. Never repairs anything.
import { openLots } from "../book/book.ts";
import {
  FLAG_LIVE,
  FLAG_REDUCE_ONLY,
  FLAG_RESTING,
  FLAG_SELL,
  O_FLAGS,
  O_PRICE,
  O_SEAT,
  ORDER_SHIFT,
} from "../book/orders.ts";
import { SE_PERP } from "../market/account-markets.ts";
import { isDue, markOf } from "../perp/margin/equity.ts";
import { keyOf } from "../perp/margin/watch.ts";
import {
  CT_CLEARING_CELL,
  CT_DEGRADED,
  CTF_OPEN_LOTS,
  LOOK_END,
  LOOK_WARN,
  PO_FLAGS,
  PO_KEY,
  PO_NEXT,
  PO_PLACE,
  PO_STAND,
  PO_WARN_PLACE,
  POF_COST,
  POF_LOTS,
  POF_MARGIN,
  POSITION_LISTED,
  PU_BONUS_CELL,
  PU_CELL,
  PU_DIRTY,
  PU_OPEN,
  PU_POSITIONS,
  PU_STALE,
  PUF_BONUS,
  PUF_REQUIRED,
  ST_FLAGS,
  ST_LONG,
  ST_MARKET,
  ST_PURSE,
  ST_SHORT,
  ST_SPLITS,
  ST_STALE,
  STAND_HEDGE,
  STAND_HOUSE,
  STAND_SPLIT,
  STF_BUY_LOTS,
  STF_BUY_VALUE,
  STF_REDUCE_BUY,
  STF_REDUCE_SELL,
  STF_REQUIRED,
  STF_SELL_LOTS,
  STF_SELL_VALUE,
} from "../perp/state/records.ts";
import { isIsolated } from "../perp/state/symbol-margins.ts";
import { worthOfLotCeil } from "../perp/state/values.ts";
import type { Core } from "../state/core.ts";

type Report = (rule: string, detail: string) => void;

/** Units of isolated margin frozen per cell, for the ledger's own check of what is frozen. */
export function marginByCell(core: Core): Map<number, number> {
  const { perps } = core;
  const margins = new Map<number, number>();
  for (let position = 1; position < perps.positions.count; position++) {
    const margin = perps.positionDouble(position, POF_MARGIN);
    if (margin === 0 || perps.position(position, PO_STAND) === 0) continue;
    const cell = perps.purse(perps.purseOf(position), PU_CELL);
    margins.set(cell, (margins.get(cell) ?? 0) + margin);
  }
  return margins;
}

export function checkPerps(core: Core, report: Report): void {
  checkPositions(core, report);
  checkStands(core, report);
  checkPurses(core, report);
  checkHeaps(core, report);
}

/** PERP-2: long and short lots are equal. PERP-3: clearing owes what open positions have gained. PERP-4: no empty cost. */
function checkPositions(core: Core, report: Report): void {
  const { perps } = core;
  const lots = new Map<number, number>();
  const longs = new Map<number, number>();
  const costs = new Map<number, number>();
  for (let market = 1; market < perps.contracts.count; market++)
    if (perps.isPerp(market)) costs.set(perps.contract(market, CT_CLEARING_CELL), 0);
  for (let position = 1; position < perps.positions.count; position++) {
    const held = perps.lots(position);
    if (perps.position(position, PO_STAND) === 0) continue;
    const cost = perps.positionDouble(position, POF_COST);
    const margin = perps.positionDouble(position, POF_MARGIN);
    const listed = (perps.position(position, PO_FLAGS) & POSITION_LISTED) !== 0;
    if ((held !== 0) !== listed)
      report("PERP-4", `position ${position} of ${held} lots is ${listed ? "" : "not "}listed`);
    if (held === 0 && (cost !== 0 || margin !== 0))
      report("PERP-4", `flat position ${position} has cost ${cost}, margin ${margin}`);
    if (
      cost < 0 ||
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
    const sign = held > 0 !== perps.isInverse(market) ? 1 : -1;
    costs.set(cell, (costs.get(cell) ?? 0) + sign * cost);
  }
  for (const [market, sum] of lots) if (sum !== 0) report("PERP-2", `market ${market} sums to ${sum} lots`);
  for (let market = 1; market < perps.contracts.count; market++)
    if (perps.contractDouble(market, CTF_OPEN_LOTS) !== (longs.get(market) ?? 0) && perps.isPerp(market))
      report("PERP-2", `market ${market} counts ${perps.contractDouble(market, CTF_OPEN_LOTS)} open lots`);
  for (const [cell, cost] of costs)
    if (core.ledger.available(cell) + cost !== 0)
      report("PERP-3", `clearing cell ${cell} holds ${core.ledger.available(cell)}, positions cost ${cost}`);
}

/** PERP-5: what orders ask agrees with the orders. PERP-6: reducing orders never exceed their position. */
function checkStands(core: Core, report: Report): void {
  const { perps } = core;
  const sums = new Map<number, number[]>();
  const orders = core.books.orders.table;
  for (let slot = 1; slot < orders.count; slot++) {
    const flags = orders.i32[(slot << ORDER_SHIFT) | O_FLAGS] as number;
    if ((flags & FLAG_LIVE) === 0 || (flags & FLAG_RESTING) === 0 || !perps.isPerp(flags >>> 16)) continue;
    const stand = core.seats.word(orders.i32[(slot << ORDER_SHIFT) | O_SEAT] as number, SE_PERP);
    const sum = sums.get(stand) ?? [0, 0, 0, 0, 0, 0];
    const lots = openLots(core.books, slot);
    const sells = (flags & FLAG_SELL) !== 0 ? 1 : 0;
    if ((flags & FLAG_REDUCE_ONLY) !== 0) sum[4 + sells] = (sum[4 + sells] as number) + lots;
    else {
      const value = lots * worthOfLotCeil(perps, flags >>> 16, orders.i32[(slot << ORDER_SHIFT) | O_PRICE] as number);
      sum[sells * 2] = (sum[sells * 2] as number) + value;
      sum[sells * 2 + 1] = (sum[sells * 2 + 1] as number) + lots;
    }
    sums.set(stand, sum);
  }
  const doubles = [STF_BUY_VALUE, STF_BUY_LOTS, STF_SELL_VALUE, STF_SELL_LOTS, STF_REDUCE_BUY, STF_REDUCE_SELL];
  for (let stand = 1; stand < perps.stands.count; stand++) {
    const sum = sums.get(stand) ?? [0, 0, 0, 0, 0, 0];
    for (const [i, double] of doubles.entries())
      if (perps.standDouble(stand, double) !== sum[i])
        report("PERP-5", `stand ${stand} counts ${perps.standDouble(stand, double)} where orders say ${sum[i]}`);
    checkReducers(core, stand, report);
  }
}

function checkReducers(core: Core, stand: number, report: Report): void {
  const { perps } = core;
  const flags = perps.stand(stand, ST_FLAGS);
  if ((flags & STAND_SPLIT) !== 0) return;
  const long = perps.lots(perps.stand(stand, ST_LONG));
  const short = (flags & STAND_HEDGE) !== 0 ? perps.lots(perps.stand(stand, ST_SHORT)) : Math.min(0, long);
  if (perps.standDouble(stand, STF_REDUCE_SELL) > Math.max(0, long))
    report("PERP-6", `stand ${stand} may sell too much`);
  if (perps.standDouble(stand, STF_REDUCE_BUY) > 0 - short) report("PERP-6", `stand ${stand} may buy too much`);
  if ((flags & STAND_HEDGE) !== 0 && (long < 0 || short > 0)) report("PERP-1", `stand ${stand} has a side turned`);
  if (perps.stand(stand, ST_SPLITS) !== 0) report("PERP-4", `stand ${stand} keeps split positions in merge layout`);
}

/** PERP-7: a purse's sums agree with its stands, positions and bonus. */
function checkPurses(core: Core, report: Report): void {
  const { perps } = core;
  const required = new Map<number, number>();
  const stale = new Set<number>();
  for (let stand = 1; stand < perps.stands.count; stand++) {
    const purse = perps.stand(stand, ST_PURSE);
    required.set(purse, (required.get(purse) ?? 0) + perps.standDouble(stand, STF_REQUIRED));
    if (perps.stand(stand, ST_STALE) !== 0) stale.add(stand);
  }
  const listed = new Set<number>();
  for (let purse = 1; purse < perps.purses.count; purse++) {
    if (perps.purseDouble(purse, PUF_REQUIRED) !== (required.get(purse) ?? 0))
      report("PERP-7", `purse ${purse} asks ${perps.purseDouble(purse, PUF_REQUIRED)}, stands ${required.get(purse)}`);
    let open = 0;
    for (let at = perps.purse(purse, PU_POSITIONS); at !== 0; at = perps.position(at, PO_NEXT)) {
      open++;
      if (perps.purseOf(at) !== purse || listed.has(at)) report("PERP-7", `purse ${purse} lists position ${at}`);
      listed.add(at);
    }
    if (perps.purse(purse, PU_OPEN) !== open) report("PERP-7", `purse ${purse} miscounts its ${open} positions`);
    const waiting = perps.purse(purse, PU_STALE);
    if (waiting !== 0 && (perps.stand(waiting, ST_PURSE) !== purse || !stale.delete(waiting)))
      report("PERP-7", `purse ${purse} waits for stand ${waiting}`);
    const bonus = perps.purse(purse, PU_BONUS_CELL);
    const counted = perps.purseDouble(purse, PUF_BONUS);
    if ((bonus === 0 ? 0 : core.ledger.available(bonus)) !== counted)
      report("PERP-7", `purse ${purse} miscounts its bonus`);
  }
  for (const stand of stale) report("PERP-7", `stand ${stand} waits on no purse`);
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
    if (perps.position(position, PO_STAND) === 0) continue;
    if ((watched.get(position) ?? 0) !== place)
      report("PERP-8", `position ${position} is at ${place}, heap says ${watched.get(position)}`);
    if ((warned.get(position) ?? 0) !== perps.position(position, PO_WARN_PLACE))
      report("PERP-8", `position ${position} waits for no warning at ${warned.get(position)}`);
    const held = perps.positionDouble(position, POF_LOTS);
    const stand = perps.position(position, PO_STAND);
    const market = perps.stand(stand, ST_MARKET);
    const house = (perps.stand(stand, ST_FLAGS) & STAND_HOUSE) !== 0;
    if (held === 0 || house || perps.contract(market, CT_DEGRADED) !== 0) continue;
    if (perps.purse(perps.purseOf(position), PU_DIRTY) !== 0 || markOf(core, market) === 0) continue;
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
  const purse = perps.purseOf(position);
  for (let at = perps.purse(purse, PU_POSITIONS); at !== 0; at = perps.position(at, PO_NEXT)) {
    const mark = markOf(core, perps.marketOf(at));
    const key = perps.position(at, PO_KEY);
    if (perps.position(at, PO_PLACE) !== 0 && (perps.lots(at) > 0 ? mark <= key : mark >= key)) return true;
  }
  return false;
}
