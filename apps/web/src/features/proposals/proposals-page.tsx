// `/operator/proposals`: proposals that await a second operator, and the outcome of the rest.

import { PROPOSAL_CALLS, type Proposal, type ProposalPage } from "@clockwork/identity/proposals/contract";
import type { Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { formatDateTime } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { ActionNote, type OperatorAction, useOperatorAction } from "#console/operator-action.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { useConsoleText } from "#words/console-text.ts";

export interface ProposalsPageProps {
  readonly me: ConsoleOperator;
  /** Null while the second factor is missing, or when unavailable. */
  readonly first: ProposalPage | null;
  readonly proof: (onProved: () => void) => ReactNode;
}

const REFRESH_MS = 3_000;

export function ProposalsPage({ me, first, proof }: ProposalsPageProps) {
  const text = useConsoleText();
  const { revalidate } = useRevalidator();
  const proved = proof(() => void revalidate());
  return (
    <ConsoleFrame me={me} title={text("proposals.title")} lead={text("proposals.lead")} proof={proved}>
      {first === null ? <FailedLine /> : <Lists first={first} proof={proof} />}
    </ConsoleFrame>
  );
}

/** Repeats the request while a proposal is pending: the other operator decides on another screen. */
function useFresh(isWaiting: boolean): () => Promise<void> {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => document.visibilityState === "visible" && void revalidate(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [isWaiting, revalidate]);
  return revalidate;
}

function Lists({ first, proof }: { readonly first: ProposalPage; readonly proof: ProposalsPageProps["proof"] }) {
  const text = useConsoleText();
  const calls = useCalls();
  const action = useOperatorAction();
  const [more, setMore] = useState<readonly ProposalPage[]>([]);
  const isOpen = ({ state }: Proposal) => state === "PROPOSED" || state === "APPROVED";
  const all = [first, ...more].flatMap((page) => page.proposals);
  const waiting = all.filter(isOpen);
  const revalidate = useFresh(waiting.length > 0);
  const before = (more.at(-1) ?? first).nextBefore;
  const showMore = async () => {
    const answer = await (await calls()).call(PROPOSAL_CALLS.list, { before });
    if (answer.ok) setMore([...more, answer.data]);
  };
  if (action.isStale) return <Card title={text("operators.stale")}>{proof(action.clear)}</Card>;
  return (
    <div className="flex max-w-[960px] flex-col gap-4">
      {first.hasSimulatedReviewer && <p className="text-muted text-ui">{text("proposals.simulated")}</p>}
      <ActionNote action={action} />
      <Card flush title={text("proposals.waiting")}>
        <List
          proposals={waiting}
          empty={text("proposals.none")}
          render={(one) => <Decide proposal={one} action={action} onDone={() => void revalidate()} />}
        />
      </Card>
      <Card flush title={text("proposals.over")}>
        <List proposals={all.filter((one) => !isOpen(one))} empty={text("audit.empty")} />
      </Card>
      {before !== null && (
        <div className="flex justify-center">
          <Button size={36} onPress={() => void showMore()}>
            {text("label.more")}
          </Button>
        </div>
      )}
    </div>
  );
}

interface ListProps {
  readonly proposals: readonly Proposal[];
  readonly empty: string;
  readonly render?: (proposal: Proposal) => ReactNode;
}

function List({ proposals, empty, render }: ListProps) {
  if (proposals.length === 0) return <p className="px-6 py-4 text-muted text-ui">{empty}</p>;
  return (
    <ul>
      {proposals.map((proposal) => (
        <li key={proposal.proposalId} className="grid gap-2 border-line border-b px-6 py-4 last:border-0">
          <Facts proposal={proposal} />
          {render?.(proposal)}
        </li>
      ))}
    </ul>
  );
}

const TONES = { PROPOSED: "info", APPROVED: "info", EXECUTED: "up", FAILED: "warn" } as const;

function Facts({ proposal }: { readonly proposal: Proposal }) {
  const text = useConsoleText();
  const { state, summary, proposer, beneficiaries, decidedBy, reason, outcome, payloadHash } = proposal;
  const tone = state in TONES ? TONES[state as keyof typeof TONES] : "info";
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 font-medium text-ui [overflow-wrap:anywhere]">{summary}</p>
        <Badge tone={tone}>{text(`proposals.state.${state}`)}</Badge>
      </div>
      <p className="text-[13px] text-muted">
        {text("proposals.by", { name: proposer.name, time: formatDateTime(proposal.createdAtMs) })}
        {beneficiaries.map(({ name, user }) => ` · ${text("proposals.for", { name, user })}`)}
        {decidedBy !== null && ` · ${text("proposals.decided", { name: decidedBy.name })}`}
      </p>
      {(reason !== "" || outcome !== "") && (
        <p className="text-[13px] text-muted [overflow-wrap:anywhere]">
          {[reason, outcome].filter(Boolean).join(" · ")}
        </p>
      )}
      <details className="text-[13px] text-muted">
        <summary className="cursor-pointer">
          {text("proposals.hash")} <code className="font-mono text-text">{payloadHash.slice(0, 16)}</code>
        </summary>
        <p className="mt-1 font-mono [overflow-wrap:anywhere]">{payloadHash}</p>
        <p className="mt-1 font-mono [overflow-wrap:anywhere]">{proposal.payload}</p>
      </details>
    </>
  );
}

interface DecideProps {
  readonly proposal: Proposal;
  readonly action: OperatorAction;
  readonly onDone: () => void;
}

function Decide({ proposal, action, onDone }: DecideProps) {
  const text = useConsoleText();
  const [reason, setReason] = useState("");
  const { proposalId, payloadHash, mayDecide, mayWithdraw, summary } = proposal;
  const run = async <Called extends Endpoint>(called: Called, input: InputOf<Called>) => {
    if ((await action.run(called, input)) !== undefined) onDone();
  };
  const reject = () =>
    reason.trim() === ""
      ? action.refuse(text("proposals.reasonMissing"))
      : void run(PROPOSAL_CALLS.reject, { proposalId, reason });
  const label = (words: string) => `${words}: ${summary}`;
  if (mayWithdraw)
    return (
      <div className="flex flex-wrap items-center gap-3">
        <p className="flex-1 text-[13px] text-muted">{text("proposals.own")}</p>
        <Button
          size={32}
          aria-label={label(text("proposals.withdraw"))}
          onPress={() => void run(PROPOSAL_CALLS.withdraw, { proposalId })}
        >
          {text("proposals.withdraw")}
        </Button>
      </div>
    );
  if (!mayDecide) return <p className="text-[13px] text-muted">{text("proposals.notYou")}</p>;
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="min-w-52 flex-1">
        <TextField label={text("proposals.reason")} size={40} value={reason} onChange={setReason} maxLength={300} />
      </div>
      <Button size={36} aria-label={label(text("proposals.reject"))} onPress={reject}>
        {text("proposals.reject")}
      </Button>
      <Button
        kind="primary"
        size={36}
        busy={action.isBusy}
        aria-label={label(text("proposals.approve"))}
        onPress={() => void run(PROPOSAL_CALLS.approve, { proposalId, payloadHash })}
      >
        {text("proposals.approve")}
      </Button>
    </div>
  );
}
