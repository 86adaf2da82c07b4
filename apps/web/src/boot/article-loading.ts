// What the loaders of written pages share: ask the API, or show the page that was not found.
import { data } from "react-router";
import { shortenPath } from "./gate.ts";
import type { PageContext } from "./page-context.ts";
import { readEnvelope } from "./root-data.ts";

/** The call's data; a refusal becomes the error page with the visitor's own path. */
export async function fetchPage<Data>({ callApi, rest }: PageContext, path: string, isOwn = false): Promise<Data> {
  const answer = await callApi({ method: "GET", path, ...(isOwn ? {} : { shared: true }) });
  const found = readEnvelope(answer);
  if (found === undefined) throw data(`Page Not Found: ${shortenPath(rest)}`, { status: 404 });
  return found as Data;
}

/** The part of a path after its prefix, safe to put into a query. */
export function readSlug(rest: string, prefix: string): string {
  return encodeURIComponent(rest.slice(prefix.length).replace(/\/$/, ""));
}
