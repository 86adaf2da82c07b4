// Every address without a page: the error page of the frame, with status 404. The one exception is the path an operator
// has chosen for the risk disclosure, which is in no route table.
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { shortenPath } from "#boot/gate.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { RISK_PATH } from "#boot/root-data.ts";
import { usePublicText } from "#words/public-text.ts";
import { DocumentPage } from "../features/articles/document-page.tsx";
import { type LegalData, loadLegal } from "../features/articles/legal-data.ts";

export async function loader({ context, url }: LoaderFunctionArgs): Promise<LegalData> {
  const page = context.get(pageContext);
  if (page.rest !== page.root.riskPath) {
    throw data(`Page Not Found: ${shortenPath(url.pathname)}`, { status: 404 });
  }
  return loadLegal({ ...page, rest: RISK_PATH });
}

export const clientLoader = loadPayload<LegalData>;

export default function NotFound() {
  const text = usePublicText();
  return <DocumentPage {...useLoaderData<LegalData>()} listTitle={text("public.legal")} />;
}
