// The content of a liquidation report, line by line: why it started, each step, how it ended. The owner's private parts
// are present only for the owner, because the exchange sends them to no other caller.

import { groupThousands } from "@clockwork/kit/decimal";
import type { LiquidationReport, LiquidationStep } from "@clockwork/trading/liquidations/contract";
import type { FuturesText } from "../model/futures-text.ts";

export type Facts = readonly (readonly [label: string, value: string])[];

/** How the contract writes its prices. */
export type ShowPrice = (price: string) => string;

const minus = (amount: string): string => groupThousands(amount).replace("-", "−");

function given(label: string, value: string | null, show: (value: string) => string): Facts {
  return value === null ? [] : [[label, show(value)]];
}

/** In the order of the rules; one may come more than once. */
const ORDER = ["ordersCancelled", "pairNetted", "tierReduced", "takenOver", "deleveraged"] as const;
type StepKind = (typeof ORDER)[number];

export type ShownStep = { readonly kind: StepKind; readonly step: LiquidationStep | undefined };

/** What happened in its order, and between it what did not have to. */
export function withSkipped(steps: readonly LiquidationStep[]): readonly ShownStep[] {
  const shown: ShownStep[] = [];
  const missing = ORDER.filter((kind) => steps.every(({ step }) => step !== kind));
  for (const step of steps) {
    while (missing[0] !== undefined && ORDER.indexOf(missing[0]) < ORDER.indexOf(step.step)) {
      shown.push({ kind: missing.shift() as StepKind, step: undefined });
    }
    shown.push({ kind: step.step, step });
  }
  return [...shown, ...missing.map((kind) => ({ kind, step: undefined }))];
}

export function triggerFacts(report: LiquidationReport, text: FuturesText, price: ShowPrice): Facts {
  const amount = (value: string) => `${minus(value)} ${report.asset}`;
  return [
    [text("mark"), price(report.markPrice)],
    ...given(text("form.entry"), report.entryPrice, price),
    [text("data.tier"), String(report.tier)],
    [text("data.liquidationNeed"), amount(report.need)],
    ...given(text(report.mode === "isolated" ? "margin.position" : "data.wallet"), report.cash, amount),
    ...given(text("data.profit"), report.profit, amount),
  ];
}

export function stepFacts(step: LiquidationStep, asset: string, text: FuturesText, price: ShowPrice): Facts {
  const amount = (value: string) => `${minus(value)} ${asset}`;
  if (step.step === "ordersCancelled") return [[text("data.orders"), step.quantity]];
  return [
    [text("data.size"), groupThousands(step.quantity)],
    [text("data.worth"), amount(step.value)],
    ...given(text("data.average"), step.averagePrice, price),
    ...given(text("data.bankruptcy"), step.bankruptcyPrice, price),
    [text("data.feeFund"), amount(step.fee)],
    [text("data.fundPart"), amount(step.fund)],
    ...given(text("data.cashLeft"), step.cash, amount),
  ];
}

/** Whom it was closed against, without a name: side, size and price of each. */
export function deleveragedLines(step: LiquidationStep, text: FuturesText, price: ShowPrice): readonly string[] {
  return step.deleveraged.map(({ side, quantity, price: at }) =>
    text("data.against", { side: text(side).toLowerCase(), quantity: groupThousands(quantity), price: price(at) }),
  );
}

export function endFacts(report: LiquidationReport, text: FuturesText, price: ShowPrice): Facts {
  const amount = (value: string) => `${minus(value)} ${report.asset}`;
  return [
    ...given(text("data.average"), report.averagePrice, price),
    [text("data.byBook"), groupThousands(report.bookQuantity)],
    [text("data.byFund"), groupThousands(report.fundQuantity)],
    [text("data.byWinners"), groupThousands(report.deleveragedQuantity)],
    [text("data.feeFund"), amount(report.fee)],
    ...given(text("data.balanceAfter"), report.balanceAfter, amount),
  ];
}
