// REST of spot trading: schema → service → envelope.
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { SPOT_CALLS as CALLS } from "./contract.ts";
import type { SpotService } from "./service.ts";

const reads = { tag: "spot", scope: { key: "read" } } as const;
const trades = { tag: "spot", scope: { key: "spot" } } as const;

export function spotRoutes(service: SpotService): readonly RouteSpec[] {
  return [...orderRoutes(service), ...openRoutes(service), ...readRoutes(service)];
}

function orderRoutes(service: SpotService): readonly RouteSpec[] {
  return [
    serve(CALLS.place, {
      ...trades,
      summary: "Places an order; the answer comes after its commit",
      isPrompt: true,
      isQuick: true,
      handle: ({ body }, { userId }) => service.place(Number(userId), body),
    }),
    serve(CALLS.placeBatch, {
      ...trades,
      summary: "Places up to 20 orders, each on its own",
      isQuick: true,
      handle: async ({ body }, { userId }) => answer(await service.placeBatch(Number(userId), body.orders)),
    }),
    serve(CALLS.clear, {
      ...trades,
      summary: "Ends every open order and plan of the caller, of one pair when named",
      isQuick: true,
      handle: ({ body }, { userId }) => service.clear(Number(userId), body.pairCode, body.plans),
    }),
    serve(CALLS.cancelAfter, {
      ...trades,
      summary: "Ends every order unless called again in time; 0 seconds switches it off",
      isQuick: true,
      handle: ({ body }, { userId }) => service.cancelAfter(Number(userId), body.timeoutSeconds, body.pairCode),
    }),
  ];
}

function openRoutes(service: SpotService): readonly RouteSpec[] {
  return [
    serve(CALLS.orders, {
      ...reads,
      summary: "Orders of the caller: open, plans, or history, newest first",
      handle: ({ query }, { userId }) => service.listOrders(Number(userId), query.state, query),
    }),
    serve(CALLS.order, {
      ...reads,
      summary: "One order of the caller",
      handle: ({ params }, { userId }) => service.readOrder(Number(userId), Number(params.id)),
    }),
    serve(CALLS.orderByClientId, {
      ...reads,
      summary: "The caller's newest order with this client order id",
      handle: ({ params }, { userId }) => service.readOrderByName(Number(userId), params.clientOrderId),
    }),
    serve(CALLS.amend, {
      ...trades,
      summary: "Changes an order or a plan in place; less at the same price keeps the place in the queue",
      isQuick: true,
      handle: ({ params, body }, { userId }) => service.amend(Number(userId), Number(params.id), body),
    }),
    serve(CALLS.cancel, {
      ...trades,
      summary: "Ends an open order or plan",
      isQuick: true,
      handle: ({ params }, { userId }) => service.cancel(Number(userId), Number(params.id)),
    }),
  ];
}

function readRoutes(service: SpotService): readonly RouteSpec[] {
  return [
    serve(CALLS.fills, {
      ...reads,
      summary: "Fills of the caller, newest first",
      handle: ({ query }, { userId }) => service.listFills(Number(userId), query),
    }),
    serve(CALLS.balance, {
      ...reads,
      summary: "What the caller's spot account holds",
      handle: (_, { userId }) => service.readBalances(Number(userId)),
    }),
    serve(CALLS.fee, {
      ...reads,
      summary: "What the caller pays as maker and as taker",
      handle: (_, { userId }) => service.readFee(Number(userId)),
    }),
    serve(CALLS.positionLimit, {
      ...reads,
      summary: "How much may still be done on a pair",
      handle: ({ query }, { userId }) => service.readPositionLimit(Number(userId), query.pairCode),
    }),
  ];
}
