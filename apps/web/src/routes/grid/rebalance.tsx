// A new rebalancing bot: the coins that can be in it with their prices, and what the visitor has to put in.

import { MARKET_CALLS } from "@clockwork/trading/markets/contract";
import { SPOT_CALLS } from "@clockwork/trading/spot/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { PageHead } from "#shell/page-head.tsx";
import { CreateBasket } from "../../features/grid/create-basket.tsx";
import { QUOTE } from "../../features/grid/model/basket-model.ts";
import type { BasketData } from "../../features/grid/use-basket.ts";

export async function loader({ context }: LoaderFunctionArgs): Promise<BasketData> {
  const page = context.get(pageContext);
  const isSignedIn = page.root.topInfo.id !== null;
  const [listed, answer, balance] = await Promise.all([
    readCall(page, MARKET_CALLS.pairs, {}, { shared: true }),
    readCall(page, MARKET_CALLS.quotations, {}, { shared: true }),
    isSignedIn ? readCall(page, SPOT_CALLS.balance, {}) : undefined,
  ]);
  const pairs = (listed ?? []).filter(({ quote }) => quote === QUOTE);
  if (pairs.length === 0) throw data("No market is open yet", { status: 503 });
  const codes = new Set(pairs.map(({ pairCode }) => pairCode));
  return {
    pairs,
    quotations: (answer ?? []).filter(({ pairCode }) => codes.has(pairCode)),
    free: isSignedIn ? (balance?.find(({ asset }) => asset === QUOTE)?.available ?? "0") : null,
    isSignedIn,
  };
}

export const clientLoader = loadPayload<BasketData>;

export default function GridRebalance() {
  return (
    <>
      <PageHead
        title="Rebalancing bot"
        description="Keep 2 to 10 coins at your target weights, by threshold or by time."
      />
      <CreateBasket data={useLoaderData<BasketData>()} />
    </>
  );
}
