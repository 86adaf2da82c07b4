// Owns the settings of futures accounts: modes, leverage, margin mode and margin of isolated positions. Each is refused
// when it would leave a margin that cannot carry what is open. Never trades.
import { isLiquidatable } from "@clockwork/kit/margin";
import { A_PERP, A_SEATS } from "../../ledger/ledger.ts";
import { SE_CONDITIONALS, SE_MARKET, SE_NEXT, SE_PERP, SE_RESTING } from "../../market/account-markets.ts";
import { EVENTS } from "../../protocol/event.ts";
import { REJECT } from "../../protocol/rejection.ts";
import { mayTrade } from "../../state/access.ts";
import type { Core } from "../../state/core.ts";
import { giveBack, setAside } from "../margin/cash.ts";
import { emitPosition } from "../margin/emit.ts";
import { freeMargin, holdingOf, isDue, scopePositions } from "../margin/equity.ts";
import { soilStand, standOf } from "../margin/exposure.ts";
import { namedPosition } from "../margin/named.ts";
import { emitMargin } from "../margin/watch.ts";
import {
  CT_LEVERAGE_MAX,
  PO_LEVERAGE,
  POF_COST,
  POF_MARGIN,
  PU_CELL,
  ST_FLAGS,
  ST_LEVERAGE_LONG,
  ST_LEVERAGE_SHORT,
  ST_LONG,
  ST_MARKET,
  ST_PURSE,
  ST_SHORT,
  ST_SPLITS,
  STAND_AUTO_APPEND,
  STAND_HEDGE,
  STAND_ISOLATED,
  STAND_SPLIT,
  STF_BUY_VALUE,
  STF_SELL_VALUE,
} from "../state/records.ts";
import { capOfLeverage, initialMargin } from "../state/values.ts";

/** Distance the liquidation price keeps from the mark when margin is taken out: 0.5 %. */
const DISTANCE = 200;

/** The stand a command's market names, made when the account may trade there; a negative number is a code. */
export function commandStand(core: Core, account: number): number {
  const market = core.inputWord(24);
  if (!core.markets.isMarket(market)) return 0 - REJECT.UNKNOWN_MARKET;
  if (!core.perps.isPerp(market)) return 0 - REJECT.NOT_A_PERPETUAL;
  if (core.seats.find(account, market) === 0 && !mayTrade(core, account, market)) return 0 - REJECT.BOOK_NOT_TRADABLE;
  return standOf(core, core.seatOf(account, market));
}

function emitSettings(core: Core, account: number, stand: number): void {
  const { perps } = core;
  const flags = stand === 0 ? core.ledger.accountWord(account, A_PERP) : perps.stand(stand, ST_FLAGS);
  const record = core.events.openClean(EVENTS.perpSettings.kind, 0, flags & 15, account, core.sequence);
  if (stand === 0) return;
  core.events.i32[(record << 4) | 4] = perps.stand(stand, ST_MARKET);
  core.events.i32[(record << 4) | 5] = perps.stand(stand, ST_LEVERAGE_LONG);
  core.events.i32[(record << 4) | 6] = perps.stand(stand, ST_LEVERAGE_SHORT);
}

export function setPositionMode(core: Core, account: number): number {
  const hedge = core.inputByte(24) !== 0;
  const split = core.inputByte(25) !== 0;
  if (split && !hedge) return REJECT.INVALID_COMBINATION;
  const { perps, seats, ledger } = core;
  const stands: number[] = [];
  for (let seat = ledger.accountWord(account, A_SEATS); seat !== 0; seat = seats.word(seat, SE_NEXT)) {
    const stand = seats.word(seat, SE_PERP);
    if (stand === 0) continue;
    const open =
      perps.lots(perps.stand(stand, ST_LONG)) !== 0 ||
      perps.lots(perps.stand(stand, ST_SHORT)) !== 0 ||
      perps.stand(stand, ST_SPLITS) !== 0;
    if (open || seats.word(seat, SE_RESTING) !== 0 || seats.word(seat, SE_CONDITIONALS) !== 0)
      return REJECT.MODE_LOCKED;
    stands.push(stand);
  }
  const modes = (hedge ? STAND_HEDGE : 0) | (split ? STAND_SPLIT : 0);
  ledger.setAccountWord(account, A_PERP, modes);
  for (const stand of stands) {
    const kept = perps.stand(stand, ST_FLAGS) & ~(STAND_HEDGE | STAND_SPLIT);
    perps.setStand(stand, ST_FLAGS, kept | modes | (split ? STAND_ISOLATED : 0));
  }
  emitSettings(core, account, 0);
  return 0;
}

export function setLeverage(core: Core, account: number): number {
  const stand = commandStand(core, account);
  if (stand < 0) return 0 - stand;
  const { perps } = core;
  const market = perps.stand(stand, ST_MARKET);
  const oldLong = perps.stand(stand, ST_LEVERAGE_LONG);
  const oldShort = perps.stand(stand, ST_LEVERAGE_SHORT);
  const long = core.inputWord(28) === 0 ? oldLong : core.inputWord(28);
  const short = core.inputWord(32) === 0 ? (core.inputWord(28) === 0 ? oldShort : long) : core.inputWord(32);
  const most = perps.contract(market, CT_LEVERAGE_MAX);
  if (long < 1 || short < 1 || long > most || short > most) return core.refuse(REJECT.INVALID_LEVERAGE, most);
  const code = checkCaps(core, stand, market, long, short);
  if (code !== 0) return code;
  applyLeverage(core, stand, long, short);
  const purse = perps.stand(stand, ST_PURSE);
  const owed = owedMargin(core, stand, oldLong, oldShort);
  if (freeMargin(core, purse) < Math.max(0, owed) || core.ledger.available(perps.purse(purse, PU_CELL)) < owed) {
    applyLeverage(core, stand, oldLong, oldShort);
    return core.refuse(REJECT.INSUFFICIENT_MARGIN, Math.max(0, freeMargin(core, purse)));
  }
  rescaleMargins(core, stand);
  emitSettings(core, account, stand);
  return 0;
}

/** A leverage must allow what is open and ordered already. */
function checkCaps(core: Core, stand: number, market: number, long: number, short: number): number {
  const { perps } = core;
  const hedge = (perps.stand(stand, ST_FLAGS) & STAND_HEDGE) !== 0;
  const cost = perps.positionDouble(perps.stand(stand, ST_LONG), POF_COST);
  const shortCost = hedge ? perps.positionDouble(perps.stand(stand, ST_SHORT), POF_COST) : 0;
  const buys = perps.standDouble(stand, STF_BUY_VALUE);
  const sells = perps.standDouble(stand, STF_SELL_VALUE);
  const longCap = capOfLeverage(perps, market, long);
  const shortCap = hedge ? capOfLeverage(perps, market, short) : longCap;
  const signed = perps.lots(perps.stand(stand, ST_LONG)) < 0 ? 0 - cost : cost;
  const up = hedge ? cost + buys : Math.max(Math.abs(signed), signed + buys);
  const down = hedge ? shortCost + sells : sells - signed;
  if (up > longCap) return core.refuse(REJECT.POSITION_LIMIT, longCap);
  return down > shortCap ? core.refuse(REJECT.POSITION_LIMIT, shortCap) : 0;
}

function applyLeverage(core: Core, stand: number, long: number, short: number): void {
  const { perps } = core;
  perps.setStand(stand, ST_LEVERAGE_LONG, long);
  perps.setStand(stand, ST_LEVERAGE_SHORT, short);
  perps.setPosition(perps.stand(stand, ST_LONG), PO_LEVERAGE, long);
  perps.setPosition(perps.stand(stand, ST_SHORT), PO_LEVERAGE, short);
  soilStand(core, stand);
}

/** What isolated positions must be topped up with after a leverage was lowered. */
function owedMargin(core: Core, stand: number, oldLong: number, oldShort: number): number {
  const { perps } = core;
  if ((perps.stand(stand, ST_FLAGS) & STAND_ISOLATED) === 0) return 0;
  let owed = 0;
  for (const [side, old] of [
    [ST_LONG, oldLong],
    [ST_SHORT, oldShort],
  ] as const) {
    const position = perps.stand(stand, side);
    const cost = perps.positionDouble(position, POF_COST);
    owed += Math.max(0, initialMargin(cost, perps.position(position, PO_LEVERAGE)) - initialMargin(cost, old));
  }
  return owed;
}

/** Isolated margins follow the leverage: down as far as it stays safe, up from the wallet. */
function rescaleMargins(core: Core, stand: number): void {
  const { perps } = core;
  if ((perps.stand(stand, ST_FLAGS) & STAND_ISOLATED) === 0) return;
  const purse = perps.stand(stand, ST_PURSE);
  for (const side of [ST_LONG, ST_SHORT]) {
    const position = perps.stand(stand, side);
    if (perps.lots(position) === 0) continue;
    const wanted = initialMargin(perps.positionDouble(position, POF_COST), perps.position(position, PO_LEVERAGE));
    const margin = perps.positionDouble(position, POF_MARGIN);
    if (wanted > margin) setAside(core, purse, position, wanted - margin);
    else if (wanted < margin && isSafeWith(core, position, wanted)) giveBack(core, purse, position, margin - wanted);
    emitPosition(core, position, 0);
  }
  perps.markDirty(purse);
}

/** Whether a margin would keep the liquidation price 0.5 % away from the mark. */
function isSafeWith(core: Core, position: number, margin: number): boolean {
  const holding = holdingOf(core, position);
  const { markTicks } = holding;
  if (markTicks === 0n) return true;
  const away = holding.side > 0n ? markTicks - markTicks / BigInt(DISTANCE) : markTicks + markTicks / BigInt(DISTANCE);
  return !isLiquidatable(BigInt(margin), [{ ...holding, markTicks: away }]);
}

export function setMarginMode(core: Core, account: number): number {
  const stand = commandStand(core, account);
  if (stand < 0) return 0 - stand;
  const { perps } = core;
  const flags = perps.stand(stand, ST_FLAGS);
  const isolated = core.inputByte(28) !== 0;
  if ((flags & STAND_SPLIT) !== 0 && !isolated) return REJECT.MODE_LOCKED;
  if (((flags & STAND_ISOLATED) !== 0) === isolated) {
    emitSettings(core, account, stand);
    return 0;
  }
  const open = [perps.stand(stand, ST_LONG), perps.stand(stand, ST_SHORT)].filter((one) => perps.lots(one) !== 0);
  if (open.some((position) => isDue(core, position))) return REJECT.MARGIN_UNHEALTHY;
  const code = isolated ? isolate(core, stand, open) : join(core, stand, open);
  if (code !== 0) return code;
  perps.markDirty(perps.stand(stand, ST_PURSE));
  for (const position of open) emitPosition(core, position, 0);
  emitSettings(core, account, stand);
  return 0;
}

function setIsolated(core: Core, stand: number, isolated: boolean): void {
  const { perps } = core;
  const flags = perps.stand(stand, ST_FLAGS);
  perps.setStand(stand, ST_FLAGS, isolated ? flags | STAND_ISOLATED : flags & ~STAND_ISOLATED);
  soilStand(core, stand);
}

/** Gives each open position its initial margin from the wallet; undone when anything would be unhealthy. */
function isolate(core: Core, stand: number, open: readonly number[]): number {
  const { perps } = core;
  const purse = perps.stand(stand, ST_PURSE);
  const needs = open.map((one) => initialMargin(perps.positionDouble(one, POF_COST), perps.position(one, PO_LEVERAGE)));
  const sum = needs.reduce((total, need) => total + need, 0);
  const available = core.ledger.available(perps.purse(purse, PU_CELL));
  if (available < sum) return core.refuse(REJECT.INSUFFICIENT_MARGIN, available);
  const cross = open.length === 0 ? [] : scopePositions(core, open[0] as number).filter((one) => !open.includes(one));
  setIsolated(core, stand, true);
  for (const [i, position] of open.entries()) setAside(core, purse, position, needs[i] as number);
  const bad = open.some((one) => isDue(core, one)) || (cross.length > 0 && isDue(core, cross[0] as number));
  if (!bad) return 0;
  for (const position of open) giveBack(core, purse, position, perps.positionDouble(position, POF_MARGIN));
  setIsolated(core, stand, false);
  return REJECT.MARGIN_UNHEALTHY;
}

/** Puts isolated margins back into the wallet that then carries all; undone when that would be unhealthy. */
function join(core: Core, stand: number, open: readonly number[]): number {
  const { perps } = core;
  const purse = perps.stand(stand, ST_PURSE);
  const margins = open.map((one) => perps.positionDouble(one, POF_MARGIN));
  for (const [i, position] of open.entries()) giveBack(core, purse, position, margins[i] as number);
  setIsolated(core, stand, false);
  if (!open.some((one) => isDue(core, one))) return 0;
  setIsolated(core, stand, true);
  for (const [i, position] of open.entries()) setAside(core, purse, position, margins[i] as number);
  return REJECT.MARGIN_UNHEALTHY;
}

export function changeMargin(core: Core, account: number): number {
  const stand = commandStand(core, account);
  if (stand < 0) return 0 - stand;
  const { perps } = core;
  const units = core.inputDouble(40);
  if ((perps.stand(stand, ST_FLAGS) & STAND_ISOLATED) === 0) return REJECT.MARGIN_NOT_ISOLATED;
  const position = namedPosition(core, stand);
  if (position === 0) return REJECT.UNKNOWN_POSITION;
  if (units === 0 || !Number.isSafeInteger(units)) return REJECT.INVALID_AMOUNT;
  const purse = perps.stand(stand, ST_PURSE);
  if (units > 0) {
    const free = Math.min(freeMargin(core, purse), core.ledger.available(perps.purse(purse, PU_CELL)));
    if (units > free) return core.refuse(REJECT.INSUFFICIENT_MARGIN, Math.max(0, free));
    setAside(core, purse, position, units);
  } else {
    const left = perps.positionDouble(position, POF_MARGIN) + units;
    const least = initialMargin(perps.positionDouble(position, POF_COST), perps.position(position, PO_LEVERAGE));
    if (left < least) return core.refuse(REJECT.INSUFFICIENT_MARGIN, least);
    if (!isSafeWith(core, position, left)) return REJECT.MARGIN_UNHEALTHY;
    giveBack(core, purse, position, 0 - units);
  }
  perps.markDirty(purse);
  emitMargin(core, position, units, false);
  return 0;
}

export function setAutoAppend(core: Core, account: number): number {
  const stand = commandStand(core, account);
  if (stand < 0) return 0 - stand;
  const { perps } = core;
  const flags = perps.stand(stand, ST_FLAGS);
  perps.setStand(stand, ST_FLAGS, core.inputByte(28) !== 0 ? flags | STAND_AUTO_APPEND : flags & ~STAND_AUTO_APPEND);
  perps.markDirty(perps.stand(stand, ST_PURSE));
  emitSettings(core, account, stand);
  return 0;
}

/** Markets of an account's stands. */
export function marketsOf(core: Core, account: number): number[] {
  const markets: number[] = [];
  for (let seat = core.ledger.accountWord(account, A_SEATS); seat !== 0; seat = core.seats.word(seat, SE_NEXT))
    if (core.seats.word(seat, SE_PERP) !== 0) markets.push(core.seats.word(seat, SE_MARKET));
  return markets;
}
