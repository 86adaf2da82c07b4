// Connects liquidation reports and almighty gold with the core, the tables and proposals. Contains no rules.

import type { RouteSpec } from "@clockwork/host/route";
import type { NoticeKind } from "@clockwork/kit/notice";
import { bonusRoutes } from "../bonus/routes.ts";
import { BonusService } from "../bonus/service.ts";
import { bonusStore } from "../bonus/store.ts";
import type { PartContext } from "../context.ts";
import { liquidationRoutes } from "../liquidations/routes.ts";
import { LiquidationService } from "../liquidations/service.ts";
import { liquidationStore } from "../liquidations/store.ts";
import type { FuturesBooks } from "./books.ts";

const BONUSES: NoticeKind = { kind: "almighty-gold", group: "products", defaults: ["live", "letter"] };
/** Books that can have a bonus. */
const BONUS_BOOKS: ReadonlySet<string> = new Set(["linear", "inverse", "copyF", "copyFLead", "bot"]);

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

/** Resolves once the tables hold what was published to their owner. */
async function settledAccounts<Owned extends { readonly account: number }>(
  ledger: PartContext["ledger"],
  owned: readonly Owned[],
): Promise<readonly Owned[]> {
  const views = await Promise.all(owned.map(({ account }) => ledger.openView(account)));
  await ledger.settled(Math.max(0, ...views.map(({ changedSequence }) => changedSequence)));
  return owned;
}

export function goldRoutes({ accounts, database, engine, ledger, market }: PartContext): readonly RouteSpec[] {
  const { pairs } = market;
  const { notices, proposals, users } = accounts;
  notices.register(BONUSES);
  const service = new BonusService({
    store: bonusStore(database.kysely),
    needs: {
      findAsset: pairs.findAsset.bind(pairs),
      findAssetById: pairs.findAssetById.bind(pairs),
      settles: (biz, asset) => pairs.listContracts(biz).some(({ settle }) => settle.asset === asset),
      isUser: async (userId) => (await users.find(userId)) !== undefined,
      openAccount: (userId, biz, asset) =>
        biz === "delivery"
          ? ledger.accounts.open(userId, "inverse", { sub: asset })
          : ledger.accounts.open(userId, "linear"),
      listAccounts: async (userId) => {
        const owned = (await ledger.accounts.list(userId)).filter(({ book }) => BONUS_BOOKS.has(book));
        return settledAccounts(ledger, owned);
      },
      submit: engine.submit,
      settled: ledger.settled,
      notify: async (userId, notice, timeMs) => {
        await notices.notify(userId, { kind: BONUSES.kind, path: "/futures/BTC_USDT", ...notice }, timeMs);
      },
    },
  });
  return bonusRoutes(service, proposals.register(service.grantKind()));
}
