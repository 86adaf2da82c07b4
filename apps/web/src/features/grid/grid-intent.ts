// Ids of what is asked of bots: short enough for the core, minted once for one intent (`#live/intent.ts`).
import type { RequestClient } from "#live/request.ts";

const ID_LENGTH = 20;

export function gridIntent(client: Pick<RequestClient, "mintOrderId">) {
  return { mint: () => client.mintOrderId().slice(0, ID_LENGTH), nowMs: Date.now() };
}
