// Every pair of the exchange with its last 24 hours.
import { type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import type { MarketsData } from "../features/markets/market-rows.ts";
import { MarketsPage } from "../features/markets/markets-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<MarketsData | null> {
  const { root, callApi } = context.get(pageContext);
  const read = async (name: string) =>
    readEnvelope(await callApi({ method: "GET", path: `/v1/spot/${name}`, shared: true })) as unknown;
  const [pairs, quotations, sparklines, weeks, partitions, favourites] = await Promise.all([
    read("pairs"),
    read("quotations"),
    read("sparklines"),
    read("sparklines?days=7"),
    read("partitions"),
    root.topInfo.id === null
      ? undefined
      : callApi({ method: "GET", path: "/v1/spot/favourites" }).then((body) => readEnvelope(body)?.pairCodes),
  ]);
  if (!Array.isArray(pairs) || !Array.isArray(quotations)) return null;
  return {
    pairs,
    quotations,
    sparklines: Array.isArray(sparklines) ? sparklines : [],
    weeks: Array.isArray(weeks) ? weeks : [],
    partitions: Array.isArray(partitions) ? partitions : [],
    favourites: Array.isArray(favourites) ? favourites : null,
  };
}

export const clientLoader = loadPayload<MarketsData | null>;

/** Sorting and filtering look at what is here already; the numbers are kept fresh by the socket. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname !== nextUrl.pathname;
}

export default function Markets() {
  return <MarketsPage data={useLoaderData<MarketsData | null>()} />;
}
