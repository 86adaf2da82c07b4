// The review of identities.
import { KYC_REVIEW_CALLS, type Waiting } from "@clockwork/identity/kyc/contract";
import type { Me } from "@clockwork/identity/operators/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { ReviewPage } from "../../features/kyc/review-page.tsx";

interface ReviewData {
  readonly me: Me;
  readonly waiting: Waiting | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<ReviewData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  return { me, waiting: await loadBehindGate(page, me, KYC_REVIEW_CALLS.waiting, {}) };
}

export const clientLoader = loadPayload<ReviewData>;

export default function OperatorKyc() {
  const { me, waiting } = useLoaderData<ReviewData>();
  const { revalidate } = useRevalidator();
  return (
    <ReviewPage me={me} waiting={waiting} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />
  );
}
