// How bots written for Binance trade here: addresses, samples, every call as the exchange lists it, and notes.
import { API_KEY_CALLS, type DialectCall } from "@clockwork/identity/apikeys/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { DialectPage } from "../features/apikeys/dialect-page.tsx";

interface DialectData {
  readonly calls: readonly DialectCall[];
}

export async function loader({ context }: LoaderFunctionArgs): Promise<DialectData> {
  return { calls: (await readCall(context.get(pageContext), API_KEY_CALLS.dialect, {}, { shared: true })) ?? [] };
}

export const clientLoader = loadPayload<DialectData>;

export default function ApiDocsDialect() {
  return <DialectPage {...useLoaderData<DialectData>()} />;
}
