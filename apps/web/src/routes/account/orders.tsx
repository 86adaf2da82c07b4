// Orders, trades and transfers; the address says which and of what span.
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import type { TradeProduct } from "#trade/product.ts";
import { type OrdersData, OrdersPage } from "../../features/orders/orders-page.tsx";
import type { Answered } from "../../features/orders/orders-rows.ts";
import { callsOf, type OrdersCall, type OrdersMarket, readOrdersView } from "../../features/orders/orders-view.ts";

export async function loader({ context, request }: LoaderFunctionArgs): Promise<OrdersData> {
  const { callApi } = context.get(pageContext);
  const view = readOrdersView(new URL(request.url).searchParams);
  const read = async ({ base, path }: OrdersCall): Promise<unknown> =>
    readEnvelope(
      await callApi(
        base === "spot" ? { method: "GET", path } : { method: "GET", path: `/futuresapi${path}`, isRoot: true },
      ),
    );
  const list =
    view.market === "spot" ? undefined : read({ base: "futures", path: `/v1/futuresc/instruments?biz=${view.market}` });
  const pages = (await Promise.all(callsOf(view).map(read))) as readonly (Answered | undefined)[];
  const contracts = ((await list) ?? []) as readonly ContractInfo[];
  return {
    pages: pages.some((page) => page === undefined) ? null : (pages as readonly Answered[]),
    contracts: contracts.map(({ pairCode }) => ({ pairCode })),
  };
}

async function loadProduct(market: OrdersMarket): Promise<TradeProduct> {
  if (market === "spot") return (await import("../../features/spot/product.ts")).SPOT;
  return (await import("../../features/futures/product.ts")).FUTURES_PRODUCTS[market];
}

export const clientLoader = loadPayload<OrdersData>;

export default function AccountOrders() {
  return <OrdersPage data={useLoaderData<OrdersData>()} loadProduct={loadProduct} />;
}
