// Connects profit analysis with accounting and the market. Contains no rules.

import type { Part } from "@clockwork/host/part";
import type { AccountingNeeds } from "../accounting/needs.ts";
import type { AccountingService } from "../accounting/service.ts";
import type { PartContext } from "../context.ts";
import { profitRoutes } from "./routes.ts";
import { ProfitService } from "./service.ts";

export function profitPart(
  { market, clock }: PartContext,
  accounting: AccountingService,
  { readCloses }: Pick<AccountingNeeds, "readCloses">,
): Part {
  const { pairs } = market;
  const service = new ProfitService({
    needs: {
      now: clock.now,
      readDays: (userId, today, days) => accounting.readDays(userId, today, days),
      findAsset: (symbol) => pairs.findAsset(symbol),
      findAssetById: (asset) => pairs.findAssetById(asset),
      readCloses,
      worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
    },
  });
  return { routes: profitRoutes(service) };
}
