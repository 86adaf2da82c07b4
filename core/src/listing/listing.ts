// Owns what operators do: accounts, assets, markets, their limits and status, fee rates. Never moves money.

import { PRICE_TICKS_MAX, wholeTickLot } from "@clockwork/kit/instrument";
import { wakeByValues } from "../bot/note/prices.ts";
import { noteDelistedBaskets } from "../bot/rebalance/run.ts";
import { noteDelisted } from "../bot/run.ts";
import { markIndebted } from "../debt/owing.ts";
import {
  A_FLAGS,
  A_MARKETS,
  A_RATES,
  ACCOUNT_ALLOW_SELF_TRADE,
  ACCOUNT_BLOCK_OUTGOING,
  ACCOUNT_BLOCK_TRADING,
  AS_FEES_CELL,
  AS_ROUNDING_CELL,
  AS_SCALE,
  AS_SYMBOL,
  ASSET_WORDS,
} from "../ledger/ledger.ts";
import { AM_ACCOUNT, AM_FLAGS, AM_MARKET, AM_NEXT } from "../market/account-markets.ts";
import {
  atMarket,
  KIND_SPOT,
  M_ANCHOR,
  M_BASE,
  M_BASE_FEES_CELL,
  M_BASE_ROUNDING_CELL,
  M_BUY_MAX_BPS,
  M_FEE_GROUP,
  M_INDEX,
  M_KIND,
  M_MARK,
  M_QUOTE,
  M_QUOTE_FEES_CELL,
  M_QUOTE_ROUNDING_CELL,
  M_RESTING_MAX,
  M_SETTLE,
  M_SLIPPAGE_BPS,
  M_STATUS,
  M_SYMBOL,
  MF_HOLD_BASE,
  MF_HOLD_QUOTE,
  MF_MAX_LOTS,
  MF_MAX_MARKET_LOTS,
  MF_MIN_LOTS,
  MF_MIN_NOTIONAL,
  MF_STEP_UNITS,
  MF_TICK_LOT_UNITS,
  STATUS_DELISTED,
} from "../market/markets.ts";
import { getWord, setDouble, setWord } from "../memory/record.ts";
import { endAll, giveUpLists } from "../order/end/cancel-all.ts";
import { observePrice, SOURCE_INDEX, SOURCE_MARK } from "../order/end/prices.ts";
import { followReference } from "../perp/clock.ts";
import { settleMarket } from "../perp/delist.ts";
import { mayMirror, openMirror } from "../perp/demo/markets.ts";
import { areTermsValid, bindBand, faceFactor, openContract } from "../perp/listing.ts";
import { CT_MIRRORED } from "../perp/state/records.ts";
import { commandPlaces } from "../protocol/command.ts";
import { EVENTS, eventPlaces } from "../protocol/event.ts";
import { BOOKS, END_REASONS, MARKET_KINDS, MARKET_STATUSES } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import { type Core, FEE_GROUPS } from "../state/core.ts";
import { noteIndex, revalue } from "../value/value.ts";
import { RATE_MAX, refreshAccount } from "./user-fees.ts";

const CREATE_ACCOUNT = commandPlaces("createAccount");
const LIST_ASSET = commandPlaces("listAsset");
const LIST_MARKET = commandPlaces("listMarket");
const SET_MARKET_LIMITS = commandPlaces("setMarketLimits");
const SET_MARKET_STATUS = commandPlaces("setMarketStatus");
const SET_REFERENCE_PRICE = commandPlaces("setReferencePrice");
const SET_FEE_GROUP = commandPlaces("setFeeGroup");
const SET_ACCOUNT_FEES = commandPlaces("setAccountFees");
const SET_ACCOUNT_FLAGS = commandPlaces("setAccountFlags");

const ACCOUNT_CREATED = eventPlaces("accountCreated");
const ASSET_LISTED = eventPlaces("assetListed");
const MARKET_LISTED = eventPlaces("marketListed");
const MARKET_STATUS = eventPlaces("marketStatus");
const REFERENCE_PRICE = eventPlaces("referencePrice");
const FEES_CHANGED = eventPlaces("feesChanged");

const SCALE_MAX = 18;
const SUB_MAX = 0xffffff;
const HOUSE = BOOKS.indexOf("house");
const REASON_STATUS = END_REASONS.indexOf("MARKET_STATUS");
const MARKETS_MAX = 0x7fff;
const SYMBOL_WORDS = 6;
const ASSET_SYMBOL_WORDS = 4;

export function createAccount(core: Core): number {
  const user = core.readWord(CREATE_ACCOUNT.user);
  const book = core.readByte(CREATE_ACCOUNT.book);
  const sub = core.readWord(CREATE_ACCOUNT.sub);
  const group = core.readWord(CREATE_ACCOUNT.group) === 0 ? user : core.readWord(CREATE_ACCOUNT.group);
  if (user <= 0 || book >= HOUSE || sub < 0 || sub > SUB_MAX || group <= 0) return REJECT.MALFORMED_COMMAND;
  const known = core.ledger.findAccount(user, book, sub);
  const account = known !== 0 ? known : core.ledger.createAccount(user, book, sub, group);
  if (known === 0) markIndebted(core, account);
  const record = core.events.openClean(ACCOUNT_CREATED.kind, book, 0, account, core.sequence);
  core.events.setWord(record, ACCOUNT_CREATED.user, user);
  core.events.setWord(record, ACCOUNT_CREATED.sub, sub);
  core.events.setWord(record, ACCOUNT_CREATED.group, core.ledger.accountWord(account, 3));
  return 0;
}

/** Assets are told apart by symbol: the length byte and text at words 4 to 7 of the record. */
export function listAsset(core: Core): number {
  const scale = core.readByte(LIST_ASSET.scale);
  if (scale > SCALE_MAX || core.readByte(LIST_ASSET.symbol) === 0 || core.readByte(LIST_ASSET.symbol) > 14)
    return REJECT.INVALID_LISTING;
  const symbol = new Int32Array(ASSET_SYMBOL_WORDS);
  const bytes = new Uint8Array(symbol.buffer);
  for (let i = 0; i < 15; i++) bytes[i] = core.readByte(LIST_ASSET.symbol + i);
  for (let asset = 1; asset < core.ledger.assets.count; asset++) {
    const at = asset * ASSET_WORDS + AS_SYMBOL;
    if (symbol.every((word, i) => core.ledger.assets.i32[at + i] === word)) return REJECT.ASSET_EXISTS;
  }
  const asset = core.ledger.listAsset(scale);
  core.ledger.assets.i32.set(symbol, asset * ASSET_WORDS + AS_SYMBOL);
  const record = core.events.openClean(ASSET_LISTED.kind, 0, 0, 0, core.sequence);
  core.events.setWord(record, ASSET_LISTED.asset, asset);
  core.events.setByte(record, ASSET_LISTED.scale, scale);
  core.events.setWords(record, ASSET_LISTED.symbol, symbol, 0, ASSET_SYMBOL_WORDS);
  return 0;
}

export function listMarket(core: Core): number {
  const base = core.readWord(LIST_MARKET.base);
  const quote = core.readWord(LIST_MARKET.quote);
  const stepUnits = core.readDouble(LIST_MARKET.stepUnits);
  const tickMantissa = core.readWord(LIST_MARKET.tickMantissa);
  if (!core.ledger.isAsset(base) || !core.ledger.isAsset(quote)) return REJECT.UNKNOWN_ASSET;
  const shapely = base !== quote && tickMantissa > 0 && stepUnits >= 1 && Number.isSafeInteger(stepUnits);
  const kind = core.readByte(LIST_MARKET.marketKind);
  const known = kind === KIND_SPOT || (kind < MARKET_KINDS.length && areTermsValid(core, kind));
  const named =
    known && core.readByte(LIST_MARKET.status) < MARKET_STATUSES.length && core.readByte(LIST_MARKET.symbol) > 0;
  if (
    !shapely ||
    !named ||
    core.readByte(LIST_MARKET.feeGroup) >= FEE_GROUPS ||
    core.readByte(LIST_MARKET.tickDecimals) > SCALE_MAX
  )
    return REJECT.INVALID_LISTING;
  if (core.markets.table.count > MARKETS_MAX) return REJECT.CAPACITY;
  const scales = [core.ledger.assetWord(base, AS_SCALE), core.ledger.assetWord(quote, AS_SCALE)] as const;
  const inverse = MARKET_KINDS[kind] === "inverse";
  const tick = { units: BigInt(tickMantissa), scale: core.readByte(LIST_MARKET.tickDecimals) };
  const factor = inverse
    ? faceFactor(core.readDouble(LIST_MARKET.faceUnits), tick, scales[0], scales[1])
    : wholeTickLot(tick, BigInt(stepUnits), scales[0], scales[1]);
  if (factor === 0) return REJECT.TICK_STEP_NOT_WHOLE;
  if (!areLimitsValid(core)) return REJECT.INVALID_LISTING;
  const mirror = kind === KIND_SPOT ? 0 : core.readWord(LIST_MARKET.mirror);
  if (mirror !== 0 && !mayMirror(core, mirror, kind, base, quote, factor)) return REJECT.INVALID_LISTING;
  if (isSymbolTaken(core)) return REJECT.MARKET_EXISTS;
  const market = core.markets.add();
  core.books.open(market);
  core.triggers.open(market);
  core.perps.open(market);
  core.bots.open(market);
  // An inverse contract's lot is its face; its value is no multiple of the price.
  writeMarket(
    core,
    market,
    base,
    quote,
    inverse ? core.readDouble(LIST_MARKET.faceUnits) : stepUnits,
    inverse ? 0 : factor,
  );
  writeLimits(core, market);
  core.markets.setBand(market);
  emitListed(core, market);
  if (kind !== KIND_SPOT) openContract(core, market, kind, factor);
  if (mirror !== 0) openMirror(core, market, mirror);
  return 0;
}

function isSymbolTaken(core: Core): boolean {
  const symbolAt = core.textAt(LIST_MARKET.symbol);
  for (let market = 1; market < core.markets.table.count; market++) {
    let same = true;
    for (let i = 0; i < SYMBOL_WORDS; i++) {
      if (core.markets.word(market, M_SYMBOL + i) !== core.inputWords[symbolAt + i]) same = false;
    }
    if (same && core.markets.word(market, M_STATUS) !== STATUS_DELISTED) return true;
  }
  return false;
}

function writeMarket(
  core: Core,
  market: number,
  base: number,
  quote: number,
  stepUnits: number,
  tickLot: number,
): void {
  const words = core.markets.words;
  const at = atMarket(market);
  setWord(words, at, M_KIND, core.readByte(LIST_MARKET.marketKind));
  setWord(words, at, M_STATUS, core.readByte(LIST_MARKET.status));
  setWord(words, at, M_FEE_GROUP, core.readByte(LIST_MARKET.feeGroup));
  setWord(words, at, M_BASE, base);
  setWord(words, at, M_QUOTE, quote);
  setWord(words, at, M_SETTLE, core.readWord(LIST_MARKET.settle) === 0 ? quote : core.readWord(LIST_MARKET.settle));
  setWord(words, at, M_BASE_FEES_CELL, core.ledger.assetWord(base, AS_FEES_CELL));
  setWord(words, at, M_QUOTE_FEES_CELL, core.ledger.assetWord(quote, AS_FEES_CELL));
  setWord(words, at, M_BASE_ROUNDING_CELL, core.ledger.assetWord(base, AS_ROUNDING_CELL));
  setWord(words, at, M_QUOTE_ROUNDING_CELL, core.ledger.assetWord(quote, AS_ROUNDING_CELL));
  const symbolAt = core.textAt(LIST_MARKET.symbol);
  for (let i = 0; i < SYMBOL_WORDS; i++) setWord(words, at, M_SYMBOL + i, core.inputWords[symbolAt + i] as number);
  setDouble(core.markets.doubles, atMarket(market), MF_STEP_UNITS, stepUnits);
  setDouble(core.markets.doubles, atMarket(market), MF_TICK_LOT_UNITS, tickLot);
  const spot = core.readByte(LIST_MARKET.marketKind) === KIND_SPOT;
  setDouble(core.markets.doubles, atMarket(market), MF_HOLD_BASE, spot ? stepUnits : 0);
  setDouble(core.markets.doubles, atMarket(market), MF_HOLD_QUOTE, spot ? tickLot : 0);
}

function areLimitsValid(core: Core): boolean {
  for (let double = LIST_MARKET.minLots; double <= LIST_MARKET.minNotionalUnits; double++) {
    const value = core.readDouble(double);
    if (!(value >= 0) || !Number.isSafeInteger(value)) return false;
  }
  for (let word = LIST_MARKET.buyMaxBps; word <= LIST_MARKET.listMax; word++) if (core.readWord(word) < 0) return false;
  return core.readWord(LIST_MARKET.anchorTicks) <= PRICE_TICKS_MAX && core.readWord(LIST_MARKET.slippageBps) < 10_000;
}

/** Bytes 88 to 155, the same in listMarket and setMarketLimits; a maximum of 0 means none. */
function writeLimits(core: Core, market: number): void {
  const f64 = core.markets.doubles;
  const words = core.markets.words;
  const at = atMarket(market);
  const maxLots =
    core.readDouble(LIST_MARKET.maxLots) === 0 ? Number.MAX_SAFE_INTEGER : core.readDouble(LIST_MARKET.maxLots);
  setDouble(f64, atMarket(market), MF_MIN_LOTS, Math.max(1, core.readDouble(LIST_MARKET.minLots)));
  setDouble(f64, atMarket(market), MF_MAX_LOTS, maxLots);
  setDouble(
    f64,
    atMarket(market),
    MF_MAX_MARKET_LOTS,
    core.readDouble(LIST_MARKET.maxMarketLots) === 0 ? maxLots : core.readDouble(LIST_MARKET.maxMarketLots),
  );
  setDouble(f64, atMarket(market), MF_MIN_NOTIONAL, core.readDouble(LIST_MARKET.minNotionalUnits));
  for (let i = 0; i < 4; i++) setWord(words, at, M_BUY_MAX_BPS + i, core.readWord(LIST_MARKET.buyMaxBps + i));
  if (core.readWord(LIST_MARKET.anchorTicks) !== 0)
    setWord(words, at, M_ANCHOR, core.readWord(LIST_MARKET.anchorTicks));
  setWord(words, at, M_SLIPPAGE_BPS, core.readWord(LIST_MARKET.slippageBps));
  for (let i = 0; i < 3; i++) setWord(words, at, M_RESTING_MAX + i, core.readWord(LIST_MARKET.restingMax + i));
}

function emitListed(core: Core, market: number): void {
  const record = core.events.openClean(
    MARKET_LISTED.kind,
    core.readByte(LIST_MARKET.marketKind),
    core.readByte(LIST_MARKET.status),
    0,
    core.sequence,
  );
  core.events.setWord(record, MARKET_LISTED.market, market);
  core.events.setWord(record, MARKET_LISTED.base, core.markets.word(market, M_BASE));
  core.events.setWord(record, MARKET_LISTED.quote, core.markets.word(market, M_QUOTE));
  core.events.setDouble(record, MARKET_LISTED.stepUnits, core.markets.double(market, MF_STEP_UNITS));
  core.events.setDouble(record, MARKET_LISTED.tickLotUnits, core.markets.double(market, MF_TICK_LOT_UNITS));
}

export function setMarketLimits(core: Core): number {
  const market = core.readWord(SET_MARKET_LIMITS.market);
  if (!core.markets.isMarket(market)) return REJECT.UNKNOWN_MARKET;
  if (!areLimitsValid(core) || core.readByte(SET_MARKET_LIMITS.feeGroup) >= FEE_GROUPS) return REJECT.INVALID_LISTING;
  setWord(core.markets.words, atMarket(market), M_FEE_GROUP, core.readByte(SET_MARKET_LIMITS.feeGroup));
  // Trades that have left the window must not speak against the operator's anchor.
  core.markets.refreshBand(market, core.now);
  writeLimits(core, market);
  if (core.perps.isPerp(market)) bindBand(core, market);
  core.markets.setBand(market);
  refreshRates(core);
  return 0;
}

export function setMarketStatus(core: Core): number {
  const market = core.readWord(SET_MARKET_STATUS.market);
  const status = core.readByte(SET_MARKET_STATUS.status);
  if (!core.markets.isMarket(market)) return REJECT.UNKNOWN_MARKET;
  if (status >= MARKET_STATUSES.length) return REJECT.MALFORMED_COMMAND;
  if (core.markets.word(market, M_STATUS) === STATUS_DELISTED) return REJECT.INVALID_STATUS_CHANGE;
  applyStatus(core, market, status);
  // A demo market opens, rests and ends with the real one it follows.
  const demo = core.perps.contract(market, CT_MIRRORED);
  if (demo !== 0 && core.markets.word(demo, M_STATUS) !== STATUS_DELISTED) applyStatus(core, demo, status);
  if (status === STATUS_DELISTED) revalue(core, core.markets.word(market, M_BASE));
  return 0;
}

function applyStatus(core: Core, market: number, status: number): void {
  setWord(core.markets.words, atMarket(market), M_STATUS, status);
  const record = core.events.openClean(MARKET_STATUS.kind, status, 0, 0, core.sequence);
  core.events.setWord(record, MARKET_STATUS.market, market);
  if (status !== STATUS_DELISTED) return;
  const slots: number[] = [];
  for (let accountMarket = 1; accountMarket < core.accountMarkets.table.count; accountMarket++) {
    if (core.accountMarkets.word(accountMarket, AM_MARKET) === market)
      slots.push(...core.accountMarkets.openOrdersOf(accountMarket));
  }
  giveUpLists(core, slots);
  endAll(core, slots, REASON_STATUS);
  if (core.perps.isPerp(market)) settleMarket(core, market);
  noteDelisted(core, market);
  noteDelistedBaskets(core, market);
}

export function setReferencePrice(core: Core): number {
  const market = core.readWord(SET_REFERENCE_PRICE.market);
  if (!core.markets.isMarket(market)) return REJECT.UNKNOWN_MARKET;
  const mark = core.readWord(SET_REFERENCE_PRICE.markTicks);
  const index = core.readWord(SET_REFERENCE_PRICE.indexTicks);
  if (mark < 0 || index < 0 || mark > PRICE_TICKS_MAX || index > PRICE_TICKS_MAX) return REJECT.INVALID_PRICE;
  const words = core.markets.words;
  const at = atMarket(market);
  if (mark !== 0) setWord(words, at, M_MARK, mark);
  if (index !== 0) setWord(words, at, M_INDEX, index);
  const record = core.events.openClean(REFERENCE_PRICE.kind, 0, 0, 0, core.sequence);
  core.events.setWord(record, REFERENCE_PRICE.market, market);
  core.events.setWord(record, REFERENCE_PRICE.markTicks, getWord(words, at, M_MARK));
  core.events.setWord(record, REFERENCE_PRICE.indexTicks, getWord(words, at, M_INDEX));
  if (mark !== 0) observePrice(core, market, SOURCE_MARK);
  if (index !== 0) observePrice(core, market, SOURCE_INDEX);
  if (index !== 0) {
    noteIndex(core, market);
    wakeByValues(core);
  }
  if (core.perps.isPerp(market)) followReference(core, market, mark !== 0);
  return 0;
}

export function setFeeGroup(core: Core): number {
  const group = core.readByte(SET_FEE_GROUP.feeGroup);
  const maker = core.readWord(SET_FEE_GROUP.makerRate);
  const taker = core.readWord(SET_FEE_GROUP.takerRate);
  if (group >= FEE_GROUPS) return REJECT.MALFORMED_COMMAND;
  if (maker < 0 || taker < 0 || maker > RATE_MAX || taker > RATE_MAX) return REJECT.INVALID_FEE_RATE;
  core.feeGroups.i32[group * 2] = maker;
  core.feeGroups.i32[group * 2 + 1] = taker;
  emitFees(core, 0, group, maker, taker);
  refreshRates(core);
  return 0;
}

export function setAccountFees(core: Core, account: number): number {
  const group = core.readByte(SET_ACCOUNT_FEES.feeGroup);
  const maker = core.readWord(SET_ACCOUNT_FEES.makerRate);
  const taker = core.readWord(SET_ACCOUNT_FEES.takerRate);
  if (!core.ledger.isUserAccount(account)) return REJECT.UNKNOWN_ACCOUNT;
  if (group >= FEE_GROUPS) return REJECT.MALFORMED_COMMAND;
  if (maker < -1 || taker < -1 || maker > RATE_MAX || taker > RATE_MAX) return REJECT.INVALID_FEE_RATE;
  core.ledger.setAccountWord(account, A_RATES + group * 2, maker + 1);
  core.ledger.setAccountWord(account, A_RATES + group * 2 + 1, taker + 1);
  emitFees(core, account, group, maker, taker);
  refreshAccount(core, account);
  return 0;
}

function emitFees(core: Core, account: number, group: number, maker: number, taker: number): void {
  const record = core.events.openClean(FEES_CHANGED.kind, group, 0, account, core.sequence);
  core.events.setWord(record, FEES_CHANGED.makerRate, maker);
  core.events.setWord(record, FEES_CHANGED.takerRate, taker);
}

function refreshRates(core: Core): void {
  for (let accountMarket = 1; accountMarket < core.accountMarkets.table.count; accountMarket++) {
    core.setAccountMarketRates(
      core.accountMarkets.word(accountMarket, AM_ACCOUNT),
      accountMarket,
      core.accountMarkets.word(accountMarket, AM_MARKET),
    );
  }
}

export function setAccountFlags(core: Core, account: number): number {
  if (!core.ledger.isUserAccount(account)) return REJECT.UNKNOWN_ACCOUNT;
  const requested =
    (core.readByte(SET_ACCOUNT_FLAGS.blockTrading) !== 0 ? ACCOUNT_BLOCK_TRADING : 0) |
    (core.readByte(SET_ACCOUNT_FLAGS.blockOutgoing) !== 0 ? ACCOUNT_BLOCK_OUTGOING : 0) |
    (core.readByte(SET_ACCOUNT_FLAGS.allowSelfTrade) !== 0 ? ACCOUNT_ALLOW_SELF_TRADE : 0);
  const mask = ACCOUNT_BLOCK_TRADING | ACCOUNT_BLOCK_OUTGOING | ACCOUNT_ALLOW_SELF_TRADE;
  const flags = (core.ledger.accountWord(account, A_FLAGS) & ~mask) | requested;
  core.ledger.setAccountWord(account, A_FLAGS, flags);
  for (
    let accountMarket = core.ledger.accountWord(account, A_MARKETS);
    accountMarket !== 0;
    accountMarket = core.accountMarkets.word(accountMarket, AM_NEXT)
  ) {
    core.accountMarkets.setWord(accountMarket, AM_FLAGS, flags);
  }
  core.events.openClean(EVENTS.accountFlags.kind, 0, flags, account, core.sequence);
  return 0;
}
