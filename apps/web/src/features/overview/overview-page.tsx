// `/operator`: figures of the exchange with curves, the queues with their ages, what operators did last, and hot wallets.
// Panels load and fail alone.
import { type Levels, TREASURY_CALLS } from "@clockwork/custody/treasury/contract";
import { type AuditPage, OPERATOR_CALLS } from "@clockwork/identity/operators/contract";
import { formatAbbreviated, formatCoins } from "@clockwork/kit/format";
import { formatClock, formatDateTime, formatMinute } from "@clockwork/kit/time";
import {
  type FigureName,
  OVERVIEW_CALLS,
  type Overview,
  type Queue,
  type QueueName,
} from "@clockwork/site/overview/contract";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Segmented } from "@clockwork/ui/segmented";
import type { Column } from "@clockwork/ui/table";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { useQueues } from "#console/console-queues.ts";
import { FigureStrip, Panel, PanelEmpty, PanelFailure, PanelTable } from "#console/panel.tsx";
import { useSection } from "#console/use-section.ts";
import { type ConsoleText, useConsoleText } from "#words/console-text.ts";

export function OverviewPage({ me, proof }: { readonly me: ConsoleOperator; readonly proof: ReactNode }) {
  const text = useConsoleText();
  const may = (permission: string) => me.readable.includes(permission);
  return (
    <ConsoleFrame me={me} title={text("nav.overview")} lead={text("overview.lead")} proof={proof}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {may("overview.read") && <Figures />}
        <div className="grid gap-3 xl:grid-cols-[minmax(0,1fr)_400px]">
          <div className="grid min-w-0 content-start gap-3">
            {may("overview.read") && <Curves />}
            {may("withdrawals.review") && <HotWallets />}
          </div>
          <div className="grid min-w-0 content-start gap-3">
            <QueuePanel me={me} />
            {may("audit.read") && <LastActions />}
          </div>
        </div>
      </div>
    </ConsoleFrame>
  );
}

const SPANS = ["24h", "7d", "30d"] as const;
const STRIP: readonly FigureName[] = [
  "active",
  "accounts",
  "spotVolume",
  "futuresVolume",
  "deposits",
  "withdrawals",
  "openInterest",
  "insuranceFund",
];
const CURVES: readonly FigureName[] = ["spotVolume", "futuresVolume", "spotFees", "futuresFees"];
const COUNTS: readonly FigureName[] = ["active", "accounts"];

const short = (figure: FigureName, value: string | null) =>
  value === null
    ? "–"
    : COUNTS.includes(figure) || Number(value) === 0
      ? Number(value).toLocaleString("en-US")
      : formatAbbreviated(value);

function changeOf(text: ConsoleText, total: string | null, before: string | null): string {
  const [now, then] = [Number(total ?? Number.NaN), Number(before ?? Number.NaN)];
  if (!Number.isFinite(now) || !Number.isFinite(then) || then === 0) return text("overview.noBefore");
  const percent = (100 * (now - then)) / Math.abs(then);
  return text("overview.change", { percent: `${percent < 0 ? "−" : "+"}${Math.abs(percent).toFixed(1)}%` });
}

function useFigures() {
  const [search] = useSearchParams();
  const span = SPANS.find((one) => one === search.get("span")) ?? "24h";
  const section = useSection({
    called: OVERVIEW_CALLS.read,
    input: { span },
    rowsOf: (overview: Overview) => [overview],
  });
  return { span, section, overview: section.rows?.[0] };
}

function Figures() {
  const text = useConsoleText();
  const [, setSearch] = useSearchParams();
  const { span, section, overview } = useFigures();
  const figureOf = (name: FigureName) => overview?.figures.find(({ figure }) => figure === name);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Segmented
          label={text("overview.span")}
          size={28}
          segments={SPANS.map((id) => ({ id, title: text(`overview.span.${id}`) }))}
          value={span}
          onChange={(id) => setSearch(id === "24h" ? {} : { span: id }, { preventScrollReset: true })}
        />
        {overview?.computedAtMs !== undefined && overview.computedAtMs !== null && (
          <span className="figures text-[13px] text-muted">
            {text("overview.computed", { time: formatMinute(overview.computedAtMs) })}
          </span>
        )}
      </div>
      {section.rows === null ? (
        <Panel title={text("overview.figures")}>
          <PanelFailure onRetry={section.reload} />
        </Panel>
      ) : (
        <FigureStrip
          figures={STRIP.map((name) => {
            const figure = figureOf(name);
            return {
              label: text(`overview.figure.${name}`),
              value: short(name, figure?.total ?? null),
              note: figure === undefined ? "\u00a0" : changeOf(text, figure.total, figure.before),
            };
          })}
        />
      )}
    </>
  );
}

function Curves() {
  const { section, overview } = useFigures();
  if (section.rows === null) return null;
  return (
    <div className="grid gap-3 md:grid-cols-2">
      {CURVES.map((name) => (
        <CurvePanel key={name} name={name} overview={overview} />
      ))}
    </div>
  );
}

function CurvePanel({ name, overview }: { readonly name: FigureName; readonly overview: Overview | undefined }) {
  const text = useConsoleText();
  const figure = overview?.figures.find((one) => one.figure === name);
  const title = text(`overview.figure.${name}`);
  const isDay = overview?.span === "24h";
  const points = (overview?.hours ?? []).map((hour, at) => {
    const value = figure?.values[at] ?? null;
    return {
      value: Number(value ?? 0),
      place: isDay ? formatClock(hour).slice(0, 5) : formatDateTime(hour).slice(5, 10),
      text: short(name, value),
    };
  });
  return (
    <Panel title={title} aside={<span className="figures font-semibold">{short(name, figure?.total ?? null)}</span>}>
      <div className="min-h-[132px]">
        {points.length > 1 && (
          <AreaCurve
            label={title}
            points={points}
            heightPx={104}
            placeCount={4}
            axisText={(value) => short(name, String(Math.max(0, Math.round(value))))}
          />
        )}
      </div>
    </Panel>
  );
}

const QUEUE_PLACES: Readonly<Record<QueueName, string>> = {
  withdrawals: "/operator/withdrawals",
  identity: "/operator/kyc",
  otc: "/operator/otc",
  merchants: "/operator/otc",
  leaders: "/operator/copy",
  tickets: "/operator/tickets",
  proposals: "/operator/proposals",
};

const MINUTE_MS = 60_000;

function ageText(text: ConsoleText, ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 60) return text("age.minutes", { minutes });
  if (minutes < 48 * 60) return text("age.hours", { hours: Math.floor(minutes / 60) });
  return text("age.days", { days: Math.floor(minutes / 1_440) });
}

/** Past the promise, or close to it. */
function ageTone({ promiseMs }: Queue, ageMs: number): string {
  if (promiseMs === null || ageMs < promiseMs * 0.8) return "";
  return ageMs > promiseMs ? "text-danger" : "text-warn";
}

function QueuePanel({ me }: { readonly me: ConsoleOperator }) {
  const text = useConsoleText();
  const reading = useQueues(me.hasTotp && me.isProved);
  return (
    <Panel flush title={text("overview.queues")} aside={<span className="text-muted">{text("overview.oldest")}</span>}>
      {reading === undefined ? (
        <PanelEmpty text={text("overview.loading")} />
      ) : (
        <ul>
          {reading.queues.map((queue) => {
            const ageMs = queue.oldestMs === null ? 0 : reading.nowMs - queue.oldestMs;
            return (
              <li key={queue.queue} className="border-line border-b last:border-0">
                <SiteLink to={QUEUE_PLACES[queue.queue]} className="flex h-9 items-center gap-3 px-3.5 hover:bg-hover">
                  <span className="min-w-0 flex-1 truncate">{text(`overview.queue.${queue.queue}`)}</span>
                  <span className="figures font-semibold">{queue.count}</span>
                  <span className="figures w-40 text-right text-muted">
                    <span className={ageTone(queue, ageMs)}>
                      {queue.oldestMs === null ? "–" : ageText(text, ageMs)}
                    </span>
                    {queue.promiseMs !== null && ` / ${ageText(text, queue.promiseMs)}`}
                  </span>
                </SiteLink>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}

/** Those below their minimum first. */
const SHOWN_WALLETS = 6;

function HotWallets() {
  const text = useConsoleText();
  const section = useSection({
    called: TREASURY_CALLS.levels,
    input: {},
    rowsOf: ({ levels }: Levels) => [...levels].sort((left, right) => Number(right.isLow) - Number(left.isLow)),
  });
  const columns: readonly Column<Levels["levels"][number]>[] = [
    {
      id: "coin",
      title: text("overview.coinNetwork"),
      read: ({ asset, network }) => `${asset} ${network}`,
      render: ({ asset, network }) => (
        <span className="flex items-center gap-2">
          <CoinGlyph code={asset} size={16} />
          <span className="font-medium">{asset}</span>
          <span className="text-muted">{network}</span>
        </span>
      ),
    },
    {
      id: "hot",
      title: text("overview.balance"),
      kind: "number",
      read: ({ hot }) => hot,
      render: ({ hot, isLow }) => <span className={isLow ? "text-danger" : ""}>{formatCoins(hot)}</span>,
    },
    {
      id: "low",
      title: text("overview.floor"),
      kind: "number",
      className: "text-muted",
      read: ({ low }) => formatCoins(low),
    },
    { id: "cold", title: text("overview.cold"), kind: "number", read: ({ cold }) => formatCoins(cold) },
    {
      id: "deposits",
      title: text("overview.unswept"),
      kind: "number",
      className: "text-muted",
      read: ({ deposits }) => formatCoins(deposits),
    },
  ];
  return (
    <Panel
      flush
      title={text("overview.hotWallets")}
      aside={
        <SiteLink to="/operator/custody" className="text-muted hover:text-text">
          {text("overview.all", { count: section.rows?.length ?? 0 })} ›
        </SiteLink>
      }
    >
      <PanelTable
        label={text("overview.hotWallets")}
        columns={columns}
        rows={section.rows?.slice(0, SHOWN_WALLETS) ?? (section.rows as undefined | null)}
        rowKey={({ asset, network }) => `${asset} ${network}`}
        empty={text("overview.noNetworks")}
        onRetry={section.reload}
      />
    </Panel>
  );
}

const SHOWN_ACTIONS = 10;

function LastActions() {
  const text = useConsoleText();
  const section = useSection({
    called: OPERATOR_CALLS.audit,
    input: {},
    rowsOf: ({ rows }: AuditPage) => rows.slice(0, SHOWN_ACTIONS),
  });
  return (
    <Panel
      title={text("overview.lastActions")}
      aside={
        <SiteLink to="/operator/audit" className="text-muted hover:text-text">
          {text("nav.audit")} ›
        </SiteLink>
      }
    >
      {section.rows === null && <PanelFailure onRetry={section.reload} />}
      <ul className="grid gap-2">
        {(section.rows ?? []).map(({ id, atMs, operatorName, action, subject }) => (
          <li key={id} className="flex gap-3">
            <time dateTime={new Date(atMs).toISOString()} className="figures shrink-0 text-muted">
              {formatClock(atMs).slice(0, 5)}
            </time>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <span className="font-medium">{operatorName}</span>{" "}
              <span className="text-muted">
                {action} {subject}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
