// Broadcasts, for editors.

import type { Me } from "@clockwork/identity/operators/contract";
import { BROADCAST_CALLS, type BroadcastTable } from "@clockwork/messaging/broadcasts/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { BroadcastsPage } from "../../features/broadcasts/console-page.tsx";

interface BroadcastsData {
  readonly me: Me;
  readonly table: BroadcastTable | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<BroadcastsData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  return { me, table: await loadBehindGate(page, me, BROADCAST_CALLS.list, {}) };
}

export const clientLoader = loadPayload<BroadcastsData>;

export default function OperatorBroadcasts() {
  const data = useLoaderData<BroadcastsData>();
  const { revalidate } = useRevalidator();
  return <BroadcastsPage {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
