// One order with another user.
import { OTC_ORDER_CALLS, type OtcOrder } from "@clockwork/fiat/otcorders/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { OrderPage } from "../../features/otc/order-page.tsx";

interface OrderData {
  readonly first: OtcOrder;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<OrderData> {
  const page = context.get(pageContext);
  const id = page.rest.slice("/otc/order/".length);
  const first = /^[0-9]{14}$/.test(id) ? await readCall(page, OTC_ORDER_CALLS.get, { id }) : undefined;
  if (first === undefined) throw data(`Page Not Found: ${page.rest}`, { status: 404 });
  return { first };
}

export const clientLoader = loadPayload<OrderData>;

export default function OtcOrderPage() {
  const { first } = useLoaderData<OrderData>();
  return <OrderPage key={first.orderId} first={first} />;
}
