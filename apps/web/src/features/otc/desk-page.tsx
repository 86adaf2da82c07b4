// `/operator/otc`: complaints with both sides, their evidence, the chat and the log, and the decision; merchants below.
import { type ComplaintList, OTC_ORDER_PATHS } from "@clockwork/domains/otcorders/api";
import type { MerchantTable } from "@clockwork/domains/otcpeople/api";
import { formatDateTime } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { type ReactNode, useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { ActionNote, useOperatorAction } from "#console/operator-action.tsx";
import { useCalls } from "#session/auth-context.ts";
import { sayKnown, useOtcText } from "./otc-text.ts";

const Merchants = latePart(async () => (await import("./desk-merchants.tsx")).Merchants);
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
        {/* What is written below stays while its writer proves once more who he is. */}
        {action.isStale ? <Card>{proof(action.clear)}</Card> : <ActionNote action={action} />}
        <Queue complaints={complaints} onOpen={setOpenId} />
        {openId !== undefined && <CaseView key={openId} complaintId={openId} action={action} />}
        <Merchants merchants={merchants} action={action} onDone={() => void revalidate()} />
      </div>
    </ConsoleFrame>
  );
}

function Queue({
  complaints,
  onOpen,
}: {
  readonly complaints: ComplaintList | null;
  readonly onOpen: (id: number) => void;
}) {
  const text = useOtcText();
  const calls = useCalls();
  const [more, setMore] = useState<readonly ComplaintList[]>([]);
  // Asked for anew the queue begins with its first page: what came after it was another queue's.
  useEffect(() => void (complaints !== undefined && setMore([])), [complaints]);
  const pages = [...(complaints === null ? [] : [complaints]), ...more];
  const rows = new Map(pages.flatMap((page) => page.complaints).map((one) => [one.complaintId, one]));
  const after = pages.at(-1)?.nextAfter ?? null;
  const showMore = async () => {
    const answer = await (await calls()).get<ComplaintList>(OTC_ORDER_PATHS.desk, { after });
    if (answer.ok) setMore([...more, answer.data]);
  };
  return (
    <Card flush title={text("desk.queue")}>
      {rows.size === 0 && <p className="px-6 py-4 text-muted text-ui">{text("desk.none")}</p>}
      <ul>
        {[...rows.values()].map((one) => (
          <li
            key={one.complaintId}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-4 py-3 text-ui lg:px-6"
          >
            <span className="min-w-56 flex-1">
              {sayKnown(text, `appeal.reason.${one.reason}`, one.reason)}
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
