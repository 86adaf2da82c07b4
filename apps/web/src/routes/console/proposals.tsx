// What waits for a second operator.
import type { Me } from "@clockwork/identity/operators/contract";
import { PROPOSAL_CALLS, type ProposalPage } from "@clockwork/identity/proposals/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { ProposalsPage } from "../../features/proposals/proposals-page.tsx";

interface ProposalsData {
  readonly me: Me;
  readonly first: ProposalPage | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<ProposalsData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  return { me, first: await loadBehindGate(page, me, PROPOSAL_CALLS.list, {}) };
}

export const clientLoader = loadPayload<ProposalsData>;

export default function OperatorProposals() {
  const data = useLoaderData<ProposalsData>();
  return <ProposalsPage {...data} proof={(onProved) => <StepUpProof kind="totp" onProved={onProved} />} />;
}
