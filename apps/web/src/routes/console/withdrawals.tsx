// Withdrawals that await a review, for operators.
import { CUSTODY_CALLS, type OwedList } from "@clockwork/custody/custody/contract";
import { type ReviewQueue, WITHDRAW_CALLS } from "@clockwork/custody/withdrawals/contract";
import type { Me } from "@clockwork/identity/operators/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { OwedCard } from "../../features/custody/owed-card.tsx";
import { DeskPage } from "../../features/withdrawals/desk-page.tsx";

interface DeskData {
  readonly me: Me;
  readonly queue: ReviewQueue | null;
  readonly owed: OwedList;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<DeskData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  if (!me.readable.includes("withdrawals.review")) return { me, queue: null, owed: [] };
  const [queue, owed] = await Promise.all([
    loadBehindGate(page, me, WITHDRAW_CALLS.queue, {}),
    loadBehindGate(page, me, CUSTODY_CALLS.owed, {}),
  ]);
  return { me, queue, owed: owed ?? [] };
}

export const clientLoader = loadPayload<DeskData>;

export default function OperatorWithdrawals() {
  const { owed, ...data } = useLoaderData<DeskData>();
  const { revalidate } = useRevalidator();
  return (
    <DeskPage
      {...data}
      owed={<OwedCard owed={owed} />}
      proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />}
    />
  );
}
