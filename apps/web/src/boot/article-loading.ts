// What the loaders of written pages share: call the API, or show the not-found page.
import type { DataOf, Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { data } from "react-router";
import { shortenPath } from "./gate.ts";
import type { PageContext } from "./page-context.ts";
import { type ReadOptions, readCall } from "./read-call.ts";

/** The call's data; a refusal becomes the error page with the visitor's own path. */
export async function fetchPage<Called extends Endpoint>(
  page: PageContext,
  called: Called,
  input: InputOf<Called>,
  options: ReadOptions = {},
): Promise<DataOf<Called>> {
  const found = await readCall(page, called, input, options);
  if (found === undefined) throw data(`Page Not Found: ${shortenPath(page.rest)}`, { status: 404 });
  return found;
}

/** The part of a path after its prefix. */
export const slugOf = (rest: string, prefix: string): string => rest.slice(prefix.length).replace(/\/$/, "");
