// Connects profit analysis with accounting and the market. Holds no rule of its own.
import type { AccountingNeeds } from "@clockwork/trading/accounting/needs";
import type { AccountingService } from "@clockwork/trading/accounting/service";
import { profitRoutes } from "@clockwork/trading/profit/routes";
import { ProfitService } from "@clockwork/trading/profit/service";
import type { Part, PartContext } from "../part.ts";

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
