// REST of the portfolio: schema → service → envelope.
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { PORTFOLIO_CALLS } from "./contract.ts";
import type { PortfolioService } from "./service.ts";

export function portfolioRoutes(service: PortfolioService): readonly RouteSpec[] {
  return [
    serve(PORTFOLIO_CALLS.read, {
      tag: "portfolio",
      scope: "user",
      summary: "Average cost and profit of each coin of the caller's account, and today's",
      handle: async (_, { userId, timeMs }) => answer(await service.read(Number(userId), timeMs)),
    }),
  ];
}
