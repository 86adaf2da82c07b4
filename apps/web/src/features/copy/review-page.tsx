// `/operator/copy`: applications and leaders with their flags, and comments that were reported.

import { formatDateTime } from "@clockwork/kit/time";
import { COMMENT_CONSOLE_CALLS, type ReportedList } from "@clockwork/strategies/comments/contract";
import { COPY_CONSOLE_CALLS, type ReviewList, type ReviewRow } from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { ActionNote, useOperatorAction } from "#console/operator-action.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { useConsoleText } from "#words/console-text.ts";

export interface ReviewPageProps {
  readonly me: ConsoleOperator;
  readonly list: ReviewList | null;
  readonly comments: ReportedList | null;
  readonly proof: ReactNode;
}

export function ReviewPage({ me, list, comments, proof }: ReviewPageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("copy.title")} lead={text("copy.lead")} proof={proof}>
      {list === null ? (
        <FailedLine />
      ) : (
        <Leaders rows={list.leaders} mayDecide={me.permissions.includes("copy.review")} />
      )}
      {comments === null ? list !== null && <FailedLine /> : <Comments comments={comments} />}
    </ConsoleFrame>
  );
}

function Leaders({ rows, mayDecide }: { readonly rows: readonly ReviewRow[]; readonly mayDecide: boolean }) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const { revalidate } = useRevalidator();
  const [reason, setReason] = useState("");
  const stop = async (leaderId: string, act: "reject" | "suspend") => {
    if ((await action.run(COPY_CONSOLE_CALLS.stop, { leaderId, action: act, reason })) !== undefined)
      await revalidate();
  };
  const decide = async (leaderId: string, act: "approve" | "resume") => {
    await action.propose(COPY_CONSOLE_CALLS.decide, { leaderId, action: act });
  };
  return (
    <>
      <ActionNote action={action} />
      {mayDecide && (
        <TextField
          label={text("copy.reason")}
          value={reason}
          onChange={setReason}
          maxLength={300}
          className="mb-4 max-w-[480px]"
        />
      )}
      <Card flush className="max-w-[1080px]">
        <ul>
          {rows.map((row) => (
            <LeaderRow key={row.leaderId} row={row}>
              {mayDecide && row.state === "APPLIED" && (
                <>
                  <Button size={32} onPress={() => void decide(row.leaderId, "approve")}>
                    {text("copy.approve")}
                  </Button>
                  <Button size={32} isDisabled={reason.trim() === ""} onPress={() => void stop(row.leaderId, "reject")}>
                    {text("copy.reject")}
                  </Button>
                </>
              )}
              {mayDecide && row.state === "SUSPENDED" && (
                <Button size={32} onPress={() => void decide(row.leaderId, "resume")}>
                  {text("copy.resume")}
                </Button>
              )}
              {mayDecide && ["ACTIVE", "PAUSED", "CLOSING"].includes(row.state) && (
                <Button size={32} isDisabled={reason.trim() === ""} onPress={() => void stop(row.leaderId, "suspend")}>
                  {text("copy.suspend")}
                </Button>
              )}
            </LeaderRow>
          ))}
        </ul>
      </Card>
      {rows.length === 0 && <p className="text-muted text-ui">{text("copy.none")}</p>}
    </>
  );
}

function LeaderRow({ row, children }: { readonly row: ReviewRow; readonly children: ReactNode }) {
  const text = useConsoleText();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-6 py-3 last:border-0">
      <div className="min-w-48 flex-1">
        <p className="font-medium text-ui">
          {row.nickname} <span className="text-muted">{row.kind}</span>
        </p>
        <p className="text-[13px] text-muted [overflow-wrap:anywhere]">
          {row.bio} · {formatDateTime(row.appliedAtMs)} {row.reason}
        </p>
      </div>
      {row.isSimulated && <Badge>{text("copy.simulated")}</Badge>}
      {row.washTrades > 0 && <Badge tone="danger">{text("copy.wash", { count: row.washTrades })}</Badge>}
      <Badge tone={row.state === "ACTIVE" ? "up" : "warn"}>{row.state}</Badge>
      {children}
    </li>
  );
}

function Comments({ comments }: { readonly comments: ReportedList }) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const { revalidate } = useRevalidator();
  const moderate = async (commentId: string, act: "hide" | "keep") => {
    if ((await action.run(COMMENT_CONSOLE_CALLS.moderate, { commentId, action: act })) !== undefined)
      await revalidate();
  };
  return (
    <section className="mt-6 max-w-[1080px]">
      <h2 className="mb-3 text-card">{text("copy.comments")}</h2>
      {comments.length === 0 && <p className="text-muted text-ui">{text("copy.noComments")}</p>}
      <ul>
        {comments.map(({ commentId, nickname, text: reply, reports }) => (
          <li key={commentId} className="flex flex-wrap items-center gap-3 border-line border-b py-3">
            <p className="min-w-48 flex-1 text-ui [overflow-wrap:anywhere]">
              <span className="font-medium">{nickname}</span> {reply}
            </p>
            <Badge tone="warn">{text("copy.reports", { count: reports })}</Badge>
            <Button size={32} onPress={() => void moderate(commentId, "hide")}>
              {text("copy.hide")}
            </Button>
            <Button size={32} onPress={() => void moderate(commentId, "keep")}>
              {text("copy.keep")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
