// What a contract's charts show of the time before the market opened: candles of trades, mark, index and open interest,
// and every settlement of funding. From the same path of prices as the spot market's history, ending where the live
// futures market begins. Pure.
import { fundingRate, weightedPremium } from "@clockwork/kit/margin-funding";
import { normal, stepRandom } from "../chance.ts";
import { type BarColumns, drawTrades, type HistoryOptions, openColumns } from "../history.ts";
import { HOUR_STEPS, MINUTE_STEPS, type PathPart, type PricePath, priceAlong } from "../price-path.ts";
import { lotsFor } from "../quoting.ts";
import { contractNature, type SimulatedContract } from "./contracts.ts";

export interface SeriesHistory {
  readonly hours: BarColumns;
  readonly minutes: BarColumns;
}

export interface FundingPoint {
  readonly dueMs: number;
  /** In 1e-8. */
  readonly rate: number;
  readonly premium: number;
  readonly samples: number;
  readonly markTicks: number;
}

export interface ContractHistory {
  readonly contract: SimulatedContract;
  readonly last: SeriesHistory;
  readonly mark: SeriesHistory;
  readonly index: SeriesHistory;
  readonly interest: SeriesHistory;
  readonly fundings: readonly FundingPoint[];
}

const BASIS_STREAM = 0x7500;
const BASIS_SECONDS = 7_200;
const BASIS = 0.0006;
const INTEREST_SECONDS = 172_800;
const INTEREST_SPREAD = 0.22;
/** How much of the book's distance from the index the mark shows. */
const MARK_SHARE = 0.8;
const HOUR_MS = 3_600_000;
const SAMPLE_MS = 5_000;
const RATE_ONE = 100_000_000;

/** A number for every step of both parts. */
interface Wander {
  readonly hours: Float64Array;
  readonly minutes: Float64Array;
}

/** Wanders, drawn back to nought, and is nought at the very end. */
function wander(path: PricePath, seed: number, stream: number, seconds: number, spread: number): Wander {
  let value = 0;
  const random = stepRandom(seed, 1, stream);
  const walk = ({ steps, stepMs }: PathPart): Float64Array => {
    const pull = Math.min(1, stepMs / 1_000 / seconds);
    const values = new Float64Array(steps + 1);
    values[0] = value;
    for (let step = 1; step <= steps; step += 1) {
      value += -pull * value + spread * Math.sqrt(2 * pull) * normal(random);
      values[step] = value;
    }
    return values;
  };
  const [hours, minutes] = [walk(path.hours), walk(path.minutes)];
  // Fades to nothing towards the end, where the live market begins with nothing.
  const end = minutes.at(-1) ?? 0;
  const { steps, stepMs } = path.minutes;
  for (let step = 0; step <= steps; step += 1) {
    const left = ((steps - step) * stepMs) / 1_000;
    minutes[step] = (minutes[step] as number) - end * Math.exp(-left / seconds);
  }
  return { hours, minutes };
}

/** Yields the contracts in their order. */
export function* makeContractHistory(
  options: HistoryOptions,
  contracts: readonly SimulatedContract[],
  path: PricePath,
): Generator<ContractHistory> {
  for (const contract of contracts) yield drawContract(options, contract, path);
}

function drawContract(options: HistoryOptions, contract: SimulatedContract, path: PricePath): ContractHistory {
  const { seed } = options;
  const nature = contractNature(contract);
  const basis = wander(path, seed, BASIS_STREAM + contract.market, BASIS_SECONDS, BASIS);
  const target = wander(path, seed, BASIS_STREAM + 0x80 + contract.market, INTEREST_SECONDS, INTEREST_SPREAD);
  const along = priceAlong(path, contract.base, contract.quote, options.prices[contract.base] ?? 1);
  const index = fill(path, (part, step) => along(path[part], step) / contract.tick);
  const above = (share: number): Wander =>
    fill(path, (part, step) => (index[part][step] as number) * (1 + share * (basis[part][step] as number)));
  const mark = above(MARK_SHARE);
  const middle = above(1);
  const held = fill(path, (part, step) => {
    const worth = nature.interestWorth * Math.exp(target[part][step] as number);
    return lotsFor(contract, worth, Math.max(1, Math.round(index[part][step] as number)));
  });
  const middleAt = (part: PathPart, step: number): number =>
    (part === path.hours ? middle.hours : middle.minutes)[step] as number;
  return {
    contract,
    last: drawTrades({ seed, pair: contract, nature, quotePerUsdt: 1, middleAt }, path),
    mark: trace(path, mark),
    index: trace(path, index),
    interest: trace(path, held),
    fundings: [
      ...settle(contract, path.hours, HOUR_STEPS, basis.hours, mark.hours),
      ...settle(contract, path.minutes, MINUTE_STEPS, basis.minutes, mark.minutes),
    ],
  };
}

function fill(path: PricePath, value: (part: "hours" | "minutes", step: number) => number): Wander {
  const of = (part: "hours" | "minutes"): Float64Array => {
    const { steps } = path[part];
    const values = new Float64Array(steps + 1);
    for (let step = 0; step <= steps; step += 1) values[step] = value(part, step);
    return values;
  };
  return { hours: of("hours"), minutes: of("minutes") };
}

/** Candles of something nobody trades in. */
function trace(path: PricePath, values: Wander): SeriesHistory {
  const draw = (part: PathPart, stepsEach: number, along: Float64Array): BarColumns => {
    const columns = openColumns(part, stepsEach);
    const at = (step: number): number => Math.max(1, Math.round(along[step] as number));
    for (let bar = 0; bar < columns.open.length; bar += 1) {
      const from = bar * stepsEach;
      const open = at(from);
      let [high, low, close] = [open, open, open];
      for (let step = 1; step <= stepsEach; step += 1) {
        close = at(from + step);
        if (close > high) high = close;
        if (close < low) low = close;
      }
      columns.open[bar] = open;
      columns.high[bar] = high;
      columns.low[bar] = low;
      columns.close[bar] = close;
    }
    return columns;
  };
  return {
    hours: draw(path.hours, HOUR_STEPS, values.hours),
    minutes: draw(path.minutes, MINUTE_STEPS, values.minutes),
  };
}

/** Every settlement whose whole interval lies in a part, by the live market's own rule. */
function settle(
  contract: SimulatedContract,
  part: PathPart,
  stepsEach: number,
  basis: Float64Array,
  mark: Float64Array,
): FundingPoint[] {
  const { fundingHours, interestRate, tiers } = contract;
  const intervalMs = fundingHours * HOUR_MS;
  const endMs = part.firstMs + part.steps * part.stepMs;
  const points: FundingPoint[] = [];
  const firstMs = Math.ceil(part.firstMs / intervalMs) * intervalMs + intervalMs;
  for (let dueMs = firstMs; dueMs <= endMs; dueMs += intervalMs) {
    const from = (dueMs - intervalMs - part.firstMs) / part.stepMs;
    const to = (dueMs - part.firstMs) / part.stepMs;
    const samples: bigint[] = [];
    for (let step = from; step < to; step += stepsEach) {
      samples.push(BigInt(Math.round((basis[Math.floor(step)] as number) * RATE_ONE)));
    }
    const premium = weightedPremium(samples);
    const rate = fundingRate(premium, BigInt(interestRate), BigInt(fundingHours), tiers[0]?.rate ?? 0n);
    points.push({
      dueMs,
      rate: Number(rate),
      premium: Number(premium),
      samples: intervalMs / SAMPLE_MS,
      markTicks: Math.max(1, Math.round(mark[Math.floor(to)] as number)),
    });
  }
  return points;
}
