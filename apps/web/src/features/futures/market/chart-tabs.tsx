// The chart's further tabs on a contract: its funding, the insurance fund of its coin, its ladder. Each is requested
// when it is opened.
import { CONTRACT_CALLS, type ContractInfo } from "@clockwork/trading/markets/contract";
import { Button } from "@clockwork/ui/button";
import { EmptyState } from "@clockwork/ui/state";
import type { ReactNode } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { shownCoin } from "../model/contract.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { useLadder, usePositions } from "../model/use-own.ts";
import { useRequested } from "../model/use-requested.ts";
import { LadderTable } from "../parts/ladder-table.tsx";
import { FUND_DAYS, FUNDING_LIMIT } from "./data-model.ts";
import { FundPart } from "./fund-part.tsx";
import { FundingPart } from "./funding-part.tsx";

export type ChartTab = "funding" | "fund" | "ladder";

function Frame({
  title,
  part,
  children,
}: {
  readonly title: string;
  readonly part: string;
  readonly children: ReactNode;
}) {
  const text = useFuturesText();
  const { pair } = useTerminalData<ContractInfo>();
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4">
      <h2 className="mb-3 flex items-center gap-2 text-card">
        {title}
        <SiteLink
          to={`/futures/data/${pair.pairCode}#${part}`}
          className="ml-auto font-normal text-label text-muted underline underline-offset-2"
        >
          {text("data")}
        </SiteLink>
      </h2>
      <div className="max-w-[880px]">{children}</div>
    </div>
  );
}

function Failed({ onRetry }: { readonly onRetry: () => void }) {
  const text = useFuturesText();
  const terminal = useTerminalText();
  return (
    <div className="flex flex-col items-center gap-3 py-10">
      <p className="text-muted">{text("panel.failed")}</p>
      <Button size={28} onPress={onRetry}>
        {terminal("retry")}
      </Button>
    </div>
  );
}

export function ChartTabBody({ tab }: { readonly tab: ChartTab }) {
  if (tab === "funding") return <FundingTab />;
  return tab === "fund" ? <FundTab /> : <LadderTab />;
}

function FundingTab() {
  const text = useFuturesText();
  const { pair } = useTerminalData<ContractInfo>();
  const { biz, pairCode } = pair;
  const requested = useRequested(CONTRACT_CALLS.fundingHistory, { biz, pairCode, limit: FUNDING_LIMIT });
  return (
    <Frame title={text("data.fundingHistory")} part="funding">
      {requested.isFailing && <Failed onRetry={requested.retry} />}
      {requested.data !== undefined && <FundingPart funding={requested.data} pair={pair} />}
    </Frame>
  );
}

/** Demo trading has no fund of its own: no fund covers its losses. */
function FundTab() {
  const text = useFuturesText();
  const { pair } = useTerminalData<ContractInfo>();
  const biz = pair.biz === "demo" ? "futures" : pair.biz;
  const asset = pair.biz === "demo" ? pair.quote : pair.settle;
  const requested = useRequested(CONTRACT_CALLS.riskFund, { biz, asset, days: FUND_DAYS });
  return (
    <Frame title={text("data.fund")} part="fund">
      {requested.isFailing && <Failed onRetry={requested.retry} />}
      {requested.data !== undefined && <FundPart fund={requested.data} />}
    </Frame>
  );
}

function LadderTab() {
  const text = useFuturesText();
  const { pair } = useTerminalData<ContractInfo>();
  const { ladder, isFailing, retry } = useLadder(pair.pairCode);
  const { positions } = usePositions();
  const yours = positions.find(({ pairCode }) => pairCode === pair.pairCode)?.tier;
  return (
    <Frame title={text("data.ladder")} part="ladder">
      {isFailing && <Failed onRetry={retry} />}
      {ladder?.length === 0 && <EmptyState text={text("data.noFunding")} />}
      {ladder !== undefined && <LadderTable ladder={ladder} asset={shownCoin(pair.settle)} yours={yours} />}
    </Frame>
  );
}
