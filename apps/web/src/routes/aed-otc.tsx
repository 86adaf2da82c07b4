// Dirham and crypto between users: the written page, and current coin prices in dirhams.
import { OTC_AD_CALLS, type OtcIndex } from "@clockwork/fiat/otcads/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { usePublicText } from "#words/public-text.ts";
import { DocumentPage } from "../features/articles/document-page.tsx";
import { type LegalData, loadLegal } from "../features/articles/legal-data.ts";
import { useOtcText } from "../features/otc/otc-text.ts";
import { QUOTES_ID, QuoteTable } from "../features/otc/quote-table.tsx";

interface DirhamData extends LegalData {
  readonly index: OtcIndex | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<DirhamData> {
  const page = context.get(pageContext);
  const [legal, index] = await Promise.all([loadLegal(page), readCall(page, OTC_AD_CALLS.index, { fiat: "AED" })]);
  return { ...legal, index: index ?? null };
}

export const clientLoader = loadPayload<DirhamData>;

export default function Dirham() {
  const text = usePublicText();
  const words = useOtcText();
  const { index, ...legal } = useLoaderData<DirhamData>();
  return (
    <DocumentPage
      {...legal}
      listTitle={text("public.legal")}
      more={index === null ? [] : [{ id: QUOTES_ID, title: words("quotes.title") }]}
    >
      {index !== null && <QuoteTable index={index} />}
    </DocumentPage>
  );
}
