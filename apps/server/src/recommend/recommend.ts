// Connects recommendations with the market and with what users have. Holds no rule of its own.
import type { RecommendNeeds } from "@clockwork/growth/recommend/needs";
import { recommendRoutes } from "@clockwork/growth/recommend/routes";
import { RecommendService } from "@clockwork/growth/recommend/service";
import type { Part, PartContext } from "../part.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";

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
