// `/operator/withdrawals`: withdrawals that await a review, and paused networks. From a value on a release is proposed
// to a second operator; stopping a network takes one.
import type { ReviewQueue } from "@clockwork/custody/withdrawals/contract";
import type { ReactNode } from "react";
import { latePart } from "#boot/late-part.tsx";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { useConsoleText } from "#words/console-text.ts";

const Desk = latePart(async () => (await import("./desk-list.tsx")).Desk);

export interface DeskPageProps {
  readonly me: ConsoleOperator;
  /** Null while the second factor is missing, or when unavailable. */
  readonly queue: ReviewQueue | null;
  /** Who owes after reorganisations: another feature's part. */
  readonly owed: ReactNode;
  readonly proof: ReactNode;
}

export function DeskPage({ me, queue, owed, proof }: DeskPageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("outgoing.title")} lead={text("outgoing.lead")} proof={proof}>
      {owed}
      {queue === null ? <FailedLine /> : <Desk queue={queue} mayReadPeople={me.permissions.includes("people.read")} />}
    </ConsoleFrame>
  );
}
