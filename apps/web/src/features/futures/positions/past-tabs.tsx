// The history as tabs: closed positions with their results, and every change of the account as bills. A page at a time,
// newest first; accounts next to them.

import { groupThousands } from "@clockwork/kit/decimal";
import { formatDateTime } from "@clockwork/kit/time";
import { FUTURES_CALLS, type FuturesBill } from "@clockwork/trading/futures/contract";
import { type ClosedPosition, type FuturesAccount, POSITION_CALLS } from "@clockwork/trading/positions/contract";
import { Badge } from "@clockwork/ui/pill";
import { EmptyState } from "@clockwork/ui/state";
import type { Column } from "@clockwork/ui/table";
import { useCallback } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useChannel } from "#live/react.ts";
import { useCalls } from "#session/auth-context.ts";
import { nameZone } from "#session/zone.ts";
import { CARD } from "#trade/orders/order-cards.tsx";
import { useSheet } from "#trade/orders/orders-export.ts";
import { shortTime } from "#trade/orders/orders-model.ts";
import { Failing, MoreFoot, Rows, type TabView } from "#trade/orders/rows.tsx";
import { usePages } from "#trade/orders/use-pages.ts";
import { type PastQuery, useProduct } from "#trade/product.ts";
import { shownDecimals } from "../model/contract.ts";
import { toneOf, writeCoin, writeSigned } from "../model/figures.ts";
import { type FuturesText, isFuturesKey, useFuturesText } from "../model/futures-text.ts";
import { useBiz, useFuturesFeeds } from "../model/use-own.ts";
import { settleOf } from "./analysis.ts";

/** Without the side: these pages do not filter by it. */
function known({ side: _side, ...query }: PastQuery): Omit<PastQuery, "side"> {
  return query;
}

export function ClosedTab(view: TabView) {
  const text = useFuturesText();
  const product = useProduct();
  const calls = useCalls();
  const biz = useBiz();
  const fetchPage = useCallback(
    async (query: PastQuery) => {
      const answer = await (await calls()).call(
        POSITION_CALLS.history,
        {
          ...known(query),
          biz,
        },
        { api: "futures" },
      );
      return answer.ok ? { rows: answer.data.positions, next: answer.data.next } : undefined;
    },
    [calls, biz],
  );
  const pages = usePages<ClosedPosition>(fetchPage, view.filters);
  useSheet(view.sheet, async () => {
    const all = await pages.all();
    return all === undefined ? undefined : { head: CLOSED_HEAD, rows: all.map((row) => closedExport(row, view.zone)) };
  });
  if (pages.isFailing && pages.rows.length === 0)
    return <Failing title={text("failed.closed")} onRetry={pages.retry} />;
  return (
    <Rows
      view={view}
      label={text("tab.closed")}
      columns={closedColumns(text, product.words.nameOf, view)}
      rows={pages.rows}
      rowKey={({ positionId }) => positionId}
      cards={<ClosedCards rows={pages.rows} view={view} />}
      placeholder={<EmptyState text={text("empty.closed")} />}
      isLoading={pages.isLoading && pages.rows.length === 0}
      foot={<MoreFoot pages={pages} count={pages.rows.length} />}
    />
  );
}

const CLOSED_HEAD = [
  "Symbol",
  "Side",
  "Largest",
  "Closed size",
  "Entry",
  "Close",
  "Realised",
  "Fees",
  "Funding",
  "Net",
  "Ended by",
  "Opened",
  "Closed",
];

function closedExport(row: ClosedPosition, zone: TabView["zone"]): readonly string[] {
  return [
    row.pairCode,
    row.side,
    row.maxQuantity,
    row.closedQuantity,
    row.entryPrice,
    row.closePrice ?? "",
    row.realizedPnl,
    row.fee,
    row.funding,
    row.netPnl,
    row.endedBy,
    formatDateTime(row.openedAtMs, zone),
    formatDateTime(row.closedAtMs, zone),
  ];
}

function Money({ amount, coin }: { readonly amount: string; readonly coin: string }) {
  return <span className={toneOf(amount)}>{writeSigned(amount, shownDecimals(coin))}</span>;
}

function closedColumns(
  text: FuturesText,
  nameOf: (pairCode: string) => string,
  { zone }: TabView,
): ReadonlyArray<Column<ClosedPosition>> {
  const money = (id: "realizedPnl" | "fee" | "funding" | "netPnl", title: string): Column<ClosedPosition> => ({
    id,
    title,
    kind: "number",
    read: (row) => row[id],
    render: (row) => <Money amount={row[id]} coin={settleOf(row)} />,
  });
  return [
    {
      id: "closed",
      title: text("col.closed"),
      kind: "time",
      width: "13%",
      className: "whitespace-nowrap text-muted",
      read: ({ closedAtMs }) => closedAtMs,
      render: ({ closedAtMs }) => shortTime(closedAtMs, zone),
    },
    {
      id: "symbol",
      title: text("col.symbol"),
      width: "16%",
      read: ({ pairCode }) => pairCode,
      render: (row) => (
        <span className="flex items-center gap-1.5 whitespace-nowrap">
          <span className="font-medium">{nameOf(row.pairCode)}</span>
          <span className={row.side === "long" ? "text-up-text" : "text-down-text"}>{text(row.side)}</span>
          <Badge>{text("times", { leverage: row.leverage })}</Badge>
        </span>
      ),
    },
    {
      id: "size",
      title: text("col.maxSize"),
      kind: "number",
      read: ({ maxQuantity }) => maxQuantity,
      render: ({ maxQuantity }) => groupThousands(maxQuantity),
    },
    {
      id: "entry",
      title: text("form.entry"),
      kind: "number",
      read: ({ entryPrice }) => entryPrice,
      render: ({ entryPrice }) => groupThousands(entryPrice),
    },
    {
      id: "close",
      title: text("col.closePrice"),
      kind: "number",
      read: ({ closePrice }) => closePrice,
      render: ({ closePrice }) => (closePrice === null ? "–" : groupThousands(closePrice)),
    },
    money("realizedPnl", text("col.realised")),
    money("fee", text("col.fee")),
    money("funding", text("col.funding")),
    money("netPnl", text("col.net")),
    {
      id: "ended",
      title: text("col.ended"),
      kind: "number",
      read: ({ endedBy }) => endedBy,
      render: (row) => <Ended row={row} text={text} />,
    },
  ];
}

function Ended({ row, text }: { readonly row: ClosedPosition; readonly text: FuturesText }) {
  const reply = text(`ended.${row.endedBy}`);
  if (row.liquidationId === null) return reply;
  return (
    <SiteLink
      to={`/futures/data/${row.pairCode}?report=${row.liquidationId}`}
      className="text-warn underline underline-offset-2"
    >
      {reply}
    </SiteLink>
  );
}

function ClosedCards({ rows, view }: { readonly rows: readonly ClosedPosition[]; readonly view: TabView }) {
  const text = useFuturesText();
  const { words } = useProduct();
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.positionId} className={`${CARD} figures flex-col gap-0.5`}>
          <span className="flex w-full items-center gap-2">
            <span className="font-medium">{words.nameOf(row.pairCode)}</span>
            <span className={row.side === "long" ? "text-up-text" : "text-down-text"}>{text(row.side)}</span>
            <span className="ml-auto text-muted">{shortTime(row.closedAtMs, view.zone)}</span>
          </span>
          <span className="flex w-full justify-between text-muted">
            <span>
              {groupThousands(row.entryPrice)} → {row.closePrice === null ? "–" : groupThousands(row.closePrice)}
            </span>
            <Money amount={row.netPnl} coin={settleOf(row)} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const BILLS_HEAD = ["Time", "Kind", "Symbol", "Coin", "Change", "Balance", "Reference", "Paid by"];

/** What funding took and gave, settlement by settlement. */
export function FundingTab(view: TabView) {
  return <BillsTab {...view} type="FUNDING" />;
}

export function BillsTab({ type, ...view }: TabView & { readonly type?: string }) {
  const text = useFuturesText();
  const product = useProduct();
  const calls = useCalls();
  const biz = useBiz();
  const fetchPage = useCallback(
    async (query: PastQuery) => {
      const answer = await (await calls()).call(
        FUTURES_CALLS.bills,
        {
          ...known(query),
          biz,
          // What gold paid is shown next to what the account paid.
          payer: "all",
          ...(type === undefined ? {} : { type }),
        },
        { api: "futures" },
      );
      return answer.ok ? { rows: answer.data.bills, next: answer.data.next } : undefined;
    },
    [calls, biz, type],
  );
  const pages = usePages<FuturesBill>(fetchPage, view.filters);
  useSheet(view.sheet, async () => {
    const all = await pages.all();
    if (all === undefined) return undefined;
    return {
      head: BILLS_HEAD,
      rows: all.map((bill) => [
        formatDateTime(bill.timeMs, view.zone),
        bill.type,
        bill.pairCode ?? "",
        bill.asset,
        bill.change,
        bill.balance,
        bill.reference ?? "",
        bill.payer,
      ]),
    };
  });
  const describeKind = (bill: FuturesBill) => {
    const key = `bill.${bill.type}`;
    const kind = isFuturesKey(key) ? text(key) : bill.type;
    return bill.payer === "gold" && bill.type !== "BONUS" ? text("bill.byGold", { kind }) : kind;
  };
  if (pages.isFailing && pages.rows.length === 0) return <Failing title={text("failed.bills")} onRetry={pages.retry} />;
  return (
    <Rows
      view={view}
      label={text(type === undefined ? "tab.bills" : "tab.funding")}
      columns={billColumns(text, product.words.nameOf, describeKind, view)}
      rows={pages.rows}
      rowKey={({ id }) => id}
      cards={
        <ul>
          {pages.rows.map((bill) => (
            <li key={bill.id} className={`${CARD} figures justify-between`}>
              <span className="flex flex-col">
                <span className="font-medium">{describeKind(bill)}</span>
                <span className="text-muted">{shortTime(bill.timeMs, view.zone)}</span>
              </span>
              <span>
                <Money amount={bill.change} coin={bill.asset} /> {bill.asset}
              </span>
            </li>
          ))}
        </ul>
      }
      placeholder={<EmptyState text={text(type === undefined ? "empty.bills" : "empty.funding")} />}
      isLoading={pages.isLoading && pages.rows.length === 0}
      foot={<MoreFoot pages={pages} count={pages.rows.length} />}
    />
  );
}

function billColumns(
  text: FuturesText,
  nameOf: (pairCode: string) => string,
  describeKind: (bill: FuturesBill) => string,
  { zone }: TabView,
): ReadonlyArray<Column<FuturesBill>> {
  return [
    {
      id: "time",
      title: text("data.time", { zone: nameZone(zone) }),
      kind: "time",
      className: "whitespace-nowrap text-muted",
      read: ({ timeMs }) => timeMs,
      render: ({ timeMs }) => shortTime(timeMs, zone),
    },
    { id: "kind", title: text("col.kind"), read: ({ type }) => type, render: describeKind },
    {
      id: "symbol",
      title: text("col.symbol"),
      read: ({ pairCode }) => pairCode,
      render: ({ pairCode }) => (pairCode === null ? "–" : nameOf(pairCode)),
    },
    {
      id: "change",
      title: text("col.change"),
      kind: "number",
      read: ({ change }) => change,
      render: ({ change, asset }) => (
        <>
          <Money amount={change} coin={asset} /> {asset}
        </>
      ),
    },
    {
      id: "balance",
      title: text("col.balance"),
      kind: "number",
      read: ({ balance }) => balance,
      render: ({ balance, asset }) => `${writeCoin(balance, asset)} ${asset}`,
    },
  ];
}

export function AccountsTab(view: TabView) {
  const text = useFuturesText();
  const state = useChannel(useFuturesFeeds().accounts);
  const columns: ReadonlyArray<Column<FuturesAccount>> = [
    { id: "coin", title: text("col.coin"), read: ({ asset }) => asset },
    ...(["balance", "equity", "available", "maintenanceMargin"] as const).map(
      (id): Column<FuturesAccount> => ({
        id,
        title: text(
          id === "maintenanceMargin" ? "account.maintenance" : id === "balance" ? "account.balance" : `account.${id}`,
        ),
        kind: "number",
        read: (account) => account[id],
        render: (account) => writeCoin(account[id], account.asset),
      }),
    ),
    {
      id: "pnl",
      title: text("account.unrealised"),
      kind: "number",
      read: ({ unrealizedPnl }) => unrealizedPnl,
      render: ({ unrealizedPnl, asset }) => <Money amount={unrealizedPnl} coin={asset} />,
    },
  ];
  useSheet(view.sheet, async () => ({
    head: ["Coin", "Balance", "Equity", "Available", "Unrealised"],
    rows: state.value.map((one) => [one.asset, one.balance, one.equity, one.available, one.unrealizedPnl]),
  }));
  return (
    <Rows
      view={view}
      label={text("tab.assets")}
      columns={columns}
      rows={state.value}
      rowKey={({ asset }) => asset}
      cards={
        <ul>
          {state.value.map((account) => (
            <li key={account.asset} className={`${CARD} figures justify-between`}>
              <span className="font-medium">{account.asset}</span>
              <span>{writeCoin(account.equity, account.asset)}</span>
            </li>
          ))}
        </ul>
      }
      placeholder={<EmptyState text={text("account.empty")} />}
      isLoading={state.empty}
    />
  );
}
