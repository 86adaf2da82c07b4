// Owns funding: premium samples, the rate, and its settlement between all who hold a position, each interval exactly
// once. A payer who cannot pay is covered by the insurance fund, so receivers are paid in full.

import { assert } from "@clockwork/kit/assert";
import { fundingCharge } from "@clockwork/kit/margin";
import { fundingRate } from "@clockwork/kit/margin-funding";
import { mulDivCeil, mulDivFloor, RATE_ONE } from "@clockwork/kit/money";
import { atTop, levelLots, T_ASK, T_BID } from "../../book/book.ts";
import { AS_SCALE } from "../../ledger/ledger.ts";
import { M_INDEX, M_MARK, M_QUOTE, M_STATUS, MF_STEP_UNITS, STATUS_DELISTED } from "../../market/markets.ts";
import { getWord } from "../../memory/record.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { BUSINESSES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { payFromClearing, post, setAside, takeDebt } from "../margin/cash.ts";
import { emitPosition } from "../margin/emit.ts";
import { contractOf } from "../margin/equity.ts";
import { sweepRemainder } from "../margin/fill.ts";
import {
  CT_CLEARING_CELL,
  CT_DEGRADED,
  CT_FUNDING_HOURS,
  CT_INTEREST,
  CT_LAST_RATE,
  CT_LEVERAGE_MAX,
  CT_MIRRORED,
  CT_RATES,
  CT_ROUNDING_CELL,
  CT_SAMPLES,
  CTF_FACTOR,
  CTF_NEXT_FUNDING,
  CTF_OPEN_LOTS,
  CTF_PREMIUMS,
} from "../state/records.ts";
import { isIsolated } from "../state/symbol-margins.ts";
import { worthCeil } from "../state/values.ts";

const PREMIUM_SAMPLED = eventPlaces("premiumSampled");
const FUNDING_SETTLED = eventPlaces("fundingSettled");

const FUNDING = BUSINESSES.indexOf("funding");
const ROUNDING = BUSINESSES.indexOf("rounding");
const HOUR_MS = 3_600_000;
/** Impact notional: 200 quote coins of margin at the highest leverage. */
export const IMPACT_COINS = 200;
/** Average prices count in ten-thousandths of a tick. */
const FINE = 10_000;

/** Average fill of taking the impact notional from one side, in ten-thousandths of a tick; 0 when it is not there. */
function impactPrice(core: Core, market: number, sell: boolean): number {
  const { books, perps } = core;
  const ladder = books.ladder(market);
  const quoteScale = core.ledger.assetWord(core.markets.word(market, M_QUOTE), AS_SCALE);
  const coins = IMPACT_COINS * perps.contract(market, CT_LEVERAGE_MAX) * 10 ** quoteScale;
  let left = perps.isInverse(market) ? Math.ceil(coins / core.markets.double(market, MF_STEP_UNITS)) : coins;
  const factor = perps.isInverse(market) ? 0 : perps.contractDouble(market, CTF_FACTOR);
  let lots = 0;
  let weighted = 0;
  let price = getWord(books.topWords, atTop(market), sell ? T_BID : T_ASK);
  while (price !== 0 && left > 0) {
    const shown = levelLots(books, ladder.levelAt(price));
    const wanted = factor === 0 ? left : Math.ceil(left / (price * factor));
    const taken = Math.min(shown, wanted);
    lots += taken;
    weighted += taken * price;
    left -= factor === 0 ? taken : taken * price * factor;
    price = sell ? ladder.nextBelow(price) : ladder.nextAbove(price);
  }
  return left > 0 || lots === 0 ? 0 : mulDivFloor(weighted, FINE, lots);
}

/** Every five seconds while prices can be trusted. */
export function samplePremium(core: Core, market: number): void {
  const { perps } = core;
  const index = core.markets.word(market, M_INDEX);
  if (index === 0 || perps.contract(market, CT_DEGRADED) !== 0) return;
  const bid = impactPrice(core, market, true);
  const ask = impactPrice(core, market, false);
  const fine = index * FINE;
  const above = Math.max(0, bid - fine);
  const below = ask === 0 ? 0 : Math.max(0, fine - ask);
  const distance = above - below;
  const size = Math.min(RATE_ONE, mulDivFloor(Math.abs(distance), RATE_ONE, fine));
  const premium = distance < 0 ? 0 - size : size;
  const samples = perps.contract(market, CT_SAMPLES) + 1;
  perps.setContract(market, CT_SAMPLES, samples);
  perps.setContractDouble(market, CTF_PREMIUMS, perps.contractDouble(market, CTF_PREMIUMS) + samples * premium);
  const record = core.events.openClean(PREMIUM_SAMPLED.kind, 0, 0, 0, core.sequence);
  core.events.setWord(record, PREMIUM_SAMPLED.market, market);
  core.events.setWord(record, PREMIUM_SAMPLED.premium, premium);
  core.events.setWord(record, PREMIUM_SAMPLED.sample, samples);
  core.events.setWord(record, PREMIUM_SAMPLED.impactBidTicks, Math.floor(bid / FINE));
  core.events.setWord(record, PREMIUM_SAMPLED.impactAskTicks, Math.floor(ask / FINE));
  core.events.setWord(record, PREMIUM_SAMPLED.predictedRate, rateOf(core, market));
  core.events.setDouble(record, PREMIUM_SAMPLED.openLots, perps.contractDouble(market, CTF_OPEN_LOTS));
}

function premiumOf(core: Core, market: number): number {
  const samples = core.perps.contract(market, CT_SAMPLES);
  return samples === 0
    ? 0
    : Math.trunc(core.perps.contractDouble(market, CTF_PREMIUMS) / ((samples * (samples + 1)) / 2));
}

/** The rate of the interval so far; without a single sample there is none. */
export function rateOf(core: Core, market: number): number {
  const { perps } = core;
  if (perps.contract(market, CT_SAMPLES) === 0) return 0;
  return Number(
    fundingRate(
      BigInt(premiumOf(core, market)),
      BigInt(perps.contract(market, CT_INTEREST)),
      BigInt(perps.contract(market, CT_FUNDING_HOURS)),
      BigInt(perps.contract(market, CT_RATES)),
    ),
  );
}

/** Settles the interval that is due and opens the next, for the demo market that follows it too. */
export function settleFunding(core: Core, market: number): void {
  const rate = rateOf(core, market);
  settleAt(core, market, rate);
  const demo = core.perps.contract(market, CT_MIRRORED);
  if (demo !== 0 && core.markets.word(demo, M_STATUS) !== STATUS_DELISTED) settleAt(core, demo, rate);
}

function settleAt(core: Core, market: number, rate: number): void {
  const { perps } = core;
  const mark = core.markets.word(market, M_MARK);
  const dueAt = perps.contractDouble(market, CTF_NEXT_FUNDING);
  const record = core.events.openClean(FUNDING_SETTLED.kind, 0, 0, 0, core.sequence);
  core.events.setWord(record, FUNDING_SETTLED.market, market);
  core.events.setWord(record, FUNDING_SETTLED.rate, rate);
  core.events.setWord(record, FUNDING_SETTLED.premium, premiumOf(core, market));
  core.events.setWord(record, FUNDING_SETTLED.samples, perps.contract(market, CT_SAMPLES));
  core.events.setDouble(record, FUNDING_SETTLED.dueAt, dueAt);
  core.events.setWord(record, FUNDING_SETTLED.markTicks, mark);
  perps.setContract(market, CT_LAST_RATE, rate);
  perps.setContract(market, CT_SAMPLES, 0);
  perps.setContractDouble(market, CTF_PREMIUMS, 0);
  perps.setContractDouble(market, CTF_NEXT_FUNDING, dueAt + perps.contract(market, CT_FUNDING_HOURS) * HOUR_MS);
  sweepRemainder(core, market);
  if (rate === 0 || mark === 0) return;
  const holders: number[] = [];
  for (let position = 1; position < perps.positions.count; position++)
    if (perps.lots(position) !== 0 && perps.marketOf(position) === market) holders.push(position);
  core.events.setWord(record, FUNDING_SETTLED.positions, holders.length);
  let left = 0;
  for (const position of holders)
    if (perps.lots(position) > 0 === rate > 0) left += pay(core, market, position, mark, rate);
  for (const position of holders)
    if (perps.lots(position) > 0 !== rate > 0) left -= receive(core, market, position, mark, rate);
  // Lots of both sides are equal and roundings are against the holders: receivers never get more than payers gave.
  assert(left >= 0, "PERP-17", "a settlement pays out more than it takes");
  if (left > 0)
    post(
      core.views,
      perps.contract(market, CT_CLEARING_CELL),
      perps.contract(market, CT_ROUNDING_CELL),
      left,
      ROUNDING,
      0,
      market,
    );
}

/** What a position pays (positive) or receives, rounded once against the holder. */
function chargeOf(core: Core, market: number, position: number, mark: number, rate: number): number {
  const { perps } = core;
  const held = perps.lots(position);
  if (perps.isInverse(market)) {
    const side = held > 0 ? 1n : -1n;
    const lots = BigInt(Math.abs(held));
    return Number(fundingCharge(contractOf(core, market), side, lots, BigInt(mark), BigInt(rate)));
  }
  // A linear position's value is whole, so that its charge rounds once here too.
  const value = worthCeil(perps, market, Math.abs(held), mark);
  const size = Math.abs(rate);
  return held > 0 === rate > 0 ? mulDivCeil(value, size, RATE_ONE) : 0 - mulDivFloor(value, size, RATE_ONE);
}

function pay(core: Core, market: number, position: number, mark: number, rate: number): number {
  const { perps } = core;
  const units = chargeOf(core, market, position, mark, rate);
  const marginAccount = perps.marginAccountOf(position);
  takeDebt(
    core,
    marginAccount,
    position,
    market,
    perps.contract(market, CT_CLEARING_CELL),
    units,
    FUNDING,
    perps.positionId(position),
  );
  if (isIsolated(perps, position)) emitPosition(core.views, position, 0);
  perps.markDirty(marginAccount);
  return units;
}

function receive(core: Core, market: number, position: number, mark: number, rate: number): number {
  const { perps } = core;
  const units = 0 - chargeOf(core, market, position, mark, rate);
  if (units === 0) return 0;
  const marginAccount = perps.marginAccountOf(position);
  payFromClearing(core, marginAccount, market, units, FUNDING, perps.positionId(position));
  if (isIsolated(perps, position)) {
    setAside(core, marginAccount, position, units);
    emitPosition(core.views, position, 0);
  }
  perps.markDirty(marginAccount);
  return units;
}
