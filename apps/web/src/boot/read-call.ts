// How a loader reads the API: a call as its contract declares it, made inside the process with the visitor's session.
import { type DataOf, type Endpoint, type Fields, fillPath, type InputOf } from "@clockwork/kit/endpoint";
import { encodeFields } from "#live/encode-fields.ts";
import type { PageContext } from "./page-context.ts";
import { type ApiCall, FUTURES_BASE, readData } from "./root-data.ts";

export interface ReadOptions {
  /** Named where the call is below the futures base. */
  readonly api?: "spot" | "futures";
  /** The same for all users, signed in or not. */
  readonly shared?: true;
}

/** The answer's data; undefined when the call failed or was refused. */
export async function readCall<Called extends Endpoint>(
  { callApi }: Pick<PageContext, "callApi">,
  called: Called,
  input: InputOf<Called>,
  options: ReadOptions = {},
): Promise<DataOf<Called> | undefined> {
  return readData(await callApi(apiCall(called, input as Fields, options))) as DataOf<Called> | undefined;
}

function apiCall({ method, path }: Endpoint, input: Fields, { api, shared }: ReadOptions): ApiCall {
  const filled = fillPath(path, input);
  const query = method === "GET" ? encodeFields(filled.rest) : "";
  return {
    method: method === "GET" ? "GET" : "POST",
    path: `${api === "futures" ? FUTURES_BASE : ""}${filled.path}${query === "" ? "" : `?${query}`}`,
    ...(method === "GET" ? {} : { body: filled.rest }),
    ...(api === "futures" ? { isRoot: true as const } : {}),
    ...(shared === true ? { shared } : {}),
  };
}
