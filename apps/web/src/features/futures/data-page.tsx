// Public data of one contract: funding, index, open interest, insurance fund, ladder, liquidations with their reports. No account needed.
import { formatAbbreviated, formatDecimal } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Segmented } from "@clockwork/ui/segmented";
import { EmptyState } from "@clockwork/ui/state";
import { type ReactNode, use, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { nameZone, useZone } from "#session/zone.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { LocaleContext } from "#words/text.ts";
import { IndexPart, InterestPart, SidesPart } from "./data-index.tsx";
import { LiquidationsPart } from "./data-liquidations.tsx";
import { Part } from "./data-part.tsx";
import { FundingCountdown, showFundingRate, showPrice } from "./funding-figures.tsx";
import { LadderTable } from "./ladder-table.tsx";
import { type FuturesData, placeBars, topOf } from "./model/data-model.ts";
import { useFuturesText } from "./model/futures-text.ts";

export function DataPage({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  const terminal = useTerminalText();
  const { pair, ladder, fund } = data;
  return (
    <main id="content" className="mx-auto flex w-full max-w-[1440px] flex-col gap-4 px-8 py-7 max-md:px-4">
      <header className="flex flex-wrap items-center gap-3">
        <h1 className="text-section">{text("data.title")}</h1>
        {pair.isSimulated && (
          <span className="rounded-full bg-warn-soft px-2 py-0.5 text-label text-warn">{terminal("simulated")}</span>
        )}
        <span className="ml-auto flex items-center gap-2">
          <CoinGlyph code={pair.base} size={20} />
          <SiteLink
            to={`${pair.pairCode.endsWith("_USD") ? "/delivery" : "/futures"}/${pair.pairCode}`}
            className="font-medium underline underline-offset-2"
          >
            {text("data.trade", { pair: pair.pairCode.replace("_", "") })}
          </SiteLink>
        </span>
        <p className="w-full text-muted">{text("data.note")}</p>
        <Contracts data={data} />
      </header>
      <Strip data={data} />
      <div className="grid gap-4 lg:grid-cols-[1fr_464px]">
        <Part id="funding" title={text("data.fundingHistory")}>
          <FundingPart data={data} />
        </Part>
        <Part id="ladder" title={text("data.ladder")}>
          <LadderTable ladder={ladder} asset={pair.settle} />
        </Part>
        <Part id="fund" title={text("data.fund")}>
          {fund === null ? <EmptyState text={text("data.noFunding")} /> : <FundPart fund={fund} />}
        </Part>
        <Part id="index" title={text("data.indexSources")}>
          <IndexPart data={data} />
        </Part>
        <Part id="interest" title={text("data.interestHistory")}>
          <InterestPart data={data} />
        </Part>
        <Part id="long-short" title={text("data.longShort")}>
          <SidesPart data={data} />
        </Part>
      </div>
      <LiquidationsPart data={data} />
    </main>
  );
}

function Contracts({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  return (
    <nav aria-label={text("data.symbol")} className="flex w-full flex-wrap gap-2">
      {data.contracts.map(({ pairCode }) => (
        <SiteLink
          key={pairCode}
          to={`/futures/data/${pairCode}`}
          aria-current={pairCode === data.pair.pairCode ? "page" : undefined}
          className="rounded-full border border-line2 px-3 py-1 text-label text-muted hover:text-text aria-[current]:border-text aria-[current]:font-semibold aria-[current]:text-text"
        >
          {pairCode.replace("_", "")}
        </SiteLink>
      ))}
    </nav>
  );
}

function Strip({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  const locale = use(LocaleContext);
  const { pair, quotation, fund } = data;
  const unit = pair.kind === "linear" ? pair.base : pair.quote;
  const cells: readonly (readonly [string, ReactNode])[] = [
    [text("mark"), showPrice(quotation?.mark, pair.priceDecimals)],
    [text("index"), showPrice(quotation?.index, pair.priceDecimals)],
    [
      text("data.predicted", { hours: pair.fundingHours }),
      quotation === null ? (
        "--"
      ) : (
        <>
          {showFundingRate(quotation.fundingRate)}{" "}
          <span className="font-normal text-label text-muted">
            <FundingCountdown untilMs={quotation.nextFundingMs} />
          </span>
        </>
      ),
    ],
    [
      text("data.interest"),
      quotation === null
        ? "--"
        : `${formatDecimal(quotation.openInterest, { decimals: pair.quantityDecimals, grouped: true })} ${unit}`,
    ],
    [text("data.fund"), fund === null ? "--" : `${formatAbbreviated(fund.balance, { locale })} ${fund.asset}`],
  ];
  return (
    <Card className="grid grid-cols-2 p-0 lg:grid-cols-5">
      {cells.map(([label, value]) => (
        <dl key={label} className="border-line p-4 not-last:border-r">
          <dt className="text-label text-muted">{label}</dt>
          <dd className="figures mt-1 font-semibold text-[18px] leading-6">{value}</dd>
        </dl>
      ))}
    </Card>
  );
}

const SPANS = { "10": 30, "30": 90, "90": 270 } as const;

function FundingPart({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  const zone = useZone();
  const [span, setSpan] = useState<keyof typeof SPANS>("30");
  const { funding, pair } = data;
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
            <th scope="col">{text("data.markThen")}</th>
            <th scope="col">{text("data.samples")}</th>
          </tr>
        </thead>
        <tbody>
          {funding.slice(0, 8).map((entry) => (
            <tr key={entry.timeMs} className="border-line border-t *:h-8 *:text-right [&>*:first-child]:text-left">
              <td>{formatDateTime(entry.timeMs, zone).slice(0, 16)}</td>
              <td className="font-semibold">{showFundingRate(entry.rate)}</td>
              <td className="text-muted">{showFundingRate(entry.premium)}</td>
              <td>{showPrice(entry.mark, pair.priceDecimals)}</td>
              <td>{entry.samples}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-label text-muted">{text("data.formula")}</p>
    </div>
  );
}

function Legend({ className, label }: { readonly className: string; readonly label: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 rounded-xs ${className}`} />
      {label}
    </span>
  );
}

function FundPart({ fund }: { readonly fund: NonNullable<FuturesData["fund"]> }) {
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
