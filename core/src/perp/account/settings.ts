// Owns the settings of futures accounts: modes, leverage, margin mode and margin of isolated positions. Each is refused
// when it would leave a margin that cannot carry what is open. Never trades.
import { leastSafeMargin } from "@clockwork/kit/margin";
import { isSubBook } from "../../copy/share/funds.ts";
import { A_COPY, A_MARKETS, A_PERP, A_USER } from "../../ledger/ledger.ts";
import { AM_CONDITIONALS, AM_MARKET, AM_NEXT, AM_RESTING, AM_SYMBOL_MARGIN } from "../../market/account-markets.ts";
import { commandPlaces } from "../../protocol/command.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { KEPT_MODES } from "../../protocol/names.ts";
import { REJECT } from "../../protocol/rejection.ts";
import { isBotBook, mayTrade } from "../../state/access.ts";
import type { Core } from "../../state/core.ts";
import { giveBack, setAside } from "../margin/cash.ts";
import { emitPosition } from "../margin/emit.ts";
import { freeMargin, holdingOf, isDue, scopePositions } from "../margin/equity.ts";
import { markStale, symbolMarginOf } from "../margin/exposure.ts";
import { noteMargin } from "../margin/lead.ts";
import { namedPosition } from "../margin/named.ts";
import { emitMargin } from "../margin/watch.ts";
import {
  CT_LEVERAGE_MAX,
  MA_CELL,
  MODE_AUTO_APPEND,
  MODE_HEDGE,
  MODE_ISOLATED,
  MODE_SPLIT,
  MODE_WATCHED,
  PO_LEVERAGE,
  POF_COST,
  POF_MARGIN,
  SM_FLAGS,
  SM_LEVERAGE_LONG,
  SM_LEVERAGE_SHORT,
  SM_LONG,
  SM_MARGIN_ACCOUNT,
  SM_MARKET,
  SM_SHORT,
  SM_SPLITS,
  SMF_BUY_VALUE,
  SMF_SELL_VALUE,
} from "../state/records.ts";
import { capOfLeverage, initialMargin } from "../state/values.ts";

const SET_POSITION_MODE = commandPlaces("setPositionMode");
const SET_LEVERAGE = commandPlaces("setLeverage");
const SET_MARGIN_MODE = commandPlaces("setMarginMode");
const CHANGE_MARGIN = commandPlaces("changeMargin");
const SET_AUTO_APPEND = commandPlaces("setAutoAppend");

const PERP_SETTINGS = eventPlaces("perpSettings");

/** The symbol margin a command's market names, made when the account may trade there; a negative number is a code. */
export function commandSymbolMargin(core: Core, account: number): number {
  const market = core.readWord(SET_LEVERAGE.market);
  if (!core.markets.isMarket(market)) return 0 - REJECT.UNKNOWN_MARKET;
  if (!core.perps.isPerp(market)) return 0 - REJECT.NOT_A_PERPETUAL;
  if (core.accountMarkets.find(account, market) === 0 && !mayTrade(core, account, market))
    return 0 - REJECT.BOOK_NOT_TRADABLE;
  return symbolMarginOf(core, core.accountMarketOf(account, market));
}

function emitSettings(core: Core, account: number, symbolMargin: number): void {
  const { perps } = core;
  const flags =
    symbolMargin === 0 ? core.ledger.accountWord(account, A_PERP) : perps.symbolMargin(symbolMargin, SM_FLAGS);
  const record = core.events.openClean(PERP_SETTINGS.kind, 0, flags & 15, account, core.sequence);
  if (symbolMargin === 0) return;
  core.events.setWord(record, PERP_SETTINGS.market, perps.symbolMargin(symbolMargin, SM_MARKET));
  core.events.setWord(record, PERP_SETTINGS.leverageLong, perps.symbolMargin(symbolMargin, SM_LEVERAGE_LONG));
  core.events.setWord(record, PERP_SETTINGS.leverageShort, perps.symbolMargin(symbolMargin, SM_LEVERAGE_SHORT));
}

const KEEPS_HEDGE = KEPT_MODES.indexOf("hedge");
const KEEPS_SPLIT = KEPT_MODES.indexOf("split");

/** All accounts the command names change, or none. */
export function setPositionMode(core: Core, account: number): number {
  const { ledger } = core;
  const accounts = [account];
  for (let word = SET_POSITION_MODE.also1; word <= SET_POSITION_MODE.also7; word++) {
    const also = core.readWord(word);
    if (also === 0) continue;
    const isOwn =
      ledger.isUserAccount(also) && ledger.accountWord(also, A_USER) === ledger.accountWord(account, A_USER);
    if (!isOwn) return REJECT.UNKNOWN_ACCOUNT;
    if (isBotBook(core, also)) return REJECT.BOT_BOOK_CLOSED;
    accounts.push(also);
  }
  for (const one of accounts) {
    const code = checkModes(core, one, wantedModes(core, one));
    if (code !== 0) return code;
  }
  for (const one of accounts) applyModes(core, one, wantedModes(core, one));
  return 0;
}

function wantedModes(core: Core, account: number): number {
  const now = core.ledger.accountWord(account, A_PERP);
  const keeps = core.readByte(SET_POSITION_MODE.keeps);
  const hedge =
    keeps === KEEPS_HEDGE ? now & MODE_HEDGE : core.readByte(SET_POSITION_MODE.hedge) !== 0 ? MODE_HEDGE : 0;
  // One-way mode always merges.
  if (keeps === KEEPS_SPLIT) return hedge === 0 ? 0 : hedge | (now & MODE_SPLIT);
  return hedge | (core.readByte(SET_POSITION_MODE.split) !== 0 ? MODE_SPLIT : 0);
}

function checkModes(core: Core, account: number, modes: number): number {
  const split = (modes & MODE_SPLIT) !== 0;
  if (split && (modes & MODE_HEDGE) === 0) return REJECT.INVALID_COMBINATION;
  // Copies are made side by side: a sub-book always keeps both apart, a leader's positions can be told by their side.
  if (core.ledger.accountWord(account, A_COPY) !== 0 && (split || isSubBook(core, account))) return REJECT.MODE_LOCKED;
  const { perps, accountMarkets, ledger } = core;
  for (
    let accountMarket = ledger.accountWord(account, A_MARKETS);
    accountMarket !== 0;
    accountMarket = accountMarkets.word(accountMarket, AM_NEXT)
  ) {
    // Where nothing was ever ordered it is the record of none, which holds nothing.
    const symbolMargin = accountMarkets.word(accountMarket, AM_SYMBOL_MARGIN);
    const open =
      perps.lots(perps.symbolMargin(symbolMargin, SM_LONG)) !== 0 ||
      perps.lots(perps.symbolMargin(symbolMargin, SM_SHORT)) !== 0 ||
      perps.symbolMargin(symbolMargin, SM_SPLITS) !== 0;
    if (
      open ||
      accountMarkets.word(accountMarket, AM_RESTING) !== 0 ||
      accountMarkets.word(accountMarket, AM_CONDITIONALS) !== 0
    )
      return REJECT.MODE_LOCKED;
  }
  return 0;
}

function applyModes(core: Core, account: number, modes: number): void {
  const { perps, accountMarkets, ledger } = core;
  ledger.setAccountWord(account, A_PERP, modes | (ledger.accountWord(account, A_PERP) & MODE_WATCHED));
  for (
    let accountMarket = ledger.accountWord(account, A_MARKETS);
    accountMarket !== 0;
    accountMarket = accountMarkets.word(accountMarket, AM_NEXT)
  ) {
    const symbolMargin = accountMarkets.word(accountMarket, AM_SYMBOL_MARGIN);
    if (symbolMargin === 0) continue;
    const kept = perps.symbolMargin(symbolMargin, SM_FLAGS) & ~(MODE_HEDGE | MODE_SPLIT);
    perps.setSymbolMargin(symbolMargin, SM_FLAGS, kept | modes | ((modes & MODE_SPLIT) !== 0 ? MODE_ISOLATED : 0));
  }
  emitSettings(core, account, 0);
}

export function setLeverage(core: Core, account: number): number {
  const symbolMargin = commandSymbolMargin(core, account);
  if (symbolMargin < 0) return 0 - symbolMargin;
  const { perps } = core;
  const market = perps.symbolMargin(symbolMargin, SM_MARKET);
  const oldLong = perps.symbolMargin(symbolMargin, SM_LEVERAGE_LONG);
  const oldShort = perps.symbolMargin(symbolMargin, SM_LEVERAGE_SHORT);
  const long = core.readWord(SET_LEVERAGE.long) === 0 ? oldLong : core.readWord(SET_LEVERAGE.long);
  const short =
    core.readWord(SET_LEVERAGE.short) === 0
      ? core.readWord(SET_LEVERAGE.long) === 0
        ? oldShort
        : long
      : core.readWord(SET_LEVERAGE.short);
  const most = perps.contract(market, CT_LEVERAGE_MAX);
  if (long < 1 || short < 1 || long > most || short > most) return core.refuse(REJECT.INVALID_LEVERAGE, most);
  const code = checkCaps(core, symbolMargin, market, long, short);
  if (code !== 0) return code;
  applyLeverage(core, symbolMargin, long, short);
  const marginAccount = perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT);
  const owed = owedMargin(core, symbolMargin, oldLong, oldShort);
  if (
    freeMargin(core, marginAccount) < Math.max(0, owed) ||
    core.ledger.available(perps.marginAccount(marginAccount, MA_CELL)) < owed
  ) {
    applyLeverage(core, symbolMargin, oldLong, oldShort);
    return core.refuse(REJECT.INSUFFICIENT_MARGIN, Math.max(0, freeMargin(core, marginAccount)));
  }
  rescaleMargins(core, symbolMargin);
  emitSettings(core, account, symbolMargin);
  return 0;
}

/** A leverage must allow what is open and ordered already. */
function checkCaps(core: Core, symbolMargin: number, market: number, long: number, short: number): number {
  const { perps } = core;
  const hedge = (perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_HEDGE) !== 0;
  const cost = perps.positionDouble(perps.symbolMargin(symbolMargin, SM_LONG), POF_COST);
  const shortCost = perps.positionDouble(perps.symbolMargin(symbolMargin, SM_SHORT), POF_COST);
  const buys = perps.symbolMarginDouble(symbolMargin, SMF_BUY_VALUE);
  const sells = perps.symbolMarginDouble(symbolMargin, SMF_SELL_VALUE);
  const longCap = capOfLeverage(perps, market, long);
  const shortCap = hedge ? capOfLeverage(perps, market, short) : longCap;
  const signed = perps.lots(perps.symbolMargin(symbolMargin, SM_LONG)) < 0 ? 0 - cost : cost;
  const up = hedge ? cost + buys : Math.max(Math.abs(signed), signed + buys);
  const down = hedge ? shortCost + sells : sells - signed;
  if (up > longCap) return core.refuse(REJECT.POSITION_LIMIT, longCap);
  return down > shortCap ? core.refuse(REJECT.POSITION_LIMIT, shortCap) : 0;
}

function applyLeverage(core: Core, symbolMargin: number, long: number, short: number): void {
  const { perps } = core;
  perps.setSymbolMargin(symbolMargin, SM_LEVERAGE_LONG, long);
  perps.setSymbolMargin(symbolMargin, SM_LEVERAGE_SHORT, short);
  perps.setPosition(perps.symbolMargin(symbolMargin, SM_LONG), PO_LEVERAGE, long);
  perps.setPosition(perps.symbolMargin(symbolMargin, SM_SHORT), PO_LEVERAGE, short);
  markStale(core, symbolMargin);
}

/** What isolated positions must be topped up with after a leverage was lowered. */
function owedMargin(core: Core, symbolMargin: number, oldLong: number, oldShort: number): number {
  const { perps } = core;
  if ((perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_ISOLATED) === 0) return 0;
  let owed = 0;
  for (const [side, old] of [
    [SM_LONG, oldLong],
    [SM_SHORT, oldShort],
  ] as const) {
    const position = perps.symbolMargin(symbolMargin, side);
    const cost = perps.positionDouble(position, POF_COST);
    owed += Math.max(0, initialMargin(cost, perps.position(position, PO_LEVERAGE)) - initialMargin(cost, old));
  }
  return owed;
}

/** Isolated margins follow the leverage: down as far as it stays safe, up from the wallet. */
function rescaleMargins(core: Core, symbolMargin: number): void {
  const { perps } = core;
  if ((perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_ISOLATED) === 0) return;
  const marginAccount = perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT);
  for (const side of [SM_LONG, SM_SHORT]) {
    const position = perps.symbolMargin(symbolMargin, side);
    if (perps.lots(position) === 0) continue;
    const wanted = initialMargin(perps.positionDouble(position, POF_COST), perps.position(position, PO_LEVERAGE));
    const margin = perps.positionDouble(position, POF_MARGIN);
    if (wanted > margin) setAside(core, marginAccount, position, wanted - margin);
    else if (wanted < margin && isSafeWith(core, position, wanted))
      giveBack(core, marginAccount, position, margin - wanted);
    emitPosition(core.views, position, 0);
  }
  perps.markDirty(marginAccount);
}

/** Whether a margin would keep the liquidation price 0.5 % away from the mark. */
function isSafeWith(core: Core, position: number, margin: number): boolean {
  return BigInt(margin) >= leastSafeMargin(holdingOf(core, position));
}

export function setMarginMode(core: Core, account: number): number {
  const symbolMargin = commandSymbolMargin(core, account);
  if (symbolMargin < 0) return 0 - symbolMargin;
  const { perps } = core;
  const flags = perps.symbolMargin(symbolMargin, SM_FLAGS);
  const isolated = core.readByte(SET_MARGIN_MODE.isolated) !== 0;
  if ((flags & MODE_SPLIT) !== 0 && !isolated) return REJECT.MODE_LOCKED;
  if (((flags & MODE_ISOLATED) !== 0) === isolated) {
    emitSettings(core, account, symbolMargin);
    return 0;
  }
  const open = [perps.symbolMargin(symbolMargin, SM_LONG), perps.symbolMargin(symbolMargin, SM_SHORT)].filter(
    (one) => perps.lots(one) !== 0,
  );
  if (open.some((position) => isDue(core, position))) return REJECT.MARGIN_UNHEALTHY;
  const code = isolated ? isolate(core, symbolMargin, open) : join(core, symbolMargin, open);
  if (code !== 0) return code;
  perps.markDirty(perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT));
  for (const position of open) emitPosition(core.views, position, 0);
  emitSettings(core, account, symbolMargin);
  return 0;
}

function setIsolated(core: Core, symbolMargin: number, isolated: boolean): void {
  const { perps } = core;
  const flags = perps.symbolMargin(symbolMargin, SM_FLAGS);
  perps.setSymbolMargin(symbolMargin, SM_FLAGS, isolated ? flags | MODE_ISOLATED : flags & ~MODE_ISOLATED);
  markStale(core, symbolMargin);
}

/** Gives each open position its initial margin from the wallet; undone when anything would be unhealthy. */
function isolate(core: Core, symbolMargin: number, open: readonly number[]): number {
  const { perps } = core;
  const marginAccount = perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT);
  const needs = open.map((one) => initialMargin(perps.positionDouble(one, POF_COST), perps.position(one, PO_LEVERAGE)));
  const sum = needs.reduce((total, need) => total + need, 0);
  const available = core.ledger.available(perps.marginAccount(marginAccount, MA_CELL));
  if (available < sum) return core.refuse(REJECT.INSUFFICIENT_MARGIN, available);
  const cross = open.length === 0 ? [] : scopePositions(core, open[0] as number).filter((one) => !open.includes(one));
  setIsolated(core, symbolMargin, true);
  for (const [i, position] of open.entries()) setAside(core, marginAccount, position, needs[i] as number);
  const bad = open.some((one) => isDue(core, one)) || (cross.length > 0 && isDue(core, cross[0] as number));
  if (!bad) return 0;
  for (const position of open) giveBack(core, marginAccount, position, perps.positionDouble(position, POF_MARGIN));
  setIsolated(core, symbolMargin, false);
  return REJECT.MARGIN_UNHEALTHY;
}

/** Puts isolated margins back into the wallet that then carries all; undone when that would be unhealthy. */
function join(core: Core, symbolMargin: number, open: readonly number[]): number {
  const { perps } = core;
  const marginAccount = perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT);
  const margins = open.map((one) => perps.positionDouble(one, POF_MARGIN));
  for (const [i, position] of open.entries()) giveBack(core, marginAccount, position, margins[i] as number);
  setIsolated(core, symbolMargin, false);
  if (!open.some((one) => isDue(core, one))) return 0;
  setIsolated(core, symbolMargin, true);
  for (const [i, position] of open.entries()) setAside(core, marginAccount, position, margins[i] as number);
  return REJECT.MARGIN_UNHEALTHY;
}

export function changeMargin(core: Core, account: number): number {
  const symbolMargin = commandSymbolMargin(core, account);
  if (symbolMargin < 0) return 0 - symbolMargin;
  const { perps } = core;
  const units = core.readDouble(CHANGE_MARGIN.units);
  if ((perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_ISOLATED) === 0) return REJECT.MARGIN_NOT_ISOLATED;
  const position = namedPosition(core, symbolMargin);
  if (position === 0) return REJECT.UNKNOWN_POSITION;
  if (units === 0 || !Number.isSafeInteger(units)) return REJECT.INVALID_AMOUNT;
  const marginAccount = perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT);
  if (units > 0) {
    const free = Math.min(
      freeMargin(core, marginAccount),
      core.ledger.available(perps.marginAccount(marginAccount, MA_CELL)),
    );
    if (units > free) return core.refuse(REJECT.INSUFFICIENT_MARGIN, Math.max(0, free));
    noteMargin(core, position, units, perps.positionDouble(position, POF_MARGIN));
    setAside(core, marginAccount, position, units);
  } else {
    const left = perps.positionDouble(position, POF_MARGIN) + units;
    const least = initialMargin(perps.positionDouble(position, POF_COST), perps.position(position, PO_LEVERAGE));
    if (left < least) return core.refuse(REJECT.INSUFFICIENT_MARGIN, least);
    if (!isSafeWith(core, position, left)) return REJECT.MARGIN_UNHEALTHY;
    giveBack(core, marginAccount, position, 0 - units);
  }
  perps.markDirty(marginAccount);
  emitMargin(core, position, units, false);
  return 0;
}

export function setAutoAppend(core: Core, account: number): number {
  const symbolMargin = commandSymbolMargin(core, account);
  if (symbolMargin < 0) return 0 - symbolMargin;
  const { perps } = core;
  const flags = perps.symbolMargin(symbolMargin, SM_FLAGS);
  perps.setSymbolMargin(
    symbolMargin,
    SM_FLAGS,
    core.readByte(SET_AUTO_APPEND.on) !== 0 ? flags | MODE_AUTO_APPEND : flags & ~MODE_AUTO_APPEND,
  );
  perps.markDirty(perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT));
  emitSettings(core, account, symbolMargin);
  return 0;
}

/** Markets of an account's symbol margins. */
export function marketsOf(core: Core, account: number): number[] {
  const markets: number[] = [];
  for (
    let accountMarket = core.ledger.accountWord(account, A_MARKETS);
    accountMarket !== 0;
    accountMarket = core.accountMarkets.word(accountMarket, AM_NEXT)
  )
    if (core.accountMarkets.word(accountMarket, AM_SYMBOL_MARGIN) !== 0)
      markets.push(core.accountMarkets.word(accountMarket, AM_MARKET));
  return markets;
}
