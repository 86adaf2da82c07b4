// What a grid would have made of the last days, and what fewer or more cells would have: a row is taken by pressing it.

import { formatPercent } from "@clockwork/kit/format";
import type { BackTestResult } from "@clockwork/kit/grid/back-test";
import { type Instrument, valueText } from "@clockwork/kit/instrument";
import { RATE_ONE } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type { ReactNode } from "react";
import { ProfitCurve, Signed } from "./figures.tsx";
import { keyOf, useGridText } from "./grid-text.ts";
import type { SweptCount } from "./model/grid-test.ts";

export interface BackTestPanelProps {
  readonly result: BackTestResult | undefined;
  /** Why there is none, by the rule's code. */
  readonly refusal: string | undefined;
  readonly swept: readonly SweptCount[];
  readonly chosen: string;
  readonly instrument: Instrument;
  readonly isBusy: boolean;
  readonly isFutures: boolean;
  readonly onChoose: (count: number) => void;
}

const percent = (rate: number): string => formatPercent((rate / RATE_ONE).toFixed(6), { decimals: 2 });

export function BackTestPanel(props: BackTestPanelProps) {
  const { result, refusal, swept, chosen, instrument, isBusy, isFutures, onChoose } = props;
  const text = useGridText();
  if (result === undefined)
    return (
      <section className="p-4">
        <h2 className="font-semibold text-ui">{text("test.title", { days: 30 })}</h2>
        <p className="mt-2 text-muted">
          {refusal === undefined
            ? text("test.none")
            : text("test.refused", { reason: text(keyOf("refusal", refusal)) })}
        </p>
      </section>
    );
  const money = (units: number): string => valueText(instrument, BigInt(Math.round(units)));
  const days = Math.max(1, Math.round((result.toMs - result.fromMs) / DAY_MS));
  const apr = ((result.gridUnits / result.investedUnits) * (365 / days)).toFixed(6);
  const change = formatPercent((result.endTicks / result.startTicks - 1).toFixed(6), { decimals: 2 });
  const curve = result.curve.map(({ timeMs, totalUnits, gridUnits }) => ({
    timeMs,
    total: totalUnits,
    grid: gridUnits,
  }));
  return (
    <section className="grid gap-4 p-4 lg:grid-cols-[1fr_360px]" aria-busy={isBusy}>
      <div className={isBusy ? "flex min-w-0 flex-col gap-3 opacity-60" : "flex min-w-0 flex-col gap-3"}>
        <h2 className="font-semibold text-ui">{text("test.title", { days })}</h2>
        <dl className="grid grid-cols-3 gap-3 lg:grid-cols-6">
          <Figure label={text("test.total")}>
            <Signed amount={money(result.totalUnits)} />
          </Figure>
          <Figure label={text("test.grid")}>
            <Signed amount={money(result.gridUnits)} />
          </Figure>
          <Figure label={text("test.float")}>
            <Signed amount={money(result.floatUnits)} />
          </Figure>
          <Figure label={text("test.apr")}>{formatPercent(apr, { decimals: 2 })}</Figure>
          <Figure label={text("test.drawdown")}>{percent(result.drawdownRate)}</Figure>
          <Figure label={text("test.inside")}>{percent(result.insideRate)}</Figure>
        </dl>
        <ProfitCurve points={curve} label={text("test.title", { days })} />
        <p className="text-label text-muted">
          {text("test.note", { candles: result.candles })} {text("test.holding", { change })}{" "}
          {result.closeFeeUnits > 0 && text("test.closeFee", { fee: money(result.closeFeeUnits) })}
          {isFutures && fundingText(text, result, money(result.fundingUnits))}{" "}
          {result.status === "WAIT_TRIGGER" && text("test.waited")}
        </p>
      </div>
      <div className="min-w-0 overflow-x-auto">
        <table className="w-full text-label">
          <caption className="pb-2 text-left text-muted">{text("test.sweep")}</caption>
          <thead>
            <tr className="text-left text-muted">
              <th scope="col" className="py-1 font-normal">
                {text("label.grids")}
              </th>
              <th scope="col" className="text-right font-normal">
                {text("test.least")}
              </th>
              <th scope="col" className="text-right font-normal">
                {text("label.pairs")}
              </th>
              <th scope="col" className="text-right font-normal">
                {text("test.grid")}
              </th>
              <th scope="col" className="text-right font-normal">
                {text("test.total")}
              </th>
            </tr>
          </thead>
          <tbody className="figures">
            {swept.map(({ count, leastRate, result: one }) => (
              <tr key={count} className={String(count) === chosen ? "bg-active" : ""}>
                <td className="py-1.5">
                  <button type="button" className="underline underline-offset-2" onClick={() => onChoose(count)}>
                    {count}
                  </button>
                </td>
                <td className="text-right">{percent(leastRate)}</td>
                <td className="text-right">{one?.pairs ?? "–"}</td>
                <td className="text-right">{one === undefined ? "–" : <Signed amount={money(one.gridUnits)} />}</td>
                <td className="text-right">{one === undefined ? "–" : <Signed amount={money(one.totalUnits)} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Longer than any interval between two settlements. */
const WITHOUT_MS = DAY_MS / 2;

/** By which settlements, since when, or that there are none. */
function fundingText(
  text: ReturnType<typeof useGridText>,
  { fromMs, fundingFromMs }: BackTestResult,
  amount: string,
): string {
  if (fundingFromMs === undefined) return text("test.noFunding");
  if (fundingFromMs - fromMs <= WITHOUT_MS) return text("test.funding", { amount });
  return text("test.fundingSince", { amount, date: new Date(fundingFromMs).toISOString().slice(0, 10) });
}

function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-label text-muted">{label}</dt>
      <dd className="figures font-semibold text-ui">{children}</dd>
    </div>
  );
}
