// PnL analysis: what one's closed positions of a span came to, as figures, a curve and a row for each contract.

import { groupThousands } from "@clockwork/kit/decimal";
import { formatDateTime } from "@clockwork/kit/time";
import { type ClosedPosition, POSITION_CALLS } from "@clockwork/trading/positions/contract";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { Segmented } from "@clockwork/ui/segmented";
import { EmptyState } from "@clockwork/ui/state";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { useZone } from "#session/zone.ts";
import { useSheet } from "#trade/orders/orders-export.ts";
import { Failing, type TabView } from "#trade/orders/rows.tsx";
import { fetchAll } from "#trade/orders/use-pages.ts";
import type { PastQuery } from "#trade/product.ts";
import { useProduct } from "#trade/product.ts";
import { shownDecimals } from "../model/contract.ts";
import { toneOf, writeSigned } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { useBiz } from "../model/use-own.ts";
import { type Analysis, analyse, settleOf } from "./analysis.ts";

const SPANS = { "7": 7, "30": 30, "90": 90 } as const;
type Span = keyof typeof SPANS;
const DAY_MS = 86_400_000;
const PAGE = 200;

/** Undefined while they load, null when they did not come. */
function useClosed(span: Span): {
  readonly rows: readonly ClosedPosition[] | null | undefined;
  readonly retry: () => void;
} {
  const calls = useCalls();
  const biz = useBiz();
  const [rows, setRows] = useState<readonly ClosedPosition[] | null>();
  const [attempt, setAttempt] = useState(0);
  const fetchPage = useCallback(
    async (query: PastQuery) => {
      const answer = await (await calls()).call(POSITION_CALLS.history, { ...query, biz }, { api: "futures" });
      return answer.ok ? { rows: answer.data.positions, next: answer.data.next } : undefined;
    },
    [calls, biz],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers another try
  useEffect(() => {
    let gone = false;
    setRows(undefined);
    const query = { limit: PAGE, from: Date.now() - SPANS[span] * DAY_MS };
    void fetchAll(fetchPage, query).then((all) => !gone && setRows(all ?? null));
    return () => {
      gone = true;
    };
  }, [fetchPage, span, attempt]);
  return { rows, retry: () => setAttempt((now) => now + 1) };
}

export function AnalysisTab(view: TabView) {
  const text = useFuturesText();
  const [span, setSpan] = useState<Span>("30");
  const [coin, setCoin] = useState<string>();
  const { rows, retry } = useClosed(span);
  const coins = [...new Set((rows ?? []).map(settleOf))].sort();
  const shown = coin !== undefined && coins.includes(coin) ? coin : coins[0];
  const analysis = analyse((rows ?? []).filter((row) => settleOf(row) === shown));
  useSheet(view.sheet, async () => ({
    head: ["Time", "Symbol", "Net", "Total"],
    rows: analysis.curve.map(({ timeMs, pairCode, change, total }) => [
      formatDateTime(timeMs, view.zone),
      pairCode,
      change,
      total,
    ]),
  }));
  if (rows === null) return <Failing title={text("failed.closed")} onRetry={retry} />;
  return (
    <section aria-label={text("tab.analysis")} className="min-h-0 flex-1 overflow-y-auto p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segmented
          label={text("analysis.span")}
          size={28}
          value={span}
          onChange={(id) => setSpan(id as Span)}
          segments={Object.keys(SPANS).map((id) => ({ id, title: `${id}D` }))}
        />
        {coins.length > 1 && shown !== undefined && (
          <Segmented
            label={text("col.coin")}
            size={28}
            value={shown}
            onChange={setCoin}
            segments={coins.map((id) => ({ id, title: id }))}
          />
        )}
      </div>
      {shown === undefined || analysis.count === 0 ? (
        <EmptyState text={text(rows === undefined ? "analysis.loading" : "analysis.empty")} />
      ) : (
        <Figures analysis={analysis} coin={shown} />
      )}
    </section>
  );
}

function Figures({ analysis, coin }: { readonly analysis: Analysis; readonly coin: string }) {
  const zone = useZone();
  const text = useFuturesText();
  const decimals = shownDecimals(coin);
  const money = (amount: string | undefined): ReactNode =>
    amount === undefined ? "–" : <span className={toneOf(amount)}>{writeSigned(amount, decimals)}</span>;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [text("analysis.net", { coin }), money(analysis.net)],
    [text("col.realised"), money(analysis.realized)],
    [text("col.fee"), money(analysis.fees)],
    [text("col.funding"), money(analysis.funding)],
    [text("analysis.positions"), String(analysis.count)],
    [text("analysis.winRate"), `${((analysis.winners / analysis.count) * 100).toFixed(1)}%`],
    [text("analysis.averageWin"), money(analysis.averageWin)],
    [text("analysis.averageLoss"), money(analysis.averageLoss)],
    [text("analysis.factor"), analysis.profitFactor ?? "–"],
    [text("analysis.best"), money(analysis.best?.netPnl)],
    [text("analysis.worst"), money(analysis.worst?.netPnl)],
  ];
  return (
    <div className="mt-3 grid gap-4 lg:grid-cols-[1fr_320px]">
      <div className="flex min-w-0 flex-col gap-3">
        <dl className="grid grid-cols-2 gap-x-6 sm:grid-cols-4">
          {facts.map(([label, value]) => (
            <div key={label} className="py-1">
              <dt className="text-muted">{label}</dt>
              <dd className="figures font-medium">{value}</dd>
            </div>
          ))}
        </dl>
        {analysis.curve.length > 1 && (
          <AreaCurve
            label={text("analysis.curve")}
            heightPx={120}
            axisText={(value) => groupThousands(value.toFixed(2))}
            points={analysis.curve.map(({ timeMs, total, change }) => ({
              value: Number(total),
              place: formatDateTime(timeMs, zone).slice(5, 16),
              text: `${writeSigned(total, decimals)} ${coin} (${writeSigned(change, decimals)})`,
            }))}
          />
        )}
      </div>
      <Contracts analysis={analysis} decimals={decimals} />
    </div>
  );
}

function Contracts({ analysis, decimals }: { readonly analysis: Analysis; readonly decimals: number }) {
  const text = useFuturesText();
  const { words } = useProduct();
  return (
    <table className="figures w-full self-start">
      <thead className="text-muted">
        <tr className="*:h-7 *:text-right *:font-normal [&>*:first-child]:text-left">
          <th scope="col">{text("col.symbol")}</th>
          <th scope="col">{text("analysis.positions")}</th>
          <th scope="col">{text("analysis.winRate")}</th>
          <th scope="col">{text("col.net")}</th>
        </tr>
      </thead>
      <tbody>
        {analysis.contracts.map((row) => (
          <tr key={row.pairCode} className="border-line border-t *:h-7 *:text-right [&>*:first-child]:text-left">
            <td className="font-medium">{words.nameOf(row.pairCode)}</td>
            <td>{row.count}</td>
            <td>{((row.winners / row.count) * 100).toFixed(0)}%</td>
            <td className={toneOf(row.net)}>{writeSigned(row.net, decimals)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
