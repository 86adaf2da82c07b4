// `/operator/users/{number}`: all an operator needs to know of one user. Personal data is masked until it is requested
// with a reason; the part shown is in the address.
import { findCountry } from "@clockwork/kit/countries";
import { formatMoney } from "@clockwork/kit/format";
import { formatDate, formatDateTime } from "@clockwork/kit/time";
import { PEOPLE_CALLS, type PersonHead, type Revealed } from "@clockwork/site/people/contract";
import { Avatar } from "@clockwork/ui/avatar";
import { Button, IconButton } from "@clockwork/ui/button";
import { Badge } from "@clockwork/ui/pill";
import { Tabs } from "@clockwork/ui/tabs";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { FactList, FigureStrip, Panel } from "#console/panel.tsx";
import { ReasonDialog } from "#console/reason-dialog.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { type ConsoleText, useConsoleText } from "#words/console-text.ts";
import { PersonActions, PersonTab } from "./person-tab.tsx";

export interface PersonPageProps {
  readonly me: ConsoleOperator;
  readonly user: string;
  /** Null while the second factor is missing, or when there is no such user. */
  readonly head: PersonHead | null;
  readonly proof: ReactNode;
}

export const PERSON_TABS = [
  "summary",
  "ledger",
  "orders",
  "fills",
  "positions",
  "deposits",
  "withdrawals",
  "otc",
  "earn",
  "devices",
  "keys",
  "letters",
  "notes",
  "audit",
] as const;
export type PersonTabName = (typeof PERSON_TABS)[number];

export function PersonPage({ me, user, head, proof }: PersonPageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame
      me={me}
      title={head?.nickname ?? text("person.title", { user })}
      lead={
        <>
          <SiteLink to="/operator/users" className="hover:text-text">
            {text("nav.users")}
          </SiteLink>{" "}
          › <span className="figures text-text">{user}</span>
        </>
      }
      proof={proof}
    >
      {head === null ? <FailedLine /> : <Person key={user} me={me} head={head} />}
    </ConsoleFrame>
  );
}

function Person({ me, head }: { readonly me: ConsoleOperator; readonly head: PersonHead }) {
  const text = useConsoleText();
  const [search, setSearch] = useSearchParams();
  const tab = PERSON_TABS.find((one) => one === search.get("tab")) ?? "summary";
  const find = search.get("find") ?? undefined;
  const tabs = PERSON_TABS.filter((one) => one !== "audit" || me.permissions.includes("audit.read"));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <HeadLine me={me} head={head} />
        <FigureStrip figures={figuresOf(text, head)} />
      </div>
      <Tabs
        label={text("person.tabs")}
        items={tabs.map((id) => ({ id, title: text(`person.tab.${id}`) }))}
        selected={tab}
        onSelect={(id) => setSearch(id === "summary" ? {} : { tab: id }, { preventScrollReset: true })}
        className="-mb-1"
      />
      <div className={tab === "summary" ? "grid gap-3 xl:grid-cols-[minmax(0,1fr)_360px]" : ""}>
        <PersonTab tab={tab} user={head.user} find={find} me={me} />
        {tab === "summary" && (
          <div className="grid content-start gap-3">
            <PersonActions user={head.user} me={me} />
            <IdentityPanel head={head} mayReview={me.permissions.includes("kyc.review")} />
          </div>
        )}
      </div>
    </div>
  );
}

function figuresOf(text: ConsoleText, head: PersonHead) {
  const money = (value: string | null) => (value === null ? "–" : formatMoney(value));
  return [
    { label: text("person.equity"), value: money(head.equityUsdt) },
    { label: text("person.in"), value: money(head.depositedUsdt) },
    { label: text("person.out"), value: money(head.withdrawnUsdt) },
    { label: text("person.level"), value: head.identity.level },
    { label: text("person.vip"), value: head.vipLevel },
    { label: text("person.locks"), value: head.locks.length },
  ];
}

function HeadLine({ me, head }: { readonly me: ConsoleOperator; readonly head: PersonHead }) {
  const text = useConsoleText();
  const calls = useCalls();
  const [isAsking, setAsking] = useState(false);
  const [shown, setShown] = useState<Revealed>();
  const reveal = async (reason: string): Promise<string | undefined> => {
    const answer = await (await calls()).call(PEOPLE_CALLS.reveal, { user: head.user, reason });
    if (!answer.ok) return text("person.revealFailed");
    setShown(answer.data);
    return undefined;
  };
  const contact = shown?.email ?? shown?.phone ?? head.email ?? head.phone ?? "";
  return (
    <Panel
      title={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1">
          <Avatar name={head.user} size={32} />
          <span className="text-[15px]">{head.nickname}</span>
          <Badge>{text("person.levelBadge", { level: head.identity.level })}</Badge>
          <Badge>{text("person.vipBadge", { level: head.vipLevel })}</Badge>
          {head.role === "operator" && <Badge tone="info">{text("person.operator")}</Badge>}
          {head.status === "frozen" && <Badge tone="danger">{text("person.frozen")}</Badge>}
          {head.locks.length > 0 && <Badge tone="warn">{text("person.lockedBadge")}</Badge>}
        </span>
      }
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
        <span className="figures text-text">{head.user}</span>·
        <span className="figures [overflow-wrap:anywhere]">{contact}</span>
        {shown === undefined && me.permissions.includes("people.reveal") && (
          <IconButton
            icon="eye"
            size={24}
            iconSize={14}
            label={text("person.reveal")}
            onPress={() => setAsking(true)}
          />
        )}
        · {findCountry(head.country)?.name ?? head.country} ·{" "}
        {text("person.since", { date: formatDate(head.createdAtMs) })}
        {head.seenAtMs !== null && ` · ${text("person.seen", { time: formatDateTime(head.seenAtMs) })}`}
        {head.invitedBy !== null && (
          <>
            {" · "}
            {text("person.invitedBy")}{" "}
            <SiteLink to={`/operator/users/${head.invitedBy}`} className="figures text-text underline">
              {head.invitedBy}
            </SiteLink>
          </>
        )}
      </div>
      {shown !== undefined && (
        <div className="mt-3 max-w-[520px] rounded-[6px] bg-warn-soft p-3 text-text">
          <FactList
            facts={[
              { label: text("users.email"), value: shown.email ?? "–" },
              { label: text("users.phone"), value: shown.phone ?? "–" },
              { label: text("users.name"), value: shown.name || "–" },
              { label: text("person.birth"), value: shown.birthDate || "–" },
              { label: text("person.document"), value: shown.document || "–" },
              { label: text("person.address"), value: shown.address || "–" },
            ]}
          />
          <div className="mt-2 flex justify-end">
            <Button size={28} onPress={() => setShown(undefined)}>
              {text("person.hide")}
            </Button>
          </div>
        </div>
      )}
      {isAsking && (
        <ReasonDialog
          title={text("person.reveal")}
          lead={text("person.revealLead")}
          action={text("person.reveal")}
          onSend={reveal}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}

function IdentityPanel({ head, mayReview }: { readonly head: PersonHead; readonly mayReview: boolean }) {
  const text = useConsoleText();
  const { identity } = head;
  const yes = (is: boolean) => text(is ? "label.yes" : "label.no");
  return (
    <>
      <Panel
        title={text("person.identity")}
        {...(mayReview && ["SUBMITTED", "REVIEW"].includes(identity.state)
          ? {
              aside: (
                <SiteLink to="/operator/kyc" className="text-muted hover:text-text">
                  {text("person.review")}
                </SiteLink>
              ),
            }
          : {})}
      >
        <FactList
          facts={[
            { label: text("users.level"), value: identity.level },
            { label: text("users.status"), value: identity.state },
            ...(identity.reason === "" ? [] : [{ label: text("person.reason"), value: identity.reason }]),
            ...(identity.submittedAtMs === null
              ? []
              : [{ label: text("person.submitted"), value: formatDateTime(identity.submittedAtMs) }]),
          ]}
        />
      </Panel>
      <Panel title={text("person.security")}>
        <FactList
          facts={[
            { label: text("operators.second"), value: yes(head.hasTotp) },
            { label: text("person.passkeys"), value: yes(head.hasPasskeys) },
            { label: text("person.fundPassword"), value: yes(head.hasTradePassword) },
            ...head.locks.map(({ cause, endsAtMs }) => ({
              label: text("person.lock", { cause }),
              value: <span className="text-warn">{text("person.until", { time: formatDateTime(endsAtMs) })}</span>,
            })),
          ]}
        />
      </Panel>
    </>
  );
}
