// The page's one request client for what lives outside of React: market data, ladders, lists. Whoever asks before the
// page's clients are there waits for them. Light, so that first loads may hold it.
import type { Fields } from "@clockwork/kit/endpoint";
import type { RequestClient } from "./request.ts";

let lent: RequestClient | undefined;
let waiting: ((client: RequestClient) => void)[] = [];

/** The client of this page; answers the way to take it back. */
export function lendClient(client: RequestClient): () => void {
  lent = client;
  const all = waiting;
  waiting = [];
  for (const go of all) go(client);
  return () => {
    if (lent === client) lent = undefined;
  };
}

function borrowClient(): Promise<RequestClient> {
  return lent === undefined ? new Promise((go) => waiting.push(go)) : Promise.resolve(lent);
}

/** Which of the product's two bases a path lies below. */
export type ApiBase = "spot" | "futures";

/** The data of a call anybody may make; nothing when it was refused or not answered. */
export async function askData(
  base: ApiBase,
  path: string,
  fields: Fields = {},
  signal?: AbortSignal,
): Promise<unknown> {
  const client = await borrowClient();
  const options = signal === undefined ? { anonymous: true } : { anonymous: true, signal };
  const answer = await (base === "futures"
    ? client.futuresGet<unknown>(path, fields, options)
    : client.get<unknown>(path, fields, options));
  return answer.ok ? answer.data : undefined;
}
