// Ids of requests about bots: short enough for the core, generated once for one intent (`#live/intent.ts`).
const ID_LENGTH = 20;

export function gridIntent(client: { readonly mintOrderId: () => string }) {
  return { mint: () => client.mintOrderId().slice(0, ID_LENGTH), nowMs: Date.now() };
}
