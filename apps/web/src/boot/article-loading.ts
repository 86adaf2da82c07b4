// What the loaders of written pages share: ask the API, or show the page that was not found.
import type { DataOf, Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { data } from "react-router";
import { shortenPath } from "./gate.ts";
import type { PageContext } from "./page-context.ts";
import { readCall } from "./read-call.ts";

/** The call's data; a refusal becomes the error page with the visitor's own path. `isOwn`: it may differ by visitor. */
export async function fetchPage<Called extends Endpoint>(
  page: PageContext,
  called: Called,
  input: InputOf<Called>,
  isOwn?: boolean,
): Promise<DataOf<Called>>;
export async function fetchPage<Data>(page: PageContext, path: string, isOwn?: boolean): Promise<Data>;
export async function fetchPage(
  page: PageContext,
  called: Endpoint | string,
  input: unknown,
  isOwn = input === true,
): Promise<unknown> {
  const [call, given] = typeof called === "string" ? [{ method: "GET", path: called } as const, {}] : [called, input];
  const found = await readCall(page, call, given as object, isOwn ? {} : { shared: true });
  if (found === undefined) throw data(`Page Not Found: ${shortenPath(page.rest)}`, { status: 404 });
  return found;
}

/** The part of a path after its prefix. */
export function slugOf(rest: string, prefix: string): string {
  return rest.slice(prefix.length).replace(/\/$/, "");
}

/** The same, safe to put into a query by hand. */
export function readSlug(rest: string, prefix: string): string {
  return encodeURIComponent(slugOf(rest, prefix));
}
