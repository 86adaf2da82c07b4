// Applications and leaders of copy trading, for operators.

import type { Me } from "@clockwork/identity/operators/contract";
import { COMMENT_CONSOLE_CALLS, type ReportedList } from "@clockwork/strategies/comments/contract";
import { COPY_CONSOLE_CALLS, type ReviewList } from "@clockwork/strategies/copy/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { ReviewPage } from "../../features/copy/review-page.tsx";

interface ReviewData {
  readonly me: Me;
  readonly list: ReviewList | null;
  readonly comments: ReportedList | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<ReviewData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  if (!me.readable.includes("copy.read")) return { me, list: null, comments: null };
  return {
    me,
    list: await loadBehindGate(page, me, COPY_CONSOLE_CALLS.leaders, {}),
    comments: await loadBehindGate(page, me, COMMENT_CONSOLE_CALLS.reported, {}),
  };
}

export const clientLoader = loadPayload<ReviewData>;

export default function OperatorCopy() {
  const data = useLoaderData<ReviewData>();
  const { revalidate } = useRevalidator();
  return <ReviewPage {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
