// Withdrawals waiting in the operators' console: the list beside the chosen one, with its person, its reasons and both
// decisions; paused networks below. J and K move, A approves, R rejects. Fetched separately: the frame comes first.
import { CUSTODY_CALLS, type NetworkView } from "@clockwork/custody/custody/contract";
import { type ReviewQueue, WITHDRAW_CALLS } from "@clockwork/custody/withdrawals/contract";
import { PROPOSAL_CALLS, type Proposal, type ProposalPage } from "@clockwork/identity/proposals/contract";
import { formatCoins, formatDecimal, formatMoney } from "@clockwork/kit/format";
import { formatDate, formatDateTime } from "@clockwork/kit/time";
import { PEOPLE_CALLS, PERSON_SECTIONS, type PersonHead } from "@clockwork/site/people/contract";
import { Button } from "@clockwork/ui/button";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { useHotkey } from "@clockwork/ui/hooks/use-hotkey";
import { Badge, KeyCap } from "@clockwork/ui/pill";
import type { Column } from "@clockwork/ui/table";
import { TextField } from "@clockwork/ui/text-field";
import { useEffect, useState } from "react";
import { useRevalidator, useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { ActionNote, type OperatorAction, useOperatorAction } from "#console/operator-action.tsx";
import { FactList, Panel, PanelEmpty, PanelFailure, PanelTable } from "#console/panel.tsx";
import { useSection } from "#console/use-section.ts";
import type { ConsoleTextKey } from "#locales/en-us-console.ts";
import { LateSelect } from "#shell/late-fields.tsx";
import { useConsoleText } from "#words/console-text.ts";

type Item = ReviewQueue["waiting"][number];

export interface DeskProps {
  readonly queue: ReviewQueue;
  readonly mayReadPeople: boolean;
}

export function Desk({ queue, mayReadPeople }: DeskProps) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const [search, setSearch] = useSearchParams();
  const { waiting } = queue;
  const at = Math.max(
    0,
    waiting.findIndex(({ withdrawalId }) => withdrawalId === search.get("id")),
  );
  const chosen = waiting[at];
  const choose = (item: Item | undefined) => {
    if (item !== undefined) setSearch({ id: item.withdrawalId }, { replace: true, preventScrollReset: true });
  };
  useHotkey("j", () => choose(waiting[at + 1]));
  useHotkey("k", () => choose(waiting[at - 1]));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ActionNote action={action} />
      {queue.signer.state !== "ready" && (
        <p role="alert" className="break-words rounded-control bg-warn-soft p-3 text-ui text-warn">
          {queue.signer.state === "refused"
            ? text("outgoing.signerRefused", { problem: queue.signer.problem })
            : text("outgoing.signerAway")}
        </p>
      )}
      <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,508px)_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-3">
          <WaitingList waiting={waiting} chosen={chosen} onChoose={choose} />
          <Networks paused={queue.paused} action={action} />
          {queue.gifts.length > 0 && <UnclaimedDeposits gifts={queue.gifts} />}
        </div>
        {chosen !== undefined && (
          <Detail key={chosen.withdrawalId} one={chosen} action={action} mayReadPeople={mayReadPeople} />
        )}
      </div>
    </div>
  );
}

interface WaitingListProps {
  readonly waiting: readonly Item[];
  readonly chosen: Item | undefined;
  readonly onChoose: (item: Item) => void;
}

function WaitingList({ waiting, chosen, onChoose }: WaitingListProps) {
  const text = useConsoleText();
  const columns: readonly Column<Item>[] = [
    {
      id: "time",
      title: text("person.time"),
      kind: "time",
      read: ({ createdAtMs }) => formatDateTime(createdAtMs),
      render: (one) => (
        <button
          type="button"
          className="figures whitespace-nowrap text-left hover:underline"
          aria-current={one === chosen}
          onClick={() => onChoose(one)}
        >
          {formatDateTime(one.createdAtMs).slice(5, 16)}
        </button>
      ),
    },
    {
      id: "amount",
      title: text("person.amount"),
      kind: "number",
      className: "font-medium whitespace-nowrap",
      read: ({ amount, asset }) => `${formatCoins(amount)} ${asset}`,
    },
    { id: "user", title: text("outgoing.user"), kind: "number", read: ({ user }) => user },
    {
      id: "why",
      title: text("outgoing.state"),
      read: ({ review }) => review.join(" "),
      render: ({ needsTwo, review }) => (
        <Badge tone={needsTwo || review.includes("flagged") ? "warn" : "neutral"}>
          {text(needsTwo ? "outgoing.two" : "outgoing.one")}
        </Badge>
      ),
    },
  ];
  return (
    <Panel
      flush
      title={text("outgoing.waiting")}
      note={waiting.length}
      aside={
        <span className="flex items-center gap-1.5 text-label text-muted max-md:hidden">
          <KeyCap>J</KeyCap>
          <KeyCap>K</KeyCap> {text("keys.move")} <KeyCap>A</KeyCap> {text("outgoing.release")} <KeyCap>R</KeyCap>{" "}
          {text("outgoing.reject")}
        </span>
      }
    >
      <PanelTable
        label={text("outgoing.waiting")}
        columns={columns}
        rows={waiting}
        rowKey={({ withdrawalId }) => withdrawalId}
        empty={text("outgoing.none")}
        onRowPress={onChoose}
        {...(chosen === undefined ? {} : { selectedKey: chosen.withdrawalId })}
      />
    </Panel>
  );
}

interface DetailProps {
  readonly one: Item;
  readonly action: OperatorAction;
  readonly mayReadPeople: boolean;
}

function Detail({ one, action, mayReadPeople }: DetailProps) {
  const text = useConsoleText();
  return (
    <div className="grid min-w-0 gap-3">
      <Panel
        title={
          <span className="flex flex-wrap items-center gap-2 py-1.5">
            <CoinGlyph code={one.asset} size={24} />
            <span className="figures text-[17px]">
              {formatCoins(one.amount)} {one.asset}
            </span>
          </span>
        }
        note={text("outgoing.onNetwork", { network: one.network ?? "", fee: one.fee })}
        aside={
          <Badge tone={one.needsTwo ? "warn" : "neutral"}>{text(one.needsTwo ? "outgoing.two" : "outgoing.one")}</Badge>
        }
      >
        <p className="figures break-all text-muted">
          {one.withdrawalId} · {formatDateTime(one.createdAtMs)} ·{" "}
          {text("outgoing.worth", { worth: formatDecimal(one.worthUsdt, { grouped: true, decimals: 2 }) })}
        </p>
      </Panel>
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <div className="grid min-w-0 gap-3">
          <Panel flush title={text("outgoing.whyHeld")}>
            {one.review.length === 0 ? (
              <PanelEmpty text={text("outgoing.noReason")} />
            ) : (
              <ul>
                {one.review.map((why) => (
                  <li key={why} className="border-line border-b px-3.5 py-2.5 last:border-0">
                    {text(`outgoing.why.${why}` as ConsoleTextKey)}
                  </li>
                ))}
              </ul>
            )}
          </Panel>
          <Panel title={text("outgoing.where")}>
            <p className="break-all font-mono">{one.address}</p>
            <p className="mt-2 text-muted">
              {one.network} · {text("outgoing.arrives", { amount: `${one.arrives} ${one.asset}` })}
            </p>
            {one.reason !== "" && <p className="mt-2 text-muted">{one.reason}</p>}
          </Panel>
        </div>
        {mayReadPeople && <PersonPanel one={one} />}
      </div>
      <Decision one={one} action={action} />
    </div>
  );
}

function PersonPanel({ one }: { readonly one: Item }) {
  const text = useConsoleText();
  const head = useSection({
    called: PEOPLE_CALLS.head,
    input: { user: one.user },
    rowsOf: (person: PersonHead) => [person],
  });
  const limits = useSection({
    called: PERSON_SECTIONS.limits.called,
    input: { user: one.user },
    rowsOf: (own: { readonly leftUsdt: string; readonly limitUsdt: string }) => [own],
  });
  const person = head.rows?.[0];
  const limit = limits.rows?.[0];
  const money = (value: string | null | undefined) =>
    value === null || value === undefined ? "–" : formatMoney(value);
  return (
    <Panel
      title={text("person.title", { user: one.user })}
      aside={
        <SiteLink to={`/operator/users/${one.user}`} className="text-muted hover:text-text">
          {text("outgoing.openPerson")} ›
        </SiteLink>
      }
    >
      {head.rows === null ? (
        <PanelFailure onRetry={head.reload} />
      ) : (
        <FactList
          facts={[
            { label: text("users.name"), value: person?.nickname ?? "–" },
            { label: text("users.level"), value: person?.identity.level ?? "–" },
            { label: text("users.country"), value: person?.country ?? "–" },
            { label: text("users.since"), value: person === undefined ? "–" : formatDate(person.createdAtMs) },
            { label: text("users.status"), value: person?.status ?? "–" },
            { label: text("person.in"), value: money(person?.depositedUsdt) },
            { label: text("person.out"), value: money(person?.withdrawnUsdt) },
            { label: text("person.equity"), value: money(person?.equityUsdt) },
            { label: text("outgoing.limitLeft"), value: `${money(limit?.leftUsdt)} / ${money(limit?.limitUsdt)}` },
            { label: text("person.locks"), value: person?.locks.length ?? "–" },
          ]}
        />
      )}
    </Panel>
  );
}

const REASON_LENGTH_MIN = 10;

function Decision({ one, action }: { readonly one: Item; readonly action: OperatorAction }) {
  const text = useConsoleText();
  const { revalidate } = useRevalidator();
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState<"APPROVED" | "REJECTED">();
  const first = useFirstApproval(one);
  const isOwn = first?.mayWithdraw === true;
  const isWhole = reason.trim().length >= REASON_LENGTH_MIN;
  const name = `${formatCoins(one.amount)} ${one.asset}`;
  const decide = async (decision: "APPROVED" | "REJECTED") => {
    const done =
      decision === "APPROVED" && first?.mayDecide === true
        ? await action.run(PROPOSAL_CALLS.approve, { proposalId: first.proposalId, payloadHash: first.payloadHash })
        : await action.run(WITHDRAW_CALLS.decide, { withdrawalId: one.withdrawalId, decision, reason: reason.trim() });
    setAsked(undefined);
    if (done !== undefined) await revalidate();
  };
  useHotkey("a", () => isWhole && !isOwn && setAsked("APPROVED"));
  useHotkey("r", () => isWhole && setAsked("REJECTED"));
  useHotkey("Escape", () => setAsked(undefined), { whileTyping: true });
  return (
    <Panel
      title={text("outgoing.decision")}
      note={text(one.needsTwo ? "outgoing.decisionTwo" : "outgoing.decisionOne")}
    >
      {first !== undefined && (
        <div className="mb-3 rounded-[6px] bg-active p-3">
          <p className="flex justify-between gap-3 font-medium">
            <span>{text("outgoing.firstBy", { name: first.proposer.name })}</span>
            <span className="figures text-muted">{formatDateTime(first.createdAtMs)}</span>
          </p>
          <p className="mt-1 text-muted">{first.summary}</p>
        </div>
      )}
      <TextField
        label={text("outgoing.reason")}
        help={text("reason.help")}
        value={reason}
        onChange={setReason}
        maxLength={300}
        size={32}
      />
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {asked === undefined ? (
          <>
            <Button
              kind="primary"
              size={36}
              isDisabled={!isWhole || isOwn}
              aria-label={`${text("outgoing.release")}: ${name}`}
              onPress={() => setAsked("APPROVED")}
            >
              {text(
                first?.mayDecide === true ? "outgoing.second" : one.needsTwo ? "outgoing.propose" : "outgoing.release",
              )}{" "}
              {name}
            </Button>
            <Button
              size={36}
              isDisabled={!isWhole}
              aria-label={`${text("outgoing.reject")}: ${name}`}
              onPress={() => setAsked("REJECTED")}
            >
              {text("outgoing.rejectRefund")}
            </Button>
          </>
        ) : (
          <>
            <p role="alert" className="w-full break-all">
              {text(asked === "APPROVED" ? "outgoing.sureApprove" : "outgoing.sureReject", {
                amount: name,
                address: one.address ?? "",
              })}
            </p>
            <Button kind="primary" size={36} busy={action.isBusy} onPress={() => void decide(asked)}>
              {text("outgoing.confirm")}
            </Button>
            <Button size={36} onPress={() => setAsked(undefined)}>
              {text("confirm.cancel")}
            </Button>
          </>
        )}
        {isOwn && <span className="text-muted">{text("outgoing.yours")}</span>}
      </div>
    </Panel>
  );
}

/** The open proposal to release it, where it needs two. */
function useFirstApproval({ withdrawalId, needsTwo }: Item): Proposal | undefined {
  const section = useSection({
    called: PROPOSAL_CALLS.list,
    input: { openOnly: true },
    rowsOf: ({ proposals }: ProposalPage) => proposals,
  });
  if (!needsTwo) return undefined;
  return section.rows?.find(({ state, payload }) => state === "PROPOSED" && payload.includes(`"${withdrawalId}"`));
}

function UnclaimedDeposits({ gifts }: { readonly gifts: ReviewQueue["gifts"] }) {
  const text = useConsoleText();
  return (
    <Panel title={text("outgoing.gifts")}>
      <p className="mb-2 text-label text-muted">{text("outgoing.giftsLead")}</p>
      <ul>
        {gifts.map((one) => (
          <li
            key={`${one.asset}:${one.seenAtMs}`}
            className="flex flex-wrap items-center gap-3 border-line border-b py-2 last:border-0"
          >
            <span className="figures min-w-40 flex-1 break-all">
              {one.amount} {one.asset}
            </span>
            {!one.isKept && <Badge>{text("outgoing.giftYoung")}</Badge>}
            <span className="text-label text-muted">{formatDateTime(one.seenAtMs)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Networks({ paused, action }: { readonly paused: ReviewQueue["paused"]; readonly action: OperatorAction }) {
  const text = useConsoleText();
  const { revalidate } = useRevalidator();
  const [network, setNetwork] = useState("");
  const [cause, setCause] = useState("");
  const section = useSection({
    called: CUSTODY_CALLS.networks,
    input: {},
    rowsOf: (networks: readonly NetworkView[]) => networks,
  });
  const open = (section.rows ?? []).filter((one) => !paused.some((row) => row.network === one.network));
  const firstOpen = open[0]?.network ?? "";
  useEffect(() => setNetwork((now) => (now === "" ? firstOpen : now)), [firstOpen]);
  const set = async (body: { readonly network: string; readonly isPaused: boolean; readonly cause: string }) => {
    if ((await action.run(WITHDRAW_CALLS.pause, body)) !== undefined) await revalidate();
  };
  return (
    <Panel title={text("outgoing.networks")}>
      <ul>
        {paused.map((one) => (
          <li key={one.network} className="flex flex-wrap items-center gap-3 border-line border-b py-2">
            <Badge tone="warn">{one.network}</Badge>
            <span className="min-w-40 flex-1">{one.cause}</span>
            <span className="text-label text-muted">{formatDateTime(one.sinceMs)}</span>
            <Button size={28} onPress={() => void set({ network: one.network, isPaused: false, cause: one.cause })}>
              {text("outgoing.open")}
            </Button>
          </li>
        ))}
      </ul>
      <div className="mt-2 flex flex-wrap items-end gap-2">
        <div className="w-40">
          <LateSelect
            label={text("outgoing.network")}
            size={32}
            value={network}
            onChange={setNetwork}
            options={open.map((one) => ({ id: one.network, title: one.name }))}
          />
        </div>
        <TextField
          label={text("outgoing.cause")}
          size={32}
          value={cause}
          onChange={setCause}
          maxLength={200}
          className="min-w-40 flex-1"
        />
        <Button
          size={36}
          isDisabled={network === "" || cause.trim() === ""}
          onPress={() => void set({ network, isPaused: true, cause })}
        >
          {text("outgoing.pause")}
        </Button>
      </div>
    </Panel>
  );
}
