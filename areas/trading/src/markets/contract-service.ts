// Reads public data of perpetual contracts: rules and ladders, prices, candles of last, mark and index, funding, open
// interest, liquidations and the insurance fund, all as exact text. Changes nothing; calls and channels of futures and
// delivery are built on it.
import { reachFirst, readCandles, recentCandles } from "@clockwork/kit/candles/bar-series";
import { type Bar, chooseRange } from "@clockwork/kit/candles/candles";
import { priceText, quantityText, valueFloor, valueText } from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { CandleInterval } from "@clockwork/kit/time";
import { readTimezone } from "@clockwork/kit/timezone";
import type {
  Candle,
  ContractBiz,
  ContractInfo,
  ContractQuotation,
  Depth,
  FundDay,
  FundingEntry,
  FundingState,
  InterestState,
  LadderStep,
  LiquidationEntry,
} from "./contract.ts";
import type { ContractState } from "./contract-projector.ts";
import type { LiquidationRow, PrintPlace } from "./contract-store.ts";
import type { ContractRules, MarketAsset, MarketNeeds, MarketPair } from "./pair.ts";
import type { MarketProjector, MarketState } from "./projector.ts";
import type { MarketRefusal } from "./refusals.ts";
import { type DayStats, dayStats, describePair, quote } from "./rules.ts";
import type { SeriesName, SeriesService } from "./series-service.ts";
import { describeBar, describeDepth } from "./service.ts";
import type { MarketStore } from "./store.ts";

const RATE_SCALE = 8;
const rateText = (rate: number | bigint): string => formatUnits(units(rate), RATE_SCALE);

export interface SeriesRequest {
  readonly biz: ContractBiz;
  readonly pairCode: string;
  readonly kind: SeriesName;
  readonly interval: CandleInterval;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
  readonly timezone?: string;
}

export interface ContractServiceParts {
  readonly needs: MarketNeeds;
  readonly projector: MarketProjector;
  readonly series: SeriesService;
  readonly store: MarketStore;
}

interface Found {
  readonly pair: MarketPair;
  readonly state: MarketState;
  readonly contract: ContractState;
  readonly rules: ContractRules;
}

type Answer<Data> = Result<Data, MarketRefusal>;
const UNKNOWN = refused("UNKNOWN_PAIR" as const);

export class ContractService {
  readonly #parts: ContractServiceParts;

  constructor(parts: ContractServiceParts) {
    this.#parts = parts;
  }

  listContracts(biz: ContractBiz): ContractInfo[] {
    const { needs } = this.#parts;
    return needs.listContracts(biz).flatMap(({ pairCode }) => {
      const found = this.#find(biz, pairCode);
      return found === undefined ? [] : [describeContract(biz, found)];
    });
  }

  readLadder(biz: ContractBiz, pairCode: string): Answer<LadderStep[]> {
    return this.#answer(biz, pairCode, ({ pair, rules }) =>
      rules.tiers.map(({ cap, leverageMax, rate, deduction }, index) => ({
        tier: index + 1,
        maxNotional: valueText(pair, cap),
        maxLeverage: leverageMax,
        maintenanceRate: rateText(rate),
        deduction: valueText(pair, deduction),
      })),
    );
  }

  readDepth(biz: ContractBiz, pairCode: string, levels: number): Answer<Depth> {
    return this.#answer(biz, pairCode, ({ pair, state }) => describeDepth(pair, state, levels));
  }

  /** Undefined before the first price. */
  readQuotation(biz: ContractBiz, pairCode: string, nowMs: number): Answer<ContractQuotation | null> {
    return this.#answer(biz, pairCode, (found) => quoteContract(found, nowMs));
  }

  listQuotations(biz: ContractBiz, nowMs: number): ContractQuotation[] {
    return this.#parts.needs.listContracts(biz).flatMap(({ pairCode }) => {
      const found = this.#find(biz, pairCode);
      const quotation = found === undefined ? null : quoteContract(found, nowMs);
      return quotation === null ? [] : [quotation];
    });
  }

  /** Every contract; without trades, trade prices are zero and the mark is still given. */
  listFigures(biz: ContractBiz, nowMs: number): ContractQuotation[] {
    return this.#parts.needs.listContracts(biz).flatMap(({ pairCode }) => {
      const found = this.#find(biz, pairCode);
      return found === undefined ? [] : [quoteContract(found, nowMs) ?? quoteWith(found, UNTRADED)];
    });
  }

  /** Candles of trades, mark or index; of open interest in quantities. */
  async readCandles(request: SeriesRequest, nowMs: number): Promise<Answer<Candle[]>> {
    const found = this.#find(request.biz, request.pairCode);
    if (found === undefined) return UNKNOWN;
    const { pair, state, contract } = found;
    const zone = readTimezone(request.timezone);
    const series = request.kind === "last" ? state.series : contract.series[request.kind];
    const old = this.#parts.series.of(state.market, request.kind);
    const reached = await reachFirst(request, series, old, request.interval, zone);
    const range = chooseRange(reached, request.interval, zone, nowMs);
    if (range === undefined) return done([]);
    const bars = await readCandles(series, old, request.interval, zone, range);
    return done(bars.map((bar) => describeSeries(pair, request.kind, bar)));
  }

  /** The last two candles, from memory only. */
  readLastCandles(
    biz: ContractBiz,
    pairCode: string,
    kind: SeriesName,
    interval: CandleInterval,
    nowMs: number,
  ): Answer<Candle[]> {
    return this.#answer(biz, pairCode, ({ pair, state, contract }) => {
      const range = chooseRange({ limit: 2 }, interval, "UTC0", nowMs);
      const series = kind === "last" ? state.series : contract.series[kind];
      const bars = range === undefined ? [] : recentCandles(series, interval, "UTC0", range);
      return bars.map((bar) => describeSeries(pair, kind, bar));
    });
  }

  /** Settlements before a time, newest first. */
  async listFundings(
    biz: ContractBiz,
    pairCode: string,
    beforeMs: number,
    limit: number,
  ): Promise<Answer<FundingEntry[]>> {
    const found = this.#find(biz, pairCode);
    if (found === undefined) return UNKNOWN;
    const { pair, contract } = found;
    const stored = await this.#parts.store.readFundings(found.state.market, beforeMs, limit);
    const newestMs = stored[0]?.due_ms ?? 0;
    // The newest may not be stored yet.
    const fresh = contract.fundings.filter(({ due_ms }) => due_ms > newestMs && due_ms < beforeMs).toReversed();
    return done(
      [...fresh, ...stored].slice(0, limit).map((row) => ({
        timeMs: row.due_ms,
        rate: rateText(row.rate),
        premium: rateText(row.premium),
        mark: priceText(pair, row.mark),
        samples: row.samples,
        positions: row.positions,
        isGenerated: row.is_generated,
      })),
    );
  }

  /** Public prints of one contract or of all of a product before a command, newest first. */
  async listLiquidations(
    biz: ContractBiz,
    pairCode: string | undefined,
    before: PrintPlace,
    limit: number,
  ): Promise<Answer<LiquidationEntry[]>> {
    const codes =
      pairCode === undefined ? this.#parts.needs.listContracts(biz).map((pair) => pair.pairCode) : [pairCode];
    const found = codes.flatMap((code) => this.#find(biz, code) ?? []);
    if (found.length === 0) return pairCode === undefined ? done([]) : UNKNOWN;
    const pairs = new Map(found.map(({ pair, state }) => [state.market, pair]));
    const stored = await this.#parts.store.readLiquidations([...pairs.keys()], before, limit);
    // The newest may not be stored yet.
    const newest = stored[0]?.sequence ?? 0;
    const fresh = found
      .flatMap(({ contract }) => contract.liquidations)
      .filter((row) => row.sequence > newest && isBefore(row, before))
      .toSorted((left, right) => right.sequence - left.sequence || right.place - left.place);
    return done(
      [...fresh, ...stored].slice(0, limit).flatMap((row) => {
        const pair = pairs.get(row.market);
        return pair === undefined ? [] : describePrint(pair, row);
      }),
    );
  }

  /** The insurance fund of one coin: its balance, and its days since. */
  async readFund(asset: MarketAsset, fromMs: number): Promise<{ readonly balance: string; readonly days: FundDay[] }> {
    const stored = await this.#parts.store.readFund(asset.asset, fromMs);
    const newest = this.#parts.projector.fund.days.get(asset.asset);
    const rows = newest === undefined ? stored : [...stored.filter(({ day_ms }) => day_ms < newest.day_ms), newest];
    const text = (value: bigint): string => formatUnits(units(value), asset.scale);
    return {
      balance: text(newest?.balance_units ?? 0n),
      days: rows.map((row) => ({
        dayMs: row.day_ms,
        balance: text(row.balance_units),
        inflow: text(row.in_units),
        outflow: text(row.out_units),
      })),
    };
  }

  /** The rate of the next settlement if it were now, and of the last one. */
  describeFunding(state: ContractState): FundingState {
    const { predictedRate, lastRate, nextFundingMs } = state;
    return { rate: rateText(predictedRate), lastRate: rateText(lastRate), nextFundingMs };
  }

  describeInterest(pair: MarketPair, { openLots, markTicks }: ContractState): InterestState {
    const value = markTicks === 0 ? 0n : valueFloor(pair, openLots, markTicks);
    return { openInterest: quantityText(pair, openLots), openInterestValue: valueText(pair, value) };
  }

  #answer<Data>(biz: ContractBiz, pairCode: string, describe: (found: Found) => Data): Answer<Data> {
    const found = this.#find(biz, pairCode);
    return found === undefined ? UNKNOWN : done(describe(found));
  }

  #find(biz: ContractBiz, pairCode: string): Found | undefined {
    const pair = this.#parts.needs.findListed(biz, pairCode);
    // A demo market shows the real one it follows.
    const shown = pair?.contract?.mirror || pair?.market;
    const state = shown === undefined ? undefined : this.#parts.projector.states.get(shown);
    if (pair?.contract === undefined || state?.contract === undefined) return undefined;
    return { pair, state, contract: state.contract, rules: pair.contract };
  }
}

/** A print as published. */
function isBefore(print: PrintPlace, other: PrintPlace): boolean {
  return print.sequence < other.sequence || (print.sequence === other.sequence && print.place < other.place);
}

export function describePrint(pair: MarketPair, row: LiquidationRow): LiquidationEntry {
  return {
    id: `${row.sequence}-${row.place}`,
    pairCode: pair.pairCode,
    side: row.lots > 0 ? "long" : "short",
    price: priceText(pair, row.price),
    quantity: quantityText(pair, Math.abs(row.lots)),
    timeMs: row.time_ms,
    outcome: row.outcome,
  };
}

function describeContract(biz: ContractBiz, { pair, rules }: Found): ContractInfo {
  return {
    ...describePair(pair),
    biz,
    kind: pair.kind === "inverse" ? "inverse" : "linear",
    settle: pair.settle.symbol,
    settleScale: pair.settle.scale,
    faceValue: pair.kind === "inverse" ? quantityText(pair, 1) : null,
    contractClass: rules.contractClass,
    fundingHours: rules.fundingHours,
    interestRate: rateText(rules.interestRate),
    liquidationRate: rateText(rules.liquidationRate),
    maxLeverage: rules.tiers[0]?.leverageMax ?? 0,
  };
}

const UNTRADED: DayStats = { open: 0, high: 0, low: 0, last: 0, lots: 0, quoteUnits: 0n };

function quoteContract(found: Found, nowMs: number): ContractQuotation | null {
  const stats = dayStats(found.state.bars(60_000), nowMs);
  return stats === undefined ? null : quoteWith(found, stats);
}

function quoteWith({ pair, state, contract }: Found, stats: DayStats): ContractQuotation {
  const { bids, asks, timeMs } = state.book;
  const { markTicks, indexTicks, openLots } = contract;
  const best = { bid: bids.bestTicks, ask: asks.bestTicks, band: markTicks };
  const price = (ticks: number): string | null => (ticks === 0 ? null : priceText(pair, ticks));
  return {
    ...quote(pair, stats, best, Math.max(timeMs, state.trades.at(-1)?.time_ms ?? 0)),
    mark: price(markTicks),
    index: price(indexTicks),
    isDegraded: contract.isDegraded,
    fundingRate: rateText(contract.predictedRate),
    lastFundingRate: rateText(contract.lastRate),
    nextFundingMs: contract.nextFundingMs,
    openInterest: quantityText(pair, openLots),
    openInterestValue: valueText(pair, markTicks === 0 ? 0n : valueFloor(pair, openLots, markTicks)),
  };
}

/** Open interest counts lots: quantities take the place of prices. A premium is a fraction in 1e-8. */
function describeSeries(pair: MarketPair, name: SeriesName, bar: Bar): Candle {
  if (name !== "interest" && name !== "premium") return describeBar(pair, bar);
  const text = (value: number): string => (name === "interest" ? quantityText(pair, value) : rateText(value));
  const { timeMs, trades, isGenerated } = bar;
  const values = { open: text(bar.open), high: text(bar.high), low: text(bar.low), close: text(bar.close) };
  return {
    timeMs,
    ...values,
    volume: "0",
    turnover: "0",
    boughtVolume: "0",
    boughtTurnover: "0",
    trades,
    isGenerated,
  };
}
