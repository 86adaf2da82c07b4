// The operators' audit log.
import { type Me, OPERATOR_CALLS, type AuditPage as Page } from "@clockwork/identity/operators/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { AuditPage } from "../../features/operators/audit-page.tsx";

interface AuditData {
  readonly me: Me;
  readonly first: Page | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<AuditData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  return { me, first: await loadBehindGate(page, me, OPERATOR_CALLS.audit, {}) };
}

export const clientLoader = loadPayload<AuditData>;

export default function OperatorAudit() {
  const { me, first } = useLoaderData<AuditData>();
  const { revalidate } = useRevalidator();
  return <AuditPage me={me} first={first} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
