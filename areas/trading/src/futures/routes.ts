// REST of futures trading: schema → service → envelope, below /futuresapi for all products, for demo by its own
// address, and under the seed's own names for inverse contracts.
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { type ContractPlace, DEMO, INVERSE, LINEAR } from "../markets/places.ts";
import type { FuturesAccountService } from "./account-service.ts";
import type { FuturesChangeService } from "./change-service.ts";
import { FUTURES_CALLS as CALLS, INVERSE_FUTURES_CALLS } from "./contract.ts";
import type { FuturesService } from "./service.ts";

const reads = { tag: "futures", scope: { key: "read" } } as const;
const trades = { tag: "futures", scope: { key: "futures" } } as const;

export interface FuturesServices {
  readonly futures: FuturesService;
  readonly changes: FuturesChangeService;
  readonly accounts: FuturesAccountService;
}

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

function orderRoutes({ futures }: FuturesServices, { at, biz, title }: ContractPlace): readonly RouteSpec[] {
  return [
    serve(at(CALLS.place), {
      ...trades,
      summary: `Places an order; the answer comes after its commit${title}`,
      isPrompt: true,
      isQuick: true,
      handle: ({ body }, { userId }) => futures.place(Number(userId), { ...body, biz: body.biz ?? biz }),
    }),
    serve(at(CALLS.placeBatch), {
      ...trades,
      summary: `Places up to 20 orders, each on its own${title}`,
      isQuick: true,
      handle: async ({ body }, { userId }) => {
        const orders = body.orders.map((order) => ({ ...order, biz: order.biz ?? biz }));
        return answer(await futures.placeBatch(Number(userId), orders));
      },
    }),
  ];
}

function changeRoutes({ changes }: FuturesServices, { at, biz, title }: ContractPlace): readonly RouteSpec[] {
  return [
    serve(at(CALLS.clear), {
      ...trades,
      summary: `Ends every open order and plan, of one contract when named${title}`,
      isQuick: true,
      handle: ({ body }, { userId }) => changes.clear(Number(userId), { ...body, biz: body.biz ?? biz }),
    }),
    serve(at(CALLS.cancelMany), {
      ...trades,
      summary: `Ends up to 50 open orders by their ids${title}`,
      isQuick: true,
      handle: ({ body }, { userId }) => changes.cancelMany(Number(userId), body.orderIds, body),
    }),
    serve(at(CALLS.cancelAfter), {
      ...trades,
      summary: `Ends every order unless called again in time; 0 seconds switches it off${title}`,
      isQuick: true,
      handle: ({ body }, { userId }) => changes.cancelAfter(Number(userId), { ...body, biz: body.biz ?? biz }),
    }),
    serve(at(CALLS.amend), {
      ...trades,
      summary: `Changes price or quantity, or where a stop or plan is set off; less at the same price keeps the place in the queue${title}`,
      isQuick: true,
      handle: ({ params, body }, { userId }) => changes.amend(Number(userId), Number(params.id), body),
    }),
    serve(at(CALLS.cancel), {
      ...trades,
      summary: `Ends one open order or plan${title}`,
      isQuick: true,
      handle: ({ params, query }, { userId }) => changes.cancel(Number(userId), Number(params.id), query),
    }),
  ];
}

function readRoutes({ futures }: FuturesServices, { at, biz, title }: ContractPlace): readonly RouteSpec[] {
  return [
    serve(at(CALLS.orders), {
      ...reads,
      summary: `Open orders, plans or history of the caller${title}`,
      handle: ({ query }, { userId }) => futures.listOrders(Number(userId), { biz, ...query }),
    }),
    serve(at(CALLS.order), {
      ...reads,
      summary: `One order of the caller${title}`,
      handle: ({ params, query }, { userId }) =>
        futures.readOrder(Number(userId), Number(params.id), { biz, ...query }),
    }),
    serve(at(CALLS.orderByClientId), {
      ...reads,
      summary: `The caller's newest order with this client order id${title}`,
      handle: ({ params, query }, { userId }) =>
        futures.readOrderByName(Number(userId), params.clientOrderId, { biz, ...query }),
    }),
    serve(at(CALLS.fills), {
      ...reads,
      summary: `The caller's fills with fees and realised profit${title}`,
      handle: ({ query }, { userId }) => futures.listFills(Number(userId), { biz, ...query }),
    }),
  ];
}

function accountRoutes(
  { futures, accounts }: FuturesServices,
  { at, biz, title }: ContractPlace,
): readonly RouteSpec[] {
  return [
    serve(at(CALLS.bills), {
      ...reads,
      summary: `Every cash change of the caller's futures accounts, newest first${title}`,
      handle: ({ query }, { userId }) => accounts.listBills(Number(userId), { biz, ...query }),
    }),
    serve(at(CALLS.maxOrder), {
      ...reads,
      summary: `The largest orders that would be taken now, and what bounds them${title}`,
      handle: ({ query }, { userId }) => futures.readMaxOrder(Number(userId), { biz, ...query }),
    }),
    serve(at(CALLS.fee), {
      ...reads,
      summary: `What the caller pays on contracts${title}`,
      handle: ({ query }, { userId }) => futures.readFee(Number(userId), { biz, ...query }),
    }),
  ];
}

function demoRoutes({ accounts }: FuturesServices): readonly RouteSpec[] {
  return [
    serve(CALLS.demoStatus, {
      ...reads,
      summary: "Whether the caller plays, and when the demo account may begin again",
      handle: (_, { userId, timeMs }) => accounts.readDemo(Number(userId), timeMs),
    }),
    serve(CALLS.demoReset, {
      ...trades,
      summary: "Begins the demo account again; once in 24 hours",
      handle: (_, { userId }) => accounts.resetDemo(Number(userId)),
    }),
  ];
}

/** Names of the seed that correspond to a query parameter elsewhere. */
function inverseRoutes({ futures, accounts }: FuturesServices): readonly RouteSpec[] {
  const { biz, title } = INVERSE;
  return [
    ...(["open", "plan", "history"] as const).map((state) =>
      serve(INVERSE_FUTURES_CALLS[state], {
        ...reads,
        summary: `The caller's orders: ${state}${title}`,
        handle: ({ query }, { userId }) => futures.listOrders(Number(userId), { biz, ...query, state }),
      }),
    ),
    serve(INVERSE_FUTURES_CALLS.billTypes, {
      ...reads,
      summary: `The types bills can have${title}`,
      handle: async () => answer(accounts.listBillTypes()),
    }),
    serve(INVERSE_FUTURES_CALLS.user, {
      ...reads,
      summary: `What the caller pays on coin-margined contracts`,
      handle: (_, { userId }) => futures.readFee(Number(userId), { biz }),
    }),
  ];
}
