// The history of a contract's funding: rates as bars with the premium they came from, and the settlements one by one.
import type { ContractInfo, FundingEntry } from "@clockwork/domains/markets/api";
import { formatDateTime } from "@clockwork/kit/time";
import { Segmented } from "@clockwork/ui/segmented";
import { EmptyState } from "@clockwork/ui/state";
import { useState } from "react";
import { nameZone, useZone } from "#session/zone.ts";
import { longPaid, placeBars, topOf } from "./data-model.ts";
import { writeSigned } from "../model/figures.ts";
import { showFundingRate, showPrice } from "../parts/funding-figures.tsx";
import { useFuturesText } from "../model/futures-text.ts";
import { Legend } from "./legend.tsx";

const SPANS = { "10": 30, "30": 90, "90": 270 } as const;

interface FundingPartProps {
  /** Newest first. */
  readonly funding: readonly FundingEntry[];
  readonly pair: ContractInfo;
}

export function FundingPart({ funding, pair }: FundingPartProps) {
  const text = useFuturesText();
  const zone = useZone();
  const isLinear = pair.kind === "linear";
  const [span, setSpan] = useState<keyof typeof SPANS>("30");
  if (funding.length === 0) return <EmptyState text={text("data.noFunding")} />;
  const shown = funding.slice(0, SPANS[span]).toReversed();
  const top = topOf([...shown.map(({ rate }) => Number(rate)), ...shown.map(({ premium }) => Number(premium))]);
  const bars = placeBars(
    shown.map(({ rate }) => Number(rate)),
    top,
  );
  const line = shown
    .map(({ premium }, index) => {
      const y = top === 0 ? 50 : 50 - (Number(premium) / top) * 50;
      return `${index === 0 ? "M" : "L"}${(((index + 0.5) / shown.length) * 1000).toFixed(1)} ${y.toFixed(2)}`;
    })
    .join("");
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center justify-between text-label text-muted">
        <span className="flex gap-4">
          <Legend className="bg-info" label={text("data.rate")} />
          <Legend className="bg-series1" label={text("data.premium")} />
        </span>
        <Segmented
          label={text("data.fundingHistory")}
          size={28}
          value={span}
          onChange={(id) => setSpan(id as keyof typeof SPANS)}
          segments={Object.keys(SPANS).map((id) => ({ id, title: `${id}D` }))}
        />
      </div>
      <svg
        viewBox="0 0 1000 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={text("data.fundingHistory")}
        className="h-40 w-full"
      >
        {bars.map((bar, index) => (
          <rect
            key={shown[index]?.timeMs}
            x={bar.xShare * 1000}
            y={bar.topShare * 100}
            width={bar.widthShare * 1000}
            height={bar.heightShare * 100}
            className="fill-info"
          >
            <title>{`${formatDateTime(shown[index]?.timeMs ?? 0, zone)} ${showFundingRate(shown[index]?.rate ?? "0")}`}</title>
          </rect>
        ))}
        <path d={line} fill="none" vectorEffect="non-scaling-stroke" strokeWidth={1.35} className="stroke-series1" />
      </svg>
      <table className="figures w-full min-w-[560px] text-label">
        <thead className="text-muted">
          <tr className="*:h-8 *:text-right *:font-normal [&>*:first-child]:text-left">
            <th scope="col">{text("data.settled", { zone: nameZone(zone) })}</th>
            <th scope="col">{text("data.rate")}</th>
            <th scope="col">{text("data.premium")}</th>
            <th scope="col">{text("data.rateInterest")}</th>
            <th scope="col">{text("data.markThen")}</th>
            <th scope="col">{text("data.longPaid", { size: isLinear ? `1 ${pair.base}` : `100 ${pair.quote}` })}</th>
            <th scope="col">{text("data.samples")}</th>
          </tr>
        </thead>
        <tbody>
          {funding.slice(0, 8).map((entry) => (
            <tr key={entry.timeMs} className="border-line border-t *:h-8 *:text-right [&>*:first-child]:text-left">
              <td>{formatDateTime(entry.timeMs, zone).slice(0, 16)}</td>
              <td className="font-semibold">{showFundingRate(entry.rate)}</td>
              <td className="text-muted">{showFundingRate(entry.premium)}</td>
              <td className="text-muted">{showFundingRate(pair.interestRate)}</td>
              <td>{showPrice(entry.mark, pair.priceDecimals)}</td>
              <td>{`${writeSigned(longPaid(pair.kind, entry), isLinear ? 2 : 8)} ${pair.settle}`}</td>
              <td>{entry.samples}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-label text-muted">{text("data.formula")}</p>
    </div>
  );
}
