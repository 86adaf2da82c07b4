// `/wallet/profit`: profit of today and of windows, the curve, the calendar, how a month adds up, and the coins behind it.

import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { formatDate } from "@clockwork/kit/time";
import type { Profit, ProfitCoin } from "@clockwork/trading/profit/contract";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Donut } from "@clockwork/ui/donut";
import { Segmented } from "@clockwork/ui/segmented";
import { EmptyState } from "@clockwork/ui/state";
import { type ReactNode, useState } from "react";
import { HIDDEN_TEXT, useHiddenAmounts } from "#session/hidden-amounts.ts";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import { ProfitCalendar } from "./profit-calendar.tsx";
import {
  daysIn,
  lastDays,
  type Month,
  minus,
  monthOf,
  returnOver,
  showGain,
  showRate,
  sum,
  toneOf,
} from "./profit-model.ts";

const WINDOWS = ["7", "30", "90", "366"] as const;

/** What one coin of each cost on average, of what was bought here. */
export type Costs = Readonly<Record<string, { readonly average: string | null; readonly unrealised: string | null }>>;

export interface ProfitPageProps {
  readonly profit: Profit | null;
  readonly costs: Costs;
}

export function ProfitPage({ profit, costs }: ProfitPageProps) {
  const text = useWalletText();
  const { isHidden, toggle } = useHiddenAmounts();
  const today = profit?.days.at(-1);
  const aside = (
    <Button size={40} icon={isHidden ? "eye-off" : "eye"} onPress={toggle}>
      {text(isHidden ? "overview.show" : "overview.hide")}
    </Button>
  );
  return (
    <WalletFrame title={text("profit.title")} aside={aside}>
      {profit === null || today === undefined ? (
        <Card>
          <EmptyState text={text(profit === null ? "label.failed" : "profit.none")} />
        </Card>
      ) : (
        <Published profit={profit} costs={costs} todayMs={today.dayMs} />
      )}
    </WalletFrame>
  );
}

function Published({
  profit,
  costs,
  todayMs,
}: {
  readonly profit: Profit;
  readonly costs: Costs;
  readonly todayMs: number;
}) {
  const [month, setMonth] = useState<Month>(() => monthOf(todayMs));
  return (
    <div className="flex flex-col gap-4">
      <Heads profit={profit} />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_340px]">
        <CurveCard profit={profit} />
        <AllocationCard coins={profit.coins} />
        <ProfitCalendar days={profit.days} month={month} todayMs={todayMs} onMonth={setMonth} />
        <div className="flex flex-col gap-4">
          <AddsUp profit={profit} month={month} />
          <Sources profit={profit} month={month} />
        </div>
      </div>
      <Coins coins={profit.coins} costs={costs} />
    </div>
  );
}

/** Amounts only; the shapes remain when they are hidden. */
function useShown(): (text: string | null, decimals?: number) => string {
  const { isHidden } = useHiddenAmounts();
  return (text, decimals = 2) => (isHidden ? HIDDEN_TEXT : showGain(text, decimals));
}

function Heads({ profit }: { readonly profit: Profit }) {
  const text = useWalletText();
  const shown = useShown();
  const windows = [1, 7, 30].map((count) => {
    const gain = sum(lastDays(profit, count).map(({ pnlUsdt }) => pnlUsdt));
    return { count, gain, rate: returnOver(profit, count).toFixed(6) };
  });
  const recent = lastDays(profit, 30);
  const sorted = [...recent].sort((left, right) => Number(right.pnlUsdt) - Number(left.pnlUsdt));
  const up = recent.filter(({ pnlUsdt }) => Number(pnlUsdt) > 0).length;
  const place = "min-w-0 flex-1 px-5 py-3 max-sm:px-4";
  return (
    <div className="grid grid-cols-2 rounded-card border border-line bg-bg lg:grid-cols-4 dark:bg-surface">
      {windows.map(({ count, gain, rate }) => (
        <div key={count} className={place}>
          <p className="text-label text-muted">{text(count === 1 ? "profit.today" : "profit.days", { count })}</p>
          <p className={`figures font-semibold text-[18px] ${toneOf(gain)}`}>{shown(gain)}</p>
          <p className="figures text-label text-muted">{text("profit.weighted", { rate: showRate(rate) })}</p>
        </div>
      ))}
      <div className={place}>
        <p className="text-label text-muted">{text("profit.bestWorst")}</p>
        <p className="figures font-semibold text-[18px]">
          <span className={toneOf(sorted[0]?.pnlUsdt ?? null)}>{shown(sorted[0]?.pnlUsdt ?? null, 0)}</span>
          <span className="text-muted"> / </span>
          <span className={toneOf(sorted.at(-1)?.pnlUsdt ?? null)}>{shown(sorted.at(-1)?.pnlUsdt ?? null, 0)}</span>
        </p>
        <p className="figures text-label text-muted">{text("profit.daysUp", { up, count: recent.length })}</p>
      </div>
    </div>
  );
}

type Looking = "return" | "profit" | "equity";

function CurveCard({ profit }: { readonly profit: Profit }) {
  const text = useWalletText();
  const { isHidden } = useHiddenAmounts();
  const [look, setLook] = useState<Looking>("return");
  const [span, setSpan] = useState<string>("30");
  const days = lastDays(profit, Number(span));
  const before = profit.days.at(-days.length - 1);
  const from = { you: 1 + Number(before?.returnRate ?? 0), btc: 1 + Number(before?.btcRate ?? 0) };
  // Only next to the own return: profit and equity are amounts.
  const rivals = days.map(({ btcRate }) =>
    btcRate === null || look !== "return" ? undefined : ((1 + Number(btcRate)) / from.btc - 1) * 100,
  );
  let gained = 0;
  const points = days.map((day) => {
    gained += Number(day.pnlUsdt);
    const rate = (1 + Number(day.returnRate)) / from.you - 1;
    const btc = day.btcRate === null ? null : (1 + Number(day.btcRate)) / from.btc - 1;
    const value = look === "return" ? rate * 100 : look === "profit" ? gained : Number(day.equityUsdt);
    const rival = btc === null ? "" : ` · BTC ${showRate(btc.toFixed(6))}`;
    const amount = isHidden ? HIDDEN_TEXT : showGain(value.toFixed(2));
    return {
      value,
      place: formatDate(day.dayMs),
      text: look === "return" ? `${showRate(rate.toFixed(6))}${rival}` : amount,
    };
  });
  const axis = (value: number): string =>
    look === "return"
      ? `${value.toFixed(1)}%`
      : isHidden
        ? "••••"
        : formatDecimal(value.toFixed(0), { grouped: true, decimals: 0 });
  return (
    <Card
      title={text(`profit.look.${look}`)}
      aside={
        <div className="flex flex-wrap justify-end gap-2">
          <Segmented
            label={text("profit.look")}
            value={look}
            onChange={(id) => setLook(id as Looking)}
            segments={(["return", "profit", "equity"] as const).map((id) => ({
              id,
              title: text(`profit.short.${id}`),
            }))}
          />
          <Segmented
            label={text("profit.span")}
            value={span}
            onChange={setSpan}
            segments={WINDOWS.map((id) => ({ id, title: id === "366" ? "1Y" : `${id}D` }))}
          />
        </div>
      }
    >
      {points.length < 2 ? (
        <EmptyState text={text("profit.tomorrow")} />
      ) : (
        <>
          {rivals.some((rate) => rate !== undefined) && <Legend />}
          <AreaCurve
            label={text(`profit.look.${look}`)}
            points={points}
            beside={rivals}
            heightPx={220}
            axisText={axis}
            placeCount={4}
          />
        </>
      )}
    </Card>
  );
}

function Legend() {
  const text = useWalletText();
  return (
    <p aria-hidden="true" className="mb-2 flex gap-4 text-label text-muted">
      <span className="flex items-center gap-1.5">
        <span className="w-4 border-text border-t-2" />
        {text("profit.you")}
      </span>
      <span className="flex items-center gap-1.5">
        <span className="w-4 border-series1 border-t-2 border-dashed" />
        BTC
      </span>
    </p>
  );
}

function AllocationCard({ coins }: { readonly coins: readonly ProfitCoin[] }) {
  const text = useWalletText();
  return (
    <Card title={text("overview.allocation")}>
      <Allocation coins={coins} label={text("overview.allocation")} />
    </Card>
  );
}

function Allocation({ coins, label }: { readonly coins: readonly ProfitCoin[]; readonly label: string }) {
  const held = coins.filter(({ worthUsdt }) => Number(worthUsdt ?? 0) > 0);
  const whole = held.reduce((all, { worthUsdt }) => all + Number(worthUsdt), 0);
  const slices = held.slice(0, 6).map(({ asset, worthUsdt }) => {
    const weight = Number(worthUsdt);
    return { id: asset, title: asset, weight, text: `${((weight / whole) * 100).toFixed(2)}%` };
  });
  return <Donut label={label} slices={slices} centre={<span className="figures text-card">{held.length}</span>} />;
}

function Lines({
  title,
  rows,
  total,
}: {
  readonly title: string;
  readonly rows: readonly (readonly [string, string])[];
  readonly total: readonly [string, string];
}) {
  const shown = useShown();
  const line = (name: string, value: string, isTotal = false): ReactNode => (
    <div
      key={name}
      className={`flex justify-between gap-4 py-1.5 ${isTotal ? "border-line border-t font-medium" : ""}`}
    >
      <dt className={isTotal ? "" : "text-muted"}>{name}</dt>
      <dd className={`figures ${isTotal ? toneOf(value) : ""}`}>{shown(value)}</dd>
    </div>
  );
  return (
    <Card title={title}>
      <dl className="text-ui">
        {rows.map(([name, value]) => line(name, value))}
        {line(total[0], total[1], true)}
      </dl>
    </Card>
  );
}

/** Equity at the end, less that at the start, less what came in, plus what went out. */
function AddsUp({ profit, month }: { readonly profit: Profit; readonly month: Month }) {
  const text = useWalletText();
  const days = daysIn(month, profit.days);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const at = profit.days.indexOf(first);
  const opening = at === 0 ? profit.openingUsdt : (profit.days[at - 1]?.equityUsdt ?? "0");
  const came = sum(days.map(({ inUsdt }) => inUsdt));
  const rows = [
    [text("profit.equityEnd"), last.equityUsdt],
    [text("profit.equityStart"), minus("0", opening)],
    [text("profit.in"), minus("0", came)],
    [text("profit.out"), sum(days.map(({ outUsdt }) => outUsdt))],
  ] as const;
  return (
    <Lines
      title={text("profit.addsUp")}
      rows={rows}
      total={[text("profit.pnl"), sum(rows.map(([, value]) => value))]}
    />
  );
}

function Sources({ profit, month }: { readonly profit: Profit; readonly month: Month }) {
  const text = useWalletText();
  const days = daysIn(month, profit.days);
  if (days.length === 0) return null;
  const total = sum(days.map(({ pnlUsdt }) => pnlUsdt));
  const rest = [
    [text("profit.futures"), sum(days.map(({ futuresUsdt }) => futuresUsdt))],
    [text("profit.bots"), sum(days.map(({ botsUsdt }) => botsUsdt))],
    [text("profit.earn"), sum(days.map(({ earnUsdt }) => earnUsdt))],
    [text("profit.fees"), sum(days.map(({ feesUsdt }) => feesUsdt))],
  ] as const;
  const price = minus(total, sum(rest.map(([, value]) => value)));
  return (
    <Lines
      title={text("profit.whereFrom")}
      rows={[[text("profit.price"), price], ...rest]}
      total={[text("profit.sum"), total]}
    />
  );
}

function Coins({ coins, costs }: { readonly coins: readonly ProfitCoin[]; readonly costs: Costs }) {
  const text = useWalletText();
  const { isHidden } = useHiddenAmounts();
  const shown = useShown();
  const plain = (value: string | null, decimals?: number): string => {
    if (isHidden) return HIDDEN_TEXT;
    return value === null
      ? "–"
      : decimals === undefined
        ? formatCoins(value)
        : formatDecimal(value, { grouped: true, decimals });
  };
  const head = "py-2 font-normal text-label text-muted";
  return (
    <Card title={text("profit.byCoin")}>
      <table className="w-full text-ui">
        <thead>
          <tr>
            <th scope="col" className={`${head} text-left`}>
              {text("label.coin")}
            </th>
            <th scope="col" className={`${head} text-right max-sm:hidden`}>
              {text("profit.holding")}
            </th>
            <th scope="col" className={`${head} text-right max-md:hidden`}>
              {text("profit.averageCost")}, USDT
            </th>
            <th scope="col" className={`${head} text-right`}>
              {text("overview.worth")}, USDT
            </th>
            <th scope="col" className={`${head} text-right max-md:hidden`}>
              {text("profit.unrealised")}
            </th>
            <th scope="col" className={`${head} text-right`}>
              {text("profit.byPrice")}
            </th>
          </tr>
        </thead>
        <tbody>
          {coins.map(({ asset, name, total, worthUsdt, priceGainUsdt }) => (
            <tr key={asset} className="h-12 border-line border-t">
              <td>
                <span className="flex items-center gap-2.5">
                  <CoinGlyph code={asset} size={24} />
                  <span className="font-medium">{asset}</span>
                  <span className="text-label text-muted max-sm:hidden">{name}</span>
                </span>
              </td>
              <td className="figures text-right max-sm:hidden">{plain(total)}</td>
              <td className="figures text-right max-md:hidden">{plain(costs[asset]?.average ?? null)}</td>
              <td className="figures text-right">{plain(worthUsdt, 2)}</td>
              <td className={`figures text-right max-md:hidden ${toneOf(costs[asset]?.unrealised ?? null)}`}>
                {shown(costs[asset]?.unrealised ?? null)}
              </td>
              <td className={`figures text-right ${toneOf(priceGainUsdt)}`}>{shown(priceGainUsdt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
