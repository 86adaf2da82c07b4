// The content of the futures data page, as its loader collects it. The page's charts place figures; exact ones remain
// text.

import { formatUnits, units } from "@clockwork/kit/money";
import type { RiskState } from "@clockwork/trading/liquidations/contract";
import type {
  Candle,
  ContractInfo,
  ContractQuotation,
  FundingEntry,
  IndexView,
  LadderStep,
  LiquidationEntry,
  LongShort,
  RiskFund,
} from "@clockwork/trading/markets/contract";

const RATE_SCALE = 8;

/** Another contract on offer. */
export type DataContract = Pick<ContractInfo, "pairCode" | "base" | "kind" | "settle" | "priceDecimals">;

export interface FuturesData {
  readonly pair: ContractInfo;
  readonly contracts: readonly DataContract[];
  readonly quotation: ContractQuotation | null;
  /** Newest first. */
  readonly funding: readonly FundingEntry[];
  readonly ladder: readonly LadderStep[];
  readonly fund: RiskFund | null;
  readonly risk: RiskState | null;
  readonly index: IndexView | null;
  readonly sides: LongShort | null;
  /** Hours of open interest, oldest first. */
  readonly interest: readonly Candle[];
  /** Newest first. */
  readonly liquidations: readonly LiquidationEntry[];
}

/** Settlements and days of the fund that are shown at most. */
export const FUNDING_LIMIT = 270;
export const FUND_DAYS = 365;

/** Open interest by candles of these lengths, and as many of them. */
export const INTEREST_SPANS = { "1h": 168, "4h": 180, "1d": 180 } as const;
export type InterestSpan = keyof typeof INTEREST_SPANS;

export interface Bar {
  readonly xShare: number;
  readonly widthShare: number;
  readonly topShare: number;
  readonly heightShare: number;
}

/** Bars over a zero line in the middle of a picture, all on one scale. */
export function placeBars(values: readonly number[], top: number): readonly Bar[] {
  const step = 1 / Math.max(1, values.length);
  return values.map((value, index) => {
    const size = top === 0 ? 0 : Math.min(1, Math.abs(value) / top) / 2;
    return {
      xShare: index * step + step * 0.15,
      widthShare: step * 0.7,
      topShare: value >= 0 ? 0.5 - size : 0.5,
      heightShare: Math.max(size, 0.002),
    };
  });
}

/** The height of a value in a picture with zero in its middle, 0 at the top. */
export function heightShare(value: number, top: number): number {
  return top === 0 ? 0.5 : 0.5 - Math.max(-1, Math.min(1, value / top)) / 2;
}

/** Of three prices the middle one; with fewer the first speaks alone. */
export function middleOf(prices: readonly string[]): string | undefined {
  if (prices.length < 3) return prices[0];
  return prices.toSorted((left, right) => Number(left) - Number(right))[1];
}

/** What rates of several settlements come to together, exactly. */
export function sumRates(rates: readonly string[]): string {
  const sum = rates.reduce((total, rate) => total + Math.round(Number(rate) * 10 ** RATE_SCALE), 0);
  return formatUnits(units(sum), RATE_SCALE);
}

/** The largest size among them, with a little air. */
export function topOf(values: readonly number[]): number {
  return Math.max(0, ...values.map(Math.abs)) * 1.1;
}
