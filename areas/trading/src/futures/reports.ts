// Connects liquidation reports and almighty gold with the core, the tables and proposals. Contains no rules.

import type { RouteSpec } from "@clockwork/host/route";
import { bonusNeeds } from "../bonus/needs.ts";
import { bonusRoutes } from "../bonus/routes.ts";
import { BonusService } from "../bonus/service.ts";
import { bonusStore } from "../bonus/store.ts";
import type { PartContext } from "../context.ts";
import { settledAccounts } from "../ledger/settled.ts";
import { liquidationRoutes } from "../liquidations/routes.ts";
import { LiquidationService } from "../liquidations/service.ts";
import { liquidationStore } from "../liquidations/store.ts";
import type { FuturesBooks } from "../positions/books.ts";

export function reportRoutes({ database, ledger, market }: PartContext, books: FuturesBooks): readonly RouteSpec[] {
  const { pairs } = market;
  const service = new LiquidationService({
    store: liquidationStore(database.kysely),
    needs: {
      findMarket: pairs.findMarket.bind(pairs),
      listAccounts: async (userId, biz) => {
        const owned = await settledAccounts(ledger, await books.list(userId, { biz }));
        return owned.map(({ account }) => account);
      },
      ownerOf: (account) => ledger.accounts.ownerOf(account),
    },
  });
  return liquidationRoutes(service);
}

export function goldRoutes(context: PartContext): readonly RouteSpec[] {
  const { accounts, database } = context;
  const service = new BonusService({
    store: bonusStore(database.kysely),
    needs: bonusNeeds(context),
  });
  return bonusRoutes(service, accounts.proposals.register(service.grantKind()));
}
