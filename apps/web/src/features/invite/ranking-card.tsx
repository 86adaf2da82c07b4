// Who earned the most by inviting this week, the visitor's own rank, and whether the visitor's name is shown.
import { INVITE_CALLS, type InviteRanking } from "@clockwork/growth/invite/contract";
import { formatDecimal } from "@clockwork/kit/format";
import { formatDuration } from "@clockwork/kit/time";
import { Card } from "@clockwork/ui/card";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { useProgrammeText } from "#words/programme-text.ts";

type Row = InviteRanking["rows"][number];

export interface RankingCardProps {
  readonly ranking: InviteRanking | null;
  readonly isNamed: boolean;
}

export function RankingCard({ ranking, isNamed }: RankingCardProps) {
  const text = useProgrammeText();
  const left = ranking === null ? "" : formatDuration(Math.max(0, ranking.closesAtMs - ranking.timeMs));
  return (
    <Card
      title={text("invite.week")}
      aside={left !== "" && <span className="text-label text-muted">{text("invite.closes", { time: left })}</span>}
    >
      {ranking === null && <FailedLine />}
      {ranking?.rows.length === 0 && <p className="text-muted text-ui">{text("invite.rank.none")}</p>}
      {ranking !== null && ranking.rows.length > 0 && <Places ranking={ranking} />}
      <p className="mt-3 text-label text-muted">{text("invite.hidden")}</p>
      <NameChoice isNamed={isNamed} />
    </Card>
  );
}

function Places({ ranking: { rows, near } }: { readonly ranking: InviteRanking }) {
  const text = useProgrammeText();
  return (
    <table className="w-full text-[13px]">
      <thead>
        <tr className="text-label text-muted">
          <th scope="col" className="h-8 w-14 text-left font-normal">
            {text("invite.place")}
          </th>
          <th scope="col" className="h-8 text-left font-normal">
            {text("invite.who")}
          </th>
          <th scope="col" className="h-8 text-right font-normal">
            {text("invite.earned")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PlaceRow key={row.place} row={row} />
        ))}
        {near.length > 0 && (
          <tr className="border-line border-t text-muted">
            <td className="h-9">…</td>
            <td />
            <td />
          </tr>
        )}
        {near.map((row) => (
          <PlaceRow key={row.place} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function PlaceRow({ row }: { readonly row: Row }) {
  const text = useProgrammeText();
  return (
    <tr className={`border-line border-t ${row.isCaller ? "bg-active font-semibold" : ""}`}>
      <td className="figures h-10 pl-1 text-muted">{row.place}</td>
      <td>{row.isCaller ? text("invite.caller") : row.name}</td>
      <td className="figures pr-1 text-right">{formatDecimal(row.usdt, { grouped: true })}</td>
    </tr>
  );
}

function NameChoice({ isNamed }: { readonly isNamed: boolean }) {
  const text = useProgrammeText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [isChosen, setChosen] = useState(isNamed);
  const choose = async (next: boolean) => {
    setChosen(next);
    const answer = await (await calls()).call(INVITE_CALLS.named, { isNamed: next });
    if (!answer.ok) setChosen(!next);
    else await revalidate();
  };
  return (
    <label className="mt-2 flex items-center gap-2 text-[13px]">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => void choose(event.target.checked)}
        className="size-4 accent-[var(--text)]"
      />
      {text("invite.showName")}
    </label>
  );
}
