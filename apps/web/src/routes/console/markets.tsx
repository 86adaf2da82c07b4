// Stopping and opening markets, for operators.

import type { Me } from "@clockwork/identity/operators/contract";
import { HALT_CALLS, type HaltedMarkets } from "@clockwork/trading/halts/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { MarketsPage } from "../../features/halts/markets-page.tsx";

interface MarketsData {
  readonly me: Me;
  readonly list: HaltedMarkets | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<MarketsData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  if (!me.readable.includes("trading.stop")) return { me, list: null };
  return { me, list: await loadBehindGate(page, me, HALT_CALLS.list, {}) };
}

export const clientLoader = loadPayload<MarketsData>;

export default function OperatorMarkets() {
  const data = useLoaderData<MarketsData>();
  const { revalidate } = useRevalidator();
  return <MarketsPage {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
