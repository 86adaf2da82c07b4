// Connects the portfolio with the account cache, the market's prices and the tables. Holds no rule of its own.
import { portfolioRoutes } from "@clockwork/domains/portfolio/routes";
import { PortfolioService } from "@clockwork/domains/portfolio/service";
import { portfolioStore } from "@clockwork/domains/portfolio/store";
import type { Part, PartContext } from "../part.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";

const MINUTE_MS = 60_000;

export function portfolioPart({ database, ledger, market }: PartContext): Part {
  const { pairs, data } = market;
  const service = new PortfolioService({
    store: portfolioStore(database.kysely),
    needs: {
      findSpotAccount: (userId) => ledger.accounts.find(userId, "spot"),
      readHeld: async (account) => {
        const view = await ledger.openView(account);
        await ledger.settled(view.changedSequence);
        const rows = [...view.of(ledgerView).balances.values()];
        return rows.map((row) => ({ asset: row.asset, heldUnits: row.available_units + row.frozen_units }));
      },
      findAssetById: (asset) => pairs.findAssetById(asset),
      findMarket: (number) => {
        const pair = pairs.findMarket(number);
        if (pair === undefined || pair.biz !== "spot") return undefined;
        return { base: pair.base.asset, quote: pair.quote.asset, stepUnits: BigInt(pair.stepUnits) };
      },
      worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
      priceSince: (asset, sinceMs) => {
        const pair = pairs.findPair(`${pairs.findAssetById(asset)?.symbol}_USDT`);
        const bars = pair === undefined ? [] : (data.projector.states.get(pair.market)?.bars(MINUTE_MS) ?? []);
        const first = bars.find(({ timeMs }) => timeMs >= sinceMs);
        const last = bars.at(-1);
        if (first === undefined || last === undefined) return undefined;
        return { thenTicks: BigInt(first.open), nowTicks: BigInt(last.close) };
      },
    },
  });
  return { routes: portfolioRoutes(service) };
}
