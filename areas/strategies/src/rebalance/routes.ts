// REST of rebalancing bots: schema → service → envelope. Results are public, owners are not shown.

import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { taskRoutes } from "../grid/task-routes.ts";
import type { BasketTestService } from "./back-test-service.ts";
import { REBALANCE_CALLS as CALLS } from "./contract.ts";
import type { RankingService } from "./ranking-service.ts";
import { REFUSALS } from "./refusals.ts";
import type { RebalanceService } from "./service.ts";

const own = { tag: "grid", scope: { key: "spot" } } as const;

export interface RebalanceServices {
  readonly bots: RebalanceService;
  readonly ranking: RankingService;
  readonly tests: BasketTestService;
}

const who = (userId: string | null): number | undefined => (userId === null ? undefined : Number(userId));

function detailOf(bots: RebalanceService) {
  return async (userId: string | null, id: number) => {
    const result = await bots.detail(who(userId), id);
    return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
  };
}

export function rebalanceRoutes({ bots, ranking, tests }: RebalanceServices): readonly RouteSpec[] {
  return [...changeRoutes(bots), ...readRoutes(bots), ...openRoutes(bots, ranking), ...testRoutes(tests)];
}

function changeRoutes(bots: RebalanceService): readonly RouteSpec[] {
  const detail = detailOf(bots);
  return [
    serve(CALLS.create, {
      ...own,
      summary:
        "Makes a bot that keeps 2 to 10 coins at their weights; asked again with the same clientId it is the same",
      handle: async ({ body }, { userId }) => {
        const made = await bots.create(Number(userId), body);
        return made.done ? detail(userId, made.value.id) : refuseBy(REFUSALS, made);
      },
    }),
    serve(CALLS.follow, {
      ...own,
      summary: "Makes a bot with the coins, weights and rule of another, with an investment of the caller's own",
      handle: async ({ body }, { userId }) => {
        const made = await bots.follow(Number(userId), body);
        return made.done ? detail(userId, made.value.id) : refuseBy(REFUSALS, made);
      },
    }),
    serve(CALLS.finish, {
      ...own,
      summary: "Stops a rebalancing bot: its coins are sold or kept, and everything goes back",
      handle: async ({ body: { id, base } }, { userId }) => {
        const ended = await bots.finish(Number(userId), id, base === "sell");
        return ended.done ? detail(userId, id) : refuseBy(REFUSALS, ended);
      },
    }),
  ];
}

function readRoutes(bots: RebalanceService): readonly RouteSpec[] {
  return [
    serve(CALLS.list, {
      ...own,
      summary: "The caller's rebalancing bots, newest first",
      handle: async ({ query }, { userId }) =>
        answer({ bots: await bots.list(Number(userId), query.state, query.limit) }),
    }),
  ];
}

/** Public data. */
function openRoutes(bots: RebalanceService, ranking: RankingService): readonly RouteSpec[] {
  const detail = detailOf(bots);
  return [
    serve(CALLS.detail, {
      tag: "grid",
      summary: "A rebalancing bot with its coins, shares and curve",
      handle: ({ query }, { userId }) => detail(userId, query.id),
    }),
    serve(CALLS.rounds, {
      tag: "grid",
      summary: "What a rebalancing bot has done, newest first: its start, every round that traded, its end",
      handle: async ({ query: { id, before, limit } }, { userId }) => {
        const result = await bots.rounds(who(userId), id, before, limit);
        return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
      },
    }),
    serve(CALLS.ranking, {
      tag: "grid",
      summary: "Baskets older than a day that have rebalanced, with 100 USDT or more, by what the last week made",
      handle: async ({ query }, { userId }) => answer(await ranking.ranking(who(userId), query)),
    }),
  ];
}

function testRoutes(tests: BasketTestService): readonly RouteSpec[] {
  return taskRoutes({
    tag: "grid",
    name: "a back-test of a basket",
    calls: { start: CALLS.startTest, read: CALLS.readTest, cancel: CALLS.cancelTest },
    refusals: REFUSALS,
    service: tests,
  });
}
