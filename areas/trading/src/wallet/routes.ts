// REST of the wallet: schema → service → envelope.
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { Type } from "typebox";
import {
  BillPage,
  BillsQuery,
  Coin,
  PreviewBody,
  TransferBody,
  TransferPreview,
  TransferResult,
  WalletAccountBody,
  WalletAccounts,
} from "./contract.ts";
import type { WalletService } from "./service.ts";

const reads = { tag: "wallet", scope: { key: "read" } } as const;
const moves = { tag: "wallet", scope: { key: "transfer" } } as const;

export function walletRoutes(service: WalletService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...reads,
      method: "POST",
      path: "/asset/v1/api/wallet/account",
      summary: "What the caller's accounts hold, by wallet type",
      body: WalletAccountBody,
      output: WalletAccounts,
      handle: ({ body }, { userId }) => service.readAccounts(Number(userId), body.walletTypeList),
    }),
    defineRoute({
      ...moves,
      method: "POST",
      path: "/asset/v1/api/wallet/transfer",
      summary: "Moves an amount between two accounts of the caller; the same clientId never moves it twice",
      body: TransferBody,
      output: TransferResult,
      handle: ({ body }, { userId }) => service.transfer(Number(userId), body),
    }),
    defineRoute({
      ...reads,
      method: "POST",
      path: "/asset/v1/api/wallet/transfer/preview",
      summary: "What a transfer would do to the caller's almighty gold; moves nothing",
      body: PreviewBody,
      output: TransferPreview,
      handle: ({ body }, { userId }) => service.previewTransfer(Number(userId), body),
    }),
    defineRoute({
      ...reads,
      method: "GET",
      path: "/asset/v1/api/wallet/bills",
      summary: "Every change of the caller's balances, newest first",
      query: BillsQuery,
      output: BillPage,
      handle: ({ query }, { userId }) => service.listBills(Number(userId), query),
    }),
    defineRoute({
      method: "GET",
      path: "/asset/v1/api/wallet/coins",
      summary: "Every coin with its decimals, what one is worth, and the networks it moves over with their rules",
      tag: "wallet",
      output: Type.Array(Coin),
      handle: async () => answer(service.listCoins()),
    }),
  ];
}
