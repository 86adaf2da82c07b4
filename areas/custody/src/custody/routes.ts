// REST of deposits: schema → service → envelope.
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { CUSTODY_CALLS } from "./contract.ts";
import type { CustodyStore } from "./store.ts";
import type { CustodyViews } from "./view-service.ts";

const reads = { tag: "wallet", scope: { key: "read" } } as const;

export function custodyRoutes(views: CustodyViews, store: CustodyStore): readonly RouteSpec[] {
  return [
    serve(CUSTODY_CALLS.networks, {
      summary: "Every network with its rules, its coins and how far it was read",
      tag: "wallet",
      handle: async () => answer(views.listNetworks()),
    }),
    serve(CUSTODY_CALLS.address, {
      ...reads,
      summary: "The caller's own deposit address on a network, the same every time",
      handle: ({ body }, { userId }) => views.openAddress(Number(userId), body.asset, body.network),
    }),
    serve(CUSTODY_CALLS.deposits, {
      ...reads,
      summary: "The caller's deposits with their confirmations, newest first",
      handle: async ({ query }, { userId }) => answer(await views.listDeposits(Number(userId), query)),
    }),
    serve(CUSTODY_CALLS.debts, {
      ...reads,
      summary: "What the caller owes after reorganisations: until it is repaid, only what repays it is open",
      handle: async (_, { userId }) => answer(await views.listDebts(Number(userId))),
    }),
    serve(CUSTODY_CALLS.owed, {
      summary: "For operators: who owes what after reorganisations, the newest change first",
      tag: "wallet",
      scope: { operator: "withdrawals.review" },
      handle: async () => answer(await views.listOwed()),
    }),
    serve(CUSTODY_CALLS.unknown, {
      summary: "For operators: unlisted coins sent to users' addresses",
      tag: "wallet",
      scope: { operator: "withdrawals.review" },
      handle: async () => {
        const rows = await store.listUnknown();
        return answer(
          rows.map(({ network, tx_hash, contract, user_id, chain_units, seen_ms }) => ({
            network,
            txHash: tx_hash,
            contract,
            user: String(user_id),
            chainUnits: chain_units,
            seenAtMs: seen_ms,
          })),
        );
      },
    }),
  ];
}
