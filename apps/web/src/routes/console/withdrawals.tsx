// Withdrawals that wait for a person, for operators.
import type { Me } from "@clockwork/domains/operators/api";
import { type ReviewQueue, WITHDRAW_PATHS } from "@clockwork/domains/withdrawals/api";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { DeskPage } from "../../features/withdrawals/desk-page.tsx";

interface DeskData {
  readonly me: Me;
  readonly queue: ReviewQueue | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<DeskData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  if (!me.permissions.includes("withdrawals.review")) return { me, queue: null };
  return { me, queue: await loadBehindGate<ReviewQueue>(page, me, WITHDRAW_PATHS.queue) };
}

export const clientLoader = loadPayload<DeskData>;

export default function OperatorWithdrawals() {
  const data = useLoaderData<DeskData>();
  const { revalidate } = useRevalidator();
  return <DeskPage {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
