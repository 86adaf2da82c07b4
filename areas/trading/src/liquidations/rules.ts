// Pure rules of liquidation reports: rows of the journal's events → the report, complete for the owner, without the
// user for the public.
import { decimalText } from "@clockwork/kit/decimal";
import { divideCeil } from "@clockwork/kit/fraction";
import { averagePriceText, priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { tierOf, valueCeil } from "@clockwork/kit/margin";
import type { MarketBiz, MarketPair } from "../markets/pair.ts";
import type { LiquidationReport, LiquidationStep } from "./contract.ts";
import type { DeleveragingRecord, LiquidationRecord, StepRecord } from "./store.ts";

/** Prints of one liquidation share its number: a thousand for each. */
const PRINTS_MAX = 1_000;
const BPS_DECIMALS = 4;

export const reportId = ({ sequence, place }: { readonly sequence: number; readonly place: number }): string =>
  `${sequence}-${place * PRINTS_MAX}`;

/** The liquidation of a report or of one of its prints. */
export function readReportId(id: string): readonly [sequence: number, place: number] {
  const [sequence = 0, print = 0] = id.split("-").map(Number);
  return [sequence, Math.floor(print / PRINTS_MAX)];
}

const size = (lots: bigint): bigint => (lots < 0n ? -lots : lots);

/** The tier of a quantity at a mark, from 1. */
function tierAt(pair: MarketPair, lots: bigint, markTicks: number): number {
  const tiers = pair.contract?.tiers ?? [];
  if (lots === 0n || markTicks === 0 || tiers.length === 0) return 1;
  const terms = {
    kind: pair.kind === "inverse" ? "inverse" : "linear",
    factor: BigInt(pair.factor),
    tiers,
    liquidationRate: 0n,
  } as const;
  return tierOf(tiers, valueCeil(terms, lots, BigInt(markTicks))) + 1;
}

export interface ReportRows {
  readonly row: LiquidationRecord;
  readonly steps: readonly StepRecord[];
  readonly deleveragings: readonly DeleveragingRecord[];
}

export function describeReport(
  rows: ReportRows,
  findMarket: (market: number) => MarketPair | undefined,
  isOwn: boolean,
): LiquidationReport | undefined {
  const { row, steps } = rows;
  const pair = findMarket(row.market);
  if (pair === undefined) return undefined;
  const amount = (value: bigint): string => valueText(pair, value);
  const equity = row.cash_units + row.profit_units;
  // A cross position is carried by the user's whole wallet, which is not public.
  const isShown = isOwn || row.isolated;
  const lotsOf = (which: (step: StepRecord) => bigint): bigint =>
    steps.filter(({ market }) => market === row.market).reduce((sum, step) => sum + which(step), 0n);
  const sumOf = (which: (step: StepRecord) => bigint): bigint => steps.reduce((sum, step) => sum + which(step), 0n);
  const lost = lotsOf((step) => (isClosing(step) ? step.lots : 0n));
  const lostUnits = lotsOf((step) => (isClosing(step) ? step.value_units : 0n));
  const handed = lotsOf((step) => handedLots(step, rows.deleveragings));
  return {
    id: reportId(row),
    sequence: row.sequence,
    timeMs: row.time_ms,
    biz: pair.biz as Exclude<MarketBiz, "spot">,
    pairCode: pair.pairCode,
    asset: pair.settle.symbol,
    side: row.lots >= 0n ? "long" : "short",
    mode: row.isolated ? "isolated" : "cross",
    isOwn,
    positionId: isOwn ? String(row.position_id) : null,
    markPrice: priceText(pair, row.mark_ticks),
    quantity: quantityText(pair, size(row.lots)),
    entryPrice: averagePriceText(pair, row.cost_units, size(row.lots), row.cost_excess),
    leverage: row.leverage,
    cash: isShown ? amount(row.cash_units) : null,
    profit: isShown ? amount(row.profit_units) : null,
    need: amount(row.need_units),
    ratio: equity <= 0n ? null : decimalText(divideCeil(row.need_units * 10_000n, equity), BPS_DECIMALS),
    tier: tierAt(pair, size(row.lots), row.mark_ticks),
    steps: steps.flatMap((step) => describeStep(rows, step, findMarket, isShown) ?? []),
    liquidatedQuantity: quantityText(pair, lost),
    averagePrice: averagePriceText(pair, lostUnits, lost),
    bookQuantity: quantityText(
      pair,
      lotsOf(({ book_lots }) => book_lots),
    ),
    fundQuantity: quantityText(pair, lotsOf((step) => (isHandedOver(step) ? step.lots : 0n)) - handed),
    deleveragedQuantity: quantityText(pair, handed),
    fee: amount(sumOf(({ fee_units }) => fee_units)),
    fund: amount(sumOf(({ fund_units }) => fund_units)),
    balanceAfter: isOwn ? amount(row.available_units + row.frozen_units) : null,
  };
}

/** Steps in which the position lost lots to others; a netted pair lost them to itself. */
const isClosing = ({ step }: StepRecord): boolean => step === "tierReduced" || isHandedOver({ step });
const isHandedOver = ({ step }: Pick<StepRecord, "step">): boolean => step === "takenOver" || step === "deleveraged";

function handedLots(step: StepRecord, deleveragings: readonly DeleveragingRecord[]): bigint {
  return deleveragings.filter(({ line }) => line === step.line).reduce((sum, { lots }) => sum + size(lots), 0n);
}

function describeStep(
  { row, deleveragings }: ReportRows,
  step: StepRecord,
  findMarket: (market: number) => MarketPair | undefined,
  isShown: boolean,
): LiquidationStep | undefined {
  const pair = findMarket(step.market);
  if (pair === undefined) return undefined;
  // Orders are a count, not an amount; the report has no mark of other contracts.
  const isCount = step.step === "ordersCancelled";
  const isMarked = !isCount && step.market === row.market;
  return {
    step: step.step as LiquidationStep["step"],
    pairCode: pair.pairCode,
    bankruptcyPrice: step.bankruptcy_ticks === 0 ? null : priceText(pair, step.bankruptcy_ticks),
    quantity: isCount ? String(step.lots) : quantityText(pair, step.lots),
    value: valueText(pair, step.value_units),
    averagePrice: averagePriceText(pair, step.book_units, step.book_lots),
    tierBefore: isMarked ? tierAt(pair, step.held_lots, row.mark_ticks) : null,
    tierAfter: isMarked ? tierAt(pair, step.held_lots - step.lots, row.mark_ticks) : null,
    cash: isShown && step.cash_units !== null ? valueText(pair, step.cash_units) : null,
    fund: valueText(pair, step.fund_units),
    fee: valueText(pair, step.fee_units),
    deleveraged: deleveragings
      .filter(({ line }) => line === step.line)
      .map(({ lots, price_ticks }) => ({
        side: lots > 0n ? "long" : "short",
        quantity: quantityText(pair, size(lots)),
        price: priceText(pair, price_ticks),
      })),
  };
}
