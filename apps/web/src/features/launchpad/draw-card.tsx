// The draw of a lottery as its lines: promise, seed, root, journalled and public seed, seed of the shuffle. The visitor's own browser
// runs it again in a worker; a line that does not agree is named, and the data can be downloaded.
import { LAUNCH_CALLS, type LaunchDraw, type LaunchOwn } from "@clockwork/earning/launchpad/contract";
import type { JournalledSeed } from "@clockwork/kit/earn/draw";
import { SEED_CALLS } from "@clockwork/trading/seeds/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CopyButton } from "@clockwork/ui/copy-button";
import { Icon } from "@clockwork/ui/icon";
import { useRef, useState } from "react";
import { askData } from "#live/ask.ts";
import { useEarnText } from "#words/earn-text.ts";
import type { DrawLine, DrawMessage, DrawRequest } from "./draw-worker.ts";

interface Checked {
  readonly lines: Readonly<Partial<Record<DrawLine, boolean>>>;
  readonly end?: { readonly isRight: boolean; readonly tookMs: number };
  readonly isRunning: boolean;
}

const UNCHECKED: Checked = { lines: {}, isRunning: false };

const readSeed = (sequence: number): Promise<JournalledSeed | undefined> => askData(SEED_CALLS.find, { sequence });

function useCheck(draw: LaunchDraw) {
  const [checked, setChecked] = useState(UNCHECKED);
  const worker = useRef<Worker>(undefined);
  const run = () => {
    const { serverSeed, root, publicSeed, seed } = draw;
    if (serverSeed === null || root === null || publicSeed === null || seed === null) return;
    worker.current?.terminate();
    const started = new Worker(new URL("./draw-worker.ts", import.meta.url), { type: "module" });
    worker.current = started;
    const ask = (message: DrawRequest): void => started.postMessage(message);
    setChecked({ lines: {}, isRunning: true });
    started.onmessage = ({ data }: MessageEvent<DrawMessage>) => {
      if (data.kind === "wanted") {
        const { sequence } = data;
        void readSeed(sequence).then((seed) => ask({ kind: "seed", sequence, seed }));
        return;
      }
      setChecked((before) =>
        data.kind === "line"
          ? { ...before, lines: { ...before.lines, [data.check]: data.isRight } }
          : { ...before, end: data, isRunning: false },
      );
    };
    ask({ kind: "draw", draw: { ...draw, serverSeed, root, publicSeed, seed } });
  };
  return { checked, run };
}

const placeOf = ({ number, sinceSequence, untilSequence }: JournalledSeed) => ({
  number,
  since: sinceSequence,
  until: untilSequence,
});

const short = (hash: string): string => `${hash.slice(0, 10)}…${hash.slice(-8)}`;

interface DrawCardProps {
  readonly draw: LaunchDraw;
  readonly own: LaunchOwn | null;
  /** Nothing is drawn any more. */
  readonly isOver: boolean;
}

export function DrawCard(props: DrawCardProps) {
  const text = useEarnText();
  if (props.draw.seed === null && props.isOver) {
    return (
      <Card title={text("launch.draw")}>
        <p className="text-muted text-ui">{text("launch.undrawn")}</p>
      </Card>
    );
  }
  return <PublishedDrawCard {...props} />;
}

function PublishedDrawCard({ draw, own }: DrawCardProps) {
  const text = useEarnText();
  const { checked, run } = useCheck(draw);
  const tickets = draw.ranges.reduce((sum, { count }) => sum + count, 0);
  const lines: readonly (readonly [string, string | null, DrawLine | undefined])[] = [
    [text("launch.line.promise"), draw.promise, undefined],
    [text("launch.line.serverSeed"), draw.serverSeed, "promise"],
    [text("launch.line.root", { tickets }), draw.root, "root"],
    [
      draw.journal === null ? text("launch.line.journalLater") : text("launch.line.journal", placeOf(draw.journal)),
      draw.journal?.seed ?? null,
      "journal",
    ],
    [
      draw.root === null
        ? text("launch.line.publicLater")
        : text("launch.line.publicSeed", { close: draw.closeSequence }),
      draw.publicSeed,
      "publicSeed",
    ],
    [text("launch.line.seed"), draw.seed, "seed"],
  ];
  const wrong = lines.find(([, , check]) => check !== undefined && checked.lines[check] === false)?.[0];
  return (
    <Card
      title={text("launch.draw")}
      aside={
        <Button kind="neutral" size={36} busy={checked.isRunning} isDisabled={draw.seed === null} onPress={run}>
          {text(checked.isRunning ? "launch.checking" : "launch.check")}
        </Button>
      }
    >
      <p className="mb-3 text-label text-muted">{text("launch.drawLead")}</p>
      <ol>
        {lines.map(([label, hash, check]) => (
          <li key={label} className="flex items-center gap-3 border-line border-t py-2 text-ui">
            <LineMark isRight={check === undefined ? undefined : checked.lines[check]} />
            <span className="min-w-0 flex-1">{label}</span>
            <span className="figures text-label text-muted">{hash === null ? text("launch.hidden") : short(hash)}</span>
            {hash === null ? null : <CopyButton text={hash} what={label} />}
          </li>
        ))}
      </ol>
      <div role="status" className="mt-3">
        {checked.end === undefined ? null : (
          <p className={`rounded-lg bg-surface p-3 text-ui ${checked.end.isRight ? "" : "text-danger"}`}>
            {checked.end.isRight
              ? text("launch.right", { winners: draw.winners.length })
              : text("launch.wrong", { line: wrong ?? text("launch.winning") })}{" "}
            <span className="figures text-label text-muted">
              {text("launch.took", { tickets, ms: checked.end.tookMs })}
            </span>
          </p>
        )}
      </div>
      {own === null ? null : <OwnTickets draw={draw} own={own} />}
      <p className="figures mt-3 flex items-center gap-3 overflow-x-auto rounded-lg bg-text p-3 text-bg text-label">
        <code className="flex-1 whitespace-nowrap">{`clockwork draw ${draw.roundId}`}</code>
        <CopyButton text={`clockwork draw ${draw.roundId}`} className="text-bg" />
      </p>
      <p className="mt-2 text-label">
        <a
          href={`/api${LAUNCH_CALLS.draw.path}?id=${draw.roundId}`}
          download={`${draw.roundId}.json`}
          className="text-muted underline"
        >
          {text("launch.file")}
        </a>
      </p>
    </Card>
  );
}

/** Empty until the line was checked. */
function LineMark({ isRight }: { readonly isRight: boolean | undefined }) {
  const look =
    isRight === undefined ? "border border-line2" : isRight ? "bg-text text-bg" : "border border-danger text-danger";
  return (
    <span aria-hidden="true" className={`flex size-5 shrink-0 items-center justify-center rounded-full ${look}`}>
      {isRight === undefined ? null : <Icon name={isRight ? "check" : "close"} size={12} />}
    </span>
  );
}

function OwnTickets({ draw, own }: { readonly draw: LaunchDraw; readonly own: LaunchOwn }) {
  const text = useEarnText();
  const entry = own.entries.find(({ roundId }) => roundId === draw.roundId);
  if (entry === undefined || entry.tickets === 0) return null;
  const places = new Map(draw.winners.map((ticket, index) => [ticket, index + 1]));
  const numbers = Array.from({ length: entry.tickets }, (_, index) => entry.firstTicket + index);
  return (
    <section className="mt-4">
      <h3 className="mb-2 text-card">{text("launch.myTickets")}</h3>
      <ul className="grid grid-cols-3 gap-2 sm:grid-cols-5">
        {numbers.map((number) => {
          const place = places.get(number);
          return (
            <li
              key={number}
              className={`figures rounded-lg border p-2 text-center text-ui ${place === undefined ? "border-line2 text-muted" : "border-text bg-text text-bg"}`}
            >
              {number}
              {place === undefined ? null : <span className="block text-label">{text("launch.won", { place })}</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
