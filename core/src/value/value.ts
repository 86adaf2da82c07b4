// Owns the one valuation of assets in USDT that every decision uses. A trusted index comes first. Without one it is the median
// of the prices observed every ten seconds over ten minutes, each at most 0.25 % from the one before: what somebody does to
// a thin book must last to count. Runs before a command that is due, on the state as it stood until then.

import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { atTop, T_ASK, T_BID, T_LAST } from "../book/book.ts";
import { AS_SYMBOL, ASSET_WORDS } from "../ledger/ledger.ts";
import {
  KIND_SPOT,
  M_ANCHOR,
  M_BASE,
  M_INDEX,
  M_KIND,
  M_MARK,
  M_QUOTE,
  M_STATUS,
  MF_STEP_UNITS,
  MF_TICK_LOT_UNITS,
  STATUS_AUCTION,
  STATUS_DELISTED,
} from "../market/markets.ts";
import { addWord, getDouble, getWord, setDouble, setWord } from "../memory/record.ts";
import { CT_DEGRADED, CT_KIND, CT_MIRROR } from "../perp/state/records.ts";
import { eventPlaces } from "../protocol/event.ts";
import { VALUE_SOURCES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";
import {
  AV_SOURCE,
  AVF_DOWN,
  AVF_UP,
  MV_COUNT,
  MV_NEXT,
  MV_OBSERVED,
  MVF_INDEX_AT,
  OBSERVATIONS,
} from "./state/records.ts";

const ASSET_VALUED = eventPlaces("assetValued");

export const OBSERVE_MS = 10_000;
/** How far an observation may lie from the one before. */
const STEP_BPS = 25;
/** How long the index of a spot market counts after it was set. */
export const INDEX_FRESH_MS = 60_000;
/** "USDT" with its length byte, as listAsset keeps symbols. */
const USDT_WORDS = [0x44535504, 0x54, 0, 0];
const LINEAR = 1;
const NONE = VALUE_SOURCES.indexOf("none");
const INDEX = VALUE_SOURCES.indexOf("index");
const MEDIAN = VALUE_SOURCES.indexOf("median");
const WHOLE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Value of units in USDT units: units × up ÷ down, 0 ÷ 1 while none is known. */
export interface Price {
  readonly up: bigint;
  readonly down: bigint;
}
interface Valued extends Price {
  readonly source: number;
}
const UNKNOWN: Valued = { up: 0n, down: 1n, source: NONE };

function findUsdt(core: Core): number {
  const { assets } = core.ledger;
  for (let asset = 1; asset < assets.count; asset++) {
    const at = asset * ASSET_WORDS + AS_SYMBOL;
    if (USDT_WORDS.every((word, i) => assets.i32[at + i] === word)) return asset;
  }
  return 0;
}

/** What an asset is worth in USDT, as it was published last. */
export function fairValue(core: Core, asset: number): Price {
  if (asset === findUsdt(core)) return { up: 1n, down: 1n };
  const { valueUp, valueDown } = core.values.read(asset);
  return valueDown === 0 ? UNKNOWN : { up: BigInt(valueUp), down: BigInt(valueDown) };
}

/** The fair price of a market in ticks, rounded down: of a spot market by the values of its coins, else the mark; 0 while unknown. */
export function fairTicks(core: Core, market: number): number {
  const { markets } = core;
  if (markets.word(market, M_KIND) !== KIND_SPOT) return markets.word(market, M_MARK);
  const quote = fairValue(core, markets.word(market, M_QUOTE));
  return quote.up === 0n ? 0 : ticksOf(core, market, fairValue(core, markets.word(market, M_BASE)), quote);
}

function ticksOf(core: Core, market: number, base: Price, quote: Price): number {
  const { markets } = core;
  const up = base.up * quote.down * BigInt(markets.double(market, MF_STEP_UNITS));
  const whole = up / (base.down * quote.up * BigInt(markets.double(market, MF_TICK_LOT_UNITS)));
  return whole > BigInt(PRICE_TICKS_MAX) ? PRICE_TICKS_MAX : Number(whole);
}

/** Takes the observations that are due, then publishes every value that changed. */
export function refreshValues(core: Core): void {
  const { values, markets, ledger } = core;
  if (core.now < values.nextAt || markets.table.count === 1) return;
  const isFirst = values.nextAt === 0;
  const passed = isFirst ? 0 : Math.floor((core.now - values.nextAt) / OBSERVE_MS) + 1;
  values.setNextAt((Math.floor(core.now / OBSERVE_MS) + 1) * OBSERVE_MS);
  const usdt = findUsdt(core);
  for (let market = 1; market < markets.table.count; market++) {
    if (markets.word(market, M_KIND) === KIND_SPOT) observe(core, market, usdt, Math.min(passed, OBSERVATIONS));
  }
  // Coins quoted in USDT first: the others are valued through them.
  const others: number[] = [];
  for (let asset = 1; asset < ledger.assets.count; asset++) {
    if (asset === usdt) continue;
    const direct = findDirect(core, asset, usdt);
    if (direct.source === NONE) others.push(asset);
    else publish(core, asset, direct);
  }
  for (const asset of others) publish(core, asset, findThrough(core, asset));
}

/** A market has traded for the first time. */
export function beginValue(core: Core, market: number): void {
  if (core.markets.word(market, M_KIND) !== KIND_SPOT) return;
  begin(core, market);
  revalue(core, core.markets.word(market, M_BASE));
}

/** An index was set by hand. */
export function noteIndex(core: Core, market: number): void {
  const at = core.values.marketAt(market);
  setDouble(core.values.markets.f64, at, MVF_INDEX_AT, core.now);
  revalue(core, core.markets.word(market, M_BASE));
}

/** Publishes what an asset is worth now, if that has changed. */
export function revalue(core: Core, asset: number): void {
  const usdt = findUsdt(core);
  if (asset === usdt) return;
  const direct = findDirect(core, asset, usdt);
  publish(core, asset, direct.source === NONE ? findThrough(core, asset) : direct);
}

/** A market nobody has traded in begins at the operator's anchor, which counts for the whole window; else at its first trade. */
function begin(core: Core, market: number): void {
  const at = core.values.marketAt(market);
  if (getWord(core.values.markets.i32, at, MV_COUNT) !== 0) return;
  const anchor = core.markets.word(market, M_ANCHOR);
  const last = getWord(core.books.topWords, atTop(market), T_LAST);
  if (anchor !== 0) for (let i = 0; i < OBSERVATIONS; i++) push(core, market, anchor);
  else if (last !== 0) push(core, market, last);
}

function push(core: Core, market: number, ticks: number): void {
  const at = core.values.marketAt(market);
  const { i32 } = core.values.markets;
  const place = getWord(i32, at, MV_NEXT);
  setWord(i32, at, MV_OBSERVED + place, ticks);
  setWord(i32, at, MV_NEXT, (place + 1) % OBSERVATIONS);
  if (getWord(i32, at, MV_COUNT) < OBSERVATIONS) addWord(i32, at, MV_COUNT, 1);
}

/** The standing price once for every interval that has passed: the index, else the last trade as far as the book bears it out. */
function observe(core: Core, market: number, usdt: number, passed: number): void {
  begin(core, market);
  const at = core.values.marketAt(market);
  const { i32 } = core.values.markets;
  const index = indexTicks(core, market, usdt);
  const standing = index !== 0 ? index : standingTicks(core, market);
  if (standing === 0) return;
  for (let i = 0; i < passed; i++) {
    const isFull = getWord(i32, at, MV_COUNT) === OBSERVATIONS;
    const before = getWord(i32, at, MV_OBSERVED + ((getWord(i32, at, MV_NEXT) + OBSERVATIONS - 1) % OBSERVATIONS));
    const step = Math.max(1, Math.floor((before * STEP_BPS) / 10_000));
    const isBound = index === 0 && isFull;
    push(core, market, isBound ? Math.max(before - step, Math.min(before + step, standing)) : standing);
  }
}

function standingTicks(core: Core, market: number): number {
  const { topWords } = core.books;
  const last = getWord(topWords, atTop(market), T_LAST);
  // In an auction bids and asks may cross.
  if (last === 0 || core.markets.word(market, M_STATUS) === STATUS_AUCTION) return last;
  const bid = getWord(topWords, atTop(market), T_BID);
  const ask = getWord(topWords, atTop(market), T_ASK);
  if (bid !== 0 && last < bid) return bid;
  return ask !== 0 && last > ask ? ask : last;
}

/** The index that counts in a spot market: a contract's, else its own while it is fresh; 0 where there is none. */
function indexTicks(core: Core, market: number, usdt: number): number {
  const { markets } = core;
  if (markets.word(market, M_QUOTE) === usdt) {
    const contract = contractIndex(core, markets.word(market, M_BASE), usdt);
    if (contract.source !== NONE) return Math.max(1, ticksOf(core, market, contract, { up: 1n, down: 1n }));
  }
  return ownIndex(core, market);
}

function ownIndex(core: Core, market: number): number {
  const at = core.values.marketAt(market);
  const setAt = getDouble(core.values.markets.f64, at, MVF_INDEX_AT);
  return setAt !== 0 && core.now - setAt <= INDEX_FRESH_MS ? core.markets.word(market, M_INDEX) : 0;
}

function contractIndex(core: Core, asset: number, usdt: number): Valued {
  const { markets, perps } = core;
  for (let market = 1; market < markets.table.count; market++) {
    const isPair = markets.word(market, M_BASE) === asset && markets.word(market, M_QUOTE) === usdt;
    if (!isPair || markets.word(market, M_STATUS) === STATUS_DELISTED) continue;
    const isTrusted =
      perps.contract(market, CT_KIND) === LINEAR &&
      perps.contract(market, CT_DEGRADED) === 0 &&
      perps.contract(market, CT_MIRROR) === 0;
    const index = markets.word(market, M_INDEX);
    if (isTrusted && index !== 0) return valued(core, market, index, INDEX);
  }
  return UNKNOWN;
}

/** By markets against USDT: a contract's index, a spot market's, else the median of the one observed longest. */
function findDirect(core: Core, asset: number, usdt: number): Valued {
  if (asset === usdt || usdt === 0) return UNKNOWN;
  const contract = contractIndex(core, asset, usdt);
  if (contract.source !== NONE) return contract;
  return bySpot(core, asset, (quote) => quote === usdt) ?? UNKNOWN;
}

/** By a spot market against a coin whose own value is known. */
function findThrough(core: Core, asset: number): Valued {
  return bySpot(core, asset, (quote) => quote !== asset && fairValue(core, quote).up !== 0n) ?? UNKNOWN;
}

function bySpot(core: Core, asset: number, isQuote: (asset: number) => boolean): Valued | undefined {
  const { markets, values } = core;
  let best: Valued | undefined;
  let rank = 0;
  for (let market = 1; market < markets.table.count; market++) {
    if (markets.word(market, M_KIND) !== KIND_SPOT || markets.word(market, M_BASE) !== asset) continue;
    if (markets.word(market, M_STATUS) === STATUS_DELISTED || !isQuote(markets.word(market, M_QUOTE))) continue;
    const index = ownIndex(core, market);
    const count = getWord(values.markets.i32, values.marketAt(market), MV_COUNT);
    const own = index !== 0 ? OBSERVATIONS + 1 : count;
    if (own <= rank) continue;
    rank = own;
    best = valued(core, market, index !== 0 ? index : median(core, market, count), index !== 0 ? INDEX : MEDIAN);
  }
  return best;
}

function valued(core: Core, market: number, ticks: number, source: number): Valued {
  const { markets } = core;
  const quote = markets.word(market, M_QUOTE);
  const through = fairValue(core, quote);
  let up = BigInt(ticks) * BigInt(markets.double(market, MF_TICK_LOT_UNITS)) * through.up;
  let down = BigInt(markets.double(market, MF_STEP_UNITS)) * through.down;
  // Events carry whole numbers that a double holds.
  while (up > WHOLE_MAX || down > WHOLE_MAX) {
    up >>= 1n;
    down >>= 1n;
  }
  return up === 0n || down === 0n ? UNKNOWN : { up, down, source };
}

/** The middle observation; of an even number the lower of both. */
function median(core: Core, market: number, count: number): number {
  const at = core.values.marketAt(market) + MV_OBSERVED;
  return core.values.markets.i32.slice(at, at + count).sort()[(count - 1) >> 1] as number;
}

function publish(core: Core, asset: number, { up, down, source }: Valued): void {
  const { assets } = core.values;
  const at = core.values.assetAt(asset);
  const wholeUp = Number(up);
  const wholeDown = source === NONE ? 0 : Number(down);
  const isSame =
    getWord(assets.i32, at, AV_SOURCE) === source &&
    getDouble(assets.f64, at, AVF_UP) === wholeUp &&
    getDouble(assets.f64, at, AVF_DOWN) === wholeDown;
  if (isSame) return;
  setWord(assets.i32, at, AV_SOURCE, source);
  setDouble(assets.f64, at, AVF_UP, wholeUp);
  setDouble(assets.f64, at, AVF_DOWN, wholeDown);
  const record = core.events.openClean(ASSET_VALUED.kind, source, 0, 0, core.sequence);
  core.events.setWord(record, ASSET_VALUED.asset, asset);
  core.events.setDouble(record, ASSET_VALUED.up, wholeUp);
  core.events.setDouble(record, ASSET_VALUED.down, wholeDown);
}
