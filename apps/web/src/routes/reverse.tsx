// `/tomato-futures-reverse`: teaches reversing a position, with a calculator that starts at the contract's last price
// and uses its fees and ladder.
import { CONTRACT_CALLS } from "@clockwork/trading/markets/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { ReversePage, type ReversePageProps } from "../features/reverse/reverse-page.tsx";

const OF = { biz: "futures", pairCode: "BTC_USDT" } as const;
const OPTIONS = { api: "futures", shared: true } as const;
const ROUND_PRICE = "60000.0";

export async function loader({ context }: LoaderFunctionArgs): Promise<ReversePageProps> {
  const page = context.get(pageContext);
  const [quotations, instruments, ladder] = await Promise.all([
    readCall(page, CONTRACT_CALLS.quotations, OF, OPTIONS),
    readCall(page, CONTRACT_CALLS.instruments, OF, OPTIONS),
    readCall(page, CONTRACT_CALLS.ladder, OF, OPTIONS),
  ]);
  const last = quotations?.[0]?.last;
  const listed = instruments?.[0];
  const terms =
    listed === undefined || ladder === undefined
      ? null
      : { takerRate: listed.takerRate, liquidationRate: listed.liquidationRate, ladder };
  const isLive = last !== undefined && Number(last) > 0;
  return { last: isLive ? last : ROUND_PRICE, isLive, terms };
}

export const clientLoader = loadPayload<ReversePageProps>;

export default function Reverse() {
  return <ReversePage {...useLoaderData<ReversePageProps>()} />;
}
