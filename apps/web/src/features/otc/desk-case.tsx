// The operators' console: the queue of complaints, and one of them with its order, both sides and their evidence, the
// log, the chat and the decision.
import { type ComplaintList, type DeskCase, OTC_ORDER_CALLS } from "@clockwork/fiat/otcorders/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import { Avatar } from "@clockwork/ui/avatar";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { useCallback, useEffect, useState } from "react";
import type { OperatorAction } from "#console/operator-action.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { DeskChat, Evidence } from "./desk-chat.tsx";
import { Decision } from "./desk-decision.tsx";
import { describeOr, useOtcText } from "./otc-text.ts";

export function CaseView({ complaintId, action }: { readonly complaintId: number; readonly action: OperatorAction }) {
  const text = useOtcText();
  const calls = useCalls();
  const [found, setFound] = useState<DeskCase>();
  const [isFailed, setFailed] = useState(false);
  const load = useCallback(async () => {
    const answer = await (await calls()).call(OTC_ORDER_CALLS.deskGet, { id: complaintId });
    if (answer.ok) setFound(answer.data);
    setFailed(!answer.ok);
  }, [calls, complaintId]);
  useEffect(() => {
    void load();
  }, [load]);
  if (found === undefined) return isFailed ? <FailedLine onAgain={load} /> : null;
  const { complaint, orderState } = found;
  const props = { found, complaintId, action, onDone: () => void load() };
  return (
    <section aria-labelledby="desk-case" className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center gap-3">
        <h2 id="desk-case" className="font-semibold text-[18px] text-text">
          {text("desk.case", { number: complaintId })}
          {describeOr(text, `appeal.reason.${complaint.reason}`, complaint.reason)}
        </h2>
        <Badge>{describeOr(text, `order.state.${orderState}`, orderState)}</Badge>
        {complaint.state === "OPEN" && (
          <Badge tone="warn">{text("desk.by", { time: formatDateTime(complaint.decideByMs) })}</Badge>
        )}
      </header>
      <Facts found={found} />
      <div className="grid items-start gap-4 lg:grid-cols-2 xl:grid-cols-3">
        {(["buyer", "seller"] as const).map((side) => (
          <SideCard key={side} side={side} found={found} />
        ))}
        <Log found={found} />
      </div>
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <DeskChat {...props} />
        <Decision {...props} />
      </div>
    </section>
  );
}

/** The order in one line. */
function Facts({ found }: { readonly found: DeskCase }) {
  const text = useOtcText();
  const facts = [
    [text("desk.order"), found.orderId.replace(/(.{4})(?=.)/g, "$1 ")],
    [text("label.amount"), `${formatCoins(found.quantity)} ${found.asset}`],
    [text("label.price"), `${found.price} ${found.fiat}`],
    [text("desk.paid"), `${formatDecimal(found.amount, { grouped: true })} ${found.fiat}`],
    [text("desk.way"), describeOr(text, `pay.${found.payment}`, found.payment)],
    [text("desk.worth"), `${formatDecimal(found.worthUsdt, { grouped: true })} USDT`],
  ] as const;
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-3 max-sm:grid-cols-2 sm:grid-cols-3 xl:grid-cols-6">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-[13px] text-muted">{name}</dt>
            <dd className="figures break-words font-semibold text-text text-ui">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function SideCard({ side, found }: { readonly side: "buyer" | "seller"; readonly found: DeskCase }) {
  const text = useOtcText();
  const person = found[side];
  const says = side === "buyer" ? found.complaint.buyerSays : found.complaint.sellerSays;
  const files = found.complaint.files.filter(({ by }) => by === side);
  const facts = [
    [text("desk.legalName"), person.legalName ?? "–"],
    [text("desk.level"), String(person.level)],
    [text("list.sort.orders"), String(person.orders)],
    [text("list.sort.completion"), person.completion === null ? "–" : `${person.completion}%`],
    [text("desk.account"), text("desk.days", { days: person.accountDays })],
    ...(person.bondUsdt === null ? [] : [[text("merchant.bond"), `${formatCoins(person.bondUsdt)} USDT`] as const]),
  ] as const;
  return (
    <Card title={text(found.complaint.by === side ? `desk.${side}.appealed` : `desk.${side}`)}>
      <p className="flex items-center gap-2 font-medium text-ui">
        <Avatar name={person.name} size={28} />
        {person.name}, {person.user}
      </p>
      <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-1 text-[13px]">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3 first:col-span-2">
            <dt className="text-muted">{name}</dt>
            <dd className="figures text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <blockquote className="mt-3 break-words border-line2 border-l-2 bg-surface p-3 text-ui dark:bg-bg">
        {says === "" ? <span className="text-muted">{text("appeal.silent")}</span> : says}
      </blockquote>
      {files.length > 0 && (
        <div className="mt-3 flex flex-wrap gap-3">
          {files.map(({ fileId }) => (
            <Evidence key={fileId} fileId={fileId} />
          ))}
        </div>
      )}
    </Card>
  );
}

function Log({ found }: { readonly found: DeskCase }) {
  const text = useOtcText();
  return (
    <Card title={text("log.title")} aside={<span className="text-[13px] text-muted">{text("desk.both")}</span>}>
      <ol className="flex flex-col gap-3 text-ui">
        {found.log.map((line) => (
          <li key={`${line.atMs}${line.action}`} className="flex justify-between gap-3">
            <span className="min-w-0">
              <span className="block font-medium">{describeOr(text, `log.${line.action}`, line.action)}</span>
              {line.detail !== "" && (
                <span className="block break-words text-[13px] text-muted">
                  {describeOr(text, `appeal.reason.${line.detail}`, line.detail)}
                </span>
              )}
            </span>
            <time className="figures shrink-0 text-[13px] text-muted">{formatDateTime(line.atMs)}</time>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** What waits for a decision, the oldest first, a page after the other. */
export function Queue({
  complaints,
  onOpen,
}: {
  readonly complaints: ComplaintList | null;
  readonly onOpen: (id: number) => void;
}) {
  const text = useOtcText();
  const calls = useCalls();
  const [more, setMore] = useState<readonly ComplaintList[]>([]);
  // A reloaded queue starts with its first page: later pages belonged to another queue.
  useEffect(() => void (complaints !== undefined && setMore([])), [complaints]);
  const pages = [...(complaints === null ? [] : [complaints]), ...more];
  const rows = new Map(pages.flatMap((page) => page.complaints).map((one) => [one.complaintId, one]));
  const after = pages.at(-1)?.nextAfter ?? null;
  const showMore = async () => {
    const answer = await (await calls()).call(OTC_ORDER_CALLS.desk, { after });
    if (answer.ok) setMore([...more, answer.data]);
  };
  return (
    <Card flush title={text("desk.queue")}>
      {complaints === null && (
        <div className="px-6 py-4">
          <FailedLine />
        </div>
      )}
      {complaints !== null && rows.size === 0 && <p className="px-6 py-4 text-muted text-ui">{text("desk.none")}</p>}
      <ul>
        {[...rows.values()].map((one) => (
          <li
            key={one.complaintId}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-4 py-3 text-ui lg:px-6"
          >
            <span className="min-w-56 flex-1">
              {describeOr(text, `appeal.reason.${one.reason}`, one.reason)}
              <span className="figures block text-label text-muted">
                {one.orderId} · {one.quantity} {one.asset} · {one.amount} {one.fiat}
              </span>
            </span>
            <time className="figures text-label text-muted">{formatDateTime(one.decideByMs)}</time>
            <Button size={32} onPress={() => onOpen(one.complaintId)}>
              {text("desk.open")}
            </Button>
          </li>
        ))}
      </ul>
      {after !== null && (
        <div className="flex justify-center border-line border-t p-3">
          <Button size={36} onPress={() => void showMore()}>
            {text("more")}
          </Button>
        </div>
      )}
    </Card>
  );
}
