// What the index of a contract is made of, the open interest and the ratio of positions. The sources follow live.

import { groupThousands } from "@clockwork/kit/decimal";
import { formatAbbreviated, formatDecimal, formatPercent } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import { CONTRACT_CALLS, type ContractInfo, type IndexView, type MarkParts } from "@clockwork/trading/markets/contract";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { Segmented } from "@clockwork/ui/segmented";
import { EmptyState } from "@clockwork/ui/state";
import { type ReactNode, use, useEffect, useState } from "react";
import { askData } from "#live/ask.ts";
import { useZone } from "#session/zone.ts";
import { LocaleContext } from "#words/text.ts";
import { writeSignedPercent } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { useRequested } from "../model/use-requested.ts";
import { showFundingRate, showPrice } from "../parts/funding-figures.tsx";
import { type FuturesData, INTEREST_SPANS, type InterestSpan, middleOf } from "./data-model.ts";
import { BODY_ROW, CARD_ROW, HEAD_ROW } from "./data-part.tsx";
import { SamplesButton } from "./samples-button.tsx";

const EVERY_MS = 3_000;
/** The open candle is requested anew. */
const INTEREST_MS = 30_000;

function Fact({ label, value }: { readonly label: string; readonly value: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 border-line border-b last:border-b-0">
      <dt className="text-muted">{label}</dt>
      <dd className="figures font-medium">{value}</dd>
    </div>
  );
}

/** The served data, then the live data while the page is visible. */
function useIndex({ pair, index }: FuturesData): IndexView | null {
  const [fresh, setFresh] = useState<IndexView>();
  const { biz, pairCode } = pair;
  useEffect(() => {
    let gone = false;
    const ask = async () => {
      if (document.hidden) return;
      const data = await askData(CONTRACT_CALLS.indexSources, { biz, pairCode }, { api: "futures" });
      if (!gone && data !== undefined) setFresh(data);
    };
    const timer = setInterval(() => void ask(), EVERY_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [biz, pairCode]);
  return fresh?.pairCode === pairCode ? fresh : index;
}

export function IndexPart({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  const { pair, quotation } = data;
  const view = useIndex(data);
  const sources = view?.sources ?? [];
  return (
    <div className="flex flex-col gap-3">
      {view?.isDegraded === true && <p className="text-warn">{text("degraded")}</p>}
      {sources.length === 0 ? (
        <EmptyState text={text("data.noSources")} />
      ) : (
        <table className="figures w-full text-label">
          <thead className="text-muted">
            <tr className={`${HEAD_ROW} ${CARD_ROW}`}>
              <th scope="col">{text("data.source")}</th>
              <th scope="col">{text("data.price")}</th>
              <th scope="col">{text("data.offMedian")}</th>
              <th scope="col">{text("data.weight")}</th>
              <th scope="col">{text("data.age")}</th>
            </tr>
          </thead>
          <tbody>
            {sources.map((source) => (
              <tr key={source.name} className={`${BODY_ROW} ${CARD_ROW}`}>
                <td>
                  <span className="flex items-center gap-2">
                    <span
                      role="img"
                      aria-label={text(`data.state.${source.state}`)}
                      title={text(`data.state.${source.state}`)}
                      className={`size-2 rounded-full ${source.state === "live" ? "bg-text" : "border border-warn"}`}
                    />
                    {source.name}
                  </span>
                </td>
                <td>{showPrice(source.price, pair.priceDecimals)}</td>
                <td className={source.state === "outlier" ? "text-warn" : "text-muted"}>
                  {writeSignedPercent(source.offMedian, 4)}
                </td>
                <td>{formatPercent(source.weight, { decimals: 1 })}</td>
                <td className={source.state === "silent" ? "text-warn" : "text-muted"}>
                  {(source.ageMs / 1000).toFixed(1)} s
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <dl className="text-ui">
        <Fact
          label={text("index")}
          value={
            <>
              {sources.length > 0 && (
                <span className="mr-3 font-normal text-label text-muted">
                  {text("data.liveSources", {
                    live: sources.filter(({ state }) => state === "live").length,
                    all: sources.length,
                  })}
                </span>
              )}
              {showPrice(view?.index ?? quotation?.index, pair.priceDecimals)}
            </>
          }
        />
      </dl>
      <MarkTable mark={view?.mark ?? null} shown={quotation?.mark ?? null} pair={pair} />
      <PremiumFacts premium={view?.premium ?? null} pair={pair} nextMs={quotation?.nextFundingMs ?? 0} />
      <p className="text-label text-muted">{text("data.sourcesNote")}</p>
    </div>
  );
}

interface MarkTableProps {
  readonly mark: MarkParts | null;
  readonly shown: string | null;
  readonly pair: ContractInfo;
}

/** The three prices the mark is the median of; the chosen one is highlighted. */
function MarkTable({ mark, shown, pair }: MarkTableProps) {
  const text = useFuturesText();
  if (mark === null) return null;
  const inputs = [
    ["P1", text("data.markByFunding", { hours: pair.fundingHours }), mark.byFunding],
    ["P2", text("data.markByBook"), mark.byBook],
    [text("data.markLast"), text("data.markLastTrade"), mark.last],
  ] as const;
  const middle = middleOf(inputs.flatMap(([, , price]) => price ?? []));
  const clamp = formatPercent(mark.clamp, { decimals: 0 });
  return (
    <section aria-label={text("data.markInputs")}>
      <h3 className="mb-1 font-semibold">{text("data.markInputs")}</h3>
      <table className="figures w-full text-label">
        <tbody>
          {inputs.map(([name, from, price]) => (
            <tr key={name} className="border-line border-b *:h-8">
              <th scope="row" className="w-12 text-left font-semibold">
                {name}
              </th>
              <td className="text-muted">{from}</td>
              <td className={`text-right ${price !== null && price === middle ? "font-semibold" : "text-muted"}`}>
                {price === null ? text("data.markNone") : showPrice(price, pair.priceDecimals)}
              </td>
            </tr>
          ))}
          <tr className="*:h-8">
            <th scope="row" className="text-left font-semibold">
              {text("mark")}
            </th>
            <td className="text-muted">{text("data.markMedian", { clamp })}</td>
            <td className="text-right font-semibold">{showPrice(shown, pair.priceDecimals)}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}

interface PremiumFactsProps {
  readonly premium: IndexView["premium"];
  readonly pair: ContractInfo;
  /** The coming settlement; 0 while there is none. */
  readonly nextMs: number;
}

function PremiumFacts({ premium, pair, nextMs }: PremiumFactsProps) {
  const text = useFuturesText();
  if (premium === null) return null;
  const price = (value: string | null) => showPrice(value, pair.priceDecimals);
  return (
    <section aria-label={text("data.premiumNow")}>
      <h3 className="mb-1 font-semibold">{text("data.premiumNow")}</h3>
      <dl className="text-label">
        <Fact label={text("data.impactNotional")} value={`${groupThousands(premium.notional)} ${pair.quote}`} />
        <Fact label={text("data.impactPrices")} value={`${price(premium.impactBid)} · ${price(premium.impactAsk)}`} />
        <Fact label={text("data.premiumSample")} value={writeSignedPercent(premium.premium, 4)} />
        <Fact label={text("rules.interest")} value={showFundingRate(pair.interestRate)} />
        {nextMs > 0 && (
          <Fact
            label={text("data.samplesSoFar")}
            value={
              <SamplesButton pair={pair} settlementMs={nextMs} isComing>
                {text("data.showSamples")}
              </SamplesButton>
            }
          />
        )}
      </dl>
    </section>
  );
}

export function InterestPart({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  const zone = useZone();
  const locale = use(LocaleContext);
  const [span, setSpan] = useState<InterestSpan>("1h");
  const { pair } = data;
  const { biz, pairCode } = pair;
  const fields = { biz, pairCode, kind: "interest", interval: span, limit: INTEREST_SPANS[span] } as const;
  const served = span === "1h" ? { served: data.interest } : {};
  const { data: interest = [] } = useRequested(CONTRACT_CALLS.candles, fields, { everyMs: INTEREST_MS, ...served });
  const unit = pair.kind === "linear" ? pair.base : pair.quote;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex justify-end">
        <Segmented
          label={text("data.interestHistory")}
          size={28}
          value={span}
          onChange={(id) => setSpan(id as InterestSpan)}
          segments={Object.keys(INTEREST_SPANS).map((id) => ({ id, title: id.toUpperCase() }))}
        />
      </div>
      {interest.length < 2 ? (
        <EmptyState text={text("data.noFunding")} />
      ) : (
        <AreaCurve
          label={text("data.interestHistory")}
          heightPx={180}
          axisText={(value) => formatAbbreviated(value.toFixed(2), { locale })}
          points={interest.map(({ timeMs, close }) => ({
            value: Number(close),
            place: formatDateTime(timeMs, zone).slice(5, 16),
            text: `${formatDecimal(close, { decimals: pair.quantityDecimals, grouped: true })} ${unit}`,
          }))}
        />
      )}
    </div>
  );
}

export function SidesPart({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  const { pair, sides } = data;
  if (sides === null) return <EmptyState text={text("data.noFunding")} />;
  const { longAccounts, shortAccounts, ratio, longQuantity } = sides;
  const all = longAccounts + shortAccounts;
  const share = all === 0 ? 50 : (longAccounts / all) * 100;
  const unit = pair.kind === "linear" ? pair.base : pair.quote;
  return (
    <div className="flex flex-col gap-3">
      <div aria-hidden="true" className="flex h-2 overflow-hidden rounded-full">
        <span className="bg-up" style={{ width: `${share}%` }} />
        <span className="flex-1 bg-down" />
      </div>
      <dl className="text-ui">
        <Fact
          label={text("data.longAccounts")}
          value={`${groupThousands(String(longAccounts))} (${share.toFixed(1)}%)`}
        />
        <Fact
          label={text("data.shortAccounts")}
          value={`${groupThousands(String(shortAccounts))} (${(100 - share).toFixed(1)}%)`}
        />
        <Fact label={text("data.accountRatio")} value={ratio === null ? "–" : Number(ratio).toFixed(2)} />
        <Fact label={text("data.perSide")} value={`${groupThousands(longQuantity)} ${unit}`} />
      </dl>
      <p className="text-label text-muted">{text("data.longShortNote")}</p>
    </div>
  );
}
