// The insurance fund of a coin: what it holds, day by day, and what came in and went out.

import { formatAbbreviated, formatDecimal, formatPercent } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import type { RiskState } from "@clockwork/trading/liquidations/contract";
import type { RiskFund } from "@clockwork/trading/markets/contract";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { Segmented } from "@clockwork/ui/segmented";
import { EmptyState } from "@clockwork/ui/state";
import { use, useState } from "react";
import { LocaleContext } from "#words/text.ts";
import { shownDecimals } from "../model/contract.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { placeBars, topOf } from "./data-model.ts";
import { withBeginning } from "./exact-worth.ts";
import { Legend } from "./legend.tsx";

const SPANS = { "30": "30D", "90": "90D", "365": "1Y" } as const;
type Span = keyof typeof SPANS;

interface FundPartProps {
  readonly fund: RiskFund;
  /** What one contract drew from it, if one is selected. */
  readonly risk?: RiskState | null;
}

function Figure({ label, value, note }: { readonly label: string; readonly value: string; readonly note?: string }) {
  return (
    <p>
      <span className="block text-label text-muted">{label}</span>
      <span className="figures font-semibold text-[20px]">{value}</span>
      {note !== undefined && <span className="ml-2 text-label text-muted">{note}</span>}
    </p>
  );
}

export function FundPart({ fund, risk = null }: FundPartProps) {
  const text = useFuturesText();
  const locale = use(LocaleContext);
  const [span, setSpan] = useState<Span>("90");
  const days = withBeginning(fund.days.slice(-Number(span)));
  const exact = (amount: string) => formatDecimal(amount, { decimals: shownDecimals(fund.asset), grouped: true });
  const money = (amount: string) => `${exact(amount)} ${fund.asset}`;
  const moves = days.map(({ inflow, outflow }) => Number(inflow) - Number(outflow));
  const bars = placeBars(moves, topOf(moves));
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-x-8 gap-y-2">
        <Figure label={text("data.balance", { asset: fund.asset })} value={exact(fund.balance)} />
        {risk !== null && (
          <>
            <Figure
              label={text("data.drawdown")}
              value={formatPercent(risk.drawdown, { decimals: 2 })}
              note={text(risk.isDeleveraging ? "data.deleveragesNow" : "data.deleveragesFrom", {
                from: formatPercent(risk.deleveragesFrom, { decimals: 0 }),
                until: formatPercent(risk.deleveragesUntil, { decimals: 0 }),
              })}
            />
            <Figure label={text("data.deleveragings")} value={String(risk.deleveragings)} />
          </>
        )}
        <span className="ml-auto">
          <Segmented
            label={text("data.fund")}
            size={28}
            value={span}
            onChange={(id) => setSpan(id as Span)}
            segments={Object.entries(SPANS).map(([id, title]) => ({ id, title }))}
          />
        </span>
      </div>
      {days.length > 1 && (
        <AreaCurve
          label={text("data.fund")}
          heightPx={140}
          axisText={(value) => formatAbbreviated(value.toFixed(2), { locale })}
          points={days.map((day) => ({
            value: Number(day.balance),
            place: formatDateTime(day.dayMs, "UTC0").slice(0, day.isBeginning === true ? 16 : 10),
            text: text("data.fundDay", {
              balance: money(day.balance),
              inflow: money(day.inflow),
              paid: money(day.outflow),
            }),
          }))}
        />
      )}
      {days.length < 2 && <EmptyState text={text("data.fundEmpty")} />}
      {days[0]?.isBeginning === true && <p className="text-label text-muted">{text("data.fundFirst")}</p>}
      {days.length > 1 && (
        <svg viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true" className="h-10 w-full">
          {bars.map((bar, index) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a first day occurs twice, and days never move
              key={index}
              x={bar.xShare * 1000}
              y={bar.topShare * 40}
              width={bar.widthShare * 1000}
              height={bar.heightShare * 40}
              className={(moves[index] ?? 0) < 0 ? "fill-m2" : "fill-m4"}
            />
          ))}
        </svg>
      )}
      {days.length > 1 && (
        <span className="flex gap-4 text-label text-muted">
          <Legend className="bg-m4" label={text("data.inflow")} />
          <Legend className="bg-m2" label={text("data.paid")} />
        </span>
      )}
    </div>
  );
}
