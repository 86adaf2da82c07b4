// A new rebalancing bot: the coins that can be in it with their prices, and what the visitor has to put in.
import type { Pair, Quotation } from "@clockwork/trading/markets/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readData } from "#boot/root-data.ts";
import { PageHead } from "#shell/page-head.tsx";
import { CreateBasket } from "../../features/grid/create-basket.tsx";
import { QUOTE } from "../../features/grid/model/basket-model.ts";
import type { BasketData } from "../../features/grid/use-basket.ts";

export async function loader({ context }: LoaderFunctionArgs): Promise<BasketData> {
  const { callApi, root: page } = context.get(pageContext);
  const isSignedIn = page.topInfo.id !== null;
  const [listed, told, balance] = await Promise.all([
    callApi({ method: "GET", path: "/v1/spot/pairs", shared: true }),
    callApi({ method: "GET", path: "/v1/spot/quotations", shared: true }),
    isSignedIn ? callApi({ method: "GET", path: "/v1/spot/balance" }) : undefined,
  ]);
  const rows = <One,>(found: unknown): readonly One[] => (Array.isArray(found) ? (found as One[]) : []);
  const pairs = rows<Pair>(readData(listed)).filter(({ quote }) => quote === QUOTE);
  if (pairs.length === 0) throw data("No market is open yet", { status: 503 });
  const codes = new Set(pairs.map(({ pairCode }) => pairCode));
  const held = balance === undefined ? [] : rows<{ asset: string; available: string }>(readData(balance));
  return {
    pairs,
    quotations: rows<Quotation>(readData(told)).filter(({ pairCode }) => codes.has(pairCode)),
    free: isSignedIn ? (held.find(({ asset }) => asset === QUOTE)?.available ?? "0") : null,
    isSignedIn,
  };
}

export const clientLoader = loadPayload<BasketData>;

export default function GridRebalance() {
  return (
    <>
      <PageHead
        title="Rebalancing bot"
        description="Keep a basket of 2 to 10 coins at your weights, by threshold or by time."
      />
      <CreateBasket data={useLoaderData<BasketData>()} />
    </>
  );
}
