// `/operator/instruments`: every market with its rules, fees and leverage tiers, the list beside the chosen one; kind and
// symbol are in the address. Trading is stopped and opened under market halts.
import { formatAbbreviated, formatCoins, formatPercent } from "@clockwork/kit/format";
import { formatDate } from "@clockwork/kit/time";
import {
  CONTRACT_CALLS,
  type ContractInfo,
  type ContractQuotation,
  type LadderStep,
  MARKET_CALLS,
  type Pair,
  type Quotation,
} from "@clockwork/trading/markets/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { useHotkey } from "@clockwork/ui/hooks/use-hotkey";
import { Badge, KeyCap } from "@clockwork/ui/pill";
import { Segmented } from "@clockwork/ui/segmented";
import type { Column } from "@clockwork/ui/table";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { ConsoleFrame } from "#console/console-frame.tsx";
import { FactList, Panel, PanelTable } from "#console/panel.tsx";
import { useSection } from "#console/use-section.ts";
import { useConsoleText } from "#words/console-text.ts";
import type { ExchangePageProps } from "./ledger-page.tsx";

const KINDS = ["spot", "futures", "delivery"] as const;
type Kind = (typeof KINDS)[number];
type Market = Pair | ContractInfo;

export function InstrumentsPage({ me, proof }: ExchangePageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame
      me={me}
      title={text("nav.instruments")}
      lead={text("instruments.lead")}
      aside={
        <span className="flex items-center gap-1.5 text-[13px] text-muted">
          <KeyCap>J</KeyCap>
          <KeyCap>K</KeyCap> {text("keys.move")}
          {me.permissions.includes("trading.stop") && (
            <SiteLink to="/operator/markets" className="ml-3 hover:text-text">
              {text("nav.markets")} ›
            </SiteLink>
          )}
        </span>
      }
      proof={proof}
    >
      <Instruments />
    </ConsoleFrame>
  );
}

function Instruments() {
  const [search] = useSearchParams();
  const kind = KINDS.find((one) => one === search.get("kind")) ?? "spot";
  return kind === "spot" ? <SpotList key={kind} /> : <ContractList key={kind} biz={kind} />;
}

function SpotList() {
  const pairs = useSection({ called: MARKET_CALLS.pairs, input: {}, rowsOf: (rows: readonly Pair[]) => rows });
  const quotes = useSection({
    called: MARKET_CALLS.quotations,
    input: {},
    rowsOf: (rows: readonly Quotation[]) => rows,
  });
  return <Browser kind="spot" rows={pairs.rows} quotes={quotes.rows ?? []} onRetry={pairs.reload} />;
}

function ContractList({ biz }: { readonly biz: "futures" | "delivery" }) {
  const api = "futures" as const;
  const list = useSection({
    called: CONTRACT_CALLS.instruments,
    input: { biz },
    api,
    rowsOf: (rows: readonly ContractInfo[]) => rows,
  });
  const quotes = useSection({
    called: CONTRACT_CALLS.quotations,
    input: { biz },
    api,
    rowsOf: (rows: readonly ContractQuotation[]) => rows,
  });
  return <Browser kind={biz} rows={list.rows} quotes={quotes.rows ?? []} onRetry={list.reload} />;
}

interface BrowserProps {
  readonly kind: Kind;
  readonly rows: readonly Market[] | undefined | null;
  readonly quotes: readonly Quotation[];
  readonly onRetry: () => void;
}

function Browser({ kind, rows, quotes, onRetry }: BrowserProps) {
  const text = useConsoleText();
  const [search, setSearch] = useSearchParams();
  const [typed, setTyped] = useState("");
  const shown = rows?.filter(({ pairCode }) => pairCode.includes(typed.trim().toUpperCase()));
  const at = Math.max(0, shown?.findIndex(({ pairCode }) => pairCode === search.get("pair")) ?? 0);
  const chosen = shown?.[at];
  const change = (values: Readonly<Record<string, string>>) =>
    setSearch({ ...(kind === "spot" ? {} : { kind }), ...values }, { replace: true, preventScrollReset: true });
  const choose = (market: Market | undefined) => market !== undefined && change({ pair: market.pairCode });
  useHotkey("j", () => choose(shown?.[at + 1]));
  useHotkey("k", () => choose(shown?.[at - 1]));
  const volumeOf = (pairCode: string) => quotes.find((one) => one.pairCode === pairCode)?.turnover;
  const columns: readonly Column<Market>[] = [
    {
      id: "pair",
      title: text("person.market"),
      read: ({ pairCode }) => pairCode,
      render: (market) => (
        <button
          type="button"
          aria-current={market === chosen}
          onClick={() => choose(market)}
          className="flex items-center gap-2 font-medium hover:underline"
        >
          <CoinGlyph code={market.base} size={16} />
          {market.pairCode}
        </button>
      ),
    },
    { id: "tick", title: text("instruments.tick"), kind: "number", read: ({ tickSize }) => tickSize },
    {
      id: "state",
      title: text("users.status"),
      read: ({ status }) => status,
      render: ({ status }) => <Badge tone={status === "TRADING" ? "neutral" : "warn"}>{status}</Badge>,
    },
    {
      id: "volume",
      title: text("instruments.volume"),
      kind: "number",
      read: ({ pairCode }) => volumeOf(pairCode),
      render: ({ pairCode }) => {
        const volume = volumeOf(pairCode);
        return volume === undefined ? "–" : formatAbbreviated(volume);
      },
    },
  ];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 xl:grid-cols-[minmax(0,540px)_minmax(0,1fr)]">
      <Panel
        flush
        title={
          <Segmented
            label={text("instruments.kind")}
            size={28}
            segments={KINDS.map((id) => ({ id, title: text(`instruments.kind.${id}`) }))}
            value={kind}
            onChange={(id) => setSearch(id === "spot" ? {} : { kind: id }, { preventScrollReset: true })}
          />
        }
        aside={
          <TextField
            label={text("instruments.find")}
            labelHidden
            placeholder={text("instruments.find")}
            size={32}
            value={typed}
            onChange={setTyped}
            maxLength={24}
            className="w-32"
          />
        }
      >
        <PanelTable
          label={text("nav.instruments")}
          columns={columns}
          rows={rows === null ? null : shown}
          rowKey={({ pairCode }) => pairCode}
          empty={text("instruments.none")}
          onRetry={onRetry}
          onRowPress={choose}
          {...(chosen === undefined ? {} : { selectedKey: chosen.pairCode })}
        />
      </Panel>
      {chosen !== undefined && <Details key={chosen.pairCode} market={chosen} />}
    </div>
  );
}

function Details({ market }: { readonly market: Market }) {
  const text = useConsoleText();
  const isContract = "contractClass" in market;
  const rate = (value: string) => formatPercent(value, { decimals: 3 });
  return (
    <div className="grid min-w-0 gap-3">
      <Panel
        title={
          <span className="flex items-center gap-2 py-1.5">
            <CoinGlyph code={market.base} size={24} />
            <span className="text-[17px]">{market.pairCode}</span>
          </span>
        }
        note={`${market.baseName} · ${text("instruments.listed", { date: formatDate(market.listedAtMs) })}`}
        aside={<Badge tone={market.status === "TRADING" ? "neutral" : "warn"}>{market.status}</Badge>}
      >
        {market.isSimulated ? text("instruments.simulated") : text("instruments.real")}
      </Panel>
      <div className="grid items-start gap-3 md:grid-cols-2">
        <Panel title={text("instruments.rules")}>
          <FactList
            facts={[
              { label: text("instruments.tick"), value: market.tickSize },
              { label: text("instruments.lot"), value: market.stepSize },
              { label: text("instruments.minOrder"), value: `${market.minNotional} ${market.quote}` },
              { label: text("instruments.minQuantity"), value: market.minQuantity },
              { label: text("instruments.maxQuantity"), value: formatCoins(market.maxQuantity) },
              { label: text("instruments.maxMarket"), value: formatCoins(market.maxMarketQuantity) },
              { label: text("instruments.band"), value: `× ${market.band.sellMin} … ${market.band.buyMax}` },
              { label: text("instruments.openOrders"), value: market.openOrdersMax },
            ]}
          />
        </Panel>
        <Panel title={text("instruments.fees")}>
          <FactList
            facts={[
              { label: text("instruments.maker"), value: rate(market.makerRate) },
              { label: text("instruments.taker"), value: rate(market.takerRate) },
              ...(isContract
                ? [
                    { label: text("instruments.liquidationFee"), value: rate(market.liquidationRate) },
                    {
                      label: text("instruments.funding"),
                      value: text("instruments.hours", { hours: market.fundingHours }),
                    },
                    { label: text("instruments.interest"), value: rate(market.interestRate) },
                    { label: text("instruments.maxLeverage"), value: `${market.maxLeverage}×` },
                    { label: text("instruments.settle"), value: market.settle },
                  ]
                : []),
            ]}
          />
        </Panel>
      </div>
      {isContract && <Ladder market={market} />}
    </div>
  );
}

function Ladder({ market }: { readonly market: ContractInfo }) {
  const text = useConsoleText();
  const section = useSection({
    called: CONTRACT_CALLS.ladder,
    input: { biz: market.biz, pairCode: market.pairCode },
    api: "futures",
    rowsOf: (steps: readonly LadderStep[]) => steps,
  });
  const columns: readonly Column<LadderStep>[] = [
    { id: "tier", title: text("instruments.tier"), read: ({ tier }) => tier },
    {
      id: "max",
      title: text("instruments.upTo", { coin: market.settle }),
      kind: "number",
      read: ({ maxNotional }) => formatCoins(maxNotional),
    },
    { id: "leverage", title: text("person.leverage"), kind: "number", read: ({ maxLeverage }) => `${maxLeverage}×` },
    {
      id: "maintenance",
      title: text("instruments.maintenance"),
      kind: "number",
      read: ({ maintenanceRate }) => formatPercent(maintenanceRate, { decimals: 2 }),
    },
    {
      id: "deduction",
      title: text("instruments.deduction"),
      kind: "number",
      read: ({ deduction }) => formatCoins(deduction),
    },
  ];
  return (
    <Panel flush title={text("instruments.tiers")}>
      <PanelTable
        label={text("instruments.tiers")}
        columns={columns}
        rows={section.rows}
        rowKey={({ tier }) => String(tier)}
        empty={text("instruments.none")}
        onRetry={section.reload}
      />
    </Panel>
  );
}
