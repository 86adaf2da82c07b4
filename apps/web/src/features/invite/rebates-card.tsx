// What came of others' fees, day by day, and how many have come.
import type { InviteProfile } from "@clockwork/growth/invite/contract";
import { formatMoney } from "@clockwork/kit/format";
import { formatDate } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { saveFile } from "@clockwork/ui/hooks/save-file";
import { csvFileName, writeCsv } from "@clockwork/ui/logic/csv";
import { formatShortDay } from "#words/day-text.ts";
import { type ProgrammeText, useProgrammeText } from "#words/programme-text.ts";

export function RebatesCard({ profile }: { readonly profile: InviteProfile }) {
  const text = useProgrammeText();
  const { days, monthUsdt, monthFeesUsdt, invited, traded, allTimeUsdt, ownBackUsdt } = profile;
  const first = days[0];
  const middle = days[Math.floor(days.length / 2)];
  const last = days.at(-1);
  return (
    <Card
      title={text("invite.rebates")}
      aside={
        <div className="flex items-center gap-3">
          <span className="text-label text-muted">USDT</span>
          <Button size={36} icon="download" aria-label={text("invite.rebates.csv")} onPress={() => save(text, days)}>
            {text("invite.csv")}
          </Button>
        </div>
      }
    >
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="figures font-semibold text-[28px] leading-9">{formatMoney(monthUsdt)}</span>
        <span className="figures text-label text-muted">
          {text("invite.ofFees", { amount: formatMoney(monthFeesUsdt) })}
        </span>
      </p>
      <Bars days={days} />
      <p className="figures mt-1 flex justify-between text-label text-muted">
        <span>{first === undefined ? "" : formatShortDay(first.dayMs)}</span>
        <span>{middle === undefined ? "" : formatShortDay(middle.dayMs)}</span>
        <span>{last === undefined ? "" : text("invite.today", { amount: formatMoney(last.usdt) })}</span>
      </p>
      <dl className="mt-3 grid grid-cols-3 gap-2 border-line border-t pt-3">
        {[
          [text("invite.invited"), String(invited)],
          [text("invite.traded"), String(traded)],
          [text("invite.allTime"), formatMoney(allTimeUsdt)],
        ].map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-label text-muted">{name}</dt>
            <dd className="figures truncate font-semibold text-[18px] leading-7">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-label text-muted">{text("invite.paidNote")}</p>
      {Number(ownBackUsdt) > 0 && (
        <p className="mt-1 text-label text-muted">{text("invite.ownBack", { amount: formatMoney(ownBackUsdt) })}</p>
      )}
    </Card>
  );
}

/** Every day that is drawn, exact; days without any are there with 0. */
function save(text: ProgrammeText, days: InviteProfile["days"]): void {
  const head = [text("invite.csv.day"), text("invite.csv.rebates")];
  const csv = writeCsv(
    head,
    days.map(({ dayMs, usdt }) => [formatDate(dayMs), usdt]),
  );
  saveFile(csvFileName("rebates", formatDate(Date.now())), new Blob([csv], { type: "text/csv" }));
}

/** As high as the day among the thirty; today in text colour. */
function Bars({ days }: { readonly days: InviteProfile["days"] }) {
  const text = useProgrammeText();
  const most = Math.max(...days.map(({ usdt }) => Number(usdt)), 0);
  return (
    <ol className="mt-3 flex h-28 items-end gap-0.5" aria-label={text("invite.rebates")}>
      {days.map(({ dayMs, usdt }, at) => {
        const share = most === 0 ? 0 : (Number(usdt) / most) * 100;
        const answer = text("invite.day", { date: formatShortDay(dayMs), amount: formatMoney(usdt) });
        return (
          <li key={dayMs} title={answer} className="flex h-full flex-1 items-end">
            <span className="sr-only">{answer}</span>
            <span
              aria-hidden="true"
              style={{ height: `${share}%` }}
              className={`block min-h-px w-full ${at === days.length - 1 ? "bg-text" : "bg-m4"}`}
            />
          </li>
        );
      })}
    </ol>
  );
}
