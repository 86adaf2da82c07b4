// REST of the wallet: schema → service → envelope.
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { WALLET_CALLS as CALLS } from "./contract.ts";
import type { WalletService } from "./service.ts";

const reads = { tag: "wallet", scope: { key: "read" } } as const;
const moves = { tag: "wallet", scope: { key: "transfer" } } as const;

export function walletRoutes(service: WalletService): readonly RouteSpec[] {
  return [
    serve(CALLS.accounts, {
      ...reads,
      summary: "What the caller's accounts hold, by wallet type",
      handle: ({ body }, { userId }) => service.readAccounts(Number(userId), body.walletTypeList),
    }),
    serve(CALLS.transfer, {
      ...moves,
      summary: "Moves an amount between two accounts of the caller; the same clientId never moves it twice",
      handle: ({ body }, { userId }) => service.transfer(Number(userId), body),
    }),
    serve(CALLS.previewTransfer, {
      ...reads,
      summary: "What a transfer would do to the caller's almighty gold; moves nothing",
      handle: ({ body }, { userId }) => service.previewTransfer(Number(userId), body),
    }),
    serve(CALLS.bills, {
      ...reads,
      summary: "Every change of the caller's balances, newest first",
      handle: ({ query }, { userId }) => service.listBills(Number(userId), query),
    }),
    serve(CALLS.coins, {
      summary: "Every coin with its decimals, what one is worth, and the networks it moves over with their rules",
      tag: "wallet",
      handle: async () => answer(service.listCoins()),
    }),
  ];
}
