// Lending levels, for operators.

import { VIP_CALLS, type VipTrials } from "@clockwork/growth/vip/contract";
import type { Me } from "@clockwork/identity/operators/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { TrialPage } from "../../features/vip/trial-page.tsx";

interface TrialData {
  readonly me: Me;
  readonly trials: VipTrials["trials"] | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<TrialData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  const found = await loadBehindGate(page, me, VIP_CALLS.trials, {});
  return { me, trials: found?.trials ?? null };
}

export const clientLoader = loadPayload<TrialData>;

export default function OperatorVip() {
  const data = useLoaderData<TrialData>();
  const { revalidate } = useRevalidator();
  return <TrialPage {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
