// The caller's orders with other people.
import { type OrderPage, OTC_ORDER_CALLS } from "@clockwork/fiat/otcorders/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { OrdersPage } from "../../features/otc/orders-page.tsx";

interface OrdersData {
  readonly first: OrderPage | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<OrdersData> {
  const { callApi } = context.get(pageContext);
  const list = readEnvelope(await callApi({ method: "GET", path: OTC_ORDER_CALLS.list }));
  return { first: (list as OrderPage | undefined) ?? null };
}

export const clientLoader = loadPayload<OrdersData>;

export default function OtcOrders() {
  return <OrdersPage {...useLoaderData<OrdersData>()} />;
}
