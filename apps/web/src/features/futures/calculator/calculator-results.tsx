// The calculator's results, all visible, and the worked formula with the user's numbers.
import { groupThousands } from "@clockwork/kit/decimal";
import { formatPercent } from "@clockwork/kit/format";
import type { ReactNode } from "react";
import { type KnownContract, shownCoin, writeLots, writePrice, writeUnits } from "../model/contract.ts";
import { toneOf, writeBps, writeSigned } from "../model/figures.ts";
import { type FuturesText, useFuturesText } from "../model/futures-text.ts";
import { awayBps } from "../model/preview.ts";
import type { CalculatorInput, CalculatorResult } from "./calculator.ts";

export const CALCULATOR_TABS = ["pnl", "target", "liquidation", "funding", "max", "average"] as const;
export type CalculatorTab = (typeof CALCULATOR_TABS)[number];

interface ResultsProps {
  readonly contract: KnownContract | undefined;
  readonly input: CalculatorInput;
  readonly result: CalculatorResult | undefined;
  readonly tab: CalculatorTab;
}

export function Results({ contract, input, result, tab }: ResultsProps) {
  const text = useFuturesText();
  const cells =
    contract === undefined || result === undefined
      ? emptyCells(input, text)
      : [
          liquidationCell(contract, input, result, text),
          {
            label: text("calc.result.margin"),
            value: groupThousands(writeUnits(contract, result.margin, "ceil")),
            note: text("calc.of", {
              amount: `${groupThousands(writeUnits(contract, result.value))} ${shownCoin(contract.rules.settle)}`,
            }),
            tone: "",
          },
          pnlCell(contract, result, text),
          lastCell(contract, input, result, text, tab),
        ];
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-control border border-line bg-line md:grid-cols-4">
      {cells.map(({ label, value, note, tone }) => (
        <div
          key={label}
          className="flex min-h-[76px] flex-col bg-surface px-3 py-2 max-md:min-h-0 max-md:py-1.5 dark:bg-bg"
        >
          <dt className="text-label text-muted">{label}</dt>
          <dd className={`figures truncate font-semibold text-[18px] leading-6 ${tone}`}>{value}</dd>
          <dd className="figures truncate text-label text-muted">{note}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Cell {
  readonly label: string;
  readonly value: string;
  readonly note: ReactNode;
  readonly tone: string;
}

/** Placeholders before there is enough input to calculate. */
function emptyCells({ roePercent }: CalculatorInput, text: FuturesText): readonly Cell[] {
  const roe = roePercent === "" ? "–" : roePercent;
  const labels = [
    text("calc.result.liquidation"),
    text("calc.result.margin"),
    text("calc.result.pnl"),
    text("calc.result.target", { roe }),
  ];
  return labels.map((label) => ({ label, value: "–", note: "", tone: "text-muted" }));
}

function liquidationCell(
  contract: KnownContract,
  input: CalculatorInput,
  result: CalculatorResult,
  text: FuturesText,
): Cell {
  const { liquidation } = result;
  const label = text("calc.result.liquidation");
  if (liquidation === undefined) return { label, value: text("form.none"), note: "", tone: "" };
  const entry = BigInt(Math.round(Number(input.entry) / Number(contract.rules.tickSize)));
  return {
    label,
    value: groupThousands(writePrice(contract, liquidation)),
    note: text("calc.fromEntry", { percent: writeBps(awayBps(liquidation, entry)) }),
    tone: "text-warn",
  };
}

function pnlCell(contract: KnownContract, result: CalculatorResult, text: FuturesText): Cell {
  const label = text("calc.result.pnl");
  if (result.net === undefined || result.profit === undefined || result.closeFee === undefined)
    return { label, value: "–", note: "", tone: "text-muted" };
  const net = writeUnits(contract, result.net);
  const decimals = net.split(".")[1]?.length ?? 0;
  return {
    label,
    value: writeSigned(net, decimals),
    note: text("calc.parts", {
      profit: writeSigned(writeUnits(contract, result.profit), decimals),
      open: writeUnits(contract, result.openFee, "ceil"),
      close: writeUnits(contract, result.closeFee, "ceil"),
    }),
    tone: toneOf(net),
  };
}

/** The fourth result is the tab's own; the target price where the tab has none. */
function lastCell(
  contract: KnownContract,
  input: CalculatorInput,
  result: CalculatorResult,
  text: FuturesText,
  tab: CalculatorTab,
): Cell {
  const settle = shownCoin(contract.rules.settle);
  if (tab === "funding" && result.funding !== undefined) {
    const pays = result.funding >= 0n;
    const size = pays ? result.funding : -result.funding;
    return {
      label: text("calc.result.funding"),
      value: `${pays ? "−" : "+"}${groupThousands(writeUnits(contract, size, pays ? "ceil" : "floor"))}`,
      note: settle,
      tone: pays ? "text-down-text" : "text-up-text",
    };
  }
  if (tab === "max" && result.mostLots !== undefined)
    return {
      label: text("calc.result.max"),
      value: groupThousands(writeLots(contract, result.mostLots)),
      note: "",
      tone: "",
    };
  if (tab === "average" && result.average !== undefined)
    return {
      label: text("calc.result.average"),
      value: groupThousands(writePrice(contract, result.average)),
      note: "",
      tone: "",
    };
  const label = text("calc.result.target", { roe: input.roePercent === "" ? "–" : input.roePercent });
  if (result.target === undefined) return { label, value: "–", note: "", tone: "text-muted" };
  const entry = BigInt(Math.round(Number(input.entry) / Number(contract.rules.tickSize)));
  return {
    label,
    value: groupThousands(writePrice(contract, result.target)),
    note: text("calc.beforeFees", { percent: writeBps(awayBps(result.target, entry)) }),
    tone: "",
  };
}

/** The rule with the user's numbers; linear only, where it fits a line. */
export function Worked({
  contract,
  input,
  result,
}: {
  readonly contract: KnownContract;
  readonly input: CalculatorInput;
  readonly result: CalculatorResult;
}) {
  const text = useFuturesText();
  const tier = contract.tiers[result.tier];
  if (tier === undefined || contract.kind === "inverse" || result.liquidation === undefined) return null;
  const rate = (value: bigint) => formatPercent(String(Number(value) / 1e8), { decimals: 2 });
  const sign = input.isLong ? "−" : "+";
  const rows = [
    [text("calc.rule"), input.isLong ? "(W − q·E + d) ÷ (q·(r + f − 1))" : "(W + q·E + d) ÷ (q·(r + f + 1))"],
    [
      text("calc.yours"),
      `(${writeUnits(contract, result.margin)} ${sign} ${input.size}·${input.entry} + ${writeUnits(contract, tier.deduction)}) ÷ (${input.size}·(${rate(tier.rate)} + ${rate(contract.liquidationRate)} ${input.isLong ? "− 1" : "+ 1"}))`,
    ],
    [
      text("calc.result"),
      `${groupThousands(writePrice(contract, result.liquidation))}, ${text("calc.tier", { tier: result.tier + 1, rate: rate(tier.rate) })}`,
    ],
  ] as const;
  return (
    <section className="rounded-control border border-line bg-surface px-3 py-2 text-label dark:bg-bg">
      <h3 className="font-semibold">
        {text("calc.how")} <span className="ml-2 font-normal text-muted">{text("calc.symbols")}</span>
      </h3>
      <dl className="figures mt-1">
        {rows.map(([label, value]) => (
          <div key={label} className="flex min-h-5 gap-3">
            <dt className="w-14 shrink-0 text-muted">{label}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
