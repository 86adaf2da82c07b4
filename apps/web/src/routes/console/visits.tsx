// Visits per day and campaign, for operators.
import type { Me } from "@clockwork/identity/operators/contract";
import { DAY_MS, formatDate } from "@clockwork/kit/time";
import { OPS_CALLS, type VisitPage, type VisitTotals } from "@clockwork/site/ops/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { type VisitRange, VisitsPage } from "../../features/ops/visits-page.tsx";

const DAYS = 14;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

interface VisitsData {
  readonly me: Me;
  readonly range: VisitRange;
  readonly totals: VisitTotals | null;
  readonly rows: VisitPage | null;
}

export async function loader({ context, url }: LoaderFunctionArgs): Promise<VisitsData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  const read = (name: string, usual: number): string => {
    const requested = url.searchParams.get(name) ?? "";
    return DAY.test(requested) ? requested : formatDate(usual);
  };
  const nowMs = Date.now();
  const range = { from: read("from", nowMs - (DAYS - 1) * DAY_MS), to: read("to", nowMs) };
  const [totals, rows] = await Promise.all([
    loadBehindGate(page, me, OPS_CALLS.totals, range),
    loadBehindGate(page, me, OPS_CALLS.rows, range),
  ]);
  return { me, range, totals, rows };
}

export const clientLoader = loadPayload<VisitsData>;

export default function OperatorVisits() {
  const data = useLoaderData<VisitsData>();
  const { revalidate } = useRevalidator();
  return <VisitsPage {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
