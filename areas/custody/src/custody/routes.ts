// REST of deposits: schema → service → envelope.
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { Type } from "typebox";
import {
  CUSTODY_PATHS,
  DebtList,
  DepositAddress,
  DepositAddressBody,
  DepositList,
  DepositsQuery,
  NetworkView,
  OwedList,
  UnknownList,
} from "./contract.ts";
import type { CustodyStore } from "./store.ts";
import type { CustodyViews } from "./view-service.ts";

const reads = { tag: "wallet", scope: { key: "read" } } as const;

export function custodyRoutes(views: CustodyViews, store: CustodyStore): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      path: CUSTODY_PATHS.networks,
      summary: "Every network with its rules, its coins and how far it was read",
      tag: "wallet",
      output: Type.Array(NetworkView),
      handle: async () => answer(views.listNetworks()),
    }),
    defineRoute({
      ...reads,
      method: "POST",
      path: CUSTODY_PATHS.address,
      summary: "The caller's own deposit address on a network, the same every time",
      body: DepositAddressBody,
      output: DepositAddress,
      handle: ({ body }, { userId }) => views.openAddress(Number(userId), body.asset, body.network),
    }),
    defineRoute({
      ...reads,
      method: "GET",
      path: CUSTODY_PATHS.deposits,
      summary: "The caller's deposits with their confirmations, newest first",
      query: DepositsQuery,
      output: DepositList,
      handle: async ({ query }, { userId }) => answer(await views.listDeposits(Number(userId), query)),
    }),
    defineRoute({
      ...reads,
      method: "GET",
      path: CUSTODY_PATHS.debts,
      summary: "What the caller owes after reorganisations: until it is repaid, only what repays it is open",
      output: DebtList,
      handle: async (_, { userId }) => answer(await views.listDebts(Number(userId))),
    }),
    defineRoute({
      method: "GET",
      path: "/v2/operators/custody/debts",
      summary: "For operators: who owes what after reorganisations, the newest change first",
      tag: "wallet",
      scope: { operator: "withdrawals.review" },
      output: OwedList,
      handle: async () => answer(await views.listOwed()),
    }),
    defineRoute({
      method: "GET",
      path: "/v2/operators/custody/unknown",
      summary: "For operators: coins nobody listed that were sent to users' addresses",
      tag: "wallet",
      scope: { operator: "withdrawals.review" },
      output: UnknownList,
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
