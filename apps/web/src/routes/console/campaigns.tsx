// Banners and popups, for editors.
import { CAMPAIGN_CALLS, type CampaignTable } from "@clockwork/growth/campaigns/contract";
import type { Me } from "@clockwork/identity/operators/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { CampaignsPage } from "../../features/campaigns/console-page.tsx";

interface CampaignsData {
  readonly me: Me;
  readonly table: CampaignTable | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<CampaignsData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  return { me, table: await loadBehindGate(page, me, CAMPAIGN_CALLS.list, {}) };
}

export const clientLoader = loadPayload<CampaignsData>;

export default function OperatorCampaigns() {
  const data = useLoaderData<CampaignsData>();
  const { revalidate } = useRevalidator();
  return <CampaignsPage {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
