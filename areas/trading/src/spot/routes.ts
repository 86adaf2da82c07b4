// REST of spot trading: schema → service → envelope.
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { Type } from "typebox";
import {
  AmendOrderBody,
  BatchBody,
  BatchResult,
  CancelAfterBody,
  CancelAfterResult,
  ClearBody,
  ClearResult,
  ClientOrderIdParams,
  FillPage,
  FillsQuery,
  OrderIdParams,
  OrderPage,
  OrdersQuery,
  PlacedOrder,
  PlaceOrderBody,
  PositionLimit,
  PositionLimitQuery,
  SpotBalance,
  SpotFee,
  SpotOrder,
} from "./contract.ts";
import type { SpotService } from "./service.ts";

const reads = { tag: "spot", scope: { key: "read" } } as const;
const trades = { tag: "spot", scope: { key: "spot" } } as const;

export function spotRoutes(service: SpotService): readonly RouteSpec[] {
  return [...orderRoutes(service), ...openRoutes(service), ...readRoutes(service)];
}

function orderRoutes(service: SpotService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...trades,
      method: "POST",
      path: "/v1/spot/orders",
      summary: "Places an order; the answer comes after its commit",
      isPrompt: true,
      isQuick: true,
      body: PlaceOrderBody,
      output: PlacedOrder,
      handle: ({ body }, { userId }) => service.place(Number(userId), body),
    }),
    defineRoute({
      ...trades,
      method: "POST",
      path: "/v1/spot/orders/batch",
      summary: "Places up to 20 orders, each on its own",
      isQuick: true,
      body: BatchBody,
      output: BatchResult,
      handle: async ({ body }, { userId }) => answer(await service.placeBatch(Number(userId), body.orders)),
    }),
    defineRoute({
      ...trades,
      method: "POST",
      path: "/v1/spot/orders/clear",
      summary: "Ends every open order and plan of the caller, of one pair when named",
      isQuick: true,
      body: ClearBody,
      output: ClearResult,
      handle: ({ body }, { userId }) => service.clear(Number(userId), body.pairCode, body.plans),
    }),
    defineRoute({
      ...trades,
      method: "POST",
      path: "/v1/spot/orders/cancel-after",
      summary: "Ends every order unless called again in time; 0 seconds switches it off",
      isQuick: true,
      body: CancelAfterBody,
      output: CancelAfterResult,
      handle: ({ body }, { userId }) => service.cancelAfter(Number(userId), body.timeoutSeconds, body.pairCode),
    }),
  ];
}

function openRoutes(service: SpotService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...reads,
      method: "GET",
      path: "/v1/spot/orders",
      summary: "Orders of the caller: open, plans, or history, newest first",
      query: OrdersQuery,
      output: OrderPage,
      handle: ({ query }, { userId }) => service.listOrders(Number(userId), query.state, query),
    }),
    defineRoute({
      ...reads,
      method: "GET",
      path: "/v1/spot/orders/:id",
      summary: "One order of the caller",
      params: OrderIdParams,
      output: SpotOrder,
      handle: ({ params }, { userId }) => service.readOrder(Number(userId), Number(params.id)),
    }),
    defineRoute({
      ...reads,
      method: "GET",
      path: "/v1/spot/orders/by-client-id/:clientOrderId",
      summary: "The caller's newest order with this client order id",
      params: ClientOrderIdParams,
      output: SpotOrder,
      handle: ({ params }, { userId }) => service.readOrderByName(Number(userId), params.clientOrderId),
    }),
    defineRoute({
      ...trades,
      method: "PATCH",
      path: "/v1/spot/orders/:id",
      summary: "Changes an order or a plan in place; less at the same price keeps the place in the queue",
      isQuick: true,
      params: OrderIdParams,
      body: AmendOrderBody,
      output: SpotOrder,
      handle: ({ params, body }, { userId }) => service.amend(Number(userId), Number(params.id), body),
    }),
    defineRoute({
      ...trades,
      method: "DELETE",
      path: "/v1/spot/orders/:id",
      summary: "Ends an open order or plan",
      isQuick: true,
      params: OrderIdParams,
      output: SpotOrder,
      handle: ({ params }, { userId }) => service.cancel(Number(userId), Number(params.id)),
    }),
  ];
}

function readRoutes(service: SpotService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...reads,
      method: "GET",
      path: "/v1/spot/fills",
      summary: "Fills of the caller, newest first",
      query: FillsQuery,
      output: FillPage,
      handle: ({ query }, { userId }) => service.listFills(Number(userId), query),
    }),
    defineRoute({
      ...reads,
      method: "GET",
      path: "/v1/spot/balance",
      summary: "What the caller's spot account holds",
      output: Type.Array(SpotBalance),
      handle: (_, { userId }) => service.readBalances(Number(userId)),
    }),
    defineRoute({
      ...reads,
      method: "GET",
      path: "/v1/spot/fee",
      summary: "What the caller pays as maker and as taker",
      output: SpotFee,
      handle: (_, { userId }) => service.readFee(Number(userId)),
    }),
    defineRoute({
      ...reads,
      method: "GET",
      path: "/v1/spot/position-limit",
      summary: "How much may still be done on a pair",
      query: PositionLimitQuery,
      output: PositionLimit,
      handle: ({ query }, { userId }) => service.readPositionLimit(Number(userId), query.pairCode),
    }),
  ];
}
