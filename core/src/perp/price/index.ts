// Owns the index and the mark: what several sources say, which of them to believe, and the price margin is measured at.
// Never touches a position.

import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { atTop, T_ASK, T_BID, T_LAST } from "../../book/book.ts";
import { atMarket, M_BAND_STALE, M_INDEX, M_MARK } from "../../market/markets.ts";
import { getWord, setWord } from "../../memory/record.ts";
import { observePrice, SOURCE_INDEX, SOURCE_MARK } from "../../order/end/prices.ts";
import { eventPlaces } from "../../protocol/event.ts";
import type { Core } from "../../state/core.ts";
import {
  CT_CLAMP_BPS,
  CT_DEGRADED,
  CT_FUNDING_HOURS,
  CT_LAST_RATE,
  CT_MID_AT,
  CT_MIDS,
  CT_SOURCES,
  CTF_LAST_TRADE,
  CTF_NEXT_FUNDING,
  MIDS,
  SOURCE_DOUBLES,
  SOURCE_SIZE,
  SOURCE_WORDS,
  SOURCES_MAX,
  SRC_MIDS,
} from "../state/records.ts";

const INDEX_STATE = eventPlaces("indexState");
const REFERENCE_PRICE = eventPlaces("referencePrice");

export const SILENT_MS = 10_000;
const OFF_PERCENT = 5;
const TRADE_STALE_MS = 60_000;
const HOUR_MS = 3_600_000;
const RATE_ONE = 100_000_000;

/** Notes what a source says and computes the index anew. */
export function noteSource(core: Core, market: number, source: number, price: number, weight: number): void {
  const { sources } = core.perps;
  const at = market * SOURCE_WORDS + source * SOURCE_SIZE;
  sources.i32[at] = price;
  if (weight !== 0 || sources.i32[at + 1] === 0) sources.i32[at + 1] = weight !== 0 ? weight : 1;
  sources.f64[market * SOURCE_DOUBLES + source * 2 + 1] = core.now;
  core.perps.setContract(market, CT_SOURCES, core.perps.contract(market, CT_SOURCES) | (1 << source));
}

interface Quote {
  readonly price: number;
  readonly weight: number;
}

function liveQuotes(core: Core, market: number): Quote[] {
  const { sources } = core.perps;
  const quotes: Quote[] = [];
  for (let source = 0; source < SOURCES_MAX; source++) {
    const at = market * SOURCE_WORDS + source * SOURCE_SIZE;
    const price = sources.i32[at] as number;
    const spoke = sources.f64[market * SOURCE_DOUBLES + source * 2 + 1] as number;
    if (price !== 0 && core.now - spoke <= SILENT_MS) quotes.push({ price, weight: sources.i32[at + 1] as number });
  }
  return quotes;
}

/** The middle price; of an even number the mean of the two, rounded down. */
export function medianOf(prices: readonly number[]): number {
  const sorted = [...prices].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] as number;
  return sorted.length % 2 === 1 ? high : Math.floor((high + (sorted[middle - 1] as number)) / 2);
}

export function isOffMedian(price: number, median: number): boolean {
  return Math.abs(price - median) * 100 > median * OFF_PERCENT;
}

/** Weighted mean of the quotes; one far from the median is left out, with two or more the median speaks alone. */
export function indexOf(quotes: readonly Quote[]): number {
  const median = medianOf(quotes.map(({ price }) => price));
  const isOff = ({ price }: Quote): boolean => isOffMedian(price, median);
  const off = quotes.filter(isOff).length;
  if (off > 1) return median;
  let sum = 0n;
  let weights = 0n;
  for (const quote of quotes) {
    if (off === 1 && isOff(quote)) continue;
    sum += BigInt(quote.price) * BigInt(quote.weight);
    weights += BigInt(quote.weight);
  }
  return Number(sum / weights);
}

/** Brings the index up to date; with fewer than two live sources it stands still and the market is degraded. */
export function refreshIndex(core: Core, market: number): void {
  const quotes = liveQuotes(core, market);
  const degraded = quotes.length < 2 ? 1 : 0;
  const words = core.markets.words;
  const at = atMarket(market) | M_INDEX;
  const before = words[at] as number;
  if (degraded === 0) words[at] = indexOf(quotes);
  if (core.perps.contract(market, CT_DEGRADED) !== degraded) {
    core.perps.setContract(market, CT_DEGRADED, degraded);
    const record = core.events.openClean(INDEX_STATE.kind, 0, degraded, 0, core.sequence);
    core.events.setWord(record, INDEX_STATE.market, market);
    core.events.setWord(record, INDEX_STATE.liveSources, quotes.length);
    core.events.setWord(record, INDEX_STATE.indexTicks, words[at] as number);
  }
  if (words[at] !== before) observePrice(core, market, SOURCE_INDEX);
}

/** Once a second: mid sample, then the mark. Returns whether the mark moved. */
export function refreshMark(core: Core, market: number): boolean {
  const { perps } = core;
  const words = core.markets.words;
  const at = atMarket(market);
  const index = getWord(words, at, M_INDEX);
  if (index === 0 || perps.contract(market, CT_DEGRADED) !== 0) return false;
  const bid = getWord(core.books.topWords, atTop(market), T_BID);
  const ask = getWord(core.books.topWords, atTop(market), T_ASK);
  if (bid !== 0 && ask !== 0) sampleMid(core, market, bid + ask - 2 * index);
  const mark = markFrom(core, market, index);
  const before = getWord(words, at, M_MARK);
  if (mark === before) return false;
  setMark(core, market, mark);
  return true;
}

/** Sets the mark and tells it; plans that wait for it become due. */
function setMark(core: Core, market: number, mark: number): void {
  const words = core.markets.words;
  const at = atMarket(market);
  setWord(words, at, M_MARK, mark);
  setWord(words, at, M_BAND_STALE, 1);
  const record = core.events.openClean(REFERENCE_PRICE.kind, 0, 0, 0, core.sequence);
  core.events.setWord(record, REFERENCE_PRICE.market, market);
  core.events.setWord(record, REFERENCE_PRICE.markTicks, mark);
  core.events.setWord(record, REFERENCE_PRICE.indexTicks, getWord(words, at, M_INDEX));
  observePrice(core, market, SOURCE_MARK);
}

/** Twice the distance of mid and index, so that it stays whole. */
function sampleMid(core: Core, market: number, twice: number): void {
  const { perps } = core;
  const place = perps.contract(market, CT_MID_AT);
  perps.sources.i32[market * SOURCE_WORDS + SRC_MIDS + place] = twice;
  perps.setContract(market, CT_MID_AT, (place + 1) % MIDS);
  perps.setContract(market, CT_MIDS, Math.min(MIDS, perps.contract(market, CT_MIDS) + 1));
}

/** What the mark is the median of; 0 where a part has nothing to say. */
export interface MarkInputs {
  /** The index with what is left of the last rate. */
  readonly byFunding: number;
  /** The index with the mean distance of the book's middle. */
  readonly byBook: number;
  readonly last: number;
}

export function markInputs(core: Core, market: number): MarkInputs {
  const { perps } = core;
  const top = atTop(market);
  const index = getWord(core.markets.words, atMarket(market), M_INDEX);
  const intervalMs = perps.contract(market, CT_FUNDING_HOURS) * HOUR_MS;
  const untilMs = Math.max(0, perps.contractDouble(market, CTF_NEXT_FUNDING) - core.now);
  const rate = BigInt(perps.contract(market, CT_LAST_RATE));
  const basis = (BigInt(index) * rate * BigInt(untilMs)) / (BigInt(RATE_ONE) * BigInt(intervalMs));
  const last = getWord(core.books.topWords, top, T_LAST);
  const fresh = last !== 0 && core.now - perps.contractDouble(market, CTF_LAST_TRADE) <= TRADE_STALE_MS;
  const count = perps.contract(market, CT_MIDS);
  const isTwoSided = getWord(core.books.topWords, top, T_BID) !== 0 && getWord(core.books.topWords, top, T_ASK) !== 0;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += perps.sources.i32[market * SOURCE_WORDS + SRC_MIDS + i] as number;
  const byBook = isTwoSided && count > 0 ? index + Math.floor(sum / (2 * count)) : 0;
  return { byFunding: index + Number(basis), byBook, last: fresh ? last : 0 };
}

/** median(P1, P2, last), or P1 alone when the book or the tape has nothing to say; within the class's bounds. */
function markFrom(core: Core, market: number, index: number): number {
  const { perps } = core;
  const { byFunding, byBook, last } = markInputs(core, market);
  const mark = byBook !== 0 && last !== 0 ? medianOf([byFunding, byBook, last]) : byFunding;
  const clamp = perps.contract(market, CT_CLAMP_BPS);
  const low = Math.ceil((index * (10_000 - clamp)) / 10_000);
  const high = Math.floor((index * (10_000 + clamp)) / 10_000);
  return Math.max(1, Math.min(PRICE_TICKS_MAX, Math.max(low, Math.min(high, mark))));
}
