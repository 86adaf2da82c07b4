// The trading rules: the document, and the figures of every pair as the running core has them.
import type { Pair } from "@clockwork/domains/markets/api";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readData } from "#boot/root-data.ts";
import { usePublicText } from "#words/public-text.ts";
import { DocumentPage } from "../features/articles/document-page.tsx";
import { type LegalData, loadLegal } from "../features/articles/legal-data.ts";

const PairRules = latePart(async () => (await import("../features/articles/pair-rules.tsx")).PairRules);

interface RulesData extends LegalData {
  readonly pairs: readonly Pair[];
}

export async function loader({ context }: LoaderFunctionArgs): Promise<RulesData> {
  const page = context.get(pageContext);
  const pairs = readData(await page.callApi({ method: "GET", path: "/v1/spot/pairs", shared: true }));
  return { ...(await loadLegal(page)), pairs: Array.isArray(pairs) ? (pairs as Pair[]) : [] };
}

export const clientLoader = loadPayload<RulesData>;

export default function TradingRules() {
  const text = usePublicText();
  const { pairs, ...document } = useLoaderData<RulesData>();
  const title = text("public.rules.title");
  return (
    <DocumentPage {...document} listTitle={text("public.legal")} more={[{ id: "pairs", title }]}>
      <PairRules pairs={pairs} title={title} />
    </DocumentPage>
  );
}
