// REST of profit analysis: schema → service → envelope.
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { PROFIT_PATH, Profit, ProfitQuery } from "./contract.ts";
import type { ProfitService } from "./service.ts";

export function profitRoutes(profit: ProfitService): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      path: PROFIT_PATH,
      tag: "wallet",
      scope: { key: "read" },
      summary:
        "Equity and profit of all the caller's wallets day by day, what came in and went out, and the coins behind it",
      query: ProfitQuery,
      output: Profit,
      handle: async ({ query }, { userId }) => answer(await profit.read(Number(userId), query.days)),
    }),
  ];
}
