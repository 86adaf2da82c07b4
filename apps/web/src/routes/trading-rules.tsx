// The trading rules: the document, and the figures of every pair and contract as the running core has them.
import type { ContractInfo, LadderStep, Pair } from "@clockwork/trading/markets/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { type PageContext, pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readData } from "#boot/root-data.ts";
import { FUTURES_ROOT } from "#live/feeds/futures-paths.ts";
import { usePublicText } from "#words/public-text.ts";
import type { ContractTerms } from "../features/articles/contract-rules.tsx";
import { DocumentPage } from "../features/articles/document-page.tsx";
import { type LegalData, loadLegal } from "../features/articles/legal-data.ts";

const PairRules = latePart(async () => (await import("../features/articles/pair-rules.tsx")).PairRules);

const ContractRules = latePart(async () => (await import("../features/articles/contract-rules.tsx")).ContractRules);

interface RulesData extends LegalData {
  readonly pairs: readonly Pair[];
  readonly contracts: readonly ContractTerms[];
}

/** Every contract with its ladder; none where none is listed. */
async function loadContracts(callApi: PageContext["callApi"]): Promise<readonly ContractTerms[]> {
  const ask = async <Entry,>(call: string): Promise<readonly Entry[]> => {
    const path = `${FUTURES_ROOT}/${call}`;
    const found = readData(await callApi({ method: "GET", path, shared: true, isRoot: true }));
    return Array.isArray(found) ? (found as Entry[]) : [];
  };
  const lists = await Promise.all(["futures", "delivery"].map((biz) => ask<ContractInfo>(`instruments?biz=${biz}`)));
  return Promise.all(
    lists.flat().map(async (info) => ({
      info,
      ladder: await ask<LadderStep>(`ladder?biz=${info.biz}&pairCode=${info.pairCode}`),
    })),
  );
}

export async function loader({ context }: LoaderFunctionArgs): Promise<RulesData> {
  const page = context.get(pageContext);
  const pairs = readData(await page.callApi({ method: "GET", path: "/v1/spot/pairs", shared: true }));
  return {
    ...(await loadLegal(page)),
    pairs: Array.isArray(pairs) ? (pairs as Pair[]) : [],
    contracts: await loadContracts(page.callApi),
  };
}

export const clientLoader = loadPayload<RulesData>;

export default function TradingRules() {
  const text = usePublicText();
  const { pairs, contracts, ...document } = useLoaderData<RulesData>();
  const title = text("public.rules.title");
  const contractsTitle = text("public.rules.contracts");
  const more = [
    { id: "pairs", title },
    ...(contracts.length === 0 ? [] : [{ id: "contracts", title: contractsTitle }]),
  ];
  return (
    <DocumentPage {...document} listTitle={text("public.legal")} more={more}>
      <PairRules pairs={pairs} title={title} />
      {contracts.length > 0 && <ContractRules contracts={contracts} title={contractsTitle} />}
    </DocumentPage>
  );
}
