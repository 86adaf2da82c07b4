// `/operator/kyc`: users waiting for a review, their details, their documents one by one, and the decision. A document
// is fetched only when a reviewer opens it, since every view is audited.

import { type BaseInfo, KYC_REVIEW_CALLS, type Waiting } from "@clockwork/identity/kyc/contract";
import type { InputOf } from "@clockwork/kit/endpoint";
import { formatMinute } from "@clockwork/kit/time";
import { Card } from "@clockwork/ui/card";
import { type ReactNode, useState } from "react";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useConsoleText } from "#words/console-text.ts";
import { ReviewPerson } from "./review-person.tsx";

export interface ReviewPageProps {
  readonly me: ConsoleOperator;
  readonly waiting: Waiting | null;
  readonly proof: ReactNode;
}

export function ReviewPage({ me, waiting, proof }: ReviewPageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("review.title")} lead={text("review.lead")} proof={proof}>
      {waiting === null ? <FailedLine /> : <ReviewConsole first={waiting} />}
    </ConsoleFrame>
  );
}

type Decision = InputOf<typeof KYC_REVIEW_CALLS.decide>["decision"];
type Entry = Waiting["waiting"][number];

function useReviews(first: Waiting) {
  const text = useConsoleText();
  const words = useAuthText();
  const calls = useCalls();
  const [waiting, setWaiting] = useState<readonly Entry[]>(first.waiting);
  const [open, setOpen] = useState<{ readonly user: string; readonly info: BaseInfo }>();
  const [reply, setReply] = useState("");
  const [error, setError] = useState<string>();
  const reload = async () => {
    const answer = await (await calls()).call(KYC_REVIEW_CALLS.waiting, {});
    if (answer.ok) setWaiting(answer.data.waiting);
  };
  const show = async (user: string) => {
    setReply("");
    setError(undefined);
    const answer = await (await calls()).call(KYC_REVIEW_CALLS.one, { user });
    if (answer.ok) setOpen({ user, info: answer.data });
    else setError(describeFailure(words, answer));
  };
  const decide = async (decision: Decision, reason: string) => {
    if (open === undefined) return;
    setError(undefined);
    const body = { user: open.user, decision, reason };
    const answer = await (await calls()).call(KYC_REVIEW_CALLS.decide, body);
    if (answer.ok || answer.code === "KYC_UNKNOWN") {
      setOpen(undefined);
      setReply(text(answer.ok ? "review.decided" : "review.gone"));
      await reload();
    } else setError(describeFailure(words, answer));
  };
  return { waiting, open, reply, error, show, decide };
}

function ReviewConsole({ first }: { readonly first: Waiting }) {
  const text = useConsoleText();
  const { waiting, open, reply, error, show, decide } = useReviews(first);
  return (
    <div className="grid gap-4 lg:grid-cols-[320px_minmax(0,1fr)]">
      <Card flush title={text("review.waiting")} className="self-start overflow-hidden">
        {waiting.length === 0 && <p className="px-6 pb-6 text-muted text-ui">{text("review.none")}</p>}
        <ul>
          {waiting.map((entry) => (
            <li key={entry.user} className="border-line border-t">
              <button
                type="button"
                aria-current={open?.user === entry.user}
                onClick={() => void show(entry.user)}
                className="flex w-full items-center justify-between gap-3 px-6 py-3 text-left text-ui hover:bg-hover aria-[current=true]:bg-active"
              >
                <span className="min-w-0">
                  <span className="block truncate font-medium">{entry.name}</span>
                  <span className="figures block text-[13px] text-muted">{formatMinute(entry.submittedAtMs)}</span>
                </span>
                <span className="shrink-0 text-[13px]">{text("review.target", { level: entry.target })}</span>
              </button>
            </li>
          ))}
        </ul>
      </Card>
      <div>
        <FormError>{error}</FormError>
        <p role="status" className="text-ui">
          {reply}
        </p>
        {open === undefined ? (
          reply === "" && waiting.length > 0 && <p className="py-4 text-muted text-ui">{text("review.pick")}</p>
        ) : (
          <ReviewPerson key={open.user} user={open.user} info={open.info} onDecide={decide} />
        )}
      </div>
    </div>
  );
}
