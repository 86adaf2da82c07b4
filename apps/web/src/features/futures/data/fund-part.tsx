// The insurance fund of a coin: what it holds, day by day, and what came in and went out.
import type { RiskFund } from "@clockwork/domains/markets/api";
import { formatAbbreviated, formatDecimal } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { use } from "react";
import { LocaleContext } from "#words/text.ts";
import { placeBars, topOf } from "./data-model.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { Legend } from "./legend.tsx";

export function FundPart({ fund }: { readonly fund: RiskFund }) {
  const text = useFuturesText();
  const locale = use(LocaleContext);
  const days = fund.days;
  const moves = days.map(({ inflow, outflow }) => Number(inflow) - Number(outflow));
  const bars = placeBars(moves, topOf(moves));
  return (
    <div className="flex flex-col gap-3">
      <p>
        <span className="block text-label text-muted">{text("data.balance", { asset: fund.asset })}</span>
        <span className="figures font-semibold text-[20px]">
          {formatDecimal(fund.balance, { decimals: 2, grouped: true })}
        </span>
      </p>
      {days.length > 1 && (
        <AreaCurve
          label={text("data.fund")}
          heightPx={140}
          axisText={(value) => formatAbbreviated(value.toFixed(2), { locale })}
          points={days.map((day) => ({
            value: Number(day.balance),
            place: formatDateTime(day.dayMs, "UTC0").slice(0, 10),
            text: `${formatDecimal(day.balance, { decimals: 2, grouped: true })} ${fund.asset}`,
          }))}
        />
      )}
      <svg viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true" className="h-10 w-full">
        {bars.map((bar, index) => (
          <rect
            key={days[index]?.dayMs}
            x={bar.xShare * 1000}
            y={bar.topShare * 40}
            width={bar.widthShare * 1000}
            height={bar.heightShare * 40}
            className={(moves[index] ?? 0) < 0 ? "fill-m2" : "fill-m4"}
          />
        ))}
      </svg>
      <span className="flex gap-4 text-label text-muted">
        <Legend className="bg-m4" label={text("data.inflow")} />
        <Legend className="bg-m2" label={text("data.paid")} />
      </span>
    </div>
  );
}
