// Owns what perpetuals do on their own clock: mark every second, premium every five, funding at its hour, slices of the
// liquidation account, ends of bonuses; and the look at margins that follows every mark. Timers run on tick only.

import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { M_INDEX, M_STATUS, STATUS_DELISTED } from "../market/markets.ts";
import { commandPlaces } from "../protocol/command.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { followMirror } from "./demo/markets.ts";
import { guardFund, workOff } from "./liquidation/house.ts";
import { liquidateDue } from "./liquidation/liquidation.ts";
import { expireBonuses } from "./margin/bonus.ts";
import { repayDeficit } from "./margin/cash.ts";
import { nextPerpTick, refreshClock, TIMERS } from "./margin/clock-state.ts";
import { reviewDirty, reviewReached } from "./margin/watch.ts";
import { trimTouched } from "./order/trim.ts";
import { samplePremium, settleFunding } from "./price/funding.ts";
import { noteSource, refreshIndex, refreshMark } from "./price/index.ts";
import {
  CT_DEGRADED,
  CT_MIRROR,
  CT_MIRRORED,
  CT_SOURCES,
  CTF_NEXT_FUNDING,
  CTF_NEXT_MARK,
  CTF_NEXT_PREMIUM,
  CTF_NEXT_SLICE,
  CTF_NEXT_WARN,
  SOURCES_MAX,
} from "./state/records.ts";

const SET_INDEX_PRICE = commandPlaces("setIndexPrice");

const MARK_MS = 1_000;
const PREMIUM_MS = 5_000;
/** Between two lots of warnings, when a mark reaches more than one lot. */
const WARN_MS = 10;

export function nextPerpAt(core: Core): number {
  return nextPerpTick(core);
}

/** Everything perpetuals have due by now, market by market. */
export function tickPerps(core: Core): void {
  if (nextPerpTick(core) > core.now) return;
  const { perps } = core;
  for (let market = 1; market < perps.contracts.count; market++) if (perps.isPerp(market)) tickMarket(core, market);
  expireBonuses(core);
  refreshClock(core);
}

function isTimer(core: Core, market: number, timer: number): boolean {
  const at = core.perps.contractDouble(market, timer);
  return at !== 0 && at <= core.now;
}

function tickMarket(core: Core, market: number): void {
  const { perps } = core;
  if (core.markets.word(market, M_STATUS) === STATUS_DELISTED) {
    for (const timer of TIMERS) perps.setContractDouble(market, timer, 0);
    return;
  }
  if (isTimer(core, market, CTF_NEXT_MARK)) {
    perps.setContractDouble(market, CTF_NEXT_MARK, (Math.floor(core.now / MARK_MS) + 1) * MARK_MS);
    refreshIndex(core, market);
    if (refreshMark(core, market)) checkMargins(core, market);
    follow(core, market);
  }
  // A sample taken at the settlement's own time still counts for it; a late one does not.
  if (perps.contractDouble(market, CTF_NEXT_FUNDING) < core.now) catchUp(core, market);
  if (isTimer(core, market, CTF_NEXT_PREMIUM)) {
    perps.setContractDouble(market, CTF_NEXT_PREMIUM, (Math.floor(core.now / PREMIUM_MS) + 1) * PREMIUM_MS);
    samplePremium(core, market);
  }
  catchUp(core, market);
  if (isTimer(core, market, CTF_NEXT_SLICE)) workOff(core, market);
  if (isTimer(core, market, CTF_NEXT_WARN)) checkMargins(core, market);
}

/** The demo market of a market whose prices may have moved. */
function follow(core: Core, market: number): void {
  if (followMirror(core, market)) checkMargins(core, core.perps.contract(market, CT_MIRRORED));
}

/** Every settlement that is due, each once, oldest first; then those it left short are looked at. */
function catchUp(core: Core, market: number): void {
  // A demo market is settled with the real one, at its rate.
  if (!isTimer(core, market, CTF_NEXT_FUNDING) || core.perps.contract(market, CT_MIRROR) !== 0) return;
  while (isTimer(core, market, CTF_NEXT_FUNDING)) settleFunding(core, market);
  checkMargins(core, market);
  const demo = core.perps.contract(market, CT_MIRRORED);
  if (demo !== 0) checkMargins(core, demo);
}

/** Finds and liquidates whoever the mark has reached. Nobody while prices cannot be trusted. */
function checkMargins(core: Core, market: number): void {
  const { perps } = core;
  // Whoever still waits for a warning comes up with the first mark that can be trusted.
  const waited = perps.contractDouble(market, CTF_NEXT_WARN) !== 0;
  if (waited) perps.setContractDouble(market, CTF_NEXT_WARN, 0);
  if (perps.contract(market, CT_DEGRADED) !== 0) return;
  const due: number[] = [];
  reviewDirty(core, due);
  const waits = reviewReached(core, market, due);
  if (waits) perps.setContractDouble(market, CTF_NEXT_WARN, core.now + WARN_MS);
  if (waits || waited) refreshClock(core);
  if (due.length > 0) liquidateDue(core, [...new Set(due)]);
  guardFund(core, market);
  repayDeficit(core, market);
  trimTouched(core);
}

/** The operator set mark or index by hand. */
export function followReference(core: Core, market: number, marked: boolean): void {
  const { perps } = core;
  if (perps.contractDouble(market, CTF_NEXT_PREMIUM) === 0 && core.markets.word(market, M_INDEX) !== 0) {
    perps.setContractDouble(market, CTF_NEXT_PREMIUM, (Math.floor(core.now / PREMIUM_MS) + 1) * PREMIUM_MS);
    refreshClock(core);
  }
  if (marked) {
    core.markets.setBand(market);
    checkMargins(core, market);
  }
  follow(core, market);
}

export function setIndexPrice(core: Core): number {
  const market = core.readWord(SET_INDEX_PRICE.market);
  const source = core.readByte(SET_INDEX_PRICE.source);
  const price = core.readWord(SET_INDEX_PRICE.price);
  const weight = core.readWord(SET_INDEX_PRICE.weight);
  if (!core.markets.isMarket(market)) return REJECT.UNKNOWN_MARKET;
  if (!core.perps.isPerp(market)) return REJECT.NOT_A_PERPETUAL;
  if (price <= 0 || price > PRICE_TICKS_MAX) return REJECT.INVALID_PRICE;
  if (source >= SOURCES_MAX || weight < 0) return REJECT.MALFORMED_COMMAND;
  const { perps } = core;
  const first = perps.contract(market, CT_SOURCES) === 0;
  noteSource(core, market, source, price, weight);
  refreshIndex(core, market);
  follow(core, market);
  if (first) {
    perps.setContractDouble(market, CTF_NEXT_MARK, (Math.floor(core.now / MARK_MS) + 1) * MARK_MS);
    perps.setContractDouble(market, CTF_NEXT_PREMIUM, (Math.floor(core.now / PREMIUM_MS) + 1) * PREMIUM_MS);
    refreshClock(core);
  }
  return 0;
}
