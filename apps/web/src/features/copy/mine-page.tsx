// `/copy/mine`: all the user's follows, each with money, high-water mark and holdings; positions, history, skips and
// shares next to them. A copy stopped by its own limit is explained in one sentence.
import type { CopyKind, Follow, ProfitPage } from "@clockwork/strategies/copy/contract";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Tabs } from "@clockwork/ui/tabs";
import { useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { ComponentLocale } from "#shell/component-locale.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { pathOf } from "./copy-calls.ts";
import { type FirstCopyOverview, useCopyOverview } from "./copy-feeds.ts";
import { gain, money, sumOf, toneOf } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";
import { Crumbs, Tiles } from "./tables.tsx";

const FollowCard = latePart(async () => (await import("./follow-card.tsx")).FollowCard);
const CopyLines = latePart(async () => (await import("./mine-lists.tsx")).CopyLines);
const Shares = latePart(async () => (await import("./mine-lists.tsx")).Shares);
const Statement = latePart(async () => (await import("./statement.tsx")).Statement);
const PositionTable = latePart(async () => (await import("./position-table.tsx")).PositionTable);

export interface MinePageProps {
  readonly kind: CopyKind;
  readonly first: FirstCopyOverview;
  readonly nowMs: number;
}

const sumBy = (rows: readonly Follow[], pick: (row: Follow) => string): string => sumOf(rows.map(pick));

export function MinePage({ kind, first, nowMs }: MinePageProps) {
  const text = useCopyText();
  const { overview, refresh } = useCopyOverview(kind, first);
  const { follows, profits } = overview;
  const title = text(kind === "spot" ? "mine.spot" : "mine.title");
  return (
    <ComponentLocale>
      <main id="content" className="mx-auto w-full min-w-0 max-w-[1680px] flex-1 px-4 py-7 lg:px-8">
        <PageHead title={title} noIndex />
        <Crumbs kind={kind} here={title} />
        <header className="mb-5 flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-section">{title}</h1>
          <div className="flex flex-wrap gap-2">
            {follows.length > 0 && <Statement kind={kind} />}
            <SiteLink to={pathOf(kind)} className={buttonClass({ kind: "primary", size: 40 })}>
              {text("mine.find")}
            </SiteLink>
          </div>
        </header>
        <Sums follows={follows} profits={profits} />
        {follows.length === 0 ? (
          <p className="py-12 text-center text-muted">{text("mine.none")}</p>
        ) : (
          <Lists kind={kind} overview={overview} nowMs={nowMs} onChanged={() => void refresh()} />
        )}
        <p className="mt-5 text-[13px] text-muted">{text("mine.note")}</p>
      </main>
    </ComponentLocale>
  );
}

function Sums({ follows, profits }: { readonly follows: readonly Follow[]; readonly profits: ProfitPage | null }) {
  const text = useCopyText();
  const active = follows.filter(({ isActive }) => isActive);
  const realised = sumBy(follows, (row) => row.realizedPnl);
  const unrealised = sumBy(active, (row) => row.unrealizedPnl);
  return (
    <Tiles
      tiles={[
        { label: text("mine.invested"), value: money(sumBy(active, (row) => row.invested)) },
        { label: text("mine.equity"), value: money(sumBy(active, (row) => row.equity)) },
        { label: text("mine.realised"), value: gain(realised), tone: toneOf(realised) },
        { label: text("mine.unrealised"), value: gain(unrealised), tone: toneOf(unrealised) },
        {
          label: text("mine.paid"),
          value: `${money(profits?.paid ?? "0")} · ${money(sumBy(follows, (row) => row.held))}`,
        },
        { label: text("mine.copies"), value: follows.reduce((sum, { copies }) => sum + copies, 0) },
      ]}
    />
  );
}

interface ListsProps {
  readonly kind: CopyKind;
  readonly overview: FirstCopyOverview;
  readonly nowMs: number;
  readonly onChanged: () => void;
}

function Lists({ kind, overview: { follows, positions, copies, profits }, nowMs, onChanged }: ListsProps) {
  const text = useCopyText();
  const [tab, setTab] = useState("copies");
  const lines = copies?.copies ?? [];
  const skipped = lines.filter(({ reason }) => reason !== null);
  const shares = profits?.shares ?? [];
  // The one that shows something is open from the start.
  const opened = positions[0]?.leaderId ?? follows[0]?.leaderId;
  const items = [
    {
      id: "copies",
      title: text("mine.copies"),
      count: follows.length,
      panel: (
        <div className="flex flex-col gap-4">
          {follows.map((follow) => (
            <FollowCard
              key={follow.leaderId}
              kind={kind}
              follow={follow}
              isOpened={follow.leaderId === opened}
              positions={positions.filter(({ leaderId }) => leaderId === follow.leaderId)}
              skipped={skipped.filter(({ leaderId }) => leaderId === follow.leaderId)}
              shares={shares.filter(({ leaderId, role }) => role === "follower" && leaderId === follow.leaderId)}
              nowMs={nowMs}
              onChanged={onChanged}
            />
          ))}
        </div>
      ),
    },
    {
      id: "positions",
      title: text("mine.positions"),
      count: positions.length,
      panel: <PositionTable kind={kind} positions={positions} />,
    },
    {
      id: "history",
      title: text("mine.history"),
      panel: <CopyLines kind={kind} first={copies} fits={({ reason }) => reason === null} />,
    },
    {
      id: "skipped",
      title: text("mine.skipped"),
      count: skipped.length,
      panel: <CopyLines kind={kind} first={copies} fits={({ reason }) => reason !== null} />,
    },
    { id: "shares", title: text("mine.shares"), panel: <Shares kind={kind} profits={profits} /> },
  ];
  return <Tabs label={text("mine.title")} items={items} selected={tab} onSelect={setTab} panelClassName="pt-4" />;
}
