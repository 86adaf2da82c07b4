// Public data of one contract: funding, index, open interest, insurance fund, ladder, liquidations with their reports. No account needed.
import { formatAbbreviated, formatDecimal } from "@clockwork/kit/format";
import { Card } from "@clockwork/ui/card";
import { EmptyState } from "@clockwork/ui/state";
import { type ReactNode, use } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useTerminalText } from "#trade/terminal-text.ts";
import { LocaleContext } from "#words/text.ts";
import { shownDecimals } from "../model/contract.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { FundingCountdown, showFundingRate, showPrice } from "../parts/funding-figures.tsx";
import { LadderTable } from "../parts/ladder-table.tsx";
import { IndexPart, InterestPart, SidesPart } from "./data-index.tsx";
import { LiquidationsPart } from "./data-liquidations.tsx";
import type { FuturesData } from "./data-model.ts";
import { Part } from "./data-part.tsx";
import { DataTabs, DataTools } from "./data-tools.tsx";
import { FundPart } from "./fund-part.tsx";
import { FundingPart } from "./funding-part.tsx";
import { useLiveData } from "./use-live-data.ts";

export function DataPage({ data: served }: { readonly data: FuturesData }) {
  const data = useLiveData(served);
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
        <span className="ml-auto">
          <DataTools data={data} />
        </span>
        <p className="flex w-full flex-wrap justify-between gap-x-4 gap-y-1 text-muted">
          <span>{text("data.note")}</span>
          <SiteLink
            to={`${pair.kind === "inverse" ? "/delivery" : "/futures"}/${pair.pairCode}`}
            className="font-medium text-text underline underline-offset-2"
          >
            {text("data.trade", { pair: pair.pairCode.replace("_", "") })}
          </SiteLink>
        </p>
      </header>
      <Strip data={data} />
      <DataTabs />
      <div id="overview" className="grid scroll-mt-20 gap-4 lg:grid-cols-[1fr_464px]">
        <Part id="funding" title={text("data.fundingHistory")}>
          <FundingPart funding={data.funding} pair={pair} />
        </Part>
        <Part id="index" title={text("data.indexSources")}>
          <IndexPart data={data} />
        </Part>
        <Part id="fund" title={text("data.fund")}>
          {fund === null ? <EmptyState text={text("data.noFunding")} /> : <FundPart fund={fund} risk={data.risk} />}
        </Part>
        <Part id="ladder" title={text("data.ladder")} aside={text("data.table", { name: pair.contractClass })}>
          <LadderTable ladder={ladder} asset={pair.settle} />
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

function Strip({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  const locale = use(LocaleContext);
  const { pair, quotation, fund, risk } = data;
  const unit = pair.kind === "linear" ? pair.base : pair.quote;
  // Millions are cut short, less is written out.
  const brief = (amount: string, asset: string) =>
    Number(amount) < 1_000_000
      ? `${formatDecimal(amount, { decimals: shownDecimals(asset), grouped: true })} ${asset}`
      : `${formatAbbreviated(amount, { locale })} ${asset}`;
  const cells: readonly (readonly [string, ReactNode])[] = [
    [text("mark"), showPrice(quotation?.mark, pair.priceDecimals)],
    [text("index"), showPrice(quotation?.index, pair.priceDecimals)],
    [
      text("data.predicted", { hours: pair.fundingHours }),
      quotation === null ? (
        "–"
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
        ? "–"
        : `${formatDecimal(quotation.openInterest, { decimals: pair.quantityDecimals, grouped: true })} ${unit}`,
    ],
    [text("data.fund"), fund === null ? "–" : brief(fund.balance, fund.asset)],
    [text("data.liquidatedDay"), risk === null ? "–" : brief(risk.liquidatedValue, risk.asset)],
  ];
  return (
    <Card flush className="grid grid-cols-2 overflow-hidden md:grid-cols-3 xl:grid-cols-6">
      {cells.map(([label, value]) => (
        <dl key={label} className="-mr-px -mb-px border-line border-r border-b p-4">
          <dt className="text-label text-muted">{label}</dt>
          <dd className="figures mt-1 font-semibold text-[18px] leading-6">{value}</dd>
        </dl>
      ))}
    </Card>
  );
}
