// The liquidations of a contract or of all, live and newest first, and the report of the one chosen: why it started,
// each step with its numbers, how it ended.

import { groupThousands } from "@clockwork/kit/decimal";
import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import {
  LIQUIDATION_CALLS,
  type LiquidationReport,
  type LiquidationStep,
} from "@clockwork/trading/liquidations/contract";
import { CONTRACT_CALLS, type LiquidationEntry } from "@clockwork/trading/markets/contract";
import { Segmented } from "@clockwork/ui/segmented";
import { EmptyState } from "@clockwork/ui/state";
import { type ReactNode, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { askData } from "#live/ask.ts";
import { useConnection } from "#live/react.ts";
import { nameZone, useZone } from "#session/zone.ts";
import { type FuturesText, useFuturesText } from "../model/futures-text.ts";
import { useRequested } from "../model/use-requested.ts";
import { showPrice } from "../parts/funding-figures.tsx";
import type { DataContract, FuturesData } from "./data-model.ts";
import { BODY_ROW, CARD_ROW, HEAD_ROW, Part } from "./data-part.tsx";
import { exactWorth } from "./exact-worth.ts";
import { deleveragedLines, endFacts, type Facts, stepFacts, triggerFacts, withSkipped } from "./report-facts.ts";
import { useLiquidations } from "./use-liquidations.ts";

const CopyLink = latePart(async () => (await import("./copy-link.tsx")).CopyLink);

/** What is kept of them; the list scrolls. */
const SHOWN = 200;

type Scope = "one" | "all";

export function LiquidationsPart({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  const [scope, setScope] = useState<Scope>("one");
  const [search, setSearch] = useSearchParams();
  const chosen = search.get("report") ?? undefined;
  const choose = (id: string) => setSearch({ report: id }, { replace: true, preventScrollReset: true });
  const Feed = scope === "one" ? OwnPrints : AllPrints;
  return (
    <div className="grid gap-4 lg:grid-cols-[1fr_560px]">
      <Part
        id="liquidations"
        title={text("data.liquidations")}
        aside={
          <span className="flex items-center gap-3">
            <LiveDot />
            <Segmented
              label={text("data.scope")}
              size={28}
              value={scope}
              onChange={(id) => setScope(id as Scope)}
              segments={[
                { id: "one", title: text("data.thisSymbol") },
                { id: "all", title: text("data.allSymbols") },
              ]}
            />
          </span>
        }
      >
        <Feed data={data} chosen={chosen} onChoose={choose} />
        <p className="mt-3 flex flex-wrap justify-between gap-x-4 text-label text-muted">
          <span>{text("data.anonymous")}</span>
          {scope === "one" && data.risk !== null && (
            <span>{text("data.liquidatedIn", { count: data.risk.liquidations })}</span>
          )}
        </p>
      </Part>
      <Part id="report" title={text("report")}>
        {chosen === undefined ? <EmptyState text={text("data.choose")} /> : <Report id={chosen} data={data} />}
      </Part>
    </div>
  );
}

/** Whether new ones come by themselves. */
function LiveDot() {
  const text = useFuturesText();
  if (useConnection().status !== "live") return null;
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className="size-2 rounded-full bg-text" />
      {text("data.live")}
    </span>
  );
}

interface FeedProps {
  readonly data: FuturesData;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

function OwnPrints(props: FeedProps) {
  const { pair, liquidations } = props.data;
  return <Prints {...props} entries={useLiquidations(pair, liquidations)} />;
}

const NONE: readonly LiquidationEntry[] = [];

/** Of every contract that is margined alike. */
function AllPrints(props: FeedProps) {
  const { biz } = props.data.pair;
  const requested = useRequested(CONTRACT_CALLS.liquidations, { biz, limit: SHOWN });
  return <Prints {...props} entries={useLiquidations({ biz }, requested.data ?? NONE)} />;
}

function Prints({ entries, data, chosen, onChoose }: FeedProps & { readonly entries: readonly LiquidationEntry[] }) {
  const text = useFuturesText();
  const zone = useZone();
  const { pair } = data;
  if (entries.length === 0) return <EmptyState text={text("data.noLiquidations")} />;
  const isLinear = pair.kind === "linear";
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="max-h-96 overflow-auto" tabIndex={0} aria-label={text("data.liquidations")}>
      <table className="figures w-full min-w-[640px] text-label">
        <thead className="text-muted">
          <tr className={`${HEAD_ROW} ${CARD_ROW}`}>
            <th scope="col">{text("data.time", { zone: nameZone(zone) })}</th>
            <th scope="col">{text("data.contract")}</th>
            <th scope="col">{text("data.side")}</th>
            <th scope="col">{text("data.size")}</th>
            <th scope="col">{text("data.price")}</th>
            {/* Linear contracts are all worth dollars, inverse ones each its own coin. */}
            <th scope="col">{isLinear ? text("data.value", { asset: pair.settle }) : text("data.worth")}</th>
            <th scope="col">{text("data.outcome")}</th>
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, SHOWN).map((entry) => (
            <Print
              key={`${entry.pairCode}/${entry.id}`}
              entry={entry}
              contract={data.contracts.find(({ pairCode }) => pairCode === entry.pairCode) ?? pair}
              isChosen={entry.id === chosen}
              onChoose={onChoose}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface PrintProps {
  readonly entry: LiquidationEntry;
  readonly contract: DataContract;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
}

function Print({ entry, contract, isChosen, onChoose }: PrintProps) {
  const text = useFuturesText();
  const zone = useZone();
  const { kind, settle, priceDecimals } = contract;
  const decimals = kind === "linear" ? 2 : 6;
  const worth = formatDecimal(exactWorth(kind, entry.quantity, entry.price), { decimals, grouped: true });
  return (
    <tr className={`${BODY_ROW} ${isChosen ? "bg-hover" : CARD_ROW}`}>
      <td>
        <button type="button" className="rounded-xs underline underline-offset-2" onClick={() => onChoose(entry.id)}>
          {formatDateTime(entry.timeMs, zone).slice(5)}
        </button>
      </td>
      <td className="font-medium">{entry.pairCode.replace("_", "")}</td>
      <td className={entry.side === "long" ? "text-up-text" : "text-down-text"}>{text(entry.side)}</td>
      <td>{groupThousands(entry.quantity)}</td>
      <td>{showPrice(entry.price, priceDecimals)}</td>
      <td>{kind === "linear" ? worth : `${worth} ${settle}`}</td>
      <td className="text-muted">{entry.outcome === null ? "–" : text(`data.outcome.${entry.outcome}`)}</td>
    </tr>
  );
}

function useReport(id: string): LiquidationReport | null | undefined {
  const [report, setReport] = useState<LiquidationReport | null>();
  useEffect(() => {
    let gone = false;
    setReport(undefined);
    const load = async () => {
      const data = await askData(LIQUIDATION_CALLS.one, { id }, { api: "futures" });
      if (!gone) setReport(data ?? null);
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
  // It may be another contract's.
  const { priceDecimals } = data.contracts.find(({ pairCode }) => pairCode === report.pairCode) ?? data.pair;
  const price = (value: string) => showPrice(value, priceDecimals);
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

function asideOf(step: LiquidationStep | undefined, text: FuturesText): string {
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
