// Who came by the links, with what their fees brought in the chosen number of days. Names are masked by the server.
import { INVITE_CALLS, type InviteDetail } from "@clockwork/growth/invite/contract";
import { formatMoney } from "@clockwork/kit/format";
import { formatDate } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { saveFile } from "@clockwork/ui/hooks/save-file";
import { csvFileName, writeCsv } from "@clockwork/ui/logic/csv";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { formatDay } from "#words/day-text.ts";
import { useProgrammeText } from "#words/programme-text.ts";

type Friend = InviteDetail["friends"][number];
/** Fixed while the rest scrolls. */
const FIRST = "sticky left-0 z-1 bg-bg dark:bg-surface";
const PERIODS = [7, 30, 90, 365] as const;

function useFriends(served: InviteDetail | null) {
  const calls = useCalls();
  const [days, setDays] = useState(30);
  const [page, setPage] = useState<InviteDetail | null>();
  const [hasFailed, setFailed] = useState(served === null);
  const shown = page === undefined ? served : page;
  // The shown rows remain when a page fails; a click requests it again.
  const ask = async (of: number, cursor?: string) => {
    const query = cursor === undefined ? { days: of } : { days: of, cursor };
    const answer = await (await calls()).call(INVITE_CALLS.detail, query);
    setFailed(!answer.ok);
    if (!answer.ok) return cursor === undefined ? setPage(null) : undefined;
    const before = cursor === undefined ? [] : (shown?.friends ?? []);
    setPage({ ...answer.data, friends: [...before, ...answer.data.friends] });
  };
  const more = () => ask(days, shown?.nextCursor ?? undefined);
  return {
    days,
    shown,
    hasFailed,
    more,
    choose: (next: number) => {
      setDays(next);
      void ask(next);
    },
  };
}

export function FriendsCard({ detail }: { readonly detail: InviteDetail | null }) {
  const text = useProgrammeText();
  const { days, shown, hasFailed, choose, more } = useFriends(detail);
  const friends = shown?.friends ?? [];
  const columns = ["friend", "joined", "state", "fees", "you", "back"] as const;
  const save = () => {
    const rows = friends.map((one) => [
      one.friend,
      formatDate(one.joinedAtMs),
      text(`invite.state.${one.state}`),
      one.feesUsdt,
      one.ownerUsdt,
      one.friendUsdt,
    ]);
    const csv = writeCsv(
      columns.map((name) => text(`invite.${name}`)),
      rows,
    );
    saveFile(csvFileName("friends", formatDate(Date.now())), new Blob([csv], { type: "text/csv" }));
  };
  return (
    <Card
      title={text("invite.friends")}
      aside={
        friends.length > 0 && (
          <div className="flex items-center gap-2">
            <LateSelect
              label={text("invite.period")}
              labelHidden
              options={PERIODS.map((one) => ({ id: String(one), title: text("invite.days", { days: one }) }))}
              value={String(days)}
              onChange={(id) => choose(Number(id))}
            />
            <Button size={36} icon="download" aria-label={text("invite.friends.csv")} onPress={save}>
              {text("invite.csv")}
            </Button>
          </div>
        )
      }
    >
      {shown !== null && friends.length === 0 && <p className="text-muted text-ui">{text("invite.friends.none")}</p>}
      {friends.length > 0 && <FriendTable friends={friends} />}
      {hasFailed && <FailedLine onAgain={more} />}
      {!hasFailed && typeof shown?.nextCursor === "string" && (
        <Button size={36} className="mt-3" onPress={() => void more()}>
          {text("invite.more")}
        </Button>
      )}
    </Card>
  );
}

function FriendTable({ friends }: { readonly friends: readonly Friend[] }) {
  const text = useProgrammeText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas are reached by keyboard
    <section className="overflow-x-auto" tabIndex={0} aria-label={text("invite.friends")}>
      <table className="w-full min-w-[560px] text-[13px]">
        <thead>
          <tr className="text-label text-muted">
            {(["friend", "joined", "state"] as const).map((name, at) => (
              <th key={name} scope="col" className={`h-8 text-left font-normal ${at === 0 ? FIRST : ""}`}>
                {text(`invite.${name}`)}
              </th>
            ))}
            {(["fees", "you", "back"] as const).map((name) => (
              <th key={name} scope="col" className="h-8 text-right font-normal">
                {text(`invite.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {friends.map((one) => (
            <tr key={`${one.friend}:${one.joinedAtMs}`} className="border-line border-t">
              <th scope="row" className={`h-11 pr-3 text-left font-medium ${FIRST}`}>
                {one.friend}
              </th>
              <td className="figures whitespace-nowrap pr-3 text-muted">{formatDay(one.joinedAtMs)}</td>
              <td className={one.state === "trading" ? "" : "text-muted"}>{text(`invite.state.${one.state}`)}</td>
              <td className="figures pl-3 text-right">{formatMoney(one.feesUsdt)}</td>
              <td className="figures pl-3 text-right font-semibold">{formatMoney(one.ownerUsdt)}</td>
              <td className="figures pl-3 text-right text-muted">{formatMoney(one.friendUsdt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
