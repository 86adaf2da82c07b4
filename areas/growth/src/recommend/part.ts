// Connects recommendations with the market and with users' holdings. Contains no rules.

import type { Part } from "@clockwork/host/part";
import type { PartContext } from "@clockwork/trading/context";
import { ledgerView } from "@clockwork/trading/projectors/ledger/ledger-view";
import type { RecommendNeeds } from "./needs.ts";
import { recommendRoutes } from "./routes.ts";
import { RecommendService } from "./service.ts";

export function recommendPart({ market, ledger }: PartContext, sources: RecommendNeeds["sources"]): Part {
  const service = new RecommendService({
    readRanked: (timeMs) => market.service.readRankings(timeMs),
    readFavourites: async (userId) => (await market.service.readFavourites(userId)).pairCodes,
    listHeld: async (userId) => {
      const account = await ledger.accounts.find(userId, "spot");
      if (account === undefined) return [];
      const { balances } = (await ledger.openView(account)).of(ledgerView);
      const rows = [...balances.values()].map((row) => {
        const heldUnits = row.available_units + row.frozen_units;
        return { asset: row.asset, heldUnits, worthUnits: market.pairs.worthUnits(row.asset, heldUnits) ?? 0n };
      });
      const held = rows.filter(({ heldUnits }) => heldUnits > 0n);
      held.sort((left, right) => (right.worthUnits > left.worthUnits ? 1 : -1));
      return held.flatMap(({ asset }) => market.pairs.findAssetById(asset)?.symbol ?? []);
    },
    sources,
  });
  return { routes: recommendRoutes(service) };
}
