// Public data of one contract (FUT-1): loads funding, ladder, insurance fund and liquidations for the first paint.

import type { Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import { LIQUIDATION_CALLS } from "@clockwork/trading/liquidations/contract";
import { CONTRACT_CALLS } from "@clockwork/trading/markets/contract";
import { data, type LoaderFunctionArgs, redirect, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { PageHead } from "#shell/page-head.tsx";
import { FUND_DAYS, FUNDING_LIMIT, type FuturesData, INTEREST_SPANS } from "../features/futures/market/data-model.ts";
import { DataPage } from "../features/futures/market/data-page.tsx";

export async function loader({ context, params, url }: LoaderFunctionArgs): Promise<FuturesData> {
  const page = context.get(pageContext);
  const ask = <Called extends Endpoint>(called: Called, input: InputOf<Called>) =>
    readCall(page, called, input, { api: "futures", shared: true });
  const wanted = (params["*"] ?? "").replace(/\/$/, "");
  const contracts = [
    ...((await ask(CONTRACT_CALLS.instruments, { biz: "futures" })) ?? []),
    ...((await ask(CONTRACT_CALLS.instruments, { biz: "delivery" })) ?? []),
  ];
  const [first] = contracts;
  if (first === undefined) throw data("No market is open yet", { status: 503 });
  if (wanted === "")
    throw redirect(formatLocalePath(`/futures/data/${first.pairCode}`, parseLocalePath(url.pathname).locale));
  const pair = contracts.find(({ pairCode }) => pairCode === wanted);
  if (pair === undefined) throw data(`Page Not Found: /futures/data/${wanted.slice(0, 60)}`, { status: 404 });
  const { biz, pairCode } = pair;
  const of = { biz, pairCode };
  const [quotations, funding, ladder, fund, liquidations, index, sides, risk, interest] = await Promise.all([
    ask(CONTRACT_CALLS.quotations, of),
    ask(CONTRACT_CALLS.fundingHistory, { ...of, limit: FUNDING_LIMIT }),
    ask(CONTRACT_CALLS.ladder, of),
    ask(CONTRACT_CALLS.riskFund, { biz, asset: pair.settle, days: FUND_DAYS }),
    ask(CONTRACT_CALLS.liquidations, { ...of, limit: 50 }),
    ask(CONTRACT_CALLS.indexSources, of),
    ask(CONTRACT_CALLS.longShort, of),
    ask(LIQUIDATION_CALLS.riskState, of),
    ask(CONTRACT_CALLS.candles, { ...of, kind: "interest", interval: "1h", limit: INTEREST_SPANS["1h"] }),
  ]);
  const quotation = quotations?.find((one) => one.pairCode === pairCode);
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
    funding: funding ?? [],
    ladder: ladder ?? [],
    index: index ?? null,
    sides: sides ?? null,
    risk: risk ?? null,
    interest: interest ?? [],
    fund: fund ?? null,
    liquidations: (liquidations ?? []).toSorted((left, right) => right.timeMs - left.timeMs),
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
        description={`Funding, insurance fund, open interest, leverage tiers and liquidations of the ${name} perpetual contract.`}
      />
      <DataPage data={served} />
    </>
  );
}
