// History, skips and shares of a follower: the newest live, older ones on request.
import type { DataOf, InputOf } from "@clockwork/kit/endpoint";
import {
  COPY_CALLS,
  type CopyKind,
  type CopyLine,
  type CopyPage,
  type ProfitPage,
} from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { nameZone, useZone } from "#session/zone.ts";
import { gain, minute, money, percent, price } from "./copy-figures.ts";
import { describeCode, describeReason, useCopyText } from "./copy-text.ts";
import { CopyTable } from "./tables.tsx";

type PagedCall = (typeof COPY_CALLS)[CopyKind]["copies" | "profits"];

/** Older pages after the first; new rows are in the first. */
function useOlder<Called extends PagedCall>(called: Called, first: DataOf<Called> | null) {
  const calls = useCalls();
  const [hasFailed, setFailed] = useState(false);
  const [pages, setPages] = useState<readonly DataOf<Called>[]>([]);
  const next = (pages.at(-1) ?? first)?.nextBefore ?? null;
  const more = async () => {
    const answer = await (await calls()).call(called, { before: next } as InputOf<Called>);
    setFailed(!answer.ok);
    if (answer.ok) setPages([...pages, answer.data]);
  };
  return { pages, hasFailed, more: next === null ? undefined : more };
}

interface MoreProps {
  readonly onMore: (() => Promise<void>) | undefined;
  readonly hasFailed: boolean;
}

function More({ onMore, hasFailed }: MoreProps) {
  const text = useCopyText();
  if (onMore === undefined) return null;
  if (hasFailed) return <FailedLine onAgain={onMore} />;
  return (
    <p className="mt-3 text-center">
      <Button size={36} onPress={() => void onMore()}>
        {text("mine.more")}
      </Button>
    </p>
  );
}

/** Each once: a row that was the newest when an older page was requested may be in both. */
function once<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

interface CopyLinesProps {
  readonly kind: CopyKind;
  readonly first: CopyPage | null;
  readonly fits: (line: CopyLine) => boolean;
}

export function CopyLines({ kind, first, fits }: CopyLinesProps) {
  const text = useCopyText();
  const zone = useZone();
  const { pages, more, hasFailed } = useOlder(COPY_CALLS[kind].copies, first);
  const lines = once([...(first?.copies ?? []), ...pages.flatMap(({ copies }) => copies)]);
  return (
    <>
      <CopyTable
        label={text("mine.history")}
        rows={lines.filter(fits)}
        keyOf={({ id }) => id}
        empty={text("mine.noCopies")}
        columns={[
          { title: text("mine.time", { zone: nameZone(zone) }), isLeft: true, cell: (row) => minute(row.timeMs, zone) },
          { title: text("pair"), isLeft: true, cell: (row) => row.pairCode.replace("_", "") },
          {
            title: text("mine.what"),
            isLeft: true,
            cell: (row) => describeCode(text, "what", row.isByStop ? "closeByStop" : row.what),
          },
          { title: text("size"), cell: (row) => (row.reason === null ? row.filled : row.quantity) },
          { title: text("mine.price"), cell: (row) => (row.price === null ? "–" : price(row.price)) },
          {
            title: text("mine.leaderPrice"),
            cell: (row) => (row.leaderPrice === null ? "–" : price(row.leaderPrice)),
          },
          {
            title: text("mine.slippage"),
            cell: (row) => (row.slippageBps === null ? "–" : `${row.slippageBps.replace("-", "−")} ${text("bps")}`),
          },
          { title: text("mine.reason"), cell: (row) => (row.reason === null ? "" : describeReason(text, row)) },
        ]}
      />
      <More onMore={more} hasFailed={hasFailed} />
    </>
  );
}

export function Shares({ kind, profits }: { readonly kind: CopyKind; readonly profits: ProfitPage | null }) {
  const text = useCopyText();
  const zone = useZone();
  const { pages, more, hasFailed } = useOlder(COPY_CALLS[kind].profits, profits);
  const rows = once([...(profits?.shares ?? []), ...pages.flatMap(({ shares }) => shares)]);
  return (
    <>
      <CopyTable
        label={text("mine.shares")}
        rows={rows}
        keyOf={({ id }) => id}
        empty={text("mine.noShares")}
        columns={[
          { title: text("mine.time", { zone: nameZone(zone) }), isLeft: true, cell: (row) => minute(row.timeMs, zone) },
          { title: text("mine.cause"), isLeft: true, cell: (row) => describeCode(text, "cause", row.cause) },
          { title: text("mine.shareRate"), cell: (row) => percent(row.shareRate, 0) },
          { title: text("mine.realised"), cell: (row) => gain(row.realizedPnl) },
          { title: text("mine.paidColumn"), cell: (row) => money(row.paid) },
        ]}
      />
      <More onMore={more} hasFailed={hasFailed} />
    </>
  );
}
