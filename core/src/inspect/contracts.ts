// Owns reading a perpetual contract: its terms, its ladder and the prices it stands at. Changes nothing.
import type { Tier } from "@clockwork/kit/margin";
import { coreOf } from "../machine/machine.ts";
import { M_INDEX, M_MARK, M_SETTLE } from "../market/markets.ts";
import { rateOf } from "../perp/price/funding.ts";
import {
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

export interface IndexSources {
  readonly timeMs: number;
  readonly quotes: readonly SourceQuote[];
}

/** What every source of an index said last, however long ago. */
export function readIndexSources(machine: Machine): IndexSources {
  const core = coreOf(machine);
  const { sources } = core.perps;
  const quotes: SourceQuote[] = [];
  for (let market = 1; market < core.markets.table.count; market++) {
    if (!core.perps.isPerp(market)) continue;
    for (let source = 0; source < SOURCES_MAX; source++) {
      const at = market * SOURCE_WORDS + source * SOURCE_SIZE;
      const ticks = sources.i32[at] as number;
      if (ticks === 0) continue;
      const spokeMs = sources.f64[market * SOURCE_DOUBLES + source * 2 + 1] as number;
      quotes.push({ market, source, ticks, weight: sources.i32[at + 1] as number, spokeMs });
    }
  }
  return { timeMs: core.now, quotes };
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
