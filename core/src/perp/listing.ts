// Owns what operators say about perpetual contracts: their terms and their ladders of tiers. Never moves money.

import type { Decimal } from "@clockwork/kit/decimal";
import { wholeFace } from "@clockwork/kit/instrument";
import { toCoreUnits, UNITS_MAX, units } from "@clockwork/kit/money";
import { AS_FEES_CELL, AS_ROUNDING_CELL } from "../ledger/ledger.ts";
import {
  atMarket,
  M_BASE,
  M_BUY_MAX_BPS,
  M_BUY_MIN_BPS,
  M_QUOTE,
  M_SELL_MAX_BPS,
  M_SELL_MIN_BPS,
  M_SETTLE,
} from "../market/markets.ts";
import { setWord } from "../memory/record.ts";
import { commandPlaces } from "../protocol/command.ts";
import { eventPlaces } from "../protocol/event.ts";
import { CLEARING_ACCOUNT, INSURANCE_ACCOUNT, MARKET_KINDS } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { copyTiers } from "./demo/markets.ts";
import { refreshClock } from "./margin/clock-state.ts";
import {
  CT_BAND_BPS,
  CT_CLAMP_BPS,
  CT_CLASS,
  CT_CLEARING_CELL,
  CT_FEES_CELL,
  CT_FUNDING_HOURS,
  CT_INSURANCE_CELL,
  CT_INTEREST,
  CT_KIND,
  CT_LEVERAGE_MAX,
  CT_LEVERAGES,
  CT_LIQUIDATION_RATE,
  CT_RATES,
  CT_ROUNDING_CELL,
  CT_TIERS,
  CTF_CAPS,
  CTF_DEDUCTIONS,
  CTF_FACTOR,
  CTF_NEXT_FUNDING,
  TIERS_MAX,
} from "./state/records.ts";

const LIST_MARKET = commandPlaces("listMarket");
const SET_TIERS = commandPlaces("setTiers");

const CONTRACT_LISTED = eventPlaces("contractListed");
const TIER_SET = eventPlaces("tierSet");

const INVERSE = MARKET_KINDS.indexOf("inverse");
const HOUR_MS = 3_600_000;
const BAND_BPS = [500, 1_000] as const;
const CLAMP_BPS = [300, 500] as const;
const RATE_MAX = 50_000_000;
const LEVERAGE_MAX = 1_000;

/** Coin units × ticks of one inverse contract, or 0 when its face makes no whole one. */
export function faceFactor(faceUnits: number, tick: Decimal, coinScale: number, quoteScale: number): number {
  if (!(faceUnits >= 1) || !Number.isSafeInteger(faceUnits)) return 0;
  return wholeFace(tick, BigInt(faceUnits), coinScale, quoteScale);
}

/** Whether the terms at bytes 160 to 183 of listMarket make a contract. */
export function areTermsValid(core: Core, kind: number): boolean {
  const hours = core.readByte(LIST_MARKET.fundingHours);
  const settle = core.readWord(LIST_MARKET.settle);
  const own = core.readWord(kind === INVERSE ? LIST_MARKET.base : LIST_MARKET.quote);
  return (
    core.readByte(LIST_MARKET.contractClass) < CLAMP_BPS.length &&
    (hours === 1 || hours === 2 || hours === 4 || hours === 8) &&
    core.readWord(LIST_MARKET.interestRate) >= 0 &&
    core.readWord(LIST_MARKET.liquidationRate) >= 0 &&
    core.readWord(LIST_MARKET.liquidationRate) <= RATE_MAX &&
    core.readWord(LIST_MARKET.bandBps) >= 0 &&
    core.readWord(LIST_MARKET.bandBps) < 10_000 &&
    (settle === 0 || settle === own)
  );
}

/** Writes the contract of a market just listed. */
export function openContract(core: Core, market: number, kind: number, factor: number): void {
  const { perps, ledger } = core;
  const settle = core.markets.word(market, kind === INVERSE ? M_BASE : M_QUOTE);
  const hours = core.readByte(LIST_MARKET.fundingHours);
  const contractClass = core.readByte(LIST_MARKET.contractClass);
  setWord(core.markets.words, atMarket(market), M_SETTLE, settle);
  perps.setContract(market, CT_KIND, kind);
  perps.setContract(market, CT_CLASS, contractClass);
  perps.setContract(market, CT_FUNDING_HOURS, hours);
  perps.setContract(market, CT_INTEREST, core.readWord(LIST_MARKET.interestRate));
  perps.setContract(market, CT_LIQUIDATION_RATE, core.readWord(LIST_MARKET.liquidationRate));
  perps.setContract(
    market,
    CT_BAND_BPS,
    core.readWord(LIST_MARKET.bandBps) !== 0 ? core.readWord(LIST_MARKET.bandBps) : (BAND_BPS[contractClass] as number),
  );
  perps.setContract(market, CT_CLAMP_BPS, CLAMP_BPS[contractClass] as number);
  perps.setContract(market, CT_CLEARING_CELL, ledger.cellOf(CLEARING_ACCOUNT, settle));
  perps.setContract(market, CT_INSURANCE_CELL, ledger.cellOf(INSURANCE_ACCOUNT, settle));
  perps.setContract(market, CT_FEES_CELL, ledger.assetWord(settle, AS_FEES_CELL));
  perps.setContract(market, CT_ROUNDING_CELL, ledger.assetWord(settle, AS_ROUNDING_CELL));
  perps.setContractDouble(market, CTF_FACTOR, factor);
  perps.setContractDouble(market, CTF_NEXT_FUNDING, (Math.floor(core.now / (hours * HOUR_MS)) + 1) * hours * HOUR_MS);
  bindBand(core, market);
  refreshClock(core);
  emitContract(core, market, kind, settle, factor);
}

function emitContract(core: Core, market: number, kind: number, settle: number, factor: number): void {
  const { perps } = core;
  const record = core.events.openClean(CONTRACT_LISTED.kind, kind, 0, 0, core.sequence);
  core.events.setWord(record, CONTRACT_LISTED.market, market);
  core.events.setWord(record, CONTRACT_LISTED.settle, settle);
  core.events.setDouble(record, CONTRACT_LISTED.factor, factor);
  core.events.setWord(record, CONTRACT_LISTED.fundingHours, perps.contract(market, CT_FUNDING_HOURS));
  core.events.setByte(record, CONTRACT_LISTED.contractClass, perps.contract(market, CT_CLASS));
  core.events.setWord(record, CONTRACT_LISTED.interestRate, perps.contract(market, CT_INTEREST));
  core.events.setWord(record, CONTRACT_LISTED.liquidationRate, perps.contract(market, CT_LIQUIDATION_RATE));
  core.events.setWord(record, CONTRACT_LISTED.mirror, core.readWord(LIST_MARKET.mirror));
}

/** Orders of perpetuals keep within the same distance of the mark on both sides. */
export function bindBand(core: Core, market: number): void {
  const bps = core.perps.contract(market, CT_BAND_BPS);
  const words = core.markets.words;
  const at = atMarket(market);
  setWord(words, at, M_BUY_MAX_BPS, 10_000 + bps);
  setWord(words, at, M_SELL_MAX_BPS, 10_000 + bps);
  setWord(words, at, M_BUY_MIN_BPS, 10_000 - bps);
  setWord(words, at, M_SELL_MIN_BPS, 10_000 - bps);
}

export function setTiers(core: Core): number {
  const market = core.readWord(SET_TIERS.market);
  const count = core.readByte(SET_TIERS.count);
  if (!core.markets.isMarket(market)) return REJECT.UNKNOWN_MARKET;
  if (!core.perps.isPerp(market)) return REJECT.NOT_A_PERPETUAL;
  if (count < 1 || count > TIERS_MAX) return REJECT.INVALID_TIERS;
  const deductions: number[] = [];
  for (let tier = 0; tier < count; tier++) {
    const deduction = deductionOf(core, tier, deductions[tier - 1] ?? 0);
    if (deduction < 0) return REJECT.INVALID_TIERS;
    deductions.push(deduction);
  }
  const { perps } = core;
  perps.setContract(market, CT_TIERS, count);
  perps.setContract(market, CT_LEVERAGE_MAX, core.readWord(SET_TIERS.leverage1));
  for (let tier = 0; tier < count; tier++) {
    perps.setContractDouble(market, CTF_CAPS + tier, core.readDouble(SET_TIERS.cap1 + tier));
    perps.setContractDouble(market, CTF_DEDUCTIONS + tier, deductions[tier] as number);
    perps.setContract(market, CT_RATES + tier, core.readWord(SET_TIERS.rate1 + tier));
    perps.setContract(market, CT_LEVERAGES + tier, core.readWord(SET_TIERS.leverage1 + tier));
    emitTier(core, market, tier);
  }
  perps.terms[market] = undefined;
  copyTiers(core, market);
  // Whoever holds a position here is measured anew at the next mark.
  for (let position = 1; position < perps.positions.count; position++)
    if (perps.lots(position) !== 0 && perps.marketOf(position) === market)
      perps.markDirty(perps.marginAccountOf(position));
  return 0;
}

/** The tier's deduction, or −1 when the tier is no step up from the one below. */
function deductionOf(core: Core, tier: number, below: number): number {
  const cap = core.readDouble(SET_TIERS.cap1 + tier);
  const rate = core.readWord(SET_TIERS.rate1 + tier);
  const leverage = core.readWord(SET_TIERS.leverage1 + tier);
  if (!(cap >= 1) || !Number.isSafeInteger(cap)) return -1;
  if (rate < 1 || rate > RATE_MAX || leverage < 1 || leverage > LEVERAGE_MAX) return -1;
  if (tier === 0) return 0;
  const capBelow = core.readDouble(SET_TIERS.cap1 + (tier - 1));
  const rateBelow = core.readWord(SET_TIERS.rate1 + (tier - 1));
  if (cap <= capBelow || rate <= rateBelow || leverage >= core.readWord(SET_TIERS.leverage1 + (tier - 1))) return -1;
  const step = BigInt(capBelow) * BigInt(rate - rateBelow);
  const whole = step / 100_000_000n;
  return step % 100_000_000n === 0n && whole <= BigInt(UNITS_MAX) ? below + toCoreUnits(units(whole)) : -1;
}

function emitTier(core: Core, market: number, tier: number): void {
  const { perps } = core;
  const record = core.events.openClean(TIER_SET.kind, tier + 1, 0, 0, core.sequence);
  core.events.setWord(record, TIER_SET.market, market);
  core.events.setWord(record, TIER_SET.leverageMax, perps.contract(market, CT_LEVERAGES + tier));
  core.events.setWord(record, TIER_SET.rate, perps.contract(market, CT_RATES + tier));
  core.events.setDouble(record, TIER_SET.capUnits, perps.contractDouble(market, CTF_CAPS + tier));
  core.events.setDouble(record, TIER_SET.deductionUnits, perps.contractDouble(market, CTF_DEDUCTIONS + tier));
}
