// Daily files of market data: which there are, with their addresses.
import { CONTRACT_CALLS, MARKET_CALLS } from "@clockwork/trading/markets/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { type ArchivedSymbol, archivedSymbols } from "../features/apikeys/archive-links.ts";
import { DataPage } from "../features/apikeys/data-page.tsx";

interface FilesData {
  readonly symbols: readonly ArchivedSymbol[];
  readonly nowMs: number;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<FilesData> {
  const page = context.get(pageContext);
  const shared = { shared: true } as const;
  const [spot, um, cm] = await Promise.all([
    readCall(page, MARKET_CALLS.pairs, {}, shared),
    readCall(page, CONTRACT_CALLS.instruments, { biz: "futures" }, { ...shared, api: "futures" }),
    readCall(page, CONTRACT_CALLS.instruments, { biz: "delivery" }, { ...shared, api: "futures" }),
  ]);
  return { symbols: archivedSymbols(spot ?? [], um ?? [], cm ?? []), nowMs: Date.now() };
}

export const clientLoader = loadPayload<FilesData>;

export default function ApiDocsData() {
  return <DataPage {...useLoaderData<FilesData>()} />;
}
