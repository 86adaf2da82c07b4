// `/tomato-futures-reverse`: teaches reversing a position, with a calculator that begins at the market's last price.
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { asRecord, readData } from "#boot/root-data.ts";
import { ReversePage, type ReversePageProps } from "../features/reverse/reverse-page.tsx";

const PATH = "/v1/spot/quotations?pairCode=BTC_USDT";
const ROUND_PRICE = "60000.0";

export async function loader({ context }: LoaderFunctionArgs): Promise<ReversePageProps> {
  const { callApi } = context.get(pageContext);
  const answered = readData(await callApi({ method: "GET", path: PATH, shared: true }));
  const [first] = Array.isArray(answered) ? (answered as readonly unknown[]) : [];
  const last = asRecord(first)?.last;
  // The contract's tick is a tenth; the spot pair's may be finer.
  const cut = typeof last === "string" ? /^\d+(?:\.\d)?/.exec(last)?.[0] : undefined;
  return cut === undefined || Number(cut) === 0 ? { last: ROUND_PRICE, isLive: false } : { last: cut, isLive: true };
}

export const clientLoader = loadPayload<ReversePageProps>;

export default function Reverse() {
  return <ReversePage {...useLoaderData<ReversePageProps>()} />;
}
