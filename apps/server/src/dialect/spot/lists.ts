// Lists of two orders of which one ends the other (OCO) in the Binance dialect.
import type { PlacedOrder, SpotOrder } from "@clockwork/trading/spot/contract";
import type { DialectCall, Endpoint } from "../endpoint.ts";
import { cut, readWanted } from "../paging.ts";
import { DialectRefusal, missing, unknownToCancel } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { nameBySignature } from "../seen.ts";
import { type SpotSymbols, symbolOf } from "../symbols.ts";
import { listEvery, listOpen, NATIVE } from "./order-list.ts";
import { badType, readClientId, readSide } from "./order-request.ts";
import { clientIdOf, describeCanceled, describeOrder } from "./order-view.ts";
import { readPending } from "./pending.ts";

const API = "/api/v3";
const trades = { security: "signed", permission: "spot" } as const;
const reads = { security: "signed", permission: "read" } as const;
const ROWS = { idName: "fromId", limitMax: 1_000, limitDefault: 500 } as const;
const STOPS = ["STOP_LOSS", "STOP_LOSS_LIMIT"] as const;

export function spotListEndpoints({ symbols }: { readonly symbols: SpotSymbols }): readonly Endpoint[] {
  const placeBy =
    (read: (parameters: Parameters) => OcoLegs): Endpoint["handle"] =>
    (call) =>
      placeOco(symbols, call, read);
  return [
    { ...trades, method: "POST", path: `${API}/orderList/oco`, weight: 1, orders: 2, handle: placeBy(readNewOco) },
    { ...trades, method: "POST", path: `${API}/order/oco`, weight: 1, orders: 2, handle: placeBy(readOldOco) },
    ...(["oto", "otoco"] as const).map(
      (name): Endpoint => ({
        ...trades,
        method: "POST",
        path: `${API}/orderList/${name}`,
        weight: 1,
        orders: name === "oto" ? 2 : 3,
        handle: (call) => placePending(symbols, call, name),
      }),
    ),
    {
      ...trades,
      method: "DELETE",
      path: `${API}/orderList`,
      weight: 1,
      handle: async (call) => {
        const { pairCode } = symbols.read(call.parameters);
        const open = await listOpen(call, pairCode);
        const listId = open.find((order) => isMeant(call.parameters, order))?.listId;
        const legs = open.filter((order) => order.listId === listId);
        const [first] = legs;
        if (first === undefined) throw unknownToCancel();
        await call.ask("DELETE", `${NATIVE}/orders/:id`, { params: { id: first.orderId } });
        const cancelId = nameBySignature(call.signature, call.requestId, "cancel");
        return {
          ...describeList(legs, "ALL_DONE", call.timeMs),
          orderReports: legs.map((leg) => describeCanceled(leg, cancelId, call.timeMs)),
        };
      },
    },
    {
      ...reads,
      method: "GET",
      path: `${API}/orderList`,
      weight: 4,
      handle: async (call) => {
        const legs = await findList(call);
        if (legs.length === 0) throw new DialectRefusal(-2018, "Order list does not exist.");
        return describeList(legs, stateOf(legs), call.timeMs);
      },
    },
    {
      ...reads,
      method: "GET",
      path: `${API}/openOrderList`,
      weight: 6,
      handle: async (call) =>
        groupLists(await listOpen(call, undefined)).map((legs) => describeList(legs, "EXECUTING", call.timeMs)),
    },
    {
      ...reads,
      method: "GET",
      path: `${API}/allOrderList`,
      weight: 20,
      handle: async (call) => {
        const { fromId, ...wanted } = readWanted(call.parameters, ROWS);
        // Two legs at least.
        const rows = { ...wanted, fromId: undefined, limit: wanted.limit * 3 };
        const of = fromId === undefined ? { isListed: true } : { fromListId: fromId };
        const lists = [...groupLists(await listEvery(call, of, rows))];
        if (fromId !== undefined) lists.sort((left, right) => listOf(left) - listOf(right));
        const shown = cut(lists, wanted.isForward, wanted.limit);
        return shown.map((legs) => describeList(legs, stateOf(legs), call.timeMs));
      },
    },
  ];
}

interface OcoLegs {
  readonly price: string;
  readonly stopPrice: string;
  readonly stopLimitPrice: string | undefined;
}

/** The older call: one limit price and one stop price, whichever way round. */
function readOldOco(parameters: Parameters): OcoLegs {
  return {
    price: parameters.needDecimal("price"),
    stopPrice: parameters.needDecimal("stopPrice"),
    stopLimitPrice: parameters.decimal("stopLimitPrice"),
  };
}

/** The newer call names the order above and the order below; one is a limit maker, the other a stop. */
function readNewOco(parameters: Parameters): OcoLegs {
  const kinds = (["above", "below"] as const).map((place) => ({ place, type: parameters.needText(`${place}Type`) }));
  const limit = kinds.find(({ type }) => type === "LIMIT_MAKER" || type === "TAKE_PROFIT_LIMIT");
  const stop = kinds.find(({ type }) => STOPS.some((name) => name === type));
  if (limit === undefined || stop === undefined || limit.type !== "LIMIT_MAKER") throw badType();
  const isLimit = stop.type === "STOP_LOSS_LIMIT";
  return {
    price: parameters.needDecimal(`${limit.place}Price`),
    stopPrice: parameters.needDecimal(`${stop.place}StopPrice`),
    stopLimitPrice: isLimit ? parameters.needDecimal(`${stop.place}Price`) : undefined,
  };
}

async function placeOco(
  symbols: SpotSymbols,
  call: DialectCall,
  read: (parameters: Parameters) => OcoLegs,
): Promise<object> {
  const { parameters, ask, signature, requestId, timeMs } = call;
  const { pairCode } = symbols.read(parameters);
  const { stopLimitPrice, ...legs } = read(parameters);
  const body = {
    pairCode,
    side: readSide(parameters),
    type: "oco",
    quantity: parameters.needDecimal("quantity"),
    ...legs,
    ...(stopLimitPrice === undefined ? {} : { stopLimitPrice }),
    clientOrderId: readClientId(parameters, "listClientOrderId") ?? nameBySignature(signature, requestId),
  };
  const placed = (await ask("POST", `${NATIVE}/orders`, { body })) as PlacedOrder;
  if (placed.isRepeat) throw new DialectRefusal(-2010, "Duplicate order sent.");
  const ids = [placed.orderId, ...placed.orderIds];
  const orders = await Promise.all(
    ids.map((id) => ask("GET", `${NATIVE}/orders/:id`, { params: { id } }) as Promise<SpotOrder>),
  );
  return {
    ...describeList(orders, "EXECUTING", timeMs),
    orderReports: orders.map((order) => ({ ...describeOrder(order), transactTime: timeMs })),
  };
}

/** The pending orders get their numbers when they are armed: the answer has the working one alone. */
async function placePending(symbols: SpotSymbols, call: DialectCall, kind: "oto" | "otoco"): Promise<object> {
  const { parameters, ask, signature, requestId, timeMs } = call;
  const { pairCode } = symbols.read(parameters);
  const name = readClientId(parameters, "workingClientOrderId") ?? readClientId(parameters, "listClientOrderId");
  const clientOrderId = name ?? nameBySignature(signature, requestId);
  const body = { pairCode, ...readPending(parameters, kind), clientOrderId };
  const placed = (await ask("POST", `${NATIVE}/orders`, { body })) as PlacedOrder;
  if (placed.isRepeat) throw new DialectRefusal(-2010, "Duplicate order sent.");
  const ids = [placed.orderId, ...placed.orderIds];
  const orders = await Promise.all(
    ids.map((id) => ask("GET", `${NATIVE}/orders/:id`, { params: { id } }) as Promise<SpotOrder>),
  );
  return {
    ...describeList(orders, stateOf(orders), timeMs),
    orderReports: orders.map((order) => ({ ...describeOrder(order), transactTime: timeMs })),
  };
}

function isMeant(parameters: Parameters, order: SpotOrder): boolean {
  const id = parameters.integer("orderListId", { min: 1 });
  const name = parameters.text("listClientOrderId") ?? parameters.text("origClientOrderId");
  if (id === undefined && name === undefined) throw missing("orderListId");
  return order.listId !== null && (id === undefined ? clientIdOf(order) === name : order.listId === String(id));
}

/** The legs of the list a call names. */
async function findList(call: DialectCall): Promise<readonly SpotOrder[]> {
  const { parameters, ask } = call;
  const name = parameters.text("listClientOrderId") ?? parameters.text("origClientOrderId");
  let listId = parameters.integer("orderListId", { min: 1 });
  if (listId === undefined && name !== undefined) {
    const route = `${NATIVE}/orders/by-client-id/:clientOrderId`;
    const found = ask("GET", route, { params: { clientOrderId: name } }) as Promise<SpotOrder>;
    const order = await found.catch((error: unknown) => {
      if (error instanceof DialectRefusal && error.code === -2013) return undefined;
      throw error;
    });
    listId = Number(order?.listId ?? 0);
  }
  if (listId === undefined) throw missing("orderListId");
  const wanted = { span: {}, fromId: undefined, isForward: true, limit: ROWS.limitDefault };
  const orders = listId === 0 ? [] : await listEvery(call, { fromListId: listId }, wanted);
  return orders.filter((order) => order.listId === String(listId));
}

function groupLists(orders: readonly SpotOrder[]): readonly (readonly SpotOrder[])[] {
  const lists = new Map<string, SpotOrder[]>();
  for (const order of orders) {
    if (order.listId === null) continue;
    lists.set(order.listId, [...(lists.get(order.listId) ?? []), order]);
  }
  return [...lists.values()];
}

const listOf = ([first]: readonly SpotOrder[]): number => Number(first?.listId ?? -1);

function stateOf(legs: readonly SpotOrder[]): "EXECUTING" | "ALL_DONE" {
  const isOpen = legs.some(
    ({ status }) => status === "NEW" || status === "PARTIALLY_FILLED" || status === "PENDING_TRIGGER",
  );
  return isOpen ? "EXECUTING" : "ALL_DONE";
}

const hasExits = ({ takeProfitPrice, stopLossPrice }: SpotOrder): boolean =>
  takeProfitPrice !== null || stopLossPrice !== null;

function describeList(legs: readonly SpotOrder[], state: "EXECUTING" | "ALL_DONE", timeMs: number): object {
  const [first] = legs;
  return {
    orderListId: Number(first?.listId ?? -1),
    contingencyType: legs.some(hasExits) ? "OTO" : "OCO",
    listStatusType: state === "EXECUTING" ? "EXEC_STARTED" : "ALL_DONE",
    listOrderStatus: state,
    // One of them has the list's name.
    listClientOrderId: first === undefined ? "" : clientIdOf(legs.find((leg) => leg.clientOrderId !== null) ?? first),
    transactionTime: first?.createdAtMs ?? timeMs,
    symbol: first === undefined ? "" : symbolOf(first),
    orders: legs.map((leg) => ({
      symbol: symbolOf(leg),
      orderId: Number(leg.orderId),
      clientOrderId: clientIdOf(leg),
    })),
  };
}
