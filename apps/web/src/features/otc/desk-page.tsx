// `/operator/otc`: complaints with both sides, their evidence, the chat and the log, and the decision; merchants below.
import type { ComplaintList } from "@clockwork/fiat/otcorders/contract";
import type { MerchantTable } from "@clockwork/fiat/otcpeople/contract";
import { Card } from "@clockwork/ui/card";
import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { ActionNote, useOperatorAction } from "#console/operator-action.tsx";
import { useOtcText } from "./otc-text.ts";

const Merchants = latePart(async () => (await import("./desk-merchants.tsx")).Merchants);
const Queue = latePart(async () => (await import("./desk-case.tsx")).Queue);
const CaseView = latePart(async () => (await import("./desk-case.tsx")).CaseView);

export interface DeskPageProps {
  readonly me: ConsoleOperator;
  readonly complaints: ComplaintList | null;
  readonly merchants: MerchantTable | null;
  readonly proof: (onProved: () => void) => ReactNode;
}

export function DeskPage({ me, complaints, merchants, proof }: DeskPageProps) {
  const text = useOtcText();
  const { revalidate } = useRevalidator();
  const action = useOperatorAction();
  const [openId, setOpenId] = useState<number>();
  return (
    <ConsoleFrame me={me} title={text("desk.title")} lead={text("desk.lead")} proof={proof(() => void revalidate())}>
      <div className="flex flex-col gap-4">
        {/* The input below remains while the operator proves their identity again. */}
        {action.isStale ? <Card>{proof(action.clear)}</Card> : <ActionNote action={action} />}
        <Queue complaints={complaints} onOpen={setOpenId} />
        {openId !== undefined && <CaseView key={openId} complaintId={openId} action={action} />}
        <Merchants merchants={merchants} action={action} onDone={() => void revalidate()} />
      </div>
    </ConsoleFrame>
  );
}
