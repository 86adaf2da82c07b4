// Orders, trades and transfers; the address says which and of what span.
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { type OrdersData, OrdersPage } from "../../features/orders/orders-page.tsx";
import type { Answered } from "../../features/orders/orders-rows.ts";
import { callsOf, readOrdersView } from "../../features/orders/orders-view.ts";

export async function loader({ context, request }: LoaderFunctionArgs): Promise<OrdersData> {
  const { callApi } = context.get(pageContext);
  const view = readOrdersView(new URL(request.url).searchParams);
  const answers = await Promise.all(callsOf(view).map((path) => callApi({ method: "GET", path })));
  const pages = answers.map((answer) => readEnvelope(answer) as Answered | undefined);
  return { pages: pages.some((page) => page === undefined) ? null : (pages as readonly Answered[]) };
}

export const clientLoader = loadPayload<OrdersData>;

export default function AccountOrders() {
  return <OrdersPage data={useLoaderData<OrdersData>()} />;
}
