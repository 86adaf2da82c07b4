// The caller's orders with other users.
import { type OrderPage, OTC_ORDER_CALLS } from "@clockwork/fiat/otcorders/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { OrdersPage } from "../../features/otc/orders-page.tsx";

interface OrdersData {
  readonly first: OrderPage | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<OrdersData> {
  return { first: (await readCall(context.get(pageContext), OTC_ORDER_CALLS.list, {})) ?? null };
}

export const clientLoader = loadPayload<OrdersData>;

export default function OtcOrders() {
  return <OrdersPage {...useLoaderData<OrdersData>()} />;
}
