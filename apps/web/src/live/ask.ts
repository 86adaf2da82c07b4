// The page's one request client for code outside of React: market data, ladders, lists. Callers before the page's
// clients are there wait for them. Light, so that first loads may include it.
import type { DataOf, Endpoint, InputOf } from "@clockwork/kit/endpoint";
import type { RequestClient } from "./request.ts";

let leased: RequestClient | undefined;
let waiting: ((client: RequestClient) => void)[] = [];

/** The client of this page; answers the way to take it back. */
export function leaseClient(client: RequestClient): () => void {
  leased = client;
  const all = waiting;
  waiting = [];
  for (const go of all) go(client);
  return () => {
    if (leased === client) leased = undefined;
  };
}

function borrowClient(): Promise<RequestClient> {
  return leased === undefined ? new Promise((go) => waiting.push(go)) : Promise.resolve(leased);
}

/** The data of a public call; nothing when it was refused or not answered. */
export async function askData<Called extends Endpoint>(
  called: Called,
  input: InputOf<Called>,
  { api = "spot", signal }: { readonly api?: "spot" | "futures"; readonly signal?: AbortSignal | undefined } = {},
): Promise<DataOf<Called> | undefined> {
  const client = await borrowClient();
  const options = signal === undefined ? { anonymous: true, api } : { anonymous: true, api, signal };
  const answer = await client.call(called, input, options);
  return answer.ok ? answer.data : undefined;
}
