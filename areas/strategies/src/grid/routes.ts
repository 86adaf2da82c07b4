// REST of grid strategies: schema → service → envelope, the same calls for spot and for futures.

import { answer, defineRoute, type RouteSpec, refuseBy } from "@clockwork/host/route";
import type { BackTestService } from "./back-test-service.ts";
import {
  Agreement,
  BackTestBody,
  BackTestTask,
  BotBody,
  BotDetail,
  BotList,
  BotQuery,
  CancelBody,
  ClonePlan,
  CloneQuery,
  CreateBody,
  FinishBody,
  FollowBody,
  GRID_PATHS,
  type GridBiz,
  ListQuery,
  MarginBody,
  OrderList,
  PairList,
  PairsQuery,
  ProfitBody,
  Ranking,
  RankingQuery,
  Suggestion,
  SuggestionQuery,
  TaskQuery,
  UpdateBody,
} from "./contract.ts";
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
  const own = { ...scopeOf(biz), method: "POST" } as const;
  const path = GRID_PATHS[biz];
  const detail = async (userId: string | null, id: number) => {
    const told = await read.detail(Number(userId), id);
    return told.done ? answer(told.value) : refuseBy(REFUSALS, told);
  };
  return [
    defineRoute({
      ...own,
      path: `${path}/create`,
      summary: "Makes a grid bot with money of the caller's; asked again with the same clientId it is the same bot",
      body: CreateBody,
      output: BotDetail,
      handle: async ({ body }, { userId }) => {
        const made = await bots.create(Number(userId), biz, body);
        return made.done ? detail(userId, made.value.id) : refuseBy(REFUSALS, made);
      },
    }),
    defineRoute({
      ...own,
      path: `${path}/follow`,
      summary: "Makes a bot of the same shape as another, with an investment of the caller's own",
      body: FollowBody,
      output: BotDetail,
      handle: async ({ body }, { userId }) => {
        const made = await bots.follow(Number(userId), biz, body);
        return made.done ? detail(userId, made.value.id) : refuseBy(REFUSALS, made);
      },
    }),
  ];
}

function changeRoutes({ bots, read }: GridServices, biz: GridBiz): RouteSpec[] {
  const own = { ...scopeOf(biz), method: "POST", output: BotDetail } as const;
  const path = GRID_PATHS[biz];
  type Asked = ReturnType<GridService["finish"]>;
  const then = async (asked: Asked, userId: string | null, id: number) => {
    const done = await asked;
    if (!done.done) return refuseBy(REFUSALS, done);
    const told = await read.detail(Number(userId), id);
    return told.done ? answer(told.value) : refuseBy(REFUSALS, told);
  };
  return [
    defineRoute({
      ...own,
      path: `${path}/update`,
      summary: "Replaces every setting of a running bot and lays orders that are missing",
      body: UpdateBody,
      handle: ({ body }, { userId }) => then(bots.update(Number(userId), biz, body), userId, body.id),
    }),
    defineRoute({
      ...own,
      path: `${path}/finish`,
      summary: "Stops a bot: every order is withdrawn, coins are sold or kept, the money goes back",
      body: FinishBody,
      handle: ({ body }, { userId }) =>
        then(bots.finish(Number(userId), biz, body.id, body.base === "sell"), userId, body.id),
    }),
    defineRoute({
      ...own,
      path: `${path}/profit`,
      summary: "Takes realised grid profit out, as far as it lies above the reserve for fees",
      body: ProfitBody,
      handle: ({ body: { id, amount, clientId } }, { userId }) =>
        then(bots.takeProfit(Number(userId), biz, id, amount, clientId), userId, id),
    }),
    defineRoute({
      ...own,
      path: `${path}/margin/update`,
      summary: "Puts margin into a futures bot, or takes some out when the amount is negative",
      body: MarginBody,
      handle: ({ body: { id, amount, clientId } }, { userId }) =>
        then(bots.changeMargin(Number(userId), biz, id, amount, clientId), userId, id),
    }),
    defineRoute({
      ...own,
      path: `${path}/order/cancel`,
      summary: "Withdraws one order of a bot; its cell stands empty until the bot is changed",
      body: CancelBody,
      handle: ({ body: { id, orderId } }, { userId }) =>
        then(bots.cancelOrder(Number(userId), biz, id, orderId), userId, id),
    }),
    defineRoute({
      ...own,
      path: `${path}/position/close`,
      summary: "Closes what a bot holds at the market, which ends it",
      body: BotBody,
      handle: ({ body: { id } }, { userId }) => then(bots.finish(Number(userId), biz, id, true), userId, id),
    }),
  ];
}

function ownRoutes({ bots, read }: GridServices, biz: GridBiz): RouteSpec[] {
  const own = scopeOf(biz);
  const path = GRID_PATHS[biz];
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: `${path}/list`,
      summary: "The caller's bots, newest first",
      query: ListQuery,
      output: BotList,
      handle: async ({ query }, { userId }) =>
        answer({ bots: await read.list(Number(userId), biz, query.state, query.limit) }),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: `${path}/orders`,
      summary: "What a bot of the caller's has in the book",
      query: BotQuery,
      output: OrderList,
      handle: async ({ query }, { userId }) => {
        const told = await read.orders(Number(userId), query.id);
        return told.done ? answer(told.value) : refuseBy(REFUSALS, told);
      },
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: `${path}/protocol`,
      summary: "When the caller accepted the strategy agreement",
      output: Agreement,
      handle: async (_, { userId }) => answer({ agreedAtMs: (await bots.agreedAt(Number(userId))) ?? null }),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: `${path}/protocol/agree`,
      summary: "Accepts the strategy agreement",
      output: Agreement,
      handle: async (_, { userId }) => answer({ agreedAtMs: await bots.agree(Number(userId)) }),
    }),
  ];
}

/** What anybody may see: bots that are published, without their owners. */
function openRoutes({ read, ranks }: GridServices, biz: GridBiz): RouteSpec[] {
  const path = GRID_PATHS[biz];
  const who = (userId: string | null): number | undefined => (userId === null ? undefined : Number(userId));
  return [
    defineRoute({
      tag: "grid",
      method: "GET",
      path: `${path}/detail`,
      summary: "A bot with its figures, curve and log",
      query: BotQuery,
      output: BotDetail,
      handle: async ({ query }, { userId }) => {
        const told = await read.detail(who(userId), query.id);
        return told.done ? answer(told.value) : refuseBy(REFUSALS, told);
      },
    }),
    defineRoute({
      tag: "grid",
      method: "GET",
      path: `${path}/clone`,
      summary: "What a clone of a bot with so much would begin with at the price of now; makes nothing",
      query: CloneQuery,
      output: ClonePlan,
      handle: async ({ query }, { userId }) => {
        const told = await read.clone(who(userId), biz, query.id, query.investment);
        return told.done ? answer(told.value) : refuseBy(REFUSALS, told);
      },
    }),
    defineRoute({
      tag: "grid",
      method: "GET",
      path: `${path}/pairs`,
      summary: "A bot's matched pairs, newest first",
      query: PairsQuery,
      output: PairList,
      handle: async ({ query }, { userId }) => {
        const told = await read.pairs(who(userId), query.id, query.before, query.limit);
        return told.done ? answer(told.value) : refuseBy(REFUSALS, told);
      },
    }),
    defineRoute({
      tag: "grid",
      method: "GET",
      path: `${path}/ranking`,
      summary: "Bots older than a day with 20 pairs and 100 USDT or more, by the last week's grid profit",
      query: RankingQuery,
      output: Ranking,
      handle: async ({ query }, { userId }) => answer(await ranks.ranking(who(userId), biz, query)),
    }),
  ];
}

function testRoutes({ tests }: GridServices, biz: GridBiz): RouteSpec[] {
  const path = GRID_PATHS[biz];
  return [
    defineRoute({
      tag: "grid",
      method: "GET",
      path: `${path}/suggestion`,
      summary: "A grid that recent volatility suggests, with its back-test; no promise",
      query: SuggestionQuery,
      output: Suggestion,
      handle: async ({ query }) => {
        const told = await tests.suggest(biz, query.pairCode, Number(query.days ?? DAYS_DEFAULT));
        return told.done ? answer(told.value) : refuseBy(REFUSALS, told);
      },
    }),
    ...taskRoutes({
      tag: "grid",
      path: `${path}/backtest`,
      name: "a back-test",
      body: BackTestBody,
      task: TaskQuery,
      output: BackTestTask,
      refusals: REFUSALS,
      service: tests.of(biz),
    }),
  ];
}
