// Earlier draws, each drawn again here from what was published: promise, root, seed and ticket. All of it can be read, and
// saved for a check outside this page.
import { SPRING_CALLS, type SpringDraw } from "@clockwork/growth/spring/contract";
import { checkDraw } from "@clockwork/kit/earn/draw";
import { formatDecimal } from "@clockwork/kit/format";
import { CopyButton } from "@clockwork/ui/copy-button";
import { Dialog } from "@clockwork/ui/dialog";
import { Icon } from "@clockwork/ui/icon";
import { Badge } from "@clockwork/ui/pill";
import { useCallback, useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { Minute } from "#shell/moment.tsx";
import { useDrawsText } from "#words/draws-text.ts";
import { useRewardsText } from "#words/rewards-text.ts";

const FILE = "spring-draws.json";
const COMMAND = `clockwork draw spring --source ${FILE}`;

/** True when it agrees, undefined while its seed is kept. */
export function isRight({ serverSeed, publicSeed, seed, ...draw }: SpringDraw): boolean | undefined {
  if (serverSeed === null || publicSeed === null || seed === null) return undefined;
  return checkDraw({ ...draw, serverSeed, publicSeed, seed }, () => undefined);
}

export function DrawsDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useDrawsText();
  const calls = useCalls();
  /** Null where they could not be loaded. */
  const [draws, setDraws] = useState<readonly SpringDraw[] | null>();
  const ask = useCallback(async () => {
    const answer = await (await calls()).call(SPRING_CALLS.draws, {});
    setDraws(answer.ok ? answer.data.draws : null);
  }, [calls]);
  useEffect(() => void ask(), [ask]);
  return (
    <Dialog title={text("checkTitle")} size="large" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <p className="text-muted text-ui">{text("checkLead")}</p>
      {draws === null && <FailedLine onAgain={ask} />}
      {draws?.length === 0 && <p className="text-muted text-ui">{text("noDraws")}</p>}
      <ul>
        {draws?.map((draw) => (
          <DrawLine key={draw.drawId} draw={draw} />
        ))}
      </ul>
      {draws !== undefined && draws !== null && draws.length > 0 && <Outside />}
    </Dialog>
  );
}

function Outside() {
  const text = useDrawsText();
  return (
    <div className="mt-3 text-label text-muted">
      <p className="flex flex-wrap justify-between gap-x-4">
        {text("command")}
        <a href={`/api${SPRING_CALLS.draws.path}`} download={FILE} className="underline">
          {text("file")}
        </a>
      </p>
      <p className="figures mt-1 flex items-center gap-3 overflow-x-auto rounded-control bg-surface p-3 text-text dark:bg-active">
        <code className="flex-1 whitespace-nowrap">{COMMAND}</code>
        <CopyButton text={COMMAND} />
      </p>
    </div>
  );
}

function DrawLine({ draw }: { readonly draw: SpringDraw }) {
  const text = useDrawsText();
  const names = useRewardsText();
  const right = isRight(draw);
  const prize = draw.prize === null ? "–" : formatDecimal(draw.prize, { grouped: true, decimals: 2 });
  const what = draw.card === null ? text("movement", { amount: prize }) : names(`spring.${draw.card}`);
  const isKept = right === undefined;
  return (
    <li className="border-line not-first:border-t">
      <details className="group">
        <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 py-2 text-ui [&::-webkit-details-marker]:hidden">
          <Icon name="chevron-right" size={12} className="shrink-0 text-muted group-open:rotate-90" />
          <span className="figures text-label text-muted">
            <Minute at={draw.madeAtMs} />
          </span>
          <span className="flex-1 font-medium text-text">{what}</span>
          <Badge tone={isKept ? "outline" : right ? "up" : "danger"}>
            {text(isKept ? "tomorrow" : right ? "agrees" : "differs")}
          </Badge>
        </summary>
        <Published draw={draw} />
      </details>
    </li>
  );
}

function Published({ draw }: { readonly draw: SpringDraw }) {
  const text = useDrawsText();
  const { journal, winners } = draw;
  const tickets = draw.ranges.reduce((sum, { count }) => sum + count, 0);
  const place = journal && { number: journal.number, first: journal.sinceSequence, last: journal.untilSequence - 1 };
  const lines: readonly (readonly [string, string | null])[] = [
    [text("line.promise"), draw.promise],
    [text("line.root", { tickets }), draw.root],
    [place === null ? text("line.journalLater") : text("line.journal", place), journal?.seed ?? null],
    [text("line.publicSeed", { close: draw.closeSequence }), draw.publicSeed],
    [text("line.serverSeed"), draw.serverSeed],
    [text("line.seed"), draw.seed],
    [text("line.ticket"), winners.length === 0 ? null : winners.join(", ")],
  ];
  return (
    <dl className="mb-2 rounded-control bg-surface px-3 py-2 text-label dark:bg-active">
      {lines.map(([name, value]) => (
        <div key={name} className="py-1">
          <dt className="text-muted">{name}</dt>
          <dd className="break-all font-mono text-text">{value ?? text("kept")}</dd>
        </div>
      ))}
    </dl>
  );
}
