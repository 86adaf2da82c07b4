// The trading rules: the document, and the figures of every pair and contract as the running core has them.
import { CONTRACT_CALLS, MARKET_CALLS, type Pair } from "@clockwork/trading/markets/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { type PageContext, pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
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
async function loadContracts(page: PageContext): Promise<readonly ContractTerms[]> {
  const options = { api: "futures", shared: true } as const;
  const lists = await Promise.all(
    (["futures", "delivery"] as const).map(
      async (biz) => (await readCall(page, CONTRACT_CALLS.instruments, { biz }, options)) ?? [],
    ),
  );
  return Promise.all(
    lists.flat().map(async (info) => ({
      info,
      ladder: (await readCall(page, CONTRACT_CALLS.ladder, { biz: info.biz, pairCode: info.pairCode }, options)) ?? [],
    })),
  );
}

export async function loader({ context }: LoaderFunctionArgs): Promise<RulesData> {
  const page = context.get(pageContext);
  const pairs = await readCall(page, MARKET_CALLS.pairs, {}, { shared: true });
  return {
    ...(await loadLegal(page)),
    pairs: pairs ?? [],
    contracts: await loadContracts(page),
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
