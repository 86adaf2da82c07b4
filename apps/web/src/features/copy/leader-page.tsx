// `/copy/:leader`: one leader with every figure, made from the ledger. Losing windows show like winning ones.
import { COPY_CALLS, type CopyKind, type LeaderDetail } from "@clockwork/strategies/copy/contract";
import { Avatar } from "@clockwork/ui/avatar";
import { Card } from "@clockwork/ui/card";
import { Countdown } from "@clockwork/ui/countdown";
import { Icon } from "@clockwork/ui/icon";
import { Badge } from "@clockwork/ui/pill";
import { type ReactNode, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { exchangeNowMs } from "#live/exchange-clock.ts";
import { nameZone, useZone } from "#session/zone.ts";
import { ComponentLocale } from "#shell/component-locale.tsx";
import { PageHead } from "#shell/page-head.tsx";
import type { CommentsProps } from "./comments.tsx";
import { useCopyAct, useFresh } from "./copy-calls.ts";
import { day, gain, gainPercent, minute, money, percent, settlesNext, toneOf } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";
import { CopyButton, FocusButton, Places } from "./leader-card.tsx";
import { Performance } from "./leader-curve.tsx";
import { Closed, Followers, Positions } from "./leader-lists.tsx";
import { Quality } from "./leader-quality.tsx";
import { Risk } from "./risk.tsx";
import { Crumbs, Tiles } from "./tables.tsx";
import { WindowTable } from "./window-table.tsx";

const Comments = latePart(async () => (await import("./comments.tsx")).Comments);
const FocusNote = latePart(async () => (await import("./focus-note.tsx")).FocusNote);
const FollowDialog = latePart(async () => (await import("./follow-dialog.tsx")).FollowDialog);

const VerifyButton = latePart(async () => (await import("./verify-button.tsx")).VerifyButton);

export interface LeaderPageProps {
  readonly kind: CopyKind;
  readonly first: LeaderDetail;
  readonly comments: CommentsProps["first"];
  readonly nowMs: number;
}

export function LeaderScreen({ kind, first, comments, nowMs }: LeaderPageProps) {
  const text = useCopyText();
  const zone = useZone();
  const { data: leader, refresh } = useFresh(COPY_CALLS[kind].leader, { id: first.leaderId }, first);
  const [isCopying, setCopying] = useState(false);
  const done = () => {
    setCopying(false);
    void refresh();
  };
  const quarter = leader.windows.find(({ days }) => days === 90) ?? leader.figures;
  return (
    <ComponentLocale>
      <main id="content" className="mx-auto w-full min-w-0 max-w-[1680px] flex-1 px-4 py-7 lg:px-8">
        <PageHead title={leader.nickname} />
        <Head
          leader={leader}
          kind={kind}
          nowMs={nowMs}
          onCopy={() => setCopying(true)}
          onChanged={() => void refresh()}
        />
        <Tiles
          tiles={[
            { label: text("roi", { days: 90 }), value: gainPercent(quarter.roi), tone: toneOf(quarter.roi) },
            { label: text("pnl", { days: 90 }), value: gain(quarter.pnl), tone: toneOf(quarter.pnl) },
            { label: text("drawdown"), value: percent(quarter.drawdown) },
            { label: text("sharpe"), value: quarter.sharpe?.replace("-", "−") ?? "–" },
            { label: text("sort.followersPnl"), value: gain(leader.followersPnl), tone: toneOf(leader.followersPnl) },
            { label: text("aum"), value: money(leader.aum) },
          ]}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
          <div className="flex min-w-0 flex-col gap-4">
            <Performance leader={leader} />
            <Card title={text("statistics")}>
              <WindowTable windows={leader.windows} />
              <p className="mt-3 text-[13px] text-muted [overflow-wrap:anywhere]">
                {text("recomputed", {
                  time: minute(leader.reckonedAtMs, zone),
                  zone: nameZone(zone),
                  sequence: leader.sequence,
                })}{" "}
                {text("verify", { id: leader.leaderId })}
              </p>
              <VerifyButton kind={kind} leaderId={leader.leaderId} />
            </Card>
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <Terms leader={leader} nowMs={nowMs} />
            <Quality leader={leader} />
          </div>
        </div>
        <div className="mt-4 flex flex-col gap-4">
          <Positions leader={leader} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
            <Closed kind={kind} leader={leader} />
            <Followers kind={kind} leader={leader} />
          </div>
          {leader.isFocused && <FocusNote key={leader.leaderId} kind={kind} leaderId={leader.leaderId} />}
          <Comments kind={kind} leaderId={leader.leaderId} first={comments} />
        </div>
        <Risk />
        {isCopying && <FollowDialog kind={kind} leader={leader} onClose={() => setCopying(false)} onDone={done} />}
      </main>
    </ComponentLocale>
  );
}

interface HeadProps {
  readonly leader: LeaderDetail;
  readonly kind: CopyKind;
  readonly nowMs: number;
  readonly onCopy: () => void;
  readonly onChanged: () => void;
}

function Head({ leader, kind, nowMs, onCopy, onChanged }: HeadProps) {
  const text = useCopyText();
  const { act } = useCopyAct();
  const days = Math.max(0, Math.floor((nowMs - leader.sinceMs) / 86_400_000));
  const focus = async () => {
    await act(COPY_CALLS[kind].focus, { leaderId: leader.leaderId, isOn: !leader.isFocused });
    onChanged();
  };
  const notify = async () => {
    await act(COPY_CALLS[kind].focus, { leaderId: leader.leaderId, isOn: true, tellPlace: true });
    onChanged();
  };
  return (
    <>
      <Crumbs kind={kind} here={leader.nickname} />
      <header className="mb-5 flex flex-wrap items-center gap-4">
        <Avatar name={leader.nickname} size={64} />
        <div className="min-w-0 flex-1">
          <h1 className="flex flex-wrap items-center gap-2 text-section">
            {leader.nickname}
            <Badge tone="outline" round>
              {text("level", { level: leader.level })}
            </Badge>
            {leader.isSimulated && <Badge round>{text("simulated")}</Badge>}
          </h1>
          <p className="mt-1 text-muted text-ui [overflow-wrap:anywhere]">
            {leader.bio} {text("leadingFor", { days })}
          </p>
        </div>
        <div className="flex items-center gap-2 max-sm:w-full max-sm:justify-end">
          <FocusButton leader={leader} onFocus={() => void focus()} />
          <CopyButton leader={leader} onCopy={onCopy} onNotify={() => void notify()} isMain />
        </div>
      </header>
    </>
  );
}

function Terms({ leader, nowMs }: { readonly leader: LeaderDetail; readonly nowMs: number }) {
  const text = useCopyText();
  const zone = useZone();
  const row = (label: string, value: ReactNode) => (
    <div className="flex justify-between gap-3 border-line border-b py-2 last:border-0">
      <dt className="text-muted">{label}</dt>
      <dd className="figures text-right">{value}</dd>
    </div>
  );
  return (
    <Card title={text("terms")}>
      <dl className="text-[13px]">
        {row(text("terms.share"), text("terms.shareValue", { share: percent(leader.shareRate, 0) }))}
        {row(text("terms.settles"), text("terms.settlesValue"))}
        {row(
          text("terms.nextSettlement"),
          <Countdown untilMs={settlesNext(nowMs)} nowMs={nowMs} readNow={exchangeNowMs} />,
        )}
        {leader.positions.length > 0 &&
          leader.kind === "futures" &&
          row(text("terms.leverage"), `${Math.max(...leader.positions.map(({ leverage }) => leverage))}×`)}
        {row(text("terms.least"), "50 USDT")}
        {row(text("terms.equity"), money(leader.equity))}
      </dl>
      <div className="mt-3">
        <Places leader={leader} />
      </div>
      {leader.nextShareRate !== null && leader.nextShareFromMs !== null && (
        <p className="mt-3 flex items-start gap-2 text-[13px] text-muted">
          <Icon name="info" className="mt-0.5 shrink-0" />
          {text("terms.next", { share: percent(leader.nextShareRate, 0), date: day(leader.nextShareFromMs, zone) })}
        </p>
      )}
    </Card>
  );
}
