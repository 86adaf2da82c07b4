// The calculator: one set of inputs, all results visible, the liquidation price over leverage, and the worked formula
// with the user's numbers. Works signed out. Nothing is ordered.

import { formatPercent } from "@clockwork/kit/format";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { useDevice } from "@clockwork/ui/hooks/use-device";
import { Segmented } from "@clockwork/ui/segmented";
import { type ReactNode, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { writeRate } from "#trade/order/line.tsx";
import { useProduct } from "#trade/product.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { LeveragePicker } from "../form/leverage-dialog.tsx";
import { useFuturesText } from "../model/futures-text.ts";
import { useKnownContracts, usePositions } from "../model/use-own.ts";
import { useContractQuotation } from "../parts/statistics.tsx";
import { type CalculatorInput, calculate, exampleSize } from "./calculator.ts";
import { LiquidationCurve } from "./calculator-curve.tsx";
import { CALCULATOR_TABS, type CalculatorTab, Results, Worked } from "./calculator-results.tsx";

/** Which inputs a tab needs, in addition to side, leverage, entry and size. */
const FIELDS: Readonly<Record<CalculatorTab, readonly (keyof CalculatorInput)[]>> = {
  pnl: ["exit"],
  target: ["roePercent"],
  liquidation: ["added", "exit", "roePercent"],
  funding: ["rate"],
  max: ["balance"],
  average: ["secondEntry", "secondSize"],
};

export function CalculatorDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useFuturesText();
  const link = useTerminalLink<ContractInfo>();
  const { pair } = useTerminalData<ContractInfo>();
  const { words } = useProduct();
  const quotation = useContractQuotation();
  const contract = useKnownContracts([pair.pairCode]).get(pair.pairCode);
  const [tab, setTab] = useState<CalculatorTab>("liquidation");
  const [input, setInput] = useState<CalculatorInput>(() => ({
    isLong: true,
    leverage: Math.min(20, pair.maxLeverage),
    entry: link.market.get().last ?? "",
    size: exampleSize(pair, link.market.get().last),
    added: "",
    exit: "",
    roePercent: "30",
    balance: pair.kind === "inverse" ? "1" : "1000",
    rate: formatPercent(quotation?.fundingRate ?? "0.0001", { decimals: 4 })
      .replace("%", "")
      .replace("−", "-"),
    secondEntry: "",
    secondSize: "",
  }));
  const change = (part: Partial<CalculatorInput>) => setInput({ ...input, ...part });
  const feeRate = pair.takerRate;
  const result = contract === undefined ? undefined : calculate({ contract, input, feeRate });
  const use = () => {
    link.pick({ source: "chart", price: input.entry, side: input.isLong ? "buy" : "sell", kind: "limit" });
    onClose();
  };
  return (
    <Dialog
      title={text("calc.title")}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      surface="terminal"
      size="wide"
    >
      <p className="text-label text-muted">
        {text("calc.about", {
          pair: words.nameOf(pair.pairCode),
          maker: writeRate(pair.makerRate),
          taker: writeRate(pair.takerRate),
        })}
      </p>
      {/* On a phone the results remain at the foot, below the scrolled content. */}
      <div className="grid gap-5 max-md:-mb-4 max-md:gap-3 lg:grid-cols-[320px_1fr]">
        <div className="flex flex-col gap-2.5">
          <div className="flex flex-wrap gap-x-4 border-line border-b">
            {CALCULATOR_TABS.map((id) => (
              <button
                key={id}
                type="button"
                aria-pressed={tab === id}
                className="h-8 border-transparent border-b-2 font-medium text-label text-muted hover:text-text aria-pressed:border-accent aria-pressed:text-text"
                onClick={() => setTab(id)}
              >
                {text(`calc.${id}`)}
              </button>
            ))}
          </div>
          <Inputs input={input} change={change} pair={pair} tab={tab} />
          <Fillers change={change} pairCode={pair.pairCode} last={link.market.get().last} />
          <Button kind="primary" size={36} onPress={use}>
            {text("calc.use")}
          </Button>
        </div>
        <div className="flex min-w-0 flex-col gap-3 max-md:contents">
          <div className="max-md:-mx-4 max-md:sticky max-md:-bottom-4 max-md:order-last max-md:border-line max-md:border-t max-md:bg-raised max-md:px-4 max-md:py-3">
            <Results contract={contract} input={input} result={result} tab={tab} />
          </div>
          {contract !== undefined && result !== undefined && (
            <>
              <ChartPlace>
                <LiquidationCurve
                  contract={contract}
                  input={input}
                  feeRate={feeRate}
                  maxLeverage={pair.maxLeverage}
                  onLeverage={(leverage) => change({ leverage })}
                />
              </ChartPlace>
              <Worked contract={contract} input={input} result={result} />
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** A phone shows the chart on demand: inputs and results come first there. */
function ChartPlace({ children }: { readonly children: ReactNode }) {
  const text = useFuturesText();
  const isPhone = useDevice().width === "mobile";
  const [isShown, setShown] = useState(false);
  if (!isPhone) return children;
  return (
    <>
      <Button size={36} aria-expanded={isShown} onPress={() => setShown(!isShown)}>
        {text(isShown ? "calc.hideChart" : "calc.showChart")}
      </Button>
      {isShown && children}
    </>
  );
}

interface InputsProps {
  readonly input: CalculatorInput;
  readonly change: (part: Partial<CalculatorInput>) => void;
  readonly pair: ContractInfo;
  readonly tab: CalculatorTab;
}

interface InputKind {
  readonly places: number;
  readonly unit: string;
  readonly step?: string;
}

function Inputs({ input, change, pair, tab }: InputsProps) {
  const text = useFuturesText();
  const { words } = useProduct();
  const assets = words.assetsOf(pair.pairCode);
  const price = { places: pair.priceDecimals, unit: assets.price, step: pair.tickSize };
  const size = { places: pair.quantityDecimals, unit: assets.quantity, step: pair.stepSize };
  const amount = { places: pair.settleScale, unit: pair.settle };
  const kinds: Readonly<Record<string, InputKind>> = {
    entry: price,
    exit: price,
    secondEntry: price,
    size,
    secondSize: size,
    added: amount,
    balance: amount,
    roePercent: { places: 2, unit: "%" },
    rate: { places: 4, unit: "%" },
  };
  const labels = {
    entry: "calc.entry",
    exit: "calc.exit",
    secondEntry: "calc.second",
    size: "calc.size",
    secondSize: "calc.secondSize",
    added: "calc.added",
    balance: "calc.balance",
    roePercent: "calc.roe",
    rate: "calc.rate",
  } as const;
  const field = (name: keyof typeof labels) => {
    const kind: InputKind = kinds[name] ?? amount;
    const { places, unit, step } = kind;
    return (
      <AmountField
        key={name}
        label={text(labels[name])}
        labelInside
        value={input[name]}
        onChange={(value) => change({ [name]: value })}
        rules={step === undefined ? { places } : { places, step }}
        unit={unit}
      />
    );
  };
  return (
    <>
      <Segmented
        label={text("data.side")}
        wide
        size={36}
        value={input.isLong ? "long" : "short"}
        onChange={(id) => change({ isLong: id === "long" })}
        segments={[
          { id: "long", title: text("long"), tone: "up" },
          { id: "short", title: text("short"), tone: "down" },
        ]}
      />
      <LeveragePicker value={input.leverage} max={pair.maxLeverage} onChange={(leverage) => change({ leverage })} />
      {field("entry")}
      {field("size")}
      {FIELDS[tab].map((name) => field(name as keyof typeof labels))}
    </>
  );
}

interface FillersProps {
  readonly change: (part: Partial<CalculatorInput>) => void;
  readonly pairCode: string;
  readonly last: string | null;
}

function Fillers({ change, pairCode, last }: FillersProps) {
  const text = useFuturesText();
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  return (
    <div className="flex gap-2 *:flex-1">
      <Button size={32} isDisabled={last === null} onPress={() => change({ entry: last ?? "" })}>
        {text("calc.last")}
      </Button>
      {isSignedIn ? (
        <MineFiller change={change} pairCode={pairCode} />
      ) : (
        <Button size={32} isDisabled>
          {text("calc.mine")}
        </Button>
      )}
    </div>
  );
}

function MineFiller({ change, pairCode }: Omit<FillersProps, "last">) {
  const text = useFuturesText();
  const { positions } = usePositions();
  const mine = positions.find((position) => position.pairCode === pairCode);
  const fill = () => {
    if (mine === undefined) return;
    change({
      isLong: mine.side === "long",
      leverage: mine.leverage,
      entry: mine.entryPrice,
      size: mine.quantity,
      exit: mine.markPrice,
    });
  };
  return (
    <Button size={32} isDisabled={mine === undefined} onPress={fill}>
      {text("calc.mine")}
    </Button>
  );
}
