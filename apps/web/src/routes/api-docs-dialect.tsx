// How bots written for Binance trade here: addresses, samples, every call as the exchange lists it, and what is good to
// know.
import { DIALECT_CALLS_PATH, type DialectCall } from "@clockwork/identity/apikeys/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { DialectPage } from "../features/apikeys/dialect-page.tsx";

interface DialectData {
  readonly calls: readonly DialectCall[];
}

export async function loader({ context }: LoaderFunctionArgs): Promise<DialectData> {
  const { callApi } = context.get(pageContext);
  const calls = readEnvelope(await callApi({ method: "GET", path: DIALECT_CALLS_PATH, shared: true }));
  return { calls: (calls as DialectData["calls"] | undefined) ?? [] };
}

export const clientLoader = loadPayload<DialectData>;

export default function ApiDocsDialect() {
  return <DialectPage {...useLoaderData<DialectData>()} />;
}
