// Every sample a settlement's premium was computed from, in pages, with the results. Loaded on demand.

import { groupThousands } from "@clockwork/kit/decimal";
import { formatDateTime } from "@clockwork/kit/time";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { PREMIUM_CALLS, type PremiumSamples } from "@clockwork/trading/premiums/contract";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { Pagination } from "@clockwork/ui/pagination";
import { EmptyState } from "@clockwork/ui/state";
import { useState } from "react";
import { nameZone, useZone } from "#session/zone.ts";
import { saveSheet } from "#trade/orders/orders-export.ts";
import { writeSignedPercent } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { useRequested } from "../model/use-requested.ts";
import { showFundingRate } from "../parts/funding-figures.tsx";
import { BODY_ROW, HEAD_ROW } from "./data-part.tsx";

const PAGE = 60;
/** Samples come every five seconds; those of the coming settlement are requested again. */
const AGAIN_MS = 5_000;

interface SamplesDialogProps {
  readonly pair: ContractInfo;
  /** The time of the settlement. */
  readonly settlementMs: number;
  /** It has not come yet. */
  readonly isComing: boolean;
  readonly onClose: () => void;
}

export function SamplesDialog({ pair, settlementMs, isComing, onClose }: SamplesDialogProps) {
  const text = useFuturesText();
  const zone = useZone();
  const { biz, pairCode } = pair;
  const requested = useRequested(
    PREMIUM_CALLS.samples,
    { biz, pairCode, settlement: settlementMs },
    isComing ? { everyMs: AGAIN_MS } : {},
  );
  const time = formatDateTime(settlementMs, zone).slice(0, 16);
  return (
    <Dialog
      isOpen
      size="medium"
      title={text("data.samplesTitle", { pair: pairCode.replace("_", ""), time: `${time} ${nameZone(zone)}` })}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      {requested.isFailing && (
        <EmptyState
          text={text("panel.failed")}
          action={<Button onPress={requested.retry}>{text("data.again")}</Button>}
        />
      )}
      {requested.data === undefined && !requested.isFailing && <div className="h-80" aria-busy="true" />}
      {requested.data !== undefined && <Samples answer={requested.data} interest={pair.interestRate} />}
    </Dialog>
  );
}

function Samples({ answer, interest }: { readonly answer: PremiumSamples; readonly interest: string }) {
  const text = useFuturesText();
  const zone = useZone();
  const [page, setPage] = useState(1);
  const { samples, premium, rate } = answer;
  if (premium === null || rate === null) return <EmptyState text={text("data.noSamples")} />;
  const from = (page - 1) * PAGE;
  const shown = samples.slice(from, from + PAGE);
  const save = () =>
    void saveSheet(
      `${answer.pairCode}-premium-${formatDateTime(answer.timeMs, "UTC0").slice(0, 13).replace(" ", "T")}`,
      {
        head: ["Sample and weight", `Time, ${nameZone(zone)}`, "Premium"],
        rows: samples.map((sample, index) => [String(index + 1), formatDateTime(sample.timeMs, zone), sample.premium]),
      },
    );
  return (
    <>
      <p className="text-label text-muted">{text("data.samplesNote")}</p>
      <dl className="figures grid grid-cols-3 gap-x-4 text-label">
        {[
          [text("data.premium"), writeSignedPercent(premium, 6)],
          [text("data.rateInterest"), showFundingRate(interest)],
          [text("data.rate"), writeSignedPercent(rate, 6)],
        ].map(([label, value]) => (
          <div key={label}>
            <dt className="text-muted">{label}</dt>
            <dd className="font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="max-h-80 overflow-y-auto" tabIndex={0} aria-label={text("data.samples")}>
        <table className="figures w-full text-label">
          <thead className="sticky top-0 bg-raised text-muted">
            <tr className={HEAD_ROW}>
              <th scope="col">{text("data.sampleNumber")}</th>
              <th scope="col">{text("data.time", { zone: nameZone(zone) })}</th>
              <th scope="col">{text("data.samplePremium")}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((sample, index) => (
              <tr key={sample.timeMs} className={BODY_ROW}>
                <td>{groupThousands(String(from + index + 1))}</td>
                <td>{formatDateTime(sample.timeMs, zone)}</td>
                <td>{writeSignedPercent(sample.premium, 6)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Pagination
        page={page}
        pageCount={Math.ceil(samples.length / PAGE)}
        onPage={setPage}
        summary={text("data.range", {
          from: groupThousands(String(from + 1)),
          to: groupThousands(String(from + shown.length)),
          count: groupThousands(String(samples.length)),
        })}
      />
      <Button size={32} icon="download" onPress={save} className="self-start">
        CSV
      </Button>
    </>
  );
}
