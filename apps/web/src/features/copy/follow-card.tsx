// One follow: its money in fixed columns, and open below it the high-water mark with its arithmetic and what is held.
import type { CopyKind, CopyLine, CopyPosition, Follow, ShareLine } from "@clockwork/strategies/copy/contract";
import { Avatar } from "@clockwork/ui/avatar";
import { Button } from "@clockwork/ui/button";
import { Countdown } from "@clockwork/ui/countdown";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { type ReactNode, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { nameZone, useZone } from "#session/zone.ts";
import { pathOf } from "./copy-calls.ts";
import { gain, gainPercent, minus, minute, money, percent, ratio, settlesNext, toneOf } from "./copy-figures.ts";
import { describeCode, describeReason, useCopyText } from "./copy-text.ts";
import { sizing } from "./sizing.ts";

const FollowDialog = latePart(async () => (await import("./follow-dialog.tsx")).FollowDialog);
const MoveDialog = latePart(async () => (await import("./move-dialog.tsx")).MoveDialog);
const PositionTable = latePart(async () => (await import("./position-table.tsx")).PositionTable);
const ShareChart = latePart(async () => (await import("./share-chart.tsx")).ShareChart);
const StopDialog = latePart(async () => (await import("./stop-dialog.tsx")).StopDialog);

export interface FollowCardProps {
  readonly kind: CopyKind;
  readonly follow: Follow;
  readonly positions: readonly CopyPosition[];
  /** Newest first, both. */
  readonly skipped: readonly CopyLine[];
  readonly shares: readonly ShareLine[];
  readonly isOpened: boolean;
  readonly nowMs: number;
  readonly onChanged: () => void;
}

export function FollowCard(props: FollowCardProps) {
  const { kind, follow, isOpened, onChanged } = props;
  const text = useCopyText();
  const zone = useZone();
  const [isOpen, setOpen] = useState(isOpened);
  const [shown, setShown] = useState<"settings" | "move" | "stop">();
  const hasFree = /[1-9]/.test(follow.free);
  const close = () => setShown(undefined);
  const done = () => {
    close();
    onChanged();
  };
  return (
    <article
      data-follow={follow.leaderId}
      className="rounded-panel border border-line bg-panel p-5"
      onKeyDown={(event) => {
        if (event.key === "Escape" && shown === undefined) setOpen(false);
      }}
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <h2>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex items-center gap-3 text-left"
          >
            <Avatar name={follow.nickname} size={40} />
            <span className="w-40 min-w-0">
              <span className="block truncate font-semibold text-[15px]">{follow.nickname}</span>
              <span className="block text-label text-muted">
                {text("share")} {percent(follow.shareRate, 0)}
              </span>
            </span>
          </button>
        </h2>
        <Money follow={follow} />
        <div className="ml-auto flex gap-2">
          {follow.isActive ? (
            <>
              <Button size={36} onPress={() => setShown("settings")}>
                {text("mine.settings")}
              </Button>
              <Button size={36} onPress={() => setShown("move")}>
                {text("mine.move")}
              </Button>
              <Button size={36} onPress={() => setShown("stop")}>
                {text("mine.stop")}
              </Button>
            </>
          ) : (
            <>
              {hasFree && (
                <Button size={36} onPress={() => setShown("move")}>
                  {text("mine.move")}
                </Button>
              )}
              <SiteLink to={pathOf(kind, `/${follow.leaderId}`)} className={buttonClass({ kind: "neutral", size: 36 })}>
                {text("mine.again")}
              </SiteLink>
            </>
          )}
        </div>
      </div>
      {follow.endedBy !== null && (
        <p className="mt-3 flex items-start gap-2 text-[13px] text-warn">
          <Icon name="warning" className="mt-0.5 shrink-0" />
          <span>
            {describeCode(text, "ended", follow.endedBy)}{" "}
            {follow.endedAtMs !== null &&
              text("mine.equityAtEnd", { time: minute(follow.endedAtMs, zone), zone: nameZone(zone) })}{" "}
            {hasFree && text("mine.leftInside", { amount: money(follow.free) })}
          </span>
        </p>
      )}
      {isOpen && <Opened {...props} />}
      {shown === "settings" && (
        <FollowDialog kind={kind} leader={follow} follow={follow} onClose={close} onDone={done} />
      )}
      {shown === "move" && <MoveDialog kind={kind} follow={follow} onClose={close} onDone={done} />}
      {shown === "stop" && <StopDialog kind={kind} follow={follow} onClose={close} onDone={done} />}
    </article>
  );
}

function Money({ follow }: { readonly follow: Follow }) {
  const text = useCopyText();
  // Of a copy that is over: what it realised less the share that was paid of it. Its money has gone home.
  const net = follow.isActive ? minus(follow.equity, follow.invested) : minus(follow.realizedPnl, follow.paid);
  const hasOpen = follow.isActive || /[1-9]/.test(follow.unrealizedPnl);
  const cell = (label: string, value: ReactNode, tone = "", width = "w-[92px]") => (
    <div className={width}>
      <dt className="text-label text-muted">{label}</dt>
      <dd className={`figures text-ui ${tone}`}>{value}</dd>
    </div>
  );
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-2">
      {cell(text("mine.invested"), money(follow.invested))}
      {follow.isActive && cell(text("mine.equity"), money(follow.equity))}
      {cell(text("mine.net"), `${gain(net)} ${gainPercent(ratio(net, follow.invested))}`, toneOf(net), "w-[136px]")}
      {hasOpen && cell(text("mine.unrealised"), gain(follow.unrealizedPnl), toneOf(follow.unrealizedPnl))}
      {follow.isActive && cell(text("mine.held"), money(follow.held))}
      {cell(text("mine.paidShare"), money(follow.paid))}
      {cell(text("mine.sizing"), sizing(text, follow.settings), "", "w-[110px]")}
    </dl>
  );
}

/** Held = p × max(0, R − H), shown with its arithmetic; next to it what is open and what was not copied. */
function Opened({ kind, follow, positions, skipped, shares, nowMs }: FollowCardProps) {
  const text = useCopyText();
  const above = minus(follow.realizedPnl, follow.highWaterMark);
  return (
    <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 border-line border-t pt-4 lg:grid-cols-2">
      <section className="min-w-0">
        <h3 className="mb-3 font-semibold text-ui">{text("mine.shareTitle")}</h3>
        {shares.length === 0 && !/[1-9]/.test(follow.realizedPnl) ? (
          <p className="py-8 text-center text-muted text-ui">{text("mine.noProfit")}</p>
        ) : (
          <ShareChart follow={follow} shares={shares} />
        )}
        <p className="mt-3 flex flex-wrap justify-between gap-2 text-[13px] text-muted">
          <span>
            {text("mine.realisedMark", { realised: gain(follow.realizedPnl), mark: money(follow.highWaterMark) })}
          </span>
          <span className="text-text">
            {text("mine.heldNow", {
              share: percent(follow.shareRate, 0),
              above: money(above.startsWith("-") ? "0" : above),
              held: money(follow.held),
            })}
            {follow.isActive && (
              <>
                , {text("mine.settlesIn")} <Countdown untilMs={settlesNext(nowMs)} nowMs={nowMs} />
              </>
            )}
          </span>
        </p>
      </section>
      <section className="min-w-0">
        <div className="mb-1 flex flex-wrap items-baseline justify-between gap-2">
          <h3 className="font-semibold text-ui">{text("mine.copied")}</h3>
          <span className="text-[13px] text-muted">{text("mine.alone")}</span>
        </div>
        <PositionTable kind={kind} positions={positions} hasLeader={false} isOver={!follow.isActive} />
        <Skipped skipped={skipped} follow={follow} />
      </section>
    </div>
  );
}

const SKIPPED_SHOWN = 3;

function Skipped({ skipped, follow }: Pick<FollowCardProps, "skipped" | "follow">) {
  const text = useCopyText();
  const zone = useZone();
  if (skipped.length === 0) return null;
  return (
    <div className="mt-4 text-[13px]">
      <div className="mb-1 flex items-baseline justify-between gap-2">
        <h3 className="font-semibold text-ui">{text("mine.skipped")}</h3>
        <span className="text-muted">
          {text("mine.skippedOf", { skipped: follow.skips, all: follow.skips + follow.copies })}
        </span>
      </div>
      <ul>
        {skipped.slice(0, SKIPPED_SHOWN).map((line) => (
          <li key={line.id} className="flex flex-wrap gap-x-4 border-line border-t py-1.5">
            <span className="figures text-muted">{minute(line.timeMs, zone)}</span>
            <span>
              {line.pairCode.replace("_", "")} {describeCode(text, "what", line.what)}
            </span>
            <span className="text-muted">{describeReason(text, line)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
