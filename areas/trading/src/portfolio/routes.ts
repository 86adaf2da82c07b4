// REST of the portfolio: schema → service → envelope.
import { defineRoute, type RouteSpec } from "@clockwork/host/route";
import { PORTFOLIO_PATH, Portfolio } from "./contract.ts";
import type { PortfolioService } from "./service.ts";

export function portfolioRoutes(service: PortfolioService): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      path: PORTFOLIO_PATH,
      tag: "portfolio",
      scope: "user",
      summary: "Average cost and profit of each coin of the caller's account, and today's",
      output: Portfolio,
      handle: async (_, { userId, timeMs }) => service.read(Number(userId), timeMs),
    }),
  ];
}
