// Every pair of the exchange with its last 24 hours.
import { MARKET_CALLS } from "@clockwork/trading/markets/contract";
import { type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import type { MarketsData } from "../features/markets/market-rows.ts";
import { MarketsPage } from "../features/markets/markets-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<MarketsData | null> {
  const page = context.get(pageContext);
  const shared = { shared: true } as const;
  const [pairs, quotations, sparklines, weeks, partitions, favourites] = await Promise.all([
    readCall(page, MARKET_CALLS.pairs, {}, shared),
    readCall(page, MARKET_CALLS.quotations, {}, shared),
    readCall(page, MARKET_CALLS.sparklines, {}, shared),
    readCall(page, MARKET_CALLS.sparklines, { days: 7 }, shared),
    readCall(page, MARKET_CALLS.partitions, {}, shared),
    page.root.topInfo.id === null ? undefined : readCall(page, MARKET_CALLS.favourites, {}),
  ]);
  if (pairs === undefined || quotations === undefined) return null;
  return {
    pairs,
    quotations,
    sparklines: sparklines ?? [],
    weeks: weeks ?? [],
    partitions: partitions ?? [],
    favourites: favourites?.pairCodes ?? null,
  };
}

export const clientLoader = loadPayload<MarketsData | null>;

/** Sorting and filtering use the loaded rows; the socket keeps the numbers fresh. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname !== nextUrl.pathname;
}

export default function Markets() {
  return <MarketsPage data={useLoaderData<MarketsData | null>()} />;
}
