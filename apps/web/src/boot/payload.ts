// The shape of `_payload.json` and the one client loader every page with data uses: navigation in the browser fetches
// the page's payload, so it renders from the very data the server would have rendered from.
import { type ClientLoaderFunctionArgs, data, redirect } from "react-router";

export type Payload =
  | { readonly data: unknown }
  | { readonly redirect: string }
  | { readonly error: { readonly status: number; readonly message: string } };

/** Use as `export const clientLoader = loadPayload<Shape>;` next to the page's server `loader`. */
export async function loadPayload<Data>({ request }: ClientLoaderFunctionArgs): Promise<Data> {
  const url = new URL(request.url);
  const path = `${url.pathname.replace(/\/$/, "")}/_payload.json${url.search}`;
  const response = await fetch(path, { signal: request.signal, headers: { accept: "application/json" } });
  const payload = (await response.json()) as Payload;
  if ("redirect" in payload) throw redirect(payload.redirect);
  if ("error" in payload) throw data(payload.error.message, { status: payload.error.status });
  return payload.data as Data;
}
