// Connects the portfolio with accounting and the market's prices. Contains no rules.
import type { Part } from "@clockwork/host/part";
import type { AccountingService } from "../accounting/service.ts";
import type { PartContext } from "../context.ts";
import { portfolioRoutes } from "./routes.ts";
import { PortfolioService } from "./service.ts";

export function portfolioPart({ market }: PartContext, accounting: AccountingService): Part {
  return { routes: portfolioRoutes(new PortfolioService({ pairs: market.pairs, accounting })) };
}
