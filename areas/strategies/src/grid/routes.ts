// REST of grid strategies: schema → service → envelope, the same calls for spot and for futures.

import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { BackTestService } from "./back-test-service.ts";
import { GRID_CALLS, type GridBiz } from "./contract.ts";
import type { RankingService } from "./ranking-service.ts";
import type { GridReadService } from "./read-service.ts";
import { REFUSALS } from "./refusals.ts";
import type { GridService } from "./service.ts";
import { taskRoutes } from "./task-routes.ts";

export interface GridServices {
  readonly bots: GridService;
  readonly read: GridReadService;
  readonly tests: BackTestService;
  readonly ranks: RankingService;
}

const DAYS_DEFAULT = "30";

export function gridRoutes(services: GridServices): readonly RouteSpec[] {
  return (["spot", "futures"] as const).flatMap((biz) => [
    ...makeRoutes(services, biz),
    ...changeRoutes(services, biz),
    ...ownRoutes(services, biz),
    ...openRoutes(services, biz),
    ...testRoutes(services, biz),
  ]);
}

const scopeOf = (biz: GridBiz) => ({ tag: "grid", scope: { key: biz === "spot" ? "spot" : "futures" } }) as const;

function makeRoutes({ bots, read }: GridServices, biz: GridBiz): RouteSpec[] {
  const own = scopeOf(biz);
  const calls = GRID_CALLS[biz];
  const detail = async (userId: string | null, id: number) => {
    const result = await read.detail(Number(userId), id);
    return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
  };
  return [
    serve(calls.create, {
      ...own,
      summary: "Makes a grid bot with money of the caller's; asked again with the same clientId it is the same bot",
      handle: async ({ body }, { userId }) => {
        const made = await bots.create(Number(userId), biz, body);
        return made.done ? detail(userId, made.value.id) : refuseBy(REFUSALS, made);
      },
    }),
    serve(calls.follow, {
      ...own,
      summary: "Makes a bot of the same shape as another, with an investment of the caller's own",
      handle: async ({ body }, { userId }) => {
        const made = await bots.follow(Number(userId), biz, body);
        return made.done ? detail(userId, made.value.id) : refuseBy(REFUSALS, made);
      },
    }),
  ];
}

function changeRoutes({ bots, read }: GridServices, biz: GridBiz): RouteSpec[] {
  const own = scopeOf(biz);
  const calls = GRID_CALLS[biz];
  type Requested = ReturnType<GridService["finish"]>;
  const then = async (requested: Requested, userId: string | null, id: number) => {
    const done = await requested;
    if (!done.done) return refuseBy(REFUSALS, done);
    const result = await read.detail(Number(userId), id);
    return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
  };
  return [
    serve(calls.update, {
      ...own,
      summary: "Replaces every setting of a running bot and lays orders that are missing",
      handle: ({ body }, { userId }) => then(bots.update(Number(userId), biz, body), userId, body.id),
    }),
    serve(calls.finish, {
      ...own,
      summary: "Stops a bot: every order is withdrawn, coins are sold or kept, the money goes back",
      handle: ({ body }, { userId }) =>
        then(bots.finish(Number(userId), biz, body.id, body.base === "sell"), userId, body.id),
    }),
    serve(calls.profit, {
      ...own,
      summary: "Takes realised grid profit out, as far as it lies above the reserve for fees",
      handle: ({ body: { id, amount, clientId } }, { userId }) =>
        then(bots.takeProfit(Number(userId), biz, id, amount, clientId), userId, id),
    }),
    serve(calls.margin, {
      ...own,
      summary: "Puts margin into a futures bot, or takes some out when the amount is negative",
      handle: ({ body: { id, amount, clientId } }, { userId }) =>
        then(bots.changeMargin(Number(userId), biz, id, amount, clientId), userId, id),
    }),
    serve(calls.cancelOrder, {
      ...own,
      summary: "Withdraws one order of a bot; its cell stands empty until the bot is changed",
      handle: ({ body: { id, orderId } }, { userId }) =>
        then(bots.cancelOrder(Number(userId), biz, id, orderId), userId, id),
    }),
    serve(calls.closePosition, {
      ...own,
      summary: "Closes what a bot holds at the market, which ends it",
      handle: ({ body: { id } }, { userId }) => then(bots.finish(Number(userId), biz, id, true), userId, id),
    }),
  ];
}

function ownRoutes({ bots, read }: GridServices, biz: GridBiz): RouteSpec[] {
  const own = scopeOf(biz);
  const calls = GRID_CALLS[biz];
  return [
    serve(calls.list, {
      ...own,
      summary: "The caller's bots, newest first",
      handle: async ({ query }, { userId }) =>
        answer({ bots: await read.list(Number(userId), biz, query.state, query.limit) }),
    }),
    serve(calls.orders, {
      ...own,
      summary: "What a bot of the caller's has in the book",
      handle: async ({ query }, { userId }) => {
        const result = await read.orders(Number(userId), query.id);
        return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
      },
    }),
    serve(calls.agreement, {
      ...own,
      summary: "When the caller accepted the strategy agreement",
      handle: async (_, { userId }) => answer({ agreedAtMs: (await bots.agreedAt(Number(userId))) ?? null }),
    }),
    serve(calls.agree, {
      ...own,
      summary: "Accepts the strategy agreement",
      handle: async (_, { userId }) => answer({ agreedAtMs: await bots.agree(Number(userId)) }),
    }),
  ];
}

/** Public data: published bots, without their owners. */
function openRoutes({ read, ranks }: GridServices, biz: GridBiz): RouteSpec[] {
  const calls = GRID_CALLS[biz];
  const who = (userId: string | null): number | undefined => (userId === null ? undefined : Number(userId));
  return [
    serve(calls.detail, {
      tag: "grid",
      summary: "A bot with its figures, curve and log",
      handle: async ({ query }, { userId }) => {
        const result = await read.detail(who(userId), query.id);
        return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
      },
    }),
    serve(calls.clone, {
      tag: "grid",
      summary: "What a clone of a bot with so much would begin with at the price of now; makes nothing",
      handle: async ({ query }, { userId }) => {
        const result = await read.clone(who(userId), biz, query.id, query.investment);
        return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
      },
    }),
    serve(calls.pairs, {
      tag: "grid",
      summary: "A bot's matched pairs, newest first",
      handle: async ({ query }, { userId }) => {
        const result = await read.pairs(who(userId), query.id, query.before, query.limit);
        return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
      },
    }),
    serve(calls.ranking, {
      tag: "grid",
      summary: "Bots older than a day with 20 pairs and 100 USDT or more, by the last week's grid profit",
      handle: async ({ query }, { userId }) => answer(await ranks.ranking(who(userId), biz, query)),
    }),
  ];
}

function testRoutes({ tests }: GridServices, biz: GridBiz): RouteSpec[] {
  const calls = GRID_CALLS[biz];
  return [
    serve(calls.suggestion, {
      tag: "grid",
      summary: "A grid that recent volatility suggests, with its back-test; no promise",
      handle: async ({ query }) => {
        const result = await tests.suggest(biz, query.pairCode, Number(query.days ?? DAYS_DEFAULT));
        return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
      },
    }),
    ...taskRoutes({
      tag: "grid",
      name: "a back-test",
      calls: { start: calls.startTest, read: calls.readTest, cancel: calls.cancelTest },
      refusals: REFUSALS,
      service: tests.of(biz),
    }),
  ];
}
