// Connects the portfolio with accounting and the market's prices. Contains no rules.

import type { Part } from "@clockwork/host/part";
import type { AccountingService } from "../accounting/service.ts";
import type { PartContext } from "../context.ts";
import { portfolioRoutes } from "./routes.ts";
import { PortfolioService } from "./service.ts";

const MONEY = "USDT";

export function portfolioPart({ market }: PartContext, accounting: AccountingService): Part {
  const { pairs } = market;
  const service = new PortfolioService({
    needs: {
      money: () => pairs.findAsset(MONEY)?.asset,
      findAssetById: (asset) => pairs.findAssetById(asset),
      worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
      async readStanding(userId, day) {
        const days = await accounting.readDays(userId, day, 1);
        if (days === undefined) return undefined;
        const { lots, closing, results, gainOf } = days;
        return {
          held: new Map([...lots.assets.map((asset) => [asset, 0n] as const), ...closing.held]),
          committedUnits: closing.committedUnits,
          today: results.at(-1),
          costOf: (asset) => lots.cost(asset),
          gainOf,
        };
      },
    },
  });
  return { routes: portfolioRoutes(service) };
}
