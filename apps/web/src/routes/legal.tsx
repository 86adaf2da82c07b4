// A legal document; its address names it.
import { formatLocalePath } from "@clockwork/kit/locale";
import { type LoaderFunctionArgs, redirect, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { RISK_PATH } from "#boot/root-data.ts";
import { usePublicText } from "#words/public-text.ts";
import { DocumentPage } from "../features/articles/document-page.tsx";
import { type LegalData, loadLegal } from "../features/articles/legal-data.ts";

export async function loader({ context }: LoaderFunctionArgs): Promise<LegalData> {
  const page = context.get(pageContext);
  const { riskPath, prefix } = page.root;
  // The operator has put the risk disclosure elsewhere: the usual path leads there.
  if (page.rest === RISK_PATH && riskPath !== RISK_PATH) {
    throw redirect(formatLocalePath(riskPath, prefix ?? undefined), 302);
  }
  return loadLegal(page);
}

export const clientLoader = loadPayload<LegalData>;

export default function Legal() {
  const text = usePublicText();
  return <DocumentPage {...useLoaderData<LegalData>()} listTitle={text("public.legal")} />;
}
