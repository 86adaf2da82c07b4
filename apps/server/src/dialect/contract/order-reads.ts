// What a caller reads of his orders, fills, cash changes and liquidations of contracts in the Binance dialect.
import type { FuturesFill, FuturesFillPage, FuturesOrder, FuturesOrderPage } from "@clockwork/domains/futures/api";
import type { LiquidationList } from "@clockwork/domains/liquidations/api";
import type { ContractInfo } from "@clockwork/domains/markets/api";
import { type DialectCall, type Endpoint, holderOf } from "../endpoint.ts";
import { type DialectLimits, ORDERS_PER_DAY, ORDERS_PER_TEN_SECONDS } from "../limits.ts";
import type { Parameters } from "../request.ts";
import { type Contracts, NATIVE, writeQuantity } from "./contracts.ts";
import { describeFill, describeOrder, isTold, turnover } from "./order-view.ts";
import { findOrder } from "./orders.ts";
import { contractRefusal } from "./refusals.ts";

export const reads = { method: "GET", security: "signed", permission: "read", translate: contractRefusal } as const;
const PAGE = 200;
const ROWS_MAX = 1_000;
const ROWS_DEFAULT = 500;

export interface ContractReadParts {
  readonly contracts: Contracts;
  readonly limits: Pick<DialectLimits, "readOrders">;
}

export function contractReadEndpoints({ contracts, limits }: ContractReadParts): readonly Endpoint[] {
  const { base, biz } = contracts.kind;
  const api = `${base}/v1`;
  const readOne: Endpoint["handle"] = async (call) => {
    const contract = contracts.read(call.parameters);
    const order = await findOrder(call, contracts, call.parameters, contract);
    return describeOrder(contracts, contract, order);
  };
  return [
    { ...reads, path: `${api}/order`, weight: 1, handle: readOne },
    { ...reads, path: `${api}/openOrder`, weight: 1, handle: readOne },
    {
      ...reads,
      path: `${api}/openOrders`,
      weight: (parameters) => (parameters.has("symbol") ? 1 : 40),
      handle: async (call) => {
        const wanted = readOptional(contracts, call.parameters);
        return describeAll(contracts, await listOpen(call, contracts, wanted, ["open", "plan"]));
      },
    },
    { ...reads, path: `${api}/allOrders`, weight: 5, handle: (call) => readAll(contracts, call) },
    { ...reads, path: `${api}/userTrades`, weight: 5, handle: (call) => readFills(contracts, call) },
    {
      ...reads,
      path: `${api}/forceOrders`,
      weight: 20,
      handle: async (call) => {
        const query = { biz, limit: call.parameters.integer("limit", { min: 1, max: 100 }) ?? 50 };
        const { liquidations } = (await call.ask("GET", `${NATIVE}/my-liquidations`, { query })) as LiquidationList;
        const wanted = readOptional(contracts, call.parameters);
        return describeForced(contracts, liquidations, wanted);
      },
    },
    {
      ...reads,
      path: `${api}/rateLimit/order`,
      weight: 1,
      handle: (call) => {
        const { tenSeconds, day } = limits.readOrders(holderOf(call).userId, call.timeMs);
        return [
          {
            rateLimitType: "ORDERS",
            interval: "SECOND",
            intervalNum: 10,
            limit: ORDERS_PER_TEN_SECONDS,
            count: tenSeconds,
          },
          { rateLimitType: "ORDERS", interval: "DAY", intervalNum: 1, limit: ORDERS_PER_DAY, count: day },
        ];
      },
    },
  ];
}

export function readOptional(contracts: Contracts, parameters: Parameters): ContractInfo | undefined {
  return parameters.text("symbol") === undefined ? undefined : contracts.read(parameters);
}

/** From a start the first ones, else the last ones; always oldest first. */
export function cut<Row>(rows: readonly Row[], isFirst: boolean, limit: number): readonly Row[] {
  return isFirst ? rows.slice(0, limit) : rows.slice(-limit);
}

export function readSpan(parameters: Parameters): { readonly from?: number; readonly to?: number } {
  const [from, to] = [parameters.integer("startTime"), parameters.integer("endTime")];
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

const byId = (left: FuturesOrder, right: FuturesOrder): number => Number(left.orderId) - Number(right.orderId);

async function listState(ask: DialectCall["ask"], query: object): Promise<FuturesOrder[]> {
  const found: FuturesOrder[] = [];
  let before: string | null = null;
  do {
    const page = { ...query, limit: PAGE, ...(before === null ? {} : { before }) };
    const { orders, next } = (await ask("GET", `${NATIVE}/orders`, { query: page })) as FuturesOrderPage;
    found.push(...orders);
    before = next;
  } while (before !== null && found.length < ROWS_MAX);
  return found;
}

export async function listOpen(
  { ask }: Pick<DialectCall, "ask">,
  { kind }: Contracts,
  contract: ContractInfo | undefined,
  states: readonly ("open" | "plan" | "history")[],
  span: object = {},
): Promise<readonly FuturesOrder[]> {
  const pair = contract === undefined ? {} : { pairCode: contract.pairCode };
  const pages = await Promise.all(states.map((state) => listState(ask, { biz: kind.biz, ...pair, ...span, state })));
  return pages.flat().filter(isTold).sort(byId);
}

function describeAll(contracts: Contracts, orders: readonly FuturesOrder[]): readonly object[] {
  return orders.flatMap((order) => {
    const contract = contracts.find(order.pairCode);
    return contract === undefined ? [] : [describeOrder(contracts, contract, order)];
  });
}

async function readAll(contracts: Contracts, call: DialectCall): Promise<readonly object[]> {
  const { parameters } = call;
  const contract = contracts.read(parameters);
  const span = readSpan(parameters);
  const fromId = parameters.integer("orderId");
  const limit = parameters.integer("limit", { min: 1, max: ROWS_MAX }) ?? ROWS_DEFAULT;
  const all = await listOpen(call, contracts, contract, ["open", "plan", "history"], span);
  const fit = fromId === undefined ? all : all.filter(({ orderId }) => Number(orderId) >= fromId);
  const isFirst = fromId !== undefined || span.from !== undefined;
  return describeAll(contracts, cut(fit, isFirst, limit));
}

async function readFills(contracts: Contracts, call: DialectCall): Promise<readonly object[]> {
  const { parameters, ask } = call;
  const { kind } = contracts;
  const wanted = kind.biz === "futures" ? contracts.read(parameters) : readOptional(contracts, parameters);
  const span = readSpan(parameters);
  const [fromId, orderId] = [parameters.integer("fromId"), parameters.integer("orderId", { min: 1 })];
  const limit = parameters.integer("limit", { min: 1, max: ROWS_MAX }) ?? ROWS_DEFAULT;
  const query = {
    biz: kind.biz,
    ...span,
    ...(wanted === undefined ? {} : { pairCode: wanted.pairCode }),
    ...(orderId === undefined ? {} : { orderId: String(orderId) }),
  };
  const isFirst = fromId !== undefined || span.from !== undefined;
  const found: FuturesFill[] = [];
  let before: string | null = null;
  do {
    const page = { ...query, limit: PAGE, ...(before === null ? {} : { before }) };
    const { fills, next } = (await ask("GET", `${NATIVE}/fills`, { query: page })) as FuturesFillPage;
    found.push(...fills);
    before = next;
  } while (before !== null && found.length < (isFirst ? ROWS_MAX * 5 : limit));
  const fit = found.filter(({ tradeId }) => fromId === undefined || tradeId >= fromId).reverse();
  const shown = cut(fit, isFirst, limit);
  return shown.flatMap((fill) => {
    const contract = contracts.find(fill.pairCode);
    return contract === undefined ? [] : [describeFill(contracts, contract, fill)];
  });
}

function describeForced(
  contracts: Contracts,
  liquidations: LiquidationList["liquidations"],
  wanted: ContractInfo | undefined,
): readonly object[] {
  return liquidations.flatMap((one) => {
    const contract = contracts.find(one.pairCode);
    if (contract === undefined || (wanted !== undefined && wanted.pairCode !== one.pairCode)) return [];
    const quantity = writeQuantity(contract, one.liquidatedQuantity);
    const price = one.averagePrice ?? "0";
    return [
      {
        orderId: one.sequence,
        symbol: contracts.kind.symbolOf(one),
        status: "FILLED",
        clientOrderId: `autoclose-${one.id}`,
        price,
        avgPrice: price,
        origQty: quantity,
        executedQty: quantity,
        ...turnover(contracts, "0"),
        timeInForce: "IOC",
        type: "LIMIT",
        reduceOnly: false,
        closePosition: false,
        side: one.side === "long" ? "SELL" : "BUY",
        positionSide: "BOTH",
        stopPrice: "0",
        workingType: "CONTRACT_PRICE",
        origType: "LIMIT",
        time: one.timeMs,
        updateTime: one.timeMs,
      },
    ];
  });
}
