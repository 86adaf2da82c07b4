// Reads of the caller's orders, fills, cash changes and liquidations of contracts in the Binance dialect.
import type { FuturesFill, FuturesFillPage, FuturesOrder, FuturesOrderPage } from "@clockwork/trading/futures/contract";
import type { LiquidationList, LiquidationReport } from "@clockwork/trading/liquidations/contract";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { type DialectCall, type Endpoint, holderOf } from "../endpoint.ts";
import { type DialectLimits, familyOf, ORDERS_PER_DAY, ORDERS_PER_TEN_SECONDS } from "../limits.ts";
import { product, quotient } from "../numbers.ts";
import {
  type Cursor,
  cut,
  cutTrades,
  findStart,
  merge,
  type Page,
  readPages,
  readWanted,
  type Wanted,
} from "../paging.ts";
import { DialectRefusal, unknownOrder } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { type Contracts, NATIVE, writeQuantity } from "./contracts.ts";
import { hedges } from "./modes.ts";
import { describeFill, describeOrder, isPublished, OPEN_STATES, turnover } from "./order-view.ts";
import { findOrder } from "./orders.ts";
import { contractRefusal } from "./refusals.ts";

export const reads = { method: "GET", security: "signed", permission: "read", translate: contractRefusal } as const;
const ROWS = { limitMax: 1_000, limitDefault: 500 } as const;
const FORCED_MAX = 100;
/** More than a user can have open. */
const OPEN_MAX = 10_000;

export interface ContractReadParts {
  readonly contracts: Contracts;
  readonly limits: Pick<DialectLimits, "readOrders">;
}

export function contractReadEndpoints({ contracts, limits }: ContractReadParts): readonly Endpoint[] {
  const { base, biz } = contracts.kind;
  const api = `${base}/v1`;
  const listWeight: Endpoint["weight"] = (parameters) => (biz === "futures" ? 5 : parameters.has("symbol") ? 20 : 40);
  const readOne = async (call: DialectCall, isOpen: boolean): Promise<object> => {
    const contract = contracts.read(call.parameters);
    const order = await findOrder(call, contracts, call.parameters, contract);
    if (isOpen && !OPEN_STATES.has(order.status)) throw unknownOrder();
    return describeOrder(contracts, contract, order);
  };
  return [
    { ...reads, path: `${api}/order`, weight: 1, handle: (call) => readOne(call, false) },
    { ...reads, path: `${api}/openOrder`, weight: 1, handle: (call) => readOne(call, true) },
    {
      ...reads,
      path: `${api}/openOrders`,
      weight: (parameters) => (parameters.has("symbol") ? 1 : 40),
      handle: async (call) => {
        const wanted = readOptional(contracts, call.parameters);
        return describeAll(contracts, await listOpen(call, contracts, wanted));
      },
    },
    { ...reads, path: `${api}/allOrders`, weight: listWeight, handle: (call) => readAll(contracts, call) },
    { ...reads, path: `${api}/userTrades`, weight: listWeight, handle: (call) => readFills(contracts, call) },
    {
      ...reads,
      path: `${api}/forceOrders`,
      weight: (parameters) => (parameters.has("symbol") ? 20 : 50),
      handle: (call) => readForced(contracts, call),
    },
    {
      ...reads,
      path: `${api}/rateLimit/order`,
      weight: 1,
      handle: (call) => {
        const { tenSeconds, day } = limits.readOrders(holderOf(call).userId, call.timeMs, familyOf(api));
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

type Ask = Pick<DialectCall, "ask">;
const LIVE = ["plan", "open"] as const;

const pageOf =
  ({ ask }: Ask, query: object) =>
  async (cursor: Cursor): Promise<Page<FuturesOrder>> => {
    const page = { query: { ...query, ...cursor } };
    const { orders, next } = (await ask("GET", `${NATIVE}/orders`, page)) as FuturesOrderPage;
    return { rows: orders, next };
  };

/** Those that are live in these ways, oldest first. */
export async function listOpen(
  call: Ask,
  { kind }: Contracts,
  contract: ContractInfo | undefined,
  states: readonly ("open" | "plan")[] = LIVE,
  more: object = {},
  after?: string,
): Promise<readonly FuturesOrder[]> {
  const pair = contract === undefined ? {} : { pairCode: contract.pairCode };
  const lists: FuturesOrder[][] = [];
  // One after the other: orders that fire or end in between are found in the next.
  for (const state of states) {
    const page = pageOf(call, { biz: kind.biz, ...pair, ...more, state });
    lists.push(await readPages(page, true, OPEN_MAX, isPublished, after));
  }
  return merge(lists);
}

/** Live and ended ones, oldest first: all that are needed to cut the wanted ones from. */
export async function listEvery(
  call: Ask,
  contracts: Contracts,
  contract: ContractInfo | undefined,
  { span, fromId, isForward, limit }: Wanted,
  fits: (order: FuturesOrder) => boolean = () => true,
): Promise<readonly FuturesOrder[]> {
  const { after, ...start } = await findStart(fromId, finder(call, contracts, contract));
  const more = { ...span, ...start };
  const live = await listOpen(call, contracts, contract, LIVE, more, after);
  const pair = contract === undefined ? {} : { pairCode: contract.pairCode };
  const query = { biz: contracts.kind.biz, ...pair, ...more, state: "history" };
  const isMeant = (order: FuturesOrder): boolean => isPublished(order) && fits(order);
  const ended = await readPages(pageOf(call, query), isForward, limit, isMeant, after);
  return merge([live.filter(fits), ended]);
}

/** One of the caller's orders of a contract, if there is such a one. */
const finder =
  (call: Ask, { kind }: Contracts, contract: ContractInfo | undefined) =>
  async (id: string): Promise<FuturesOrder | undefined> => {
    try {
      const requested = { params: { id }, query: { biz: kind.biz } };
      const order = (await call.ask("GET", `${NATIVE}/orders/:id`, requested)) as FuturesOrder;
      return contract === undefined || order.pairCode === contract.pairCode ? order : undefined;
    } catch (error) {
      if (error instanceof DialectRefusal && error.code === -2013) return undefined;
      throw error;
    }
  };

function describeAll(contracts: Contracts, orders: readonly FuturesOrder[]): readonly object[] {
  return orders.flatMap((order) => {
    const contract = contracts.find(order.pairCode);
    return contract === undefined ? [] : [describeOrder(contracts, contract, order)];
  });
}

async function readAll(contracts: Contracts, call: DialectCall): Promise<readonly object[]> {
  const contract = contracts.read(call.parameters);
  const wanted = readWanted(call.parameters, { idName: "orderId", ...ROWS });
  const all = await listEvery(call, contracts, contract, wanted);
  return describeAll(contracts, cut(all, wanted.isForward, wanted.limit));
}

async function readFills(contracts: Contracts, { parameters, ask }: DialectCall): Promise<readonly object[]> {
  const { kind } = contracts;
  const contract = kind.biz === "futures" ? contracts.read(parameters) : readOptional(contracts, parameters);
  const { span, fromId, isForward, limit } = readWanted(parameters, { idName: "fromId", ...ROWS });
  const orderId = parameters.integer("orderId", { min: 1 });
  const query = {
    biz: kind.biz,
    ...span,
    ...(fromId === undefined ? {} : { fromId }),
    ...(contract === undefined ? {} : { pairCode: contract.pairCode }),
    ...(orderId === undefined ? {} : { orderId: String(orderId) }),
  };
  const read = async (cursor: Cursor): Promise<Page<FuturesFill>> => {
    const page = { query: { ...query, ...cursor } };
    const { fills, next } = (await ask("GET", `${NATIVE}/fills`, page)) as FuturesFillPage;
    return { rows: fills, next };
  };
  const shown = cutTrades(await readPages(read, isForward, limit + 1), isForward, limit);
  return shown.flatMap((fill) => {
    const known = contracts.find(fill.pairCode);
    return known === undefined ? [] : [describeFill(contracts, known, fill)];
  });
}

/** The caller's own liquidations, newest first. */
async function readForced(contracts: Contracts, call: DialectCall): Promise<readonly object[]> {
  const { parameters } = call;
  const { biz } = contracts.kind;
  const limit = parameters.integer("limit", { min: 1, max: FORCED_MAX }) ?? FORCED_MAX / 2;
  const [from = 0, to = Number.MAX_SAFE_INTEGER] = [parameters.integer("startTime"), parameters.integer("endTime")];
  const wanted = readOptional(contracts, parameters);
  const read = async ({ limit: most, ...cursor }: Cursor) => {
    const query = { biz, ...cursor, limit: Math.min(most, FORCED_MAX) };
    const { liquidations, next } = (await call.ask("GET", `${NATIVE}/my-liquidations`, { query })) as LiquidationList;
    return { rows: liquidations, next };
  };
  const fits = ({ pairCode, timeMs }: LiquidationReport): boolean =>
    (wanted === undefined || wanted.pairCode === pairCode) && timeMs >= from && timeMs <= to;
  const [rows, isHedge] = await Promise.all([readPages(read, false, limit, fits), hedges(call, biz)]);
  return describeForced(contracts, rows.slice(-limit).reverse(), isHedge);
}

function describeForced(
  contracts: Contracts,
  liquidations: readonly LiquidationReport[],
  isHedge: (contract: ContractInfo) => boolean,
): readonly object[] {
  return liquidations.flatMap((one) => {
    const contract = contracts.find(one.pairCode);
    if (contract === undefined) return [];
    const quantity = writeQuantity(contract, one.liquidatedQuantity);
    const price = one.averagePrice ?? "0";
    const { liquidatedQuantity: coins } = one;
    const amount = contract.faceValue === null ? product(price, coins) : quotient(coins, price);
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
        ...turnover(contracts, amount),
        timeInForce: "IOC",
        type: "LIMIT",
        reduceOnly: false,
        closePosition: false,
        side: one.side === "long" ? "SELL" : "BUY",
        positionSide: isHedge(contract) ? one.side.toUpperCase() : "BOTH",
        stopPrice: "0",
        workingType: "CONTRACT_PRICE",
        origType: "LIMIT",
        time: one.timeMs,
        updateTime: one.timeMs,
      },
    ];
  });
}
