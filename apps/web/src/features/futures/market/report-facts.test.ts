import type { LiquidationReport, LiquidationStep } from "@clockwork/trading/liquidations/contract";
import { describe, expect, test } from "vitest";
import type { FuturesText } from "../model/futures-text.ts";
import { deleveragedLines, endFacts, stepFacts, triggerFacts, withSkipped } from "./report-facts.ts";

const text = ((name: string, parts?: Record<string, unknown>) =>
  parts === undefined ? name : `${name} ${Object.values(parts).join(" ")}`) as unknown as FuturesText;
const price = (value: string) => `@${value}`;

const step: LiquidationStep = {
  step: "takenOver",
  pairCode: "BTC_USDT",
  bankruptcyPrice: "47528.5",
  quantity: "1.000",
  value: "47528.5",
  averagePrice: null,
  tierBefore: 1,
  tierAfter: 1,
  cash: null,
  fund: "-1200.5",
  fee: "28.6",
  deleveraged: [{ side: "short", quantity: "0.400", price: "47528.5" }],
};
const report: LiquidationReport = {
  id: "7-0",
  sequence: 7,
  timeMs: 0,
  biz: "futures",
  pairCode: "BTC_USDT",
  asset: "USDT",
  side: "long",
  mode: "cross",
  isOwn: false,
  positionId: null,
  markPrice: "47719.5",
  quantity: "1.000",
  entryPrice: "50000",
  leverage: 20,
  cash: null,
  profit: null,
  need: "219.5",
  ratio: "1.0000",
  tier: 1,
  steps: [step],
  liquidatedQuantity: "1.000",
  averagePrice: "47528.5",
  bookQuantity: "0.000",
  fundQuantity: "0.600",
  deleveragedQuantity: "0.400",
  fee: "28.6",
  fund: "-1200.5",
  balanceAfter: null,
};

describe("[FUT-2] a liquidation report", () => {
  test("shows everyone what started it and who took what, and no wallet", () => {
    const all = [
      triggerFacts(report, text, price),
      stepFacts(step, "USDT", text, price),
      endFacts(report, text, price),
    ];
    const labels = all.flat().map(([label]) => label);
    expect(labels).toEqual(
      expect.arrayContaining(["mark", "data.tier", "data.byBook", "data.byFund", "data.byWinners"]),
    );
    for (const hidden of ["data.wallet", "data.profit", "data.cashLeft", "data.balanceAfter"])
      expect(labels).not.toContain(hidden);
    expect(stepFacts(step, "USDT", text, price)).toContainEqual(["data.fundPart", "−1,200.5 USDT"]);
    expect(deleveragedLines(step, text, price)).toEqual(["data.against short 0.400 @47528.5"]);
  });

  test("shows its owner what carried it and what is left", () => {
    const own = { ...report, isOwn: true, cash: "2500", profit: "-2280.5", balanceAfter: "12.25" };
    expect(triggerFacts(own, text, price)).toContainEqual(["data.wallet", "2,500 USDT"]);
    expect(triggerFacts({ ...own, mode: "isolated" }, text, price)).toContainEqual(["margin.position", "2,500 USDT"]);
    expect(endFacts(own, text, price)).toContainEqual(["data.balanceAfter", "12.25 USDT"]);
  });

  test("counts orders that were cancelled instead of measuring them", () => {
    const cancelled: LiquidationStep = { ...step, step: "ordersCancelled", quantity: "3" };
    expect(stepFacts(cancelled, "USDT", text, price)).toEqual([["data.orders", "3"]]);
  });
});

test("[FUT-2] skipped steps are listed between those that were taken, in the order of the rules", () => {
  const of = (...kinds: LiquidationStep["step"][]) =>
    withSkipped(kinds.map((kind) => ({ ...step, step: kind }))).map((one) => (one.step === undefined ? "–" : one.kind));
  expect(of("takenOver")).toEqual(["–", "–", "–", "takenOver", "–"]);
  expect(of("ordersCancelled", "tierReduced", "tierReduced")).toEqual([
    "ordersCancelled",
    "–",
    "tierReduced",
    "tierReduced",
    "–",
    "–",
  ]);
});
