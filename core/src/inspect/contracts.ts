// Owns reading a perpetual contract: its terms, its ladder and the prices it stands at. Changes nothing.
import type { Tier } from "@clockwork/kit/margin";
import { coreOf } from "../machine/machine.ts";
import { M_INDEX, M_MARK, M_SETTLE } from "../market/markets.ts";
import { readDrawdown } from "../perp/margin/insurance.ts";
import { rateOf } from "../perp/price/funding.ts";
import { type MarkInputs, markInputs } from "../perp/price/index.ts";
import {
  CT_ADL,
  CT_CLAMP_BPS,
  CT_CLASS,
  CT_DEGRADED,
  CT_FUNDING_HOURS,
  CT_INTEREST,
  CT_LAST_RATE,
  CT_LEVERAGES,
  CT_LIQUIDATION_RATE,
  CT_MIRROR,
  CT_RATES,
  CT_TIERS,
  CTF_CAPS,
  CTF_DEDUCTIONS,
  CTF_FACTOR,
  CTF_NEXT_FUNDING,
  CTF_OPEN_LOTS,
  SOURCE_DOUBLES,
  SOURCE_SIZE,
  SOURCE_WORDS,
  SOURCES_MAX,
} from "../perp/state/records.ts";
import type { Machine } from "../protocol/contract.ts";
import { CONTRACT_CLASSES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";

export interface ListedContract {
  readonly settle: number;
  /** Units per tick and lot; of inverse contracts coin units × ticks per lot. */
  readonly factor: number;
  readonly contractClass: (typeof CONTRACT_CLASSES)[number];
  readonly fundingHours: number;
  /** Rates in 1e-8. */
  readonly interestRate: number;
  readonly liquidationRate: number;
  /** Of a demo market: the real one it follows; else 0. */
  readonly mirror: number;
  /** Empty until it was set: nobody can trade before. */
  readonly tiers: readonly Tier[];
  /** 0 before the first. */
  readonly markTicks: number;
  readonly indexTicks: number;
  readonly isDegraded: boolean;
  readonly lastRate: number;
  /** What the next settlement would be if it were now. */
  readonly predictedRate: number;
  readonly nextFundingMs: number;
  readonly openLots: number;
}

export interface SourceQuote {
  readonly market: number;
  readonly source: number;
  readonly ticks: number;
  readonly weight: number;
  readonly spokeMs: number;
}

/** What a contract's mark is made of, and what its symbol drew from the insurance fund. */
export interface MarkState extends MarkInputs {
  readonly market: number;
  readonly clampBps: number;
  /** Units in eight hours: what came to the fund because of the symbol (negative: left it), and the fund's peak. */
  readonly flowUnits: number;
  readonly peakUnits: number;
  /** Losses go to counterparties until the drawdown is small again. */
  readonly isDeleveraging: boolean;
}

export interface IndexSources {
  readonly timeMs: number;
  readonly quotes: readonly SourceQuote[];
  readonly marks: readonly MarkState[];
}

/** What every source of an index said last, however long ago. */
export function readIndexSources(machine: Machine): IndexSources {
  const core = coreOf(machine);
  const { sources } = core.perps;
  const quotes: SourceQuote[] = [];
  const marks: MarkState[] = [];
  for (let market = 1; market < core.markets.table.count; market++) {
    if (!core.perps.isPerp(market)) continue;
    // A demo market has no fund and no index of its own.
    const isOwn = core.perps.contract(market, CT_MIRROR) === 0;
    if (isOwn && core.markets.word(market, M_INDEX) !== 0) marks.push(readMark(core, market));
    for (let source = 0; source < SOURCES_MAX; source++) {
      const at = market * SOURCE_WORDS + source * SOURCE_SIZE;
      const ticks = sources.i32[at] as number;
      if (ticks === 0) continue;
      const spokeMs = sources.f64[market * SOURCE_DOUBLES + source * 2 + 1] as number;
      quotes.push({ market, source, ticks, weight: sources.i32[at + 1] as number, spokeMs });
    }
  }
  return { timeMs: core.now, quotes, marks };
}

function readMark(core: Core, market: number): MarkState {
  const { flow, peak } = readDrawdown(core, market);
  return {
    market,
    ...markInputs(core, market),
    clampBps: core.perps.contract(market, CT_CLAMP_BPS),
    flowUnits: flow,
    peakUnits: peak,
    isDeleveraging: core.perps.contract(market, CT_ADL) !== 0,
  };
}

/** Nothing of a spot market. */
export function readContract(core: Core, market: number): ListedContract | undefined {
  const { perps, markets } = core;
  if (!perps.isPerp(market)) return undefined;
  const word = (at: number): number => perps.contract(market, at);
  const double = (at: number): number => perps.contractDouble(market, at);
  const tiers = Array.from({ length: word(CT_TIERS) }, (_, tier) => ({
    cap: BigInt(double(CTF_CAPS + tier)),
    leverageMax: word(CT_LEVERAGES + tier),
    rate: BigInt(word(CT_RATES + tier)),
    deduction: BigInt(double(CTF_DEDUCTIONS + tier)),
  }));
  return {
    settle: markets.word(market, M_SETTLE),
    factor: double(CTF_FACTOR),
    contractClass: CONTRACT_CLASSES[word(CT_CLASS)] ?? "B",
    fundingHours: word(CT_FUNDING_HOURS),
    interestRate: word(CT_INTEREST),
    liquidationRate: word(CT_LIQUIDATION_RATE),
    mirror: word(CT_MIRROR),
    tiers,
    markTicks: markets.word(market, M_MARK),
    indexTicks: markets.word(market, M_INDEX),
    isDegraded: word(CT_DEGRADED) !== 0,
    lastRate: word(CT_LAST_RATE),
    predictedRate: rateOf(core, market),
    nextFundingMs: double(CTF_NEXT_FUNDING),
    openLots: double(CTF_OPEN_LOTS),
  };
}
