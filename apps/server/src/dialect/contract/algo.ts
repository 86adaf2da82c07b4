// Conditional orders of contracts under the names newer clients of the Binance dialect use for them: algoOrder and its
// kin. They are the same plans that orders with a stop price are.

import type { FuturesOrder } from "@clockwork/trading/futures/contract";
import type { Endpoint } from "../endpoint.ts";
import { cut, readWanted } from "../paging.ts";
import { DialectRefusal } from "../refusal.ts";
import { type Contracts, NATIVE } from "./contracts.ts";
import { listEvery, listOpen, readOptional, reads } from "./order-reads.ts";
import { describeAlgo, PLANS } from "./order-view.ts";
import { asCancel, cancel, findOrder, onlyCloses, placer, trades } from "./orders.ts";
import type { ReadTop } from "./price-match.ts";

const NAMES = { id: "algoId", clientId: "clientAlgoId" } as const;
const ROWS = { idName: "algoId", limitMax: 1_000, limitDefault: 500 } as const;
const DONE = { code: 200, msg: "The operation of cancel all open order is done." } as const;

export function algoEndpoints(contracts: Contracts, readTop: ReadTop): readonly Endpoint[] {
  return [...changing(contracts, readTop), ...reading(contracts)];
}

function changing(contracts: Contracts, readTop: ReadTop): readonly Endpoint[] {
  const { base } = contracts.kind;
  const api = `${base}/v1`;
  const place = placer(contracts, readTop);
  return [
    {
      ...trades,
      method: "POST",
      path: `${api}/algoOrder`,
      weight: 0,
      orders: 1,
      closes: onlyCloses,
      handle: async (call) => {
        const { parameters } = call;
        const contract = contracts.read(parameters);
        const type = parameters.text("type")?.toUpperCase();
        if (type === "LIMIT" || type === "MARKET") throw new DialectRefusal(-1116, "Invalid orderType.");
        const { orderId } = await place(call, contract, parameters, "");
        const params = { id: String(orderId) };
        const order = await call.ask("GET", `${NATIVE}/orders/:id`, { params, query: { biz: contracts.kind.biz } });
        return describeAlgo(contracts, contract, order as FuturesOrder);
      },
    },
    {
      ...trades,
      method: "DELETE",
      path: `${api}/algoOrder`,
      weight: 1,
      handle: async (call) => {
        const order = await asCancel(findOrder(call, contracts, call.parameters, undefined, NAMES));
        const contract = contracts.find(order.pairCode);
        if (contract === undefined || !PLANS.has(order.type)) throw new DialectRefusal(-2011, "Unknown order sent.");
        await cancel(contracts, call, contract, order);
        const clientAlgoId = order.clientOrderId ?? "";
        return { algoId: Number(order.orderId), clientAlgoId, code: "200", msg: "success" };
      },
    },
    {
      ...trades,
      method: "DELETE",
      path: `${api}/algoOpenOrders`,
      weight: 1,
      handle: async (call) => {
        const contract = contracts.read(call.parameters);
        const plans = (await listOpen(call, contracts, contract, ["plan"])).filter(({ type }) => PLANS.has(type));
        for (let at = 0; at < plans.length; at += 50) {
          const orderIds = plans.slice(at, at + 50).map(({ orderId }) => orderId);
          await call.ask("POST", `${NATIVE}/orders/cancel`, { body: { orderIds } });
        }
        return DONE;
      },
    },
  ];
}

function reading(contracts: Contracts): readonly Endpoint[] {
  const api = `${contracts.kind.base}/v1`;
  return [
    {
      ...reads,
      path: `${api}/algoOrder`,
      weight: 1,
      handle: async (call) => {
        const order = await findOrder(call, contracts, call.parameters, undefined, NAMES);
        const contract = contracts.find(order.pairCode);
        if (contract === undefined || !PLANS.has(order.type)) throw new DialectRefusal(-2013, "Order does not exist.");
        return describeAlgo(contracts, contract, order);
      },
    },
    ...(["openAlgoOrders", "allAlgoOrders"] as const).map(
      (name): Endpoint => ({
        ...reads,
        path: `${api}/${name}`,
        weight: 5,
        handle: async (call) => {
          const { parameters } = call;
          const isOpen = name === "openAlgoOrders";
          const contract = readOptional(contracts, parameters);
          const { isForward, ...wanted } = readWanted(parameters, ROWS);
          const fits = ({ type }: FuturesOrder): boolean => PLANS.has(type);
          const orders = isOpen
            ? (await listOpen(call, contracts, contract, ["plan"])).filter(fits)
            : cut(await listEvery(call, contracts, contract, { ...wanted, isForward }, fits), isForward, wanted.limit);
          return orders.flatMap((order) => {
            const known = contracts.find(order.pairCode);
            return known === undefined ? [] : [describeAlgo(contracts, known, order)];
          });
        },
      }),
    ),
  ];
}
