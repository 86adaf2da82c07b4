// The computations of the create page: lines, quantity, refusals. Pure.

import type { BackTestCandle } from "@clockwork/kit/grid/back-test";
import { canExit } from "@clockwork/kit/grid/exit";
import { INFINITY_CELLS_MAX, latticeLines } from "@clockwork/kit/grid/infinity";
import { GRID_CELLS_MAX, type GridSpacing, gridLines } from "@clockwork/kit/grid/lines";
import {
  type GridKind,
  type GridPlan,
  isSpotGrid,
  leastInvestment,
  openingInvestment,
  planGrid,
  worstPrices,
} from "@clockwork/kit/grid/plan";
import type { FundingPoint } from "@clockwork/kit/grid/simulate";
import { type Instrument, readInstrument, readPriceTicks } from "@clockwork/kit/instrument";
import type { Contract } from "@clockwork/kit/margin";
import { parseUnits, RATE_ONE, toCoreUnits } from "@clockwork/kit/money";
import type { Candle, ContractInfo, FundingEntry, LadderStep, Pair } from "@clockwork/trading/markets/contract";

export type GridPair = Pair | ContractInfo;

export interface Draft {
  readonly kind: GridKind;
  readonly lower: string;
  readonly upper: string;
  readonly count: string;
  readonly spacing: GridSpacing;
  readonly investment: string;
  /** Spot: own coins added at the start. */
  readonly base: string;
  readonly leverage: string;
  readonly trigger: string;
  readonly takeProfit: string;
  readonly stopLoss: string;
  readonly trailUp: string;
  readonly trailDown: string;
  /** In percent; empty for none. */
  readonly exit: string;
  /** As a clock and a calendar write it, in UTC; empty for no end. */
  readonly ends: string;
  readonly keeps: boolean;
}

export interface GridTerms {
  readonly instrument: Instrument;
  readonly takerRate: number;
  readonly makerRate: number;
  /** Futures: to compute where the worst position would be liquidated. */
  readonly contract?: Contract;
  /** Futures: the settlements of funding that are stored, oldest first. */
  readonly fundings?: readonly FundingPoint[];
}

const LEVERAGE_MAX = 200;
export const COUNT = /^[1-9][0-9]{0,2}$/;
const RATE_SCALE = 8;

const rateOf = (text: string): number => {
  const read = parseUnits(text, RATE_SCALE);
  return read.done ? toCoreUnits(read.value) : RATE_ONE / 1_000;
};

function contractOf(pair: ContractInfo, ladder: readonly LadderStep[], factor: number): Contract {
  const units = (text: string, scale: number): bigint => {
    const read = parseUnits(text, scale);
    return read.done ? read.value : 0n;
  };
  return {
    kind: pair.kind,
    factor: BigInt(factor),
    liquidationRate: units(pair.liquidationRate, RATE_SCALE),
    tiers: ladder.map(({ maxNotional, maxLeverage, maintenanceRate, deduction }) => ({
      cap: units(maxNotional, pair.settleScale),
      leverageMax: maxLeverage,
      rate: units(maintenanceRate, RATE_SCALE),
      deduction: units(deduction, pair.settleScale),
    })),
  };
}

export function termsOf(pair: GridPair, ladder: readonly LadderStep[] = []): GridTerms | undefined {
  const isContract = "kind" in pair;
  const read = readInstrument({
    ...pair,
    kind: isContract ? pair.kind : "spot",
    base: { symbol: pair.base, scale: pair.baseScale },
    quote: { symbol: pair.quote, scale: pair.quoteScale },
  });
  if (!read.done) return undefined;
  const rates = { takerRate: rateOf(pair.takerRate), makerRate: rateOf(pair.makerRate) };
  const own = isContract && ladder.length > 0 ? { contract: contractOf(pair, ladder, read.value.factor) } : {};
  return { instrument: read.value, ...rates, ...own };
}

/** Settlements of the wire, newest first there; those whose mark is off the grid are left out. */
export function readFundings(entries: readonly FundingEntry[], { instrument }: GridTerms): FundingPoint[] {
  return entries.toReversed().flatMap(({ timeMs, rate, mark }) => {
    const markTicks = readPriceTicks(instrument, mark);
    const isPaidByShorts = rate.startsWith("-");
    const size = parseUnits(rate.replace("-", ""), RATE_SCALE);
    if (markTicks === undefined || !size.done) return [];
    return [{ timeMs, rate: isPaidByShorts ? 0 - toCoreUnits(size.value) : toCoreUnits(size.value), markTicks }];
  });
}

export interface Drawn {
  /** What can be drawn although it could not run. */
  readonly lines: readonly number[];
  readonly plan: GridPlan | undefined;
  readonly refusal: string | undefined;
  /** Futures: where a side with all its lines filled would be liquidated, in ticks. */
  readonly liquidations?: { readonly long: number | undefined; readonly short: number | undefined };
}

/** The quote coin's decimals of a market: contracts settle in it. */
export function quoteScale(pair: GridPair): number {
  return "settleScale" in pair ? pair.settleScale : pair.quoteScale;
}

/** Lots of the coin that are brought in; undefined where it is no amount. */
export function baseLotsOf({ base, kind }: Draft, pair: GridPair, { instrument }: GridTerms): number | undefined {
  if (base === "" || !isSpotGrid(kind)) return 0;
  const units = parseUnits(base, pair.baseScale);
  return units.done ? Number(units.value / BigInt(instrument.stepUnits)) : undefined;
}

/** Undefined without an end, and for what is no time. */
export function readEnds({ ends }: Pick<Draft, "ends">): number | undefined {
  const timeMs = Date.parse(`${ends}Z`);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

export function drawGrid(draft: Draft, pair: GridPair, terms: GridTerms, lastTicks: number): Drawn {
  const { instrument, takerRate, contract } = terms;
  const trigger = draft.trigger === "" ? undefined : readPriceTicks(instrument, draft.trigger);
  const priceTicks = trigger ?? lastTicks;
  const isInfinity = draft.kind === "infinity";
  const lowTicks = readPriceTicks(instrument, draft.lower);
  const highTicks = isInfinity ? priceTicks : readPriceTicks(instrument, draft.upper);
  const cells = COUNT.test(draft.count) ? Number(draft.count) : 0;
  if (lowTicks === undefined || highTicks === undefined || cells < 2 || highTicks <= lowTicks || lowTicks <= 0)
    return { lines: [], plan: undefined, refusal: "INVALID" };
  const range = { lowTicks, highTicks, cells: Math.min(cells, mostCells(draft)), spacing: draft.spacing };
  const lines = isInfinity ? latticeLines(range, 0, range.cells * 2) : gridLines(range);
  const quote = parseUnits(draft.investment, quoteScale(pair));
  const baseLots = baseLotsOf(draft, pair, terms);
  if (!quote.done || baseLots === undefined) return { lines, plan: undefined, refusal: "INVALID" };
  const planned = planGrid({
    kind: draft.kind,
    range: { ...range, cells },
    priceTicks,
    feeRate: takerRate,
    tickLotUnits: instrument.factor,
    minLots: instrument.minLots,
    minNotionalUnits: instrument.minNotionalUnits,
    quoteUnits: quote.value,
    baseLots,
    leverage: readLeverage(draft.leverage),
    ...(contract === undefined ? {} : { contract }),
  });
  if (!planned.done) return { lines, plan: undefined, refusal: planned.code };
  const plan = planned.value;
  if (contract === undefined) return { lines, plan, refusal: undefined };
  const { lots } = plan;
  const worst = { kind: draft.kind, lines, lots, priceTicks, quoteUnits: quote.value, contract };
  const [long, short] = worstPrices({ ...worst, tickLotUnits: instrument.factor });
  return { lines, plan, refusal: undefined, liquidations: { long, short } };
}

/** The least quote with which every order is one the market takes. */
export function leastOf(
  draft: Draft,
  { instrument, takerRate }: GridTerms,
  lastTicks: number,
  lines: readonly number[],
): bigint | undefined {
  if (lines.length === 0) return undefined;
  const trigger = draft.trigger === "" ? undefined : readPriceTicks(instrument, draft.trigger);
  const [lowTicks, highTicks] = [lines[0] as number, lines.at(-1) as number];
  return leastInvestment(
    {
      kind: draft.kind,
      range: { lowTicks, highTicks, cells: lines.length - 1, spacing: draft.spacing },
      priceTicks: trigger ?? lastTicks,
      feeRate: takerRate,
      tickLotUnits: instrument.factor,
      minLots: instrument.minLots,
      minNotionalUnits: instrument.minNotionalUnits,
      leverage: readLeverage(draft.leverage),
    },
    lines,
  );
}

/** Until the user types an amount, the form has one that the grid passes its own checks with. */
export function withEnough(draft: Draft, pair: GridPair, terms: GridTerms, lastTicks: number): Draft {
  const { lines } = drawGrid({ ...draft, investment: "1" }, pair, terms, lastTicks);
  const coinUnits = 10n ** BigInt(quoteScale(pair));
  const opening = openingInvestment(leastOf(draft, terms, lastTicks, lines), coinUnits) / coinUnits;
  return { ...draft, investment: opening.toString() };
}

export const mostCells = ({ kind }: Draft): number => (kind === "infinity" ? INFINITY_CELLS_MAX : GRID_CELLS_MAX);

export function readLeverage(text: string): number {
  return COUNT.test(text) ? Math.min(LEVERAGE_MAX, Number(text)) : 1;
}

/** Candles of the wire in ticks; those off the grid are left out. */
export function readCandles(candles: readonly Candle[], { instrument }: GridTerms): BackTestCandle[] {
  return candles.flatMap(({ timeMs, open, high, low, close }) => {
    const prices = [open, high, low, close].map((text) => readPriceTicks(instrument, text));
    if (prices.includes(undefined)) return [];
    const [from, top, bottom, to] = prices as [number, number, number, number];
    return [{ timeMs, open: from, high: top, low: bottom, close: to }];
  });
}

const EXIT = /^[0-9]{1,2}(\.[0-9]{1,2})?$/;
const PERCENT_BPS = 100;

/** A trailing exit in 1e-4; undefined without one, for what is no percent, and for a neutral grid. */
export function readExit({ exit, kind }: Pick<Draft, "exit" | "kind">): number | undefined {
  const bps = EXIT.test(exit) ? Math.round(Number(exit) * PERCENT_BPS) : 0;
  return bps === 0 || !canExit(kind) ? undefined : bps;
}
