// The calculator of the page that teaches reversing: a position, the price, and the effect of reversing. Starts at the
// market's last price and follows the input.
import { formatDecimal } from "@clockwork/kit/format";
import { Segmented } from "@clockwork/ui/segmented";
import { Slider } from "@clockwork/ui/slider";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import {
  beginDraft,
  type Draft,
  type DraftFaults,
  liquidationText,
  MONEY_SCALE,
  type Reversal,
  type ReverseTerms,
  rateText,
  readDraft,
  readTerms,
  shiftTicks,
  tickText,
} from "./reverse-model.ts";
import { type ReverseText, useReverseText } from "./reverse-text.ts";

const SHIFT_MAX = 200;

function money(units: bigint, plus = false): string {
  const text = formatDecimal({ units, scale: MONEY_SCALE }, { decimals: 2, rounding: "floor", grouped: true, plus });
  return `${text.replace("-", "−")} USDT`;
}

function toneOf(units: bigint): string {
  return units === 0n ? "" : units < 0n ? "text-down-text" : "text-up-text";
}

interface CalculatorProps {
  readonly last: string;
  readonly terms: ReverseTerms | null;
}

export function ReverseCalculator({ last, terms: served }: CalculatorProps) {
  const text = useReverseText();
  const terms = readTerms(served);
  const [draft, setDraft] = useState<Draft>(() => beginDraft(last));
  const { faults, reversal } = readDraft(draft, terms);
  return (
    <section aria-labelledby="calculator" className="rounded-panel border border-line bg-raised shadow-card">
      <h2 id="calculator" className="border-line border-b px-6 py-4 font-semibold text-[18px]">
        {text("reverse.calculator")}
      </h2>
      <div className="grid gap-x-10 gap-y-6 p-6 lg:grid-cols-[300px_1fr]">
        <Inputs draft={draft} faults={faults} onChange={setDraft} />
        {reversal === undefined ? (
          <p role="status" className="self-center text-muted">
            {text("reverse.incomplete")}
          </p>
        ) : (
          <Result draft={draft} reversal={reversal} rate={rateText(terms)} />
        )}
      </div>
    </section>
  );
}

interface InputsProps {
  readonly draft: Draft;
  readonly faults: DraftFaults;
  readonly onChange: (draft: Draft) => void;
}

function Inputs({ draft, faults, onChange }: InputsProps) {
  const text = useReverseText();
  const field = (name: "quantity" | "entry" | "price" | "leverage", suffix: string) => (
    <TextField
      label={text(`reverse.${name}`)}
      value={draft[name]}
      onChange={(value) => onChange({ ...draft, [name]: value })}
      error={faults[name] === undefined ? undefined : text(`reverse.${faults[name]}`)}
      inputMode="decimal"
      maxLength={24}
      suffix={<span className="text-label text-muted">{suffix}</span>}
    />
  );
  return (
    <div className="grid content-start gap-4">
      <Segmented
        label={text("reverse.side")}
        value={draft.side}
        onChange={(side) => onChange({ ...draft, side: side === "short" ? "short" : "long" })}
        segments={[
          { id: "long", title: text("reverse.long"), tone: "up" },
          { id: "short", title: text("reverse.short"), tone: "down" },
        ]}
        wide
        size={36}
      />
      {field("quantity", "BTC")}
      {field("entry", "USDT")}
      {field("price", "USDT")}
      {field("leverage", "×")}
    </div>
  );
}

interface ResultProps {
  readonly draft: Draft;
  readonly reversal: Reversal;
  /** Of a taker, in per cent. */
  readonly rate: string;
}

function Result({ draft, reversal, rate }: ResultProps) {
  const text = useReverseText();
  const other = draft.side === "long" ? "short" : "long";
  const { before, after } = reversal;
  return (
    <div className="grid content-start gap-6" aria-live="polite">
      <div className="grid gap-6 sm:grid-cols-2">
        <Facts
          title={text("reverse.before", { side: text(`reverse.${draft.side}`), quantity: draft.quantity })}
          rows={[
            [text("reverse.profit"), <Signed key="profit" units={before.profit} />],
            [text("reverse.margin"), money(before.margin)],
            [text("reverse.liquidation"), priceText(text, before.liquidation)],
          ]}
        />
        <Facts
          title={text("reverse.after", { side: text(`reverse.${other}`), quantity: draft.quantity })}
          rows={[
            [
              text("reverse.entry"),
              `${formatDecimal(tickText(reversal.nowTicks), { decimals: 1, grouped: true })} USDT`,
            ],
            [text("reverse.margin"), money(after.margin)],
            [text("reverse.liquidation"), priceText(text, after.liquidation)],
          ]}
        />
      </div>
      <Facts
        title={text("reverse.press")}
        rows={[
          [text("reverse.realized"), <Signed key="realized" units={reversal.realized} />],
          [text("reverse.fees", { rate }), money(-(reversal.closingFee + reversal.openingFee))],
          [text("reverse.left"), money(reversal.left)],
          [text("reverse.missing"), reversal.missing === 0n ? text("reverse.nothing") : money(reversal.missing)],
        ]}
      />
      <WhatIf reversal={reversal} />
    </div>
  );
}

function priceText(text: ReverseText, price: Reversal["after"]["liquidation"]): string {
  const reply = liquidationText(price);
  return reply === undefined ? text("reverse.never") : `${formatDecimal(reply, { decimals: 1, grouped: true })} USDT`;
}

function Signed({ units }: { readonly units: bigint }) {
  return <span className={toneOf(units)}>{money(units, true)}</span>;
}

interface FactsProps {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, value: ReactNode])[];
}

function Facts({ title, rows }: FactsProps) {
  return (
    <div>
      <h3 className="font-semibold text-[13px]">{title}</h3>
      <dl className="mt-2 border-line border-t">
        {rows.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4 border-line border-b py-2 text-ui">
            <dt className="text-muted">{name}</dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The three ways at a later price. */
function WhatIf({ reversal }: { readonly reversal: Reversal }) {
  const text = useReverseText();
  const [perMille, setPerMille] = useState(-50);
  const later = shiftTicks(reversal.nowTicks, perMille);
  const outcomes = reversal.outcomes(later);
  const best = [outcomes.keep, outcomes.close, outcomes.reverse].reduce((high, one) => (one > high ? one : high));
  const say = (value: number) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value) / 10}%`;
  return (
    <div>
      <h3 className="font-semibold text-[13px]">{text("reverse.whatIf")}</h3>
      <div className="mt-3 flex items-center gap-4">
        <Slider
          label={text("reverse.later")}
          value={perMille}
          onChange={setPerMille}
          min={-SHIFT_MAX}
          max={SHIFT_MAX}
          step={5}
          describe={say}
          bubble="never"
          className="min-w-0 flex-1"
        />
        <span className="figures w-[150px] shrink-0 text-right text-ui">
          {formatDecimal(tickText(later), { decimals: 1, grouped: true })} ({say(perMille)})
        </span>
      </div>
      <dl className="mt-3 grid gap-3 sm:grid-cols-3">
        {(["keep", "close", "reverse"] as const).map((way) => (
          <div
            key={way}
            className={`rounded-card border px-4 py-3 ${outcomes[way] === best ? "border-text" : "border-line"}`}
          >
            <dt className="text-label text-muted">{text(`reverse.way.${way}`)}</dt>
            <dd className={`figures mt-1 font-semibold ${toneOf(outcomes[way])}`}>{money(outcomes[way], true)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
