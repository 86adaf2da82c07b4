// `/operator/fund`: the insurance fund by settlement coin, with its days. The coin is in the address.
import { formatCoins, formatMoney } from "@clockwork/kit/format";
import { formatDate } from "@clockwork/kit/time";
import { CONTRACT_CALLS, type ContractInfo, type FundDay, type RiskFund } from "@clockwork/trading/markets/contract";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import type { Column } from "@clockwork/ui/table";
import { useSearchParams } from "react-router";
import { ConsoleFrame } from "#console/console-frame.tsx";
import { FigureStrip, Panel, PanelFailure, PanelTable } from "#console/panel.tsx";
import { useSection } from "#console/use-section.ts";
import { LateSelect } from "#shell/late-fields.tsx";
import { useConsoleText } from "#words/console-text.ts";
import type { ExchangePageProps } from "./ledger-page.tsx";

export function FundPage({ me, proof }: ExchangePageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("nav.fund")} lead={text("fund.lead")} proof={proof}>
      <Fund />
    </ConsoleFrame>
  );
}

const DAYS = 90;

function Fund() {
  const text = useConsoleText();
  const [search, setSearch] = useSearchParams();
  const inverse = useSection({
    called: CONTRACT_CALLS.instruments,
    input: { biz: "delivery" },
    api: "futures",
    rowsOf: (rows: readonly ContractInfo[]) => rows,
  });
  const coins = ["USDT", ...new Set((inverse.rows ?? []).map(({ settle }) => settle))];
  const asset = coins.find((one) => one === search.get("coin")) ?? "USDT";
  const fund = useSection({
    called: CONTRACT_CALLS.riskFund,
    input: { biz: asset === "USDT" ? "futures" : "delivery", asset, days: DAYS },
    api: "futures",
    rowsOf: (one: RiskFund) => [one],
  });
  const read = fund.rows?.[0];
  const days = [...(read?.days ?? [])].sort((left, right) => left.dayMs - right.dayMs);
  const today = days.at(-1);
  const shown = asset === "USDT" ? formatMoney : formatCoins;
  const columns: readonly Column<FundDay>[] = [
    { id: "day", title: text("fund.day"), kind: "time", read: ({ dayMs }) => formatDate(dayMs) },
    { id: "in", title: text("fund.in"), kind: "number", read: ({ inflow }) => shown(inflow) },
    { id: "out", title: text("fund.out"), kind: "number", read: ({ outflow }) => shown(outflow) },
    {
      id: "balance",
      title: text("person.balance"),
      kind: "number",
      className: "font-medium",
      read: ({ balance }) => shown(balance),
    },
  ];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="w-36">
        <LateSelect
          label={text("person.coin")}
          size={32}
          value={asset}
          onChange={(coin) => setSearch(coin === "USDT" ? {} : { coin }, { preventScrollReset: true })}
          options={coins.map((id) => ({ id, title: id }))}
        />
      </div>
      {fund.rows === null ? (
        <Panel title={text("nav.fund")}>
          <PanelFailure onRetry={fund.reload} />
        </Panel>
      ) : (
        <>
          <FigureStrip
            figures={[
              { label: text("person.balance"), value: read === undefined ? "–" : `${shown(read.balance)} ${asset}` },
              { label: text("fund.inToday"), value: today === undefined ? "–" : shown(today.inflow) },
              { label: text("fund.outToday"), value: today === undefined ? "–" : shown(today.outflow) },
            ]}
          />
          <div className="grid items-start gap-3 xl:grid-cols-2">
            <Panel
              title={
                <span className="flex items-center gap-2">
                  <CoinGlyph code={asset} size={16} />
                  {text("fund.curve", { days: DAYS })}
                </span>
              }
            >
              <div className="min-h-[212px]">
                {days.length > 1 && (
                  <AreaCurve
                    label={text("nav.fund")}
                    heightPx={180}
                    points={days.map(({ dayMs, balance }) => ({
                      value: Number(balance),
                      place: formatDate(dayMs),
                      text: shown(balance),
                    }))}
                    axisText={(value) => shown(String(Math.round(value)))}
                    placeCount={4}
                  />
                )}
                {fund.rows !== undefined && days.length <= 1 && <p className="text-muted">{text("fund.oneDay")}</p>}
              </div>
            </Panel>
            <Panel flush title={text("fund.days")}>
              <PanelTable
                label={text("fund.days")}
                columns={columns}
                rows={fund.rows === undefined ? undefined : [...days].reverse()}
                rowKey={({ dayMs }) => String(dayMs)}
                empty={text("fund.none")}
              />
            </Panel>
          </div>
        </>
      )}
    </div>
  );
}
