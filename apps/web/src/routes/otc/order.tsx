// One order with another person.
import { OTC_ORDER_CALLS, type OtcOrder } from "@clockwork/fiat/otcorders/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { OrderPage } from "../../features/otc/order-page.tsx";

interface OrderData {
  readonly first: OtcOrder;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<OrderData> {
  const { callApi, rest } = context.get(pageContext);
  const id = rest.slice("/otc/order/".length);
  const first = /^[0-9]{14}$/.test(id)
    ? (readEnvelope(await callApi({ method: "GET", path: `${OTC_ORDER_CALLS.get}?id=${id}` })) as OtcOrder | undefined)
    : undefined;
  if (first === undefined) throw data(`Page Not Found: ${rest}`, { status: 404 });
  return { first };
}

export const clientLoader = loadPayload<OrderData>;

export default function OtcOrderPage() {
  const { first } = useLoaderData<OrderData>();
  return <OrderPage key={first.orderId} first={first} />;
}
