// A leader's open and closed positions, and followers: long lists by pages, closed trades as CSV.

import type { TimezoneName } from "@clockwork/kit/constants";
import type { DataOf, Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { formatDateTime } from "@clockwork/kit/time";
import { COPY_CALLS, type CopyKind, type LeaderDetail, type LeadTrade } from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Pagination } from "@clockwork/ui/pagination";
import { Segmented } from "@clockwork/ui/segmented";
import { useState } from "react";
import { Latest } from "#live/latest.ts";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { nameZone, useZone } from "#session/zone.ts";
import { saveSheet } from "#trade/orders/orders-export.ts";
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

interface Opened<Data, Sort> {
  readonly page: number;
  readonly sort: Sort;
  /** Nothing yet: the first page came with the rest. */
  readonly requested?: Data;
}

/**
 * The first page is as new as the rest of the page; others are requested, and shown when they are there. `again` is set
 * when the last click failed.
 */
function usePages<Called extends Endpoint, Sort extends string>(
  called: Called,
  { id, sort }: { readonly id: string; readonly sort: Sort },
) {
  const calls = useCalls();
  const [latest] = useState(() => new Latest());
  const [opened, setOpened] = useState<Opened<DataOf<Called>, Sort>>({ page: 1, sort });
  const [again, setAgain] = useState<() => Promise<void>>();
  const open = async (next: number, by: Sort): Promise<void> => {
    const input = { id, page: next, limit: PAGE, ...(by === "" ? {} : { sort: by }) } as InputOf<Called>;
    const answer = await latest.ask(async () => (await calls()).call(called, input));
    if (answer === undefined) return;
    if (answer.ok) setOpened({ page: next, sort: by, requested: answer.data });
    setAgain(() => (answer.ok ? undefined : () => open(next, by)));
  };
  return { ...opened, open, again, setAgain };
}

/** All closed positions, page by page; nothing when one could not be fetched. */
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
  const calls = useCalls();
  const { leaderId: id } = leader;
  const called = COPY_CALLS[kind].leaderTrades;
  const first = { total: leader.tradesTotal, page: 1, trades: leader.trades };
  const { page, requested, open, again, setAgain } = usePages(called, { id, sort: "" });
  const { total, trades } = page === 1 ? first : (requested ?? first);
  const save = async (): Promise<void> => {
    const client = await calls();
    const rows = await readAll(async (at) => {
      const answer = await client.call(called, { id, page: at, limit: EXPORTED_AT_ONCE });
      return answer.ok ? answer.data.trades : undefined;
    });
    setAgain(() => (rows === undefined ? save : undefined));
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
      {again !== undefined && <FailedLine onAgain={again} />}
      <Pages page={page} total={total} onPage={(next) => void open(next, "")} />
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
type Sort = (typeof SORTS)[number];

export function Followers({ kind, leader }: ListProps) {
  const text = useCopyText();
  const first = { total: leader.followers, page: 1, followers: leader.topFollowers };
  const { page, sort, requested, open, again } = usePages<typeof COPY_CALLS.spot.leaderFollowers, Sort>(
    COPY_CALLS[kind].leaderFollowers,
    {
      id: leader.leaderId,
      sort: "amount",
    },
  );
  const { total, followers } = page === 1 && sort === "amount" ? first : (requested ?? first);
  return (
    <Card
      title={`${text("topFollowers")} ${leader.followers}`}
      aside={
        <Segmented
          label={text("sort")}
          size={28}
          segments={SORTS.map((id) => ({ id, title: text(`by.${id}`) }))}
          value={sort}
          onChange={(id) => void open(1, id as Sort)}
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
      {again !== undefined && <FailedLine onAgain={again} />}
      <Pages page={page} total={total} onPage={(next) => void open(next, sort)} />
      <p className="mt-3 text-[13px] text-muted">{text("heldNote", { share: percent(leader.shareRate, 0) })}</p>
    </Card>
  );
}
