// History, skips and shares of a follower: the newest as told live, older ones asked for.
import { COPY_PATHS, type CopyKind, type CopyLine, type CopyPage, type ProfitPage } from "@clockwork/domains/copy/api";
import { Button } from "@clockwork/ui/button";
import { useState } from "react";
import { nameZone, useZone } from "#session/zone.ts";
import { useCopyAsk } from "./copy-calls.ts";
import { gain, minute, money, percent, price } from "./copy-figures.ts";
import { sayCode, sayReason, useCopyText } from "./copy-text.ts";
import { CopyTable } from "./tables.tsx";

/** Older pages behind the first; what has come since stands in the first. */
function useOlder<Data extends { readonly nextBefore: string | null }>(path: string, first: Data | null) {
  const ask = useCopyAsk();
  const [pages, setPages] = useState<readonly Data[]>([]);
  const next = (pages.at(-1) ?? first)?.nextBefore ?? null;
  const more = async () => {
    const found = next === null ? undefined : await ask<Data>(`${path}?before=${next}`);
    if (found !== undefined) setPages([...pages, found]);
  };
  return { pages, more: next === null ? undefined : more };
}

function More({ onMore }: { readonly onMore: (() => Promise<void>) | undefined }) {
  const text = useCopyText();
  if (onMore === undefined) return null;
  return (
    <p className="mt-3 text-center">
      <Button size={36} onPress={() => void onMore()}>
        {text("mine.more")}
      </Button>
    </p>
  );
}

/** Each once: what was the newest when an older page was asked for may stand in both. */
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
  const { pages, more } = useOlder<CopyPage>(`${COPY_PATHS[kind]}/copies`, first);
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
            cell: (row) => sayCode(text, "what", row.isByStop ? "closeByStop" : row.what),
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
          { title: text("mine.reason"), cell: (row) => (row.reason === null ? "" : sayReason(text, row)) },
        ]}
      />
      <More onMore={more} />
    </>
  );
}

export function Shares({ kind, profits }: { readonly kind: CopyKind; readonly profits: ProfitPage | null }) {
  const text = useCopyText();
  const zone = useZone();
  const { pages, more } = useOlder<ProfitPage>(`${COPY_PATHS[kind]}/profits`, profits);
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
          { title: text("mine.cause"), isLeft: true, cell: (row) => sayCode(text, "cause", row.cause) },
          { title: text("mine.shareRate"), cell: (row) => percent(row.shareRate, 0) },
          { title: text("mine.realised"), cell: (row) => gain(row.realizedPnl) },
          { title: text("mine.paidColumn"), cell: (row) => money(row.paid) },
        ]}
      />
      <More onMore={more} />
    </>
  );
}
