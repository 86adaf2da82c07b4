// Launches, for operators.
import { LAUNCH_DESK_CALLS, type LaunchDesk } from "@clockwork/earning/launchdesk/contract";
import { LAUNCH_CALLS, type LaunchProjects } from "@clockwork/earning/launchpad/contract";
import type { Me } from "@clockwork/identity/operators/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { DeskPage } from "../../features/launchpad/desk-page.tsx";

interface DeskData {
  readonly me: Me;
  readonly desk: LaunchDesk | null;
  readonly projects: LaunchProjects["projects"] | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<DeskData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  const [desk, launches] = await Promise.all([
    loadBehindGate(page, me, LAUNCH_DESK_CALLS.desk, {}),
    loadBehindGate(page, me, LAUNCH_CALLS.projects, {}),
  ]);
  return { me, desk, projects: launches?.projects ?? null };
}

export const clientLoader = loadPayload<DeskData>;

export default function OperatorLaunches() {
  const data = useLoaderData<DeskData>();
  const { revalidate } = useRevalidator();
  return <DeskPage {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
