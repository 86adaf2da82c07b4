// Orders, trades and transfers; the address selects the list and the time span.
import { CONTRACT_CALLS } from "@clockwork/trading/markets/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import type { TradeProduct } from "#trade/product.ts";
import { type OrdersData, OrdersPage } from "../../features/orders/orders-page.tsx";
import { callsOf, type OrdersMarket, readOrdersView } from "../../features/orders/orders-view.ts";

export async function loader({ context, request }: LoaderFunctionArgs): Promise<OrdersData> {
  const page = context.get(pageContext);
  const view = readOrdersView(new URL(request.url).searchParams);
  const list =
    view.market === "spot"
      ? undefined
      : readCall(page, CONTRACT_CALLS.instruments, { biz: view.market }, { api: "futures" });
  const pages = await Promise.all(
    callsOf(view).map((call) => call((called, input, api) => readCall(page, called, input, { api }))),
  );
  const contracts = (await list) ?? [];
  const answered = pages.filter((one) => one !== undefined);
  return {
    pages: answered.length < pages.length ? null : answered,
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
