// What a leader has open and has closed, and who follows him: long lists by pages, closed trades as CSV.
import {
  COPY_PATHS,
  type CopyKind,
  type FollowerPage,
  type LeaderDetail,
  type LeadTrade,
  type LeadTradePage,
} from "@clockwork/domains/copy/api";
import type { TimezoneName } from "@clockwork/kit/constants";
import { formatDateTime } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Pagination } from "@clockwork/ui/pagination";
import { Segmented } from "@clockwork/ui/segmented";
import { useState } from "react";
import { nameZone, useZone } from "#session/zone.ts";
import { saveSheet } from "#trade/orders/orders-export.ts";
import { useCopyAsk } from "./copy-calls.ts";
import { gain, gainPercent, minute, money, percent, price, ratio, toneOf } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";
import { PairSide } from "./pair-side.tsx";
import { sizing } from "./sizing.ts";
import { CopyTable } from "./tables.tsx";

const PAGE = 10;
const EXPORTED_AT_ONCE = 500;

interface ListProps {
  readonly kind: CopyKind;
  readonly leader: LeaderDetail;
}

export function Positions({ leader }: { readonly leader: LeaderDetail }) {
  const text = useCopyText();
  const zone = useZone();
  return (
    <Card
      title={`${text("positions")} ${leader.positions.length}`}
      aside={<span className="text-[13px] text-muted">{text("positions.note")}</span>}
    >
      <CopyTable
        label={text("positions")}
        rows={leader.positions}
        keyOf={(row) => `${row.pairCode} ${row.side} ${row.openedAtMs}`}
        empty={text("noPositions")}
        columns={[
          { title: text("pair"), isLeft: true, cell: (row) => <PairSide {...row} /> },
          { title: text("size"), cell: (row) => row.quantity },
          { title: text("entry"), cell: (row) => price(row.entryPrice) },
          { title: text("mark"), cell: (row) => price(row.markPrice) },
          { title: text(leader.kind === "spot" ? "cost" : "marginUsdt"), cell: (row) => money(row.margin) },
          { title: text("ofEquity"), cell: (row) => percent(ratio(row.margin, leader.equity)) },
          {
            title: text("unrealised"),
            cell: (row) => <span className={toneOf(row.unrealizedPnl)}>{gain(row.unrealizedPnl)}</span>,
          },
          { title: text("roe"), cell: (row) => <Rate rate={ratio(row.unrealizedPnl, row.margin)} /> },
          { title: text("opened", { zone: nameZone(zone) }), cell: (row) => minute(row.openedAtMs, zone) },
        ]}
      />
    </Card>
  );
}

function Rate({ rate }: { readonly rate: string | null }) {
  return rate === null ? "–" : <span className={toneOf(rate)}>{gainPercent(rate)}</span>;
}

/** The first page is as new as the rest of the page; others are asked for. */
function usePages<Data>(path: string, first: Data) {
  const ask = useCopyAsk();
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<Data>();
  const open = async (next: number, query = "") => {
    setPage(next);
    const found = await ask<Data>(`${path}?page=${next}&limit=${PAGE}${query}`);
    if (found !== undefined) setAsked(found);
  };
  return { page, shown: asked ?? first, open };
}

/** Everything he closed, page by page; nothing when one could not be fetched, which has been said. */
async function readAll(
  read: (page: number) => Promise<readonly LeadTrade[] | undefined>,
): Promise<readonly LeadTrade[] | undefined> {
  const all: LeadTrade[] = [];
  for (let page = 1; ; page++) {
    const found = await read(page);
    if (found === undefined) return undefined;
    all.push(...found);
    if (found.length < EXPORTED_AT_ONCE) return all;
  }
}

const HEAD = ["pair", "side", "leverage", "size", "entry", "exit", "netPnl", "roe", "opened", "closedAt"] as const;
const cellsOf = (row: LeadTrade, zone: TimezoneName): string[] => [
  row.pairCode,
  row.side,
  String(row.leverage),
  row.quantity,
  row.entryPrice ?? "",
  row.exitPrice ?? "",
  row.pnl,
  row.roe ?? "",
  formatDateTime(row.openedAtMs, zone),
  formatDateTime(row.closedAtMs, zone),
];

export function Closed({ kind, leader }: ListProps) {
  const text = useCopyText();
  const zone = useZone();
  const ask = useCopyAsk();
  const path = `${COPY_PATHS[kind]}/leaders/${leader.leaderId}/trades`;
  const first = { total: leader.tradesTotal, page: 1, trades: leader.trades };
  const { page, shown, open } = usePages<LeadTradePage>(path, first);
  const { total, trades } = page === 1 ? first : shown;
  const save = async () => {
    const rows = await readAll(
      async (at) => (await ask<LeadTradePage>(`${path}?page=${at}&limit=${EXPORTED_AT_ONCE}`))?.trades,
    );
    if (rows === undefined) return;
    await saveSheet(`${leader.nickname} closed`, {
      head: HEAD.map((name) => text(name, { zone: nameZone(zone) })),
      rows: rows.map((row) => cellsOf(row, zone)),
    });
  };
  return (
    <Card
      title={`${text("closed")} ${total}`}
      aside={
        <Button size={28} icon="download" isDisabled={total === 0} onPress={() => void save()}>
          {text("csv")}
        </Button>
      }
    >
      <CopyTable
        label={text("closed")}
        rows={trades}
        keyOf={(row) => `${row.pairCode} ${row.closedAtMs} ${row.openedAtMs} ${row.pnl}`}
        empty={text("noClosed")}
        columns={[
          { title: text("pair"), isLeft: true, cell: (row) => <PairSide {...row} /> },
          { title: text("entry"), cell: (row) => (row.entryPrice === null ? "–" : price(row.entryPrice)) },
          { title: text("exit"), cell: (row) => (row.exitPrice === null ? "–" : price(row.exitPrice)) },
          { title: text("netPnl"), cell: (row) => <span className={toneOf(row.pnl)}>{gain(row.pnl)}</span> },
          { title: text("roe"), cell: (row) => <Rate rate={row.roe} /> },
          { title: text("closedAt", { zone: nameZone(zone) }), cell: (row) => minute(row.closedAtMs, zone) },
        ]}
      />
      <Pages page={page} total={total} onPage={(next) => void open(next)} />
    </Card>
  );
}

interface PagesProps {
  readonly page: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

function Pages({ page, total, onPage }: PagesProps) {
  const text = useCopyText();
  if (total <= PAGE) return null;
  const summary = text("range", { from: (page - 1) * PAGE + 1, to: Math.min(total, page * PAGE), total });
  return (
    <Pagination page={page} pageCount={Math.ceil(total / PAGE)} onPage={onPage} summary={summary} className="mt-3" />
  );
}

const SORTS = ["amount", "result"] as const;

export function Followers({ kind, leader }: ListProps) {
  const text = useCopyText();
  const [sort, setSort] = useState<(typeof SORTS)[number]>("amount");
  const path = `${COPY_PATHS[kind]}/leaders/${leader.leaderId}/followers`;
  const first = { total: leader.followers, page: 1, followers: leader.topFollowers };
  const { page, shown, open } = usePages<FollowerPage>(path, first);
  const { total, followers } = page === 1 && sort === "amount" ? first : shown;
  const change = (next: (typeof SORTS)[number]) => {
    setSort(next);
    void open(1, `&sort=${next}`);
  };
  return (
    <Card
      title={`${text("topFollowers")} ${leader.followers}`}
      aside={
        <Segmented
          label={text("sort")}
          size={28}
          segments={SORTS.map((id) => ({ id, title: text(`by.${id}`) }))}
          value={sort}
          onChange={(id) => change(id as (typeof SORTS)[number])}
        />
      }
    >
      <CopyTable
        label={text("topFollowers")}
        rows={followers}
        keyOf={(row) => row.name}
        empty={text("noFollowers")}
        columns={[
          { title: text("follower"), isLeft: true, cell: (row) => row.name },
          { title: text("mine.sizing"), isLeft: true, cell: (row) => sizing(text, row) },
          { title: text("invested"), cell: (row) => money(row.invested) },
          {
            title: text("realised"),
            cell: (row) => <span className={toneOf(row.realizedPnl)}>{gain(row.realizedPnl)}</span>,
          },
          { title: text("mine.paidShare"), cell: (row) => money(row.paid) },
          { title: text("heldNow"), cell: (row) => money(row.held) },
        ]}
      />
      <Pages page={page} total={total} onPage={(next) => void open(next, `&sort=${sort}`)} />
      <p className="mt-3 text-[13px] text-muted">{text("heldNote", { share: percent(leader.shareRate, 0) })}</p>
    </Card>
  );
}
