// Reward campaigns, for operators.

import { REWARD_CONSOLE_CALLS, type RewardReport } from "@clockwork/growth/rewards/contract";
import { SPRING_CONSOLE_CALLS, type SpringReport } from "@clockwork/growth/spring/contract";
import type { Me } from "@clockwork/identity/operators/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { DeskPage } from "../../features/rewards/desk-page.tsx";

const SpringDesk = latePart(async () => (await import("../../features/spring/spring-desk.tsx")).SpringDesk);

interface DeskData {
  readonly me: Me;
  readonly report: RewardReport | null;
  readonly spring: SpringReport | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<DeskData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  const [report, spring] = await Promise.all([
    loadBehindGate(page, me, REWARD_CONSOLE_CALLS.report, {}),
    loadBehindGate(page, me, SPRING_CONSOLE_CALLS.report, {}),
  ]);
  return { me, report, spring };
}

export const clientLoader = loadPayload<DeskData>;

export default function OperatorRewards() {
  const { spring, ...data } = useLoaderData<DeskData>();
  const { revalidate } = useRevalidator();
  const refresh = () => void revalidate();
  return (
    <DeskPage
      {...data}
      spring={<SpringDesk report={spring} onChanged={refresh} />}
      onChanged={refresh}
      proof={<StepUpProof kind="totp" onProved={refresh} />}
    />
  );
}
