// Connects the portfolio with accounting and the market's prices. Holds no rule of its own.
import type { AccountingService } from "@clockwork/domains/accounting/service";
import { portfolioRoutes } from "@clockwork/domains/portfolio/routes";
import { PortfolioService } from "@clockwork/domains/portfolio/service";
import type { Part, PartContext } from "../part.ts";

const MONEY = "USDT";

export function portfolioPart({ market }: PartContext, accounting: AccountingService): Part {
  const { pairs } = market;
  const service = new PortfolioService({
    needs: {
      money: () => pairs.findAsset(MONEY)?.asset,
      findAssetById: (asset) => pairs.findAssetById(asset),
      worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
      async readStanding(userId, day) {
        const standing = await accounting.read(userId);
        const days = await accounting.readDays(userId, day, 1);
        if (standing === undefined || days === undefined) return undefined;
        const { lots, record } = standing;
        return {
          held: new Map([...lots.assets.map((asset) => [asset, 0n] as const), ...record.held]),
          committedUnits: record.committedUnits,
          today: days.results.at(-1),
          costOf: (asset) => lots.cost(asset),
          gainOf: days.gainOf,
        };
      },
    },
  });
  return { routes: portfolioRoutes(service) };
}
