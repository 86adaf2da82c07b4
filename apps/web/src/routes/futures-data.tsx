// Public data of one contract (FUT-1): loads funding, ladder, insurance fund and liquidations for the first paint.

import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import type { ContractInfo, ContractQuotation } from "@clockwork/trading/markets/contract";
import { data, type LoaderFunctionArgs, redirect, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readData } from "#boot/root-data.ts";
import { FUTURES_ROOT } from "#live/feeds/futures-paths.ts";
import { PageHead } from "#shell/page-head.tsx";
import { FUND_DAYS, FUNDING_LIMIT, type FuturesData, INTEREST_SPANS } from "../features/futures/market/data-model.ts";
import { DataPage } from "../features/futures/market/data-page.tsx";

function listOf<Entry>(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? (value as Entry[]) : [];
}

export async function loader({ context, params, url }: LoaderFunctionArgs): Promise<FuturesData> {
  const { callApi } = context.get(pageContext);
  const ask = async (call: string) =>
    readData(await callApi({ method: "GET", path: `${FUTURES_ROOT}/${call}`, shared: true, isRoot: true }));
  const wanted = (params["*"] ?? "").replace(/\/$/, "");
  const contracts = [
    ...listOf<ContractInfo>(await ask("instruments?biz=futures")),
    ...listOf<ContractInfo>(await ask("instruments?biz=delivery")),
  ];
  const [first] = contracts;
  if (first === undefined) throw data("No market is open yet", { status: 503 });
  if (wanted === "")
    throw redirect(formatLocalePath(`/futures/data/${first.pairCode}`, parseLocalePath(url.pathname).locale));
  const pair = contracts.find(({ pairCode }) => pairCode === wanted);
  if (pair === undefined) throw data(`Page Not Found: /futures/data/${wanted.slice(0, 60)}`, { status: 404 });
  const of = `biz=${pair.biz}&pairCode=${pair.pairCode}`;
  const [quotations, funding, ladder, fund, liquidations, index, sides, risk, interest] = await Promise.all([
    ask(`quotations?${of}`),
    ask(`funding-history?${of}&limit=${FUNDING_LIMIT}`),
    ask(`ladder?${of}`),
    ask(`risk-fund?biz=${pair.biz}&asset=${pair.settle}&days=${FUND_DAYS}`),
    ask(`liquidations?${of}&limit=50`),
    ask(`index-sources?${of}`),
    ask(`long-short?${of}`),
    ask(`risk-state?${of}`),
    ask(`candles?${of}&kind=interest&interval=1h&limit=${INTEREST_SPANS["1h"]}`),
  ]);
  const quotation = Array.isArray(quotations)
    ? listOf<ContractQuotation>(quotations).find(({ pairCode }) => pairCode === pair.pairCode)
    : (quotations as ContractQuotation | undefined);
  return {
    pair,
    contracts: contracts.map(({ pairCode, base, kind, settle, priceDecimals }) => ({
      pairCode,
      base,
      kind,
      settle,
      priceDecimals,
    })),
    quotation: quotation ?? null,
    funding: listOf(funding),
    ladder: listOf(ladder),
    index: (index as FuturesData["index"] | undefined) ?? null,
    sides: (sides as FuturesData["sides"] | undefined) ?? null,
    risk: (risk as FuturesData["risk"] | undefined) ?? null,
    interest: listOf(interest),
    fund: (fund as FuturesData["fund"] | undefined) ?? null,
    liquidations: listOf<FuturesData["liquidations"][number]>(liquidations).toSorted(
      (left, right) => right.timeMs - left.timeMs,
    ),
  };
}

export const clientLoader = loadPayload<FuturesData>;

export default function FuturesDataRoute() {
  const served = useLoaderData<FuturesData>();
  const name = served.pair.pairCode.replace("_", "");
  return (
    <>
      <PageHead
        title={`${name} futures data`}
        description={`Funding, insurance fund, open interest, leverage ladder and liquidations of the ${name} perpetual contract.`}
      />
      <DataPage data={served} />
    </>
  );
}
