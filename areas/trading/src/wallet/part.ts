// Connects the wallet with the core, the account cache, the database and the sockets. Contains no rules.

import type { Part } from "@clockwork/host/part";
import { WALLET_TYPES } from "@clockwork/kit/books";
import type { AccountingService } from "../accounting/service.ts";
import type { PartContext } from "../context.ts";
import { futuresView } from "../projectors/futures/futures-view.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";
import { type CoinNetwork, WALLET_BIZ, WALLET_CHANNEL } from "./contract.ts";
import { describeBook } from "./projector.ts";
import { walletRoutes } from "./routes.ts";
import { WalletService } from "./service.ts";
import { walletStore } from "./store.ts";

export function walletPart(
  { database, engine, ledger, market }: PartContext,
  accounting: AccountingService,
  networksOf: (symbol: string) => CoinNetwork[],
): Part {
  const { accounts, settled, live } = ledger;
  const coins = market.pairs;
  const wallet = new WalletService({
    store: walletStore(database.kysely),
    needs: {
      coins,
      networksOf,
      settled,
      readCommitted: async (userId) => (await accounting.read(userId))?.record.committedUnits ?? 0n,
      openView: async (account) => {
        const view = await ledger.openView(account);
        return { balances: view.of(ledgerView).balances, changedSequence: view.changedSequence };
      },
      listGold: async (account, asset) => {
        const { bonuses } = (await ledger.openView(account)).of(futuresView);
        const own = [...bonuses.values()].filter((row) => row.asset === asset && row.state === "ACTIVE");
        return own.map(({ left_units }) => left_units);
      },
      submit: engine.submit,
      openAccount: (userId, book, sub) => accounts.open(userId, book, { sub }),
      listAccounts: (userId) => accounts.list(userId),
    },
  });
  return {
    routes: walletRoutes(wallet),
    channels: [
      live.channel({
        channel: WALLET_CHANNEL,
        biz: WALLET_BIZ,
        books: [...Object.values(WALLET_TYPES), "copyFLead"],
        concerns: (change) => (change.of(ledgerView)?.balances.length ?? 0) > 0,
        describeChange: (change) => describeBook(coins, change.owner, change.of(ledgerView)?.balances ?? []),
        describeView: (view) => {
          const rows = [...view.of(ledgerView).balances.values()];
          const held = rows.filter((row) => row.available_units + row.frozen_units > 0n);
          return describeBook(coins, view.owner, held);
        },
      }),
    ],
  };
}
