// REST of futures trading: schema → service → envelope, below /futuresapi for all products, for demo by its own address,
// and under the seed's own names for inverse contracts.
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { Type } from "typebox";
import type { FuturesAccountService } from "./account-service.ts";
import type { FuturesChangeService } from "./change-service.ts";
import {
  BizQuery,
  CancelManyBody,
  CancelQuery,
  DemoStatus,
  FuturesAmendBody,
  FuturesBatchBody,
  FuturesBatchResult,
  FuturesBillPage,
  FuturesBillsQuery,
  type FuturesBiz,
  FuturesCancelAfterBody,
  FuturesCancelAfterResult,
  FuturesClearBody,
  FuturesClearResult,
  FuturesClientIdParams,
  FuturesFee,
  FuturesFillPage,
  FuturesFillsQuery,
  FuturesOrder,
  FuturesOrderBody,
  FuturesOrderPage,
  FuturesOrdersQuery,
  FuturesPlaced,
  IdParams,
  MaxOrder,
  MaxOrderQuery,
  ResetResult,
} from "./contract.ts";
import type { FuturesService } from "./service.ts";

const reads = { tag: "futures", scope: { key: "read" }, bases: ["futures"], method: "GET" } as const;
const trades = { tag: "futures", scope: { key: "futures" }, bases: ["futures"] } as const;

export interface FuturesServices {
  readonly futures: FuturesService;
  readonly changes: FuturesChangeService;
  readonly accounts: FuturesAccountService;
}

/** Where the same calls lie, and which product they are about when nothing is said. */
interface Place {
  readonly path: string;
  readonly biz: FuturesBiz;
  readonly title: string;
}

const LINEAR: Place = { path: "/v1/futuresc", biz: "futures", title: "" };
const INVERSE: Place = { path: "/v1/perpcm", biz: "delivery", title: " (coin-margined)" };
const DEMO: Place = { path: "/v1/futuresc/simulated", biz: "demo", title: " (demo)" };

export function futuresRoutes(services: FuturesServices): readonly RouteSpec[] {
  return [
    ...orderRoutes(services, LINEAR),
    ...changeRoutes(services, LINEAR),
    ...readRoutes(services, LINEAR),
    ...accountRoutes(services, LINEAR),
    ...readRoutes(services, DEMO),
    ...accountRoutes(services, DEMO),
    ...demoRoutes(services),
    ...orderRoutes(services, INVERSE),
    ...changeRoutes(services, INVERSE),
    ...readRoutes(services, INVERSE),
    ...accountRoutes(services, INVERSE),
    ...inverseRoutes(services),
  ];
}

function orderRoutes({ futures }: FuturesServices, { path, biz, title }: Place): readonly RouteSpec[] {
  return [
    defineRoute({
      ...trades,
      method: "POST",
      path: `${path}/orders`,
      summary: `Places an order; the answer comes after its commit${title}`,
      isPrompt: true,
      isQuick: true,
      body: FuturesOrderBody,
      output: FuturesPlaced,
      handle: ({ body }, { userId }) => futures.place(Number(userId), { ...body, biz: body.biz ?? biz }),
    }),
    defineRoute({
      ...trades,
      method: "POST",
      path: `${path}/orders/batch`,
      summary: `Places up to 20 orders, each on its own${title}`,
      isQuick: true,
      body: FuturesBatchBody,
      output: FuturesBatchResult,
      handle: async ({ body }, { userId }) => {
        const orders = body.orders.map((order) => ({ ...order, biz: order.biz ?? biz }));
        return answer(await futures.placeBatch(Number(userId), orders));
      },
    }),
  ];
}

function changeRoutes({ changes }: FuturesServices, { path, biz, title }: Place): readonly RouteSpec[] {
  return [
    defineRoute({
      ...trades,
      method: "POST",
      path: `${path}/orders/clear`,
      summary: `Ends every open order and plan, of one contract when named${title}`,
      isQuick: true,
      body: FuturesClearBody,
      output: FuturesClearResult,
      handle: ({ body }, { userId }) => changes.clear(Number(userId), { ...body, biz: body.biz ?? biz }),
    }),
    defineRoute({
      ...trades,
      method: "POST",
      path: `${path}/orders/cancel`,
      summary: `Ends up to 50 open orders by their ids${title}`,
      isQuick: true,
      body: CancelManyBody,
      output: FuturesClearResult,
      handle: ({ body }, { userId }) => changes.cancelMany(Number(userId), body.orderIds, body),
    }),
    defineRoute({
      ...trades,
      method: "POST",
      path: `${path}/orders/cancel-after`,
      summary: `Ends every order unless called again in time; 0 seconds switches it off${title}`,
      isQuick: true,
      body: FuturesCancelAfterBody,
      output: FuturesCancelAfterResult,
      handle: ({ body }, { userId }) => changes.cancelAfter(Number(userId), { ...body, biz: body.biz ?? biz }),
    }),
    defineRoute({
      ...trades,
      method: "PATCH",
      path: `${path}/orders/:id`,
      summary: `Changes price or quantity, or where a stop or plan is set off; less at the same price keeps the place in the queue${title}`,
      isQuick: true,
      params: IdParams,
      body: FuturesAmendBody,
      output: FuturesOrder,
      handle: ({ params, body }, { userId }) => changes.amend(Number(userId), Number(params.id), body),
    }),
    defineRoute({
      ...trades,
      method: "DELETE",
      path: `${path}/orders/:id`,
      summary: `Ends one open order or plan${title}`,
      isQuick: true,
      params: IdParams,
      query: CancelQuery,
      output: FuturesOrder,
      handle: ({ params, query }, { userId }) => changes.cancel(Number(userId), Number(params.id), query),
    }),
  ];
}

function readRoutes({ futures }: FuturesServices, { path, biz, title }: Place): readonly RouteSpec[] {
  return [
    defineRoute({
      ...reads,
      path: `${path}/orders`,
      summary: `Open orders, plans or history of the caller${title}`,
      query: FuturesOrdersQuery,
      output: FuturesOrderPage,
      handle: ({ query }, { userId }) => futures.listOrders(Number(userId), { biz, ...query }),
    }),
    defineRoute({
      ...reads,
      path: `${path}/orders/:id`,
      summary: `One order of the caller${title}`,
      params: IdParams,
      query: BizQuery,
      output: FuturesOrder,
      handle: ({ params, query }, { userId }) =>
        futures.readOrder(Number(userId), Number(params.id), { biz, ...query }),
    }),
    defineRoute({
      ...reads,
      path: `${path}/orders/by-client-id/:clientOrderId`,
      summary: `The caller's newest order with this client order id${title}`,
      params: FuturesClientIdParams,
      query: BizQuery,
      output: FuturesOrder,
      handle: ({ params, query }, { userId }) =>
        futures.readOrderByName(Number(userId), params.clientOrderId, { biz, ...query }),
    }),
    defineRoute({
      ...reads,
      path: `${path}/fills`,
      summary: `The caller's fills with fees and realised profit${title}`,
      query: FuturesFillsQuery,
      output: FuturesFillPage,
      handle: ({ query }, { userId }) => futures.listFills(Number(userId), { biz, ...query }),
    }),
  ];
}

function accountRoutes({ futures, accounts }: FuturesServices, { path, biz, title }: Place): readonly RouteSpec[] {
  return [
    defineRoute({
      ...reads,
      path: `${path}/bills`,
      summary: `Every cash change of the caller's futures accounts, newest first${title}`,
      query: FuturesBillsQuery,
      output: FuturesBillPage,
      handle: ({ query }, { userId }) => accounts.listBills(Number(userId), { biz, ...query }),
    }),
    defineRoute({
      ...reads,
      path: `${path}/max-order`,
      summary: `The largest orders that would be taken now, and what bounds them${title}`,
      query: MaxOrderQuery,
      output: MaxOrder,
      handle: ({ query }, { userId }) => futures.readMaxOrder(Number(userId), { biz, ...query }),
    }),
    defineRoute({
      ...reads,
      path: `${path}/user-level-fee`,
      summary: `What the caller pays on contracts${title}`,
      query: BizQuery,
      output: FuturesFee,
      handle: ({ query }, { userId }) => futures.readFee(Number(userId), { biz, ...query }),
    }),
  ];
}

function demoRoutes({ accounts }: FuturesServices): readonly RouteSpec[] {
  return [
    defineRoute({
      ...reads,
      path: `${DEMO.path}/status`,
      summary: "Whether the caller plays, and when the demo account may begin again",
      output: DemoStatus,
      handle: (_, { userId, timeMs }) => accounts.readDemo(Number(userId), timeMs),
    }),
    defineRoute({
      ...trades,
      method: "POST",
      path: `${DEMO.path}/reset`,
      summary: "Begins the demo account again; once in 24 hours",
      output: ResetResult,
      handle: (_, { userId }) => accounts.resetDemo(Number(userId)),
    }),
  ];
}

/** Names of the seed that stand for a choice of a query elsewhere. */
function inverseRoutes({ futures, accounts }: FuturesServices): readonly RouteSpec[] {
  const { path, biz, title } = INVERSE;
  const listed = Type.Omit(FuturesOrdersQuery, ["state"]);
  const states = ["open", "plan", "history"] as const;
  return [
    ...states.map((state) =>
      defineRoute({
        ...reads,
        path: `${path}/${state}-orders`,
        summary: `The caller's orders: ${state}${title}`,
        query: listed,
        output: FuturesOrderPage,
        handle: ({ query }, { userId }) => futures.listOrders(Number(userId), { biz, ...query, state }),
      }),
    ),
    defineRoute({
      ...reads,
      path: `${path}/bill-types`,
      summary: `The types bills can have${title}`,
      output: Type.Array(Type.String()),
      handle: async () => answer(accounts.listBillTypes()),
    }),
    defineRoute({
      ...reads,
      path: `${path}/user`,
      summary: `What the caller pays on coin-margined contracts`,
      output: FuturesFee,
      handle: (_, { userId }) => futures.readFee(Number(userId), { biz }),
    }),
  ];
}
