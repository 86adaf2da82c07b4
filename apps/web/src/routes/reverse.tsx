// `/tomato-futures-reverse`: teaches reversing a position, with a calculator that begins at the contract's last price and knows
// its fees and ladder.
import type { ContractInfo, LadderStep } from "@clockwork/trading/markets/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { asRecord, readData } from "#boot/root-data.ts";
import { FUTURES_ROOT } from "#live/feeds/futures-paths.ts";
import { ReversePage, type ReversePageProps } from "../features/reverse/reverse-page.tsx";

const OF = "biz=futures&pairCode=BTC_USDT";
const ROUND_PRICE = "60000.0";

function firstOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return asRecord(first);
}

export async function loader({ context }: LoaderFunctionArgs): Promise<ReversePageProps> {
  const { callApi } = context.get(pageContext);
  const ask = async (call: string) =>
    readData(await callApi({ method: "GET", path: `${FUTURES_ROOT}/${call}?${OF}`, shared: true, isRoot: true }));
  const [quotations, instruments, ladder] = await Promise.all([ask("quotations"), ask("instruments"), ask("ladder")]);
  const last = firstOf(quotations)?.last;
  const listed = firstOf(instruments) as Pick<ContractInfo, "takerRate" | "liquidationRate"> | undefined;
  const terms =
    listed === undefined || !Array.isArray(ladder)
      ? null
      : { takerRate: listed.takerRate, liquidationRate: listed.liquidationRate, ladder: ladder as LadderStep[] };
  const isLive = typeof last === "string" && Number(last) > 0;
  return { last: isLive ? last : ROUND_PRICE, isLive, terms };
}

export const clientLoader = loadPayload<ReversePageProps>;

export default function Reverse() {
  return <ReversePage {...useLoaderData<ReversePageProps>()} />;
}
