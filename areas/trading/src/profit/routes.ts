// REST of profit analysis: schema → service → envelope.
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { PROFIT_CALLS } from "./contract.ts";
import type { ProfitService } from "./service.ts";

export function profitRoutes(profit: ProfitService): readonly RouteSpec[] {
  return [
    serve(PROFIT_CALLS.read, {
      tag: "wallet",
      scope: { key: "read" },
      summary:
        "Equity and profit of all the caller's wallets day by day, what came in and went out, and the coins behind it",
      handle: async ({ query }, { userId }) => answer(await profit.read(Number(userId), query.days)),
    }),
  ];
}
