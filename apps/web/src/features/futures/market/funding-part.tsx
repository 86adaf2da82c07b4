// The history of a contract's funding: rates as bars with the premium they came from, and the settlements one by one.

import { formatDateTime } from "@clockwork/kit/time";
import type { ContractInfo, FundingEntry } from "@clockwork/trading/markets/contract";
import { Segmented } from "@clockwork/ui/segmented";
import { EmptyState } from "@clockwork/ui/state";
import { useState } from "react";
import { nameZone, useZone } from "#session/zone.ts";
import { writeSigned } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { showFundingRate, showPrice } from "../parts/funding-figures.tsx";
import { sumRates } from "./data-model.ts";
import { BODY_ROW, CARD_ROW, HEAD_ROW } from "./data-part.tsx";
import { longPaid } from "./exact-worth.ts";
import { FundingChart } from "./funding-chart.tsx";
import { Legend } from "./legend.tsx";
import { SampleCount } from "./samples-button.tsx";

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
  const decimals = isLinear ? 2 : 8;
  const [span, setSpan] = useState<keyof typeof SPANS>("30");
  if (funding.length === 0) return <EmptyState text={text("data.noFunding")} />;
  const shown = funding.slice(0, SPANS[span]).toReversed();
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
      <FundingChart shown={shown} interest={pair.interestRate} />
      <table className="figures w-full min-w-[560px] text-label">
        <thead className="text-muted">
          <tr className={`${HEAD_ROW} ${CARD_ROW}`}>
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
            <tr key={entry.timeMs} className={`${BODY_ROW} ${CARD_ROW}`}>
              <td>{formatDateTime(entry.timeMs, zone).slice(0, 16)}</td>
              <td className="font-semibold">{showFundingRate(entry.rate)}</td>
              <td className="text-muted">{showFundingRate(entry.premium)}</td>
              <td className="text-muted">{showFundingRate(pair.interestRate)}</td>
              <td>{showPrice(entry.mark, pair.priceDecimals)}</td>
              <td>{`${writeSigned(longPaid(pair.kind, entry, decimals), decimals)} ${pair.settle}`}</td>
              <td>
                <SampleCount pair={pair} entry={entry} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="flex flex-wrap justify-between gap-x-4 text-label text-muted">
        <span>{text("data.formula")}</span>
        <span className="figures">
          {text("data.sum", { days: span })}{" "}
          <span className="font-semibold text-text">{showFundingRate(sumRates(shown.map(({ rate }) => rate)))}</span>
        </span>
      </p>
    </div>
  );
}
