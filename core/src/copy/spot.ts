// Owns copies of a spot leader: a buy for an amount of quote, a sale of the part of the coin that he sold of his.
import { mulDivFloor, RATE_ONE } from "@clockwork/kit/money";
import { FLAG_SELL } from "../book/orders.ts";
import { AM_TAKER_RATE } from "../market/account-markets.ts";
import { M_BASE, MF_STEP_UNITS, MF_TICK_LOT_UNITS } from "../market/markets.ts";
import type { Core } from "../state/core.ts";
import { type Copy, emitSkipped, type Skip } from "./emit.ts";
import { accountOf, limitOf, sendCopy, whyNotOpen } from "./placing.ts";
import { MODE_MULTIPLIER } from "./settings.ts";
import { findHolding, heldUnits, holdingsOf } from "./share/lots.ts";
import {
  FO_ACTIVE,
  FO_CELL,
  FO_MODE,
  FO_MULTIPLIER,
  FOF_FIXED,
  FOF_ORDER_MAX,
  FOF_SYMBOL_MAX,
  FOF_TOTAL_MAX,
  HOF_COST,
  JO_MARKET,
  JOF_GIVEN,
  JOF_LOTS,
  JOF_ORDER_LOTS,
  JOF_VALUE,
  JOF_WHOLE,
} from "./state/records.ts";

export function buyCopy(core: Core, copy: Copy): void {
  const { jobs } = core.copies;
  const { job, follow } = copy;
  const why = whyNotOpen(core, copy);
  if (why !== undefined) {
    emitSkipped(core, copy, why, 0, 0);
    return;
  }
  const market = jobs.word(job, JO_MARKET);
  const { amountUnits, cap, limit } = cutToCaps(core, copy, amountWanted(core, copy));
  const lots = mulDivFloor(amountUnits, jobs.double(job, JOF_LOTS), jobs.double(job, JOF_VALUE));
  if (lots === 0 && cap !== undefined) {
    emitSkipped(core, copy, cap, 0, limit);
    return;
  }
  const accountMarket = core.accountMarketOf(accountOf(core, follow), market);
  sendCopy(core, copy, accountMarket, 0, Math.min(lots, affordable(core, copy, accountMarket)));
}

/** Quote units to spend: an amount for each order of the leader's by the part of it that is filled, or a multiple. */
function amountWanted(core: Core, { job, follow }: Copy): number {
  const { jobs, follows } = core.copies;
  const valueUnits = jobs.double(job, JOF_VALUE);
  if (follows.word(follow, FO_MODE) === MODE_MULTIPLIER)
    return mulDivFloor(valueUnits, follows.word(follow, FO_MULTIPLIER), RATE_ONE);
  const total = jobs.double(job, JOF_ORDER_LOTS);
  // An order for an amount tells it as a negative number.
  const part = total < 0 ? valueUnits : jobs.double(job, JOF_LOTS);
  return mulDivFloor(follows.double(follow, FOF_FIXED), part, Math.max(part, Math.abs(total)));
}

function cutToCaps(
  core: Core,
  { job, follow }: Copy,
  wantedUnits: number,
): { readonly amountUnits: number; readonly cap: Skip | undefined; readonly limit: number } {
  const { follows, holdings, jobs } = core.copies;
  const base = core.markets.word(jobs.word(job, JO_MARKET), M_BASE);
  const holding = findHolding(core, follow, base);
  let total = 0;
  for (const one of holdingsOf(core, follow)) total += holdings.double(one, HOF_COST);
  let amountUnits = wantedUnits;
  let cap: Skip | undefined;
  let limit = 0;
  const cut = (max: number, used: number, name: Skip): void => {
    if (max === 0 || max - used >= amountUnits) return;
    amountUnits = Math.max(0, max - used);
    cap = name;
    limit = max;
  };
  cut(follows.double(follow, FOF_ORDER_MAX), 0, "ORDER_CAP");
  cut(follows.double(follow, FOF_SYMBOL_MAX), holding === 0 ? 0 : holdings.double(holding, HOF_COST), "SYMBOL_CAP");
  cut(follows.double(follow, FOF_TOTAL_MAX), total, "TOTAL_CAP");
  return { amountUnits, cap, limit };
}

/** Lots that what is free pays for at the limit, fee included. */
function affordable(core: Core, copy: Copy, accountMarket: number): number {
  const { jobs, follows } = core.copies;
  const market = jobs.word(copy.job, JO_MARKET);
  const free = core.ledger.available(follows.word(copy.follow, FO_CELL));
  const rate = core.accountMarkets.word(accountMarket, AM_TAKER_RATE);
  // One unit less, because the fee is rounded up.
  const net = mulDivFloor(Math.max(0, free - 1), RATE_ONE, RATE_ONE + rate);
  return Math.floor(net / (limitOf(core, copy, false) * core.markets.double(market, MF_TICK_LOT_UNITS)));
}

/** Whoever holds none of the coin is left alone. */
export function sellCopy(core: Core, copy: Copy): void {
  const { jobs, follows } = core.copies;
  const { job, follow } = copy;
  if (follows.word(follow, FO_ACTIVE) === 0) return;
  const market = jobs.word(job, JO_MARKET);
  const asset = core.markets.word(market, M_BASE);
  const account = accountOf(core, follow);
  const free = core.ledger.available(core.ledger.cellOf(account, asset));
  const held = Math.min(heldUnits(core, follow, asset), free);
  if (held === 0) return;
  const step = core.markets.double(market, MF_STEP_UNITS);
  const sold = jobs.double(job, JOF_GIVEN) || jobs.double(job, JOF_LOTS) * step;
  const whole = jobs.double(job, JOF_WHOLE);
  const part = sold >= whole ? held : mulDivFloor(held, sold, whole);
  sendCopy(core, copy, core.accountMarketOf(account, market), FLAG_SELL, Math.floor(part / step));
}
