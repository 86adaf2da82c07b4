// Connects the wallet with the core, the account cache, the database and the sockets. Holds no rule of its own.
import { WALLET_BIZ, WALLET_CHANNEL } from "@clockwork/domains/wallet/api";
import { describeBook } from "@clockwork/domains/wallet/projector";
import { walletRoutes } from "@clockwork/domains/wallet/routes";
import { WalletService } from "@clockwork/domains/wallet/service";
import { walletStore } from "@clockwork/domains/wallet/store";
import { WALLET_TYPES } from "@clockwork/kit/books";
import type { Part, PartContext } from "../part.ts";

export function walletPart({ database, engine, ledger, market }: PartContext): Part {
  const { accounts, openView, settled, live } = ledger;
  const coins = market.pairs;
  const wallet = new WalletService({
    store: walletStore(database.kysely),
    needs: {
      coins,
      settled,
      openView,
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
        concerns: ({ balances }) => balances.length > 0,
        describeChange: ({ owner, balances }) => describeBook(coins, owner, balances),
        describeView: ({ owner, balances }) => {
          const held = [...balances.values()].filter((row) => row.available_units + row.frozen_units > 0n);
          return describeBook(coins, owner, held);
        },
      }),
    ],
  };
}
