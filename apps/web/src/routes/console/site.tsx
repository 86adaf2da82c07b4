// What every page shares, for editors.

import type { Me } from "@clockwork/identity/operators/contract";
import { CONTENT_CALLS } from "@clockwork/site/content/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { type PageContext, pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { type SiteFacts, SitePage } from "../../features/content/site-page.tsx";

interface SiteData {
  readonly me: Me;
  readonly facts: SiteFacts | null;
}

async function loadFacts(page: PageContext, me: Me): Promise<SiteFacts | null> {
  if (!me.readable.includes("content.edit")) return null;
  const [footer, social, modules, config] = await Promise.all([
    loadBehindGate(page, me, CONTENT_CALLS.footer, {}),
    loadBehindGate(page, me, CONTENT_CALLS.social, {}),
    loadBehindGate(page, me, CONTENT_CALLS.modules, {}),
    loadBehindGate(page, me, CONTENT_CALLS.globalConfig, {}),
  ]);
  if (footer === null || social === null || modules === null || config === null) return null;
  return { footer, social: social.links, modules, config };
}

export async function loader({ context }: LoaderFunctionArgs): Promise<SiteData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  return { me, facts: await loadFacts(page, me) };
}

export const clientLoader = loadPayload<SiteData>;

export default function OperatorSite() {
  const data = useLoaderData<SiteData>();
  const { revalidate } = useRevalidator();
  return <SitePage {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
