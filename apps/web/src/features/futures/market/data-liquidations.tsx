// The liquidations of a contract, live and newest first, and the report of the one chosen: why it began, each step with
// its numbers, how it ended.
import type { LiquidationReport, LiquidationStep } from "@clockwork/domains/liquidations/api";
import type { LiquidationEntry } from "@clockwork/domains/markets/api";
import { groupThousands } from "@clockwork/kit/decimal";
import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import { EmptyState } from "@clockwork/ui/state";
import { type ReactNode, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { askData } from "#live/ask.ts";
import { FUTURES_API } from "#live/feeds/futures-paths.ts";
import { nameZone, useZone } from "#session/zone.ts";
import { type FuturesSpeak, useFuturesText } from "../model/futures-text.ts";
import { showPrice } from "../parts/funding-figures.tsx";
import { type FuturesData, worthOf } from "./data-model.ts";
import { Part } from "./data-part.tsx";
import { deleveragedLines, endFacts, type Facts, stepFacts, triggerFacts, withSkipped } from "./report-facts.ts";
import { useLiquidations } from "./use-liquidations.ts";

const CopyLink = latePart(async () => (await import("./copy-link.tsx")).CopyLink);

/** What is kept of them; the list scrolls. */
const SHOWN = 200;

export function LiquidationsPart({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  const entries = useLiquidations(data.pair, data.liquidations);
  const [search, setSearch] = useSearchParams();
  const chosen = search.get("report") ?? undefined;
  const choose = (id: string) => setSearch({ report: id }, { replace: true, preventScrollReset: true });
  return (
    <div className="grid gap-4 lg:grid-cols-[1fr_560px]">
      <Part id="liquidations" title={text("data.liquidations")}>
        {entries.length === 0 ? (
          <EmptyState text={text("data.noLiquidations")} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          <section className="max-h-96 overflow-y-auto" tabIndex={0} aria-label={text("data.liquidations")}>
            <Prints entries={entries.slice(0, SHOWN)} data={data} chosen={chosen} onChoose={choose} />
          </section>
        )}
        <p className="mt-3 flex flex-wrap justify-between gap-x-4 text-label text-muted">
          <span>{text("data.anonymous")}</span>
          {data.risk !== null && <span>{text("data.liquidatedIn", { count: data.risk.liquidations })}</span>}
        </p>
      </Part>
      <Part id="report" title={text("report")}>
        {chosen === undefined ? <EmptyState text={text("data.choose")} /> : <Report id={chosen} data={data} />}
      </Part>
    </div>
  );
}

interface PrintsProps {
  readonly entries: readonly LiquidationEntry[];
  readonly data: FuturesData;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

function Prints({ entries, data, chosen, onChoose }: PrintsProps) {
  const text = useFuturesText();
  const zone = useZone();
  const { pair } = data;
  const decimals = pair.kind === "linear" ? 2 : 6;
  return (
    <table className="figures w-full min-w-[480px] text-label">
      <thead className="text-muted">
        <tr className="*:h-8 *:text-right *:font-normal [&>*:first-child]:text-left">
          <th scope="col">{text("data.time", { zone: nameZone(zone) })}</th>
          <th scope="col">{text("data.side")}</th>
          <th scope="col">{text("data.size")}</th>
          <th scope="col">{text("data.price")}</th>
          <th scope="col">{text("data.value", { asset: pair.settle })}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr
            key={entry.id}
            className={`border-line border-t *:h-8 *:text-right [&>*:first-child]:text-left ${entry.id === chosen ? "bg-hover" : ""}`}
          >
            <td>
              <button
                type="button"
                className="rounded-xs underline underline-offset-2"
                onClick={() => onChoose(entry.id)}
              >
                {formatDateTime(entry.timeMs, zone).slice(5)}
              </button>
            </td>
            <td className={entry.side === "long" ? "text-up-text" : "text-down-text"}>{text(entry.side)}</td>
            <td>{groupThousands(entry.quantity)}</td>
            <td>{showPrice(entry.price, pair.priceDecimals)}</td>
            <td>
              {formatDecimal(worthOf(pair.kind, entry.quantity, entry.price).toFixed(decimals), {
                decimals,
                grouped: true,
              })}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function useReport(id: string): LiquidationReport | null | undefined {
  const [report, setReport] = useState<LiquidationReport | null>();
  useEffect(() => {
    let gone = false;
    setReport(undefined);
    const load = async () => {
      const data = await askData("futures", `${FUTURES_API}/liquidations/${encodeURIComponent(id)}`);
      const isReport = typeof data === "object" && data !== null && "steps" in data;
      if (!gone) setReport(isReport ? (data as LiquidationReport) : null);
    };
    void load();
    return () => {
      gone = true;
    };
  }, [id]);
  return report;
}

function Report({ id, data }: { readonly id: string; readonly data: FuturesData }) {
  const text = useFuturesText();
  const zone = useZone();
  const report = useReport(id);
  if (report === null) return <EmptyState text={text("data.reportFailed")} />;
  if (report === undefined) return <div className="h-40" aria-busy="true" />;
  const price = (value: string) => showPrice(value, data.pair.priceDecimals);
  return (
    <div className="flex flex-col gap-3">
      <p className="relative pr-10">
        <span className="absolute top-0 right-0">
          <CopyLink />
        </span>
        <span className="block font-semibold">
          {text("data.report", { pair: report.pairCode.replace("_", ""), side: text(report.side).toLowerCase() })}
        </span>
        <span className="figures text-label text-muted">
          {formatDateTime(report.timeMs, zone)} · {groupThousands(report.quantity)} · {report.leverage}×{" "}
          {text(report.mode).toLowerCase()} · {text("data.journal", { sequence: report.sequence })}
        </span>
      </p>
      <ol className="flex flex-col gap-3">
        <Step
          number={1}
          title={text("data.trigger")}
          aside={
            report.ratio === null ? "" : text("data.ratio", { ratio: formatPercent(report.ratio, { decimals: 2 }) })
          }
          facts={triggerFacts(report, text, price)}
        />
        {withSkipped(report.steps).map(({ kind, step }, index) => (
          <Step
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have an order and nothing else
            key={index}
            number={step === undefined ? undefined : report.steps.indexOf(step) + 2}
            title={text(`data.step.${kind}`)}
            aside={asideOf(step, text)}
            facts={step === undefined ? [] : stepFacts(step, report.asset, text, price)}
            lines={step === undefined ? [] : deleveragedLines(step, text, price)}
          />
        ))}
        <Step
          number={report.steps.length + 2}
          isEnd
          title={text("data.ended", {
            quantity: groupThousands(report.liquidatedQuantity),
            fund: `${report.fund.replace("-", "−")} ${report.asset}`,
          })}
          aside=""
          facts={endFacts(report, text, price)}
        />
      </ol>
    </div>
  );
}

function asideOf(step: LiquidationStep | undefined, text: FuturesSpeak): string {
  if (step === undefined) return text("data.notNeeded");
  return step.tierBefore === null ? "" : text("data.tiers", { from: step.tierBefore, to: step.tierAfter ?? "–" });
}

interface StepProps {
  /** None of a step that was not needed. */
  readonly number: number | undefined;
  readonly title: ReactNode;
  readonly aside: string;
  readonly facts: Facts;
  readonly lines?: readonly string[];
  readonly isEnd?: boolean;
}

function Step({ number, title, aside, facts, lines = [], isEnd = false }: StepProps) {
  return (
    <li className={`flex gap-3 ${number === undefined ? "text-muted" : ""}`}>
      <span
        aria-hidden="true"
        className={`figures flex size-6 shrink-0 items-center justify-center rounded-full border text-label ${isEnd ? "border-text bg-text text-bg" : "border-line2"}`}
      >
        {number ?? "–"}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex justify-between gap-2">
          <span className={number === undefined ? "" : "font-semibold"}>{title}</span>
          <span className="figures text-label text-muted">{aside}</span>
        </p>
        {facts.length > 0 && (
          <dl className="figures mt-1 grid grid-cols-3 gap-x-4 gap-y-1 text-label">
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt className="text-muted">{label}</dt>
                <dd className="font-medium">{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {lines.length > 0 && (
          <ul className="figures mt-1 text-label text-muted">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}
