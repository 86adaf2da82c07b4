// Public data of one perpetual contract, folded from the core's committed events: mark and index with their candles,
// funding, open interest, liquidations; and the insurance fund by coin. Must count every event once.
import type { ListedContract } from "@clockwork/core/inspect/contracts";
import { EVENTS } from "@clockwork/core/protocol/event";
import { INSURANCE_ACCOUNT } from "@clockwork/core/protocol/names";
import { BarSeries, type BarsKept } from "@clockwork/kit/candles/bar-series";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@clockwork/kit/time";
import type { LiquidationOutcome } from "./contract.ts";
import type { FundingRow, FundRow, LiquidationRow, PriceBar } from "./contract-store.ts";

/** Series without trades, by the number they are stored under. */
export const PRICE_SERIES = { mark: 1, index: 2, interest: 3, premium: 4 } as const;
export type PriceSeries = keyof typeof PRICE_SERIES;
const SERIES_NAMES = Object.keys(PRICE_SERIES) as PriceSeries[];

/** Two minutes of seconds, 25 hours of minutes, nine days of hours; what is older comes from the tables. */
export const PRICE_KEPT: BarsKept = { [SECOND_MS]: 120, [MINUTE_MS]: 1_500, [HOUR_MS]: 220 };
const STORED = [MINUTE_MS, HOUR_MS];
export const FUNDINGS_KEPT = 120;
export const LIQUIDATIONS_KEPT = 200;

interface PremiumSample {
  /** Rates in 1e-8. */
  readonly premium: number;
  readonly predictedRate: number;
  readonly openLots: number;
  readonly impactBidTicks: number;
  readonly impactAskTicks: number;
}

export class ContractState {
  readonly market: number;
  /** 0 before the first. */
  markTicks = 0;
  indexTicks = 0;
  isDegraded = false;
  /** Rates in 1e-8: of the last settlement, and of the next if it were now. */
  lastRate = 0;
  predictedRate = 0;
  nextFundingMs = 0;
  openLots = 0;
  /** Of the newest sample: the premium in 1e-8, and the impact prices; 0 without them. */
  premium = 0;
  impactBidTicks = 0;
  impactAskTicks = 0;
  /** Newest last. */
  fundings: FundingRow[] = [];
  liquidations: LiquidationRow[] = [];
  readonly series: Readonly<Record<PriceSeries, BarSeries>> = {
    mark: new BarSeries(PRICE_KEPT, STORED),
    index: new BarSeries(PRICE_KEPT, STORED),
    interest: new BarSeries(PRICE_KEPT, STORED),
    /** In 1e-8, of either sign. */
    premium: new BarSeries(PRICE_KEPT, STORED),
  };
  #fundingMs = 0;
  #freshFundings: FundingRow[] = [];
  #freshLiquidations: LiquidationRow[] = [];

  constructor(market: number) {
    this.market = market;
  }

  /** The core's current state; events may have delivered it already. */
  load(listed: ListedContract): void {
    this.markTicks = listed.markTicks;
    this.indexTicks = listed.indexTicks;
    this.isDegraded = listed.isDegraded;
    this.lastRate = listed.lastRate;
    this.predictedRate = listed.predictedRate;
    this.nextFundingMs = listed.nextFundingMs;
    this.openLots = listed.openLots;
    this.#fundingMs = listed.fundingHours * HOUR_MS;
  }

  setReference(timeMs: number, markTicks: number, indexTicks: number): void {
    this.markTicks = markTicks;
    this.indexTicks = indexTicks;
    if (markTicks > 0) this.series.mark.addPrice(timeMs, markTicks);
    if (indexTicks > 0) this.series.index.addPrice(timeMs, indexTicks);
  }

  sample(timeMs: number, sampled: PremiumSample): void {
    const { premium, predictedRate, openLots } = sampled;
    this.predictedRate = predictedRate;
    this.openLots = openLots;
    this.premium = premium;
    this.impactBidTicks = sampled.impactBidTicks;
    this.impactAskTicks = sampled.impactAskTicks;
    this.series.interest.addPrice(timeMs, openLots);
    this.series.premium.addPrice(timeMs, premium);
  }

  settle(row: FundingRow): void {
    this.lastRate = row.rate;
    this.nextFundingMs = row.due_ms + this.#fundingMs;
    this.fundings.push(row);
    this.#freshFundings.push(row);
    if (this.fundings.length > FUNDINGS_KEPT * 2) this.fundings = this.fundings.slice(-FUNDINGS_KEPT);
  }

  liquidate(row: LiquidationRow): void {
    this.liquidations.push(row);
    this.#freshLiquidations.push(row);
    if (this.liquidations.length > LIQUIDATIONS_KEPT * 2) {
      this.liquidations = this.liquidations.slice(-LIQUIDATIONS_KEPT);
    }
  }

  get hasChanges(): boolean {
    return (
      this.#freshFundings.length > 0 ||
      this.#freshLiquidations.length > 0 ||
      SERIES_NAMES.some((name) => this.series[name].isDirty)
    );
  }

  /** Unstored changes, in their current state. */
  takeChanges(): {
    readonly prices: readonly PriceBar[];
    readonly fundings: readonly FundingRow[];
    readonly liquidations: readonly LiquidationRow[];
  } {
    const prices = SERIES_NAMES.flatMap((name) =>
      this.series[name].takeDirty().map(({ spanMs, bar }) => ({
        market: this.market,
        series: PRICE_SERIES[name],
        spanMs,
        bar,
      })),
    );
    const fundings = this.#freshFundings;
    const liquidations = this.#freshLiquidations;
    this.#freshFundings = [];
    this.#freshLiquidations = [];
    return { prices, fundings, liquidations };
  }
}

/** The insurance fund's balance by coin, and its changes day by day. */
export class FundState {
  /** The newest day of each coin. */
  readonly days = new Map<number, FundRow>();
  readonly #dirty = new Map<string, FundRow>();

  constructor(rows: readonly FundRow[]) {
    for (const row of rows) this.days.set(row.asset, row);
  }

  post(asset: number, deltaUnits: number, balanceUnits: number, timeMs: number): void {
    const day_ms = timeMs - (timeMs % DAY_MS);
    const before = this.days.get(asset);
    const isSame = before?.day_ms === day_ms;
    const row = {
      asset,
      day_ms,
      balance_units: BigInt(balanceUnits),
      in_units: (isSame ? before.in_units : 0n) + BigInt(Math.max(0, deltaUnits)),
      out_units: (isSame ? before.out_units : 0n) + BigInt(Math.max(0, -deltaUnits)),
    };
    this.days.set(asset, row);
    this.#dirty.set(`${asset}:${day_ms}`, row);
  }

  get hasChanges(): boolean {
    return this.#dirty.size > 0;
  }

  takeChanges(): readonly FundRow[] {
    const rows = [...this.#dirty.values()];
    this.#dirty.clear();
    return rows;
  }
}

const AT_ACCOUNT = 4;
const AT_SEQUENCE = 8;
const REFERENCE = EVENTS.referencePrice;
const PREMIUM = EVENTS.premiumSampled;
const FUNDING = EVENTS.fundingSettled;
const DEGRADED = EVENTS.indexState;
const PRINT = EVENTS.liquidationPrint;
const POSTING = EVENTS.posting;
const STARTED = EVENTS.liquidationStarted.kind;
const STEP = EVENTS.liquidationStep;
const ENDED = EVENTS.liquidationEnded.kind;
/** Prints a liquidation may have; its report has the number of the first. */
const PRINTS_MAX = 1_000;

interface Liquidating {
  readonly sequence: number;
  report: number;
  print: number;
  /** The step since the last print. */
  step: string | undefined;
  /** The last print of the liquidation that is under way. */
  last: { outcome: LiquidationOutcome | null } | undefined;
}

/** A print without a step of its own was sold whole into the book: the position ended with it. */
function outcomeOf(step: string | undefined): LiquidationOutcome {
  if (step === "takenOver" || step === "deleveraged") return step;
  return step === "tierReduced" ? "reduced" : "closed";
}

/** Applies one event of the core at a time, straight from its bytes. */
export class ContractFolder {
  readonly #find: (market: number) => ContractState | undefined;
  readonly #fund: FundState;
  #liquidating: Liquidating = startOf(0);

  constructor(find: (market: number) => ContractState | undefined, fund: FundState) {
    this.#find = find;
    this.#fund = fund;
  }

  /** Skips events seen before: a replay starts where the slowest listener left off. */
  fold(view: DataView, at: number, timeMs: number, knownSequence: number, changed: Set<number>): void {
    const kind = view.getUint8(at);
    if (kind === POSTING.kind) {
      if (view.getInt32(at + AT_ACCOUNT, true) !== INSURANCE_ACCOUNT) return;
      if (view.getFloat64(at + AT_SEQUENCE, true) > knownSequence) this.#post(view, at, timeMs);
      return;
    }
    if (kind < REFERENCE.kind || view.getFloat64(at + AT_SEQUENCE, true) <= knownSequence) return;
    const market = this.#apply(view, at, kind, timeMs);
    if (market !== undefined) changed.add(market);
  }

  #post(view: DataView, at: number, timeMs: number): void {
    const { asset, deltaUnits, availableUnits, frozenUnits } = POSTING.layout;
    const balance = view.getFloat64(at + availableUnits.at, true) + view.getFloat64(at + frozenUnits.at, true);
    const delta = view.getFloat64(at + deltaUnits.at, true);
    this.#fund.post(view.getInt32(at + asset.at, true), delta, balance, timeMs);
  }

  /** The market something changed of. */
  #apply(view: DataView, at: number, kind: number, timeMs: number): number | undefined {
    const word = (field: { readonly at: number }): number => view.getInt32(at + field.at, true);
    const double = (field: { readonly at: number }): number => view.getFloat64(at + field.at, true);
    switch (kind) {
      case REFERENCE.kind: {
        const { market, markTicks, indexTicks } = REFERENCE.layout;
        this.#find(word(market))?.setReference(timeMs, word(markTicks), word(indexTicks));
        return word(market);
      }
      case PREMIUM.kind: {
        const { market, premium, predictedRate, openLots, impactBidTicks, impactAskTicks } = PREMIUM.layout;
        this.#find(word(market))?.sample(timeMs, {
          premium: word(premium),
          predictedRate: word(predictedRate),
          openLots: double(openLots),
          impactBidTicks: word(impactBidTicks),
          impactAskTicks: word(impactAskTicks),
        });
        return word(market);
      }
      case FUNDING.kind: {
        const { market, rate, premium, samples, dueAt, markTicks, positions } = FUNDING.layout;
        this.#find(word(market))?.settle({
          market: word(market),
          due_ms: double(dueAt),
          rate: word(rate),
          premium: word(premium),
          samples: word(samples),
          mark: word(markTicks),
          positions: word(positions),
          is_generated: false,
        });
        return word(market);
      }
      case DEGRADED.kind: {
        const { market, degraded } = DEGRADED.layout;
        const state = this.#find(word(market));
        if (state !== undefined) state.isDegraded = (view.getUint16(at + degraded.at, true) & 1) === 1;
        return word(market);
      }
      case PRINT.kind: {
        const { market, price, lots } = PRINT.layout;
        const sequence = view.getFloat64(at + AT_SEQUENCE, true);
        const row = { market: word(market), sequence, price: word(price), lots: double(lots), time_ms: timeMs };
        this.#find(word(market))?.liquidate(this.#print(row));
        return word(market);
      }
      case STARTED: {
        const liquidating = this.#of(view.getFloat64(at + AT_SEQUENCE, true));
        Object.assign(liquidating, { report: liquidating.report + 1, print: 0, step: undefined, last: undefined });
        return undefined;
      }
      case STEP.kind:
        this.#of(view.getFloat64(at + AT_SEQUENCE, true)).step = STEP.layout.step.read(view, at);
        return undefined;
      case ENDED: {
        // The book took enough: what was left is healthy again.
        const { last } = this.#of(view.getFloat64(at + AT_SEQUENCE, true));
        if (last?.outcome === "reduced") last.outcome = "recovered";
        return undefined;
      }
      default:
        return undefined;
    }
  }

  #of(sequence: number): Liquidating {
    if (sequence !== this.#liquidating.sequence) this.#liquidating = startOf(sequence);
    return this.#liquidating;
  }

  /**
   * Prints are identified by the liquidation of the command they belong to, a thousand for each, and by their order.
   */
  #print(row: Omit<LiquidationRow, "place" | "outcome">): LiquidationRow {
    const liquidating = this.#of(row.sequence);
    const place = Math.max(0, liquidating.report) * PRINTS_MAX + liquidating.print;
    const print = { ...row, place, outcome: outcomeOf(liquidating.step) };
    liquidating.print = Math.min(liquidating.print + 1, PRINTS_MAX - 1);
    liquidating.step = undefined;
    liquidating.last = print;
    return print;
  }
}

function startOf(sequence: number): Liquidating {
  return { sequence, report: -1, print: 0, step: undefined, last: undefined };
}
