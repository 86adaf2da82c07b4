// Connects the wallet with the core, the account cache, the database and the sockets. Contains no rules.

import type { Part } from "@clockwork/host/part";
import { WALLET_TYPES } from "@clockwork/kit/books";
import type { AccountingService } from "../accounting/service.ts";
import type { PartContext } from "../context.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";
import { type CoinNetwork, WALLET_BIZ, WALLET_CHANNEL } from "./contract.ts";
import { walletNeeds } from "./needs.ts";
import { describeBook } from "./projector.ts";
import { walletRoutes } from "./routes.ts";
import { WalletService } from "./service.ts";
import { walletStore } from "./store.ts";

export function walletPart(
  context: PartContext,
  accounting: AccountingService,
  networksOf: (symbol: string) => CoinNetwork[],
): Part {
  const { live } = context.ledger;
  const coins = context.market.pairs;
  const wallet = new WalletService({
    store: walletStore(context.database.kysely),
    needs: walletNeeds(context, accounting, networksOf),
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
