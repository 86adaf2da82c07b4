// Orders of spot pairs in the Binance dialect: placed, tested, ended, replaced, amended. Every rule of trading is
// the exchange's own; here its calls are put together.

import { writeInstrument } from "@clockwork/kit/instrument";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { PlacedOrder, SpotFee, SpotOrder } from "@clockwork/trading/spot/contract";
import type { DialectCall, Endpoint } from "../endpoint.ts";
import { fixed, isBelow } from "../numbers.ts";
import { DialectRefusal, missing, unknownOrder, unknownToCancel } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { nameBySignature } from "../seen.ts";
import { type SpotSymbols, symbolOf } from "../symbols.ts";
import { listOpen, NATIVE } from "./order-list.ts";
import { readClientId, readOrder, type SizeSale, type SpotOrderRequest } from "./order-request.ts";
import { clientIdOf, describeCanceled, describeOrder, statusOf, typeOf, unnamedId } from "./order-view.ts";
import { TAKEN } from "./taken.ts";

const API = "/api/v3";
const trades = { security: "signed", permission: "spot" } as const;

export interface SpotOrderParts {
  readonly symbols: SpotSymbols;
  /** Refuses what could not be placed at all; nothing is placed. */
  readonly test: (order: SpotOrderRequest) => void;
  readonly sizeSale: SizeSale;
}

export function spotOrderEndpoints(parts: SpotOrderParts): readonly Endpoint[] {
  return [...placing(parts), ...ending(parts)];
}

function placing({ symbols, test, sizeSale }: SpotOrderParts): readonly Endpoint[] {
  return [
    {
      ...trades,
      method: "POST",
      path: `${API}/order`,
      takes: TAKEN.place,
      weight: 1,
      orders: 1,
      handle: (call) => place(call, symbols.read(call.parameters), sizeSale),
    },
    {
      ...trades,
      method: "POST",
      path: `${API}/order/test`,
      takes: TAKEN.test,
      weight: 1,
      handle: (call) => {
        const { parameters, signature, requestId } = call;
        const id = (): string => nameBySignature(signature, requestId);
        test(readOrder(parameters, symbols.read(parameters), id, sizeSale));
        return parameters.flag("computeCommissionRates") === true ? readCommissions(call) : {};
      },
    },
    {
      ...trades,
      method: "POST",
      path: `${API}/order/cancelReplace`,
      takes: TAKEN.replace,
      weight: 1,
      orders: 1,
      handle: (call) => replace(symbols, call, sizeSale),
    },
    {
      ...trades,
      method: "PUT",
      path: `${API}/order/amend/keepPriority`,
      takes: TAKEN.amend,
      weight: 4,
      handle: (call) => amend(symbols, call),
    },
  ];
}

/** Not async, and the continuation after the order keeps nothing of the call: thousands wait at once. */
function place(call: DialectCall, pair: MarketPair, sizeSale: SizeSale): Promise<object> {
  const { parameters, signature, requestId, ask, timeMs } = call;
  const body = readOrder(parameters, pair, () => nameBySignature(signature, requestId), sizeSale);
  const shape = parameters.one(
    "newOrderRespType",
    ["ACK", "RESULT", "FULL"],
    () => new DialectRefusal(-1130, "Data sent for parameter 'newOrderRespType' is not valid."),
  );
  const isInstant = body.type === "limit" || body.type === "market";
  const result = shape ?? (isInstant ? "FULL" : "ACK");
  const requested = result === "FULL" ? { ...body, tellFills: true } : body;
  const placed = ask("POST", ORDERS, { body: requested }).then(answerPlaced(body, result, timeMs));
  // Most orders have none of these.
  const more = body.type === "market" || parameters.has("strategyId") || parameters.has("trailingDelta");
  return more ? placed.then(addRequested(parameters), nameFilter(body, pair)) : placed;
}

/** Numbers that are the client's own, and what the order was asked by. */
function addRequested(parameters: Parameters): (answer: object) => object {
  const numbers = {
    strategyId: parameters.integer("strategyId"),
    strategyType: parameters.integer("strategyType"),
    trailingDelta: parameters.integer("trailingDelta"),
  };
  const amount = parameters.decimal("quoteOrderQty");
  return (answer) => ({
    ...answer,
    ...numbers,
    ...(amount === undefined || !("origQuoteOrderQty" in answer) ? {} : { origQuoteOrderQty: fixed(amount) }),
  });
}

/** Market orders have their own largest quantity. */
function nameFilter({ type, quantity }: SpotOrderRequest, pair: MarketPair): (error: unknown) => never {
  return (error) => {
    const isSize = error instanceof DialectRefusal && error.message === "Filter failure: LOT_SIZE";
    if (!isSize || type !== "market" || quantity === undefined) throw error;
    const { maxQuantity, maxMarketQuantity } = writeInstrument(pair);
    const isMarkets = isBelow(maxMarketQuantity, quantity) && !isBelow(maxQuantity, quantity);
    throw isMarkets ? new DialectRefusal(-1013, "Filter failure: MARKET_LOT_SIZE") : error;
  };
}

async function readCommissions({ ask }: DialectCall): Promise<object> {
  const { makerRate, takerRate } = (await ask("GET", `${NATIVE}/fee`)) as SpotFee;
  return {
    standardCommissionForOrder: { maker: fixed(makerRate), taker: fixed(takerRate) },
    specialCommissionForOrder: { maker: fixed("0"), taker: fixed("0") },
    taxCommissionForOrder: { maker: fixed("0"), taker: fixed("0") },
    discount: { enabledForAccount: false, enabledForSymbol: false, discountAsset: "", discount: fixed("0") },
  };
}

const ORDERS = `${NATIVE}/orders`;

function answerPlaced(body: SpotOrderRequest, result: "ACK" | "RESULT" | "FULL", timeMs: number) {
  return (answer: unknown): object => {
    const placed = answer as PlacedOrder;
    if (placed.isRepeat) throw new DialectRefusal(-2010, "Duplicate order sent.");
    if (result !== "ACK") return describePlaced(body, placed, result === "FULL", timeMs);
    return {
      symbol: symbolOf(body),
      orderId: Number(placed.orderId),
      orderListId: -1,
      clientOrderId: body.clientOrderId,
      transactTime: timeMs,
    };
  };
}

/** What JSON leaves out is undefined. */
function describePlaced(body: SpotOrderRequest, placed: PlacedOrder, includesFills: boolean, timeMs: number): object {
  const { type, triggerDirection = null } = body;
  const side = body.side === "buy" ? "buy" : "sell";
  return {
    symbol: symbolOf(body),
    orderId: Number(placed.orderId),
    orderListId: -1,
    clientOrderId: body.clientOrderId,
    transactTime: timeMs,
    price: fixed(body.price),
    origQty: fixed(body.quantity ?? placed.filledQuantity),
    executedQty: fixed(placed.filledQuantity),
    origQuoteOrderQty: fixed(body.amount),
    cummulativeQuoteQty: fixed(placed.filledAmount),
    status: statusOf(placed.status),
    timeInForce: body.timeInForce ?? "GTC",
    type: typeOf({ type, side, postOnly: body.postOnly === true, triggerDirection }),
    side: side.toUpperCase(),
    stopPrice: body.stopPrice === undefined ? undefined : fixed(body.stopPrice),
    workingTime: placed.status === "PENDING_TRIGGER" ? -1 : timeMs,
    icebergQty: body.visibleQuantity === undefined ? undefined : fixed(body.visibleQuantity),
    selfTradePreventionMode: body.selfTrade ?? "EXPIRE_TAKER",
    fills: includesFills
      ? (placed.fills ?? []).map(({ price, quantity, fee, feeAsset, tradeId }) => ({
          price: fixed(price),
          qty: fixed(quantity),
          commission: fixed(fee),
          commissionAsset: feeAsset,
          tradeId,
        }))
      : undefined,
  };
}

/** The order a call names by number or by its client's name. */
export async function findOrder(
  call: Pick<DialectCall, "parameters" | "ask">,
  pair: MarketPair,
  names: { readonly id: string; readonly clientId: string } = { id: "orderId", clientId: "origClientOrderId" },
): Promise<SpotOrder> {
  const { parameters, ask } = call;
  const id = parameters.integer(names.id, { min: 1 });
  const clientId = readClientId(parameters, names.clientId);
  if (id === undefined && clientId === undefined) {
    throw new DialectRefusal(
      -1102,
      `Param '${names.clientId}' or '${names.id}' must be sent, but both were empty/null!`,
    );
  }
  const number = id === undefined ? unnamedId(clientId ?? "") : String(id);
  const found =
    number === undefined
      ? await ask("GET", `${NATIVE}/orders/by-client-id/:clientOrderId`, { params: { clientOrderId: clientId } })
      : await ask("GET", `${NATIVE}/orders/:id`, { params: { id: number } });
  const order = found as SpotOrder;
  const isOther = order.pairCode !== pair.pairCode || (clientId !== undefined && clientIdOf(order) !== clientId);
  if (isOther) throw unknownOrder();
  return order;
}

/** `idName` is what the client calls the ending by. */
async function cancelFound(call: DialectCall, order: SpotOrder, idName = "newClientOrderId"): Promise<object> {
  const { ask, parameters, signature, requestId, timeMs } = call;
  const only = parameters.one("cancelRestrictions", ["ONLY_NEW", "ONLY_PARTIALLY_FILLED"], () => {
    return new DialectRefusal(-1145, "Invalid cancelRestrictions.");
  });
  const isNew = order.status === "NEW" || order.status === "PENDING_TRIGGER";
  if (only !== undefined && isNew !== (only === "ONLY_NEW")) {
    throw new DialectRefusal(-2011, "Order was not canceled due to cancel restrictions.");
  }
  const ended = (await ask("DELETE", `${NATIVE}/orders/:id`, { params: { id: order.orderId } })) as SpotOrder;
  const cancelId = readClientId(parameters, idName) ?? nameBySignature(signature, requestId, "cancel");
  return describeCanceled(ended, cancelId, timeMs);
}

/** Every fault of an order to be cancelled has one code. */
async function asCancel<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DialectRefusal && error.code === -2013 ? unknownToCancel() : error;
  }
}

function ending({ symbols }: SpotOrderParts): readonly Endpoint[] {
  return [
    {
      ...trades,
      method: "DELETE",
      path: `${API}/order`,
      takes: TAKEN.cancel,
      weight: 1,
      handle: (call) => asCancel(cancelNamed(call, symbols.read(call.parameters))),
    },
    {
      ...trades,
      method: "DELETE",
      path: `${API}/openOrders`,
      takes: TAKEN.open,
      weight: 1,
      handle: async (call) => {
        const { pairCode } = symbols.read(call.parameters);
        const open = await listOpen(call, pairCode);
        if (open.length === 0) throw unknownToCancel();
        await call.ask("POST", `${NATIVE}/orders/clear`, { body: { pairCode } });
        // What filled before it could be ended was not ended by this.
        const after = await Promise.all(open.map(({ orderId }) => readOne(call, orderId)));
        const ended = after.filter(({ status }) => status === "CANCELED");
        if (ended.length === 0) throw unknownToCancel();
        const cancelId = nameBySignature(call.signature, call.requestId, "cancel");
        return ended.map((order) => describeCanceled(order, cancelId, call.timeMs));
      },
    },
  ];
}

const readOne = async ({ ask }: DialectCall, id: string): Promise<SpotOrder> =>
  (await ask("GET", `${NATIVE}/orders/:id`, { params: { id } })) as SpotOrder;

async function cancelNamed(call: DialectCall, pair: MarketPair): Promise<object> {
  return cancelFound(call, await findOrder(call, pair));
}

/** Ends one order, then places another. Not atomic, as the dialect defines: the answer contains both outcomes. */
async function replace(symbols: SpotSymbols, call: DialectCall, sizeSale: SizeSale): Promise<object> {
  const { parameters } = call;
  const pair = symbols.read(parameters);
  const mode = parameters.one("cancelReplaceMode", ["STOP_ON_FAILURE", "ALLOW_FAILURE"], () =>
    missing("cancelReplaceMode"),
  );
  if (mode === undefined) throw missing("cancelReplaceMode");
  // Read before anything is ended: an invalid new order must not cost the old one.
  readOrder(parameters, pair, () => "test", sizeSale);
  const names = { id: "cancelOrderId", clientId: "cancelOrigClientOrderId" };
  const canceled = await settle(() =>
    asCancel(findOrder(call, pair, names).then((order) => cancelFound(call, order, "cancelNewClientOrderId"))),
  );
  const isStopped = !canceled.isDone && mode === "STOP_ON_FAILURE";
  const placed = isStopped ? undefined : await settle(() => place(call, pair, sizeSale));
  const data = {
    cancelResult: canceled.isDone ? "SUCCESS" : "FAILURE",
    newOrderResult: placed === undefined ? "NOT_ATTEMPTED" : placed.isDone ? "SUCCESS" : "FAILURE",
    cancelResponse: canceled.value,
    newOrderResponse: placed?.value ?? null,
  };
  if (canceled.isDone && placed?.isDone === true) return data;
  const isPartial = canceled.isDone || placed?.isDone === true;
  const message = isPartial ? "Order cancel-replace partially failed." : "Order cancel-replace failed.";
  throw new DialectRefusal(isPartial ? -2021 : -2022, message, isPartial ? 409 : 400, { data });
}

type Settled = { readonly isDone: boolean; readonly value: object };

async function settle(work: () => Promise<object>): Promise<Settled> {
  try {
    return { isDone: true, value: await work() };
  } catch (error) {
    if (!(error instanceof DialectRefusal)) throw error;
    return { isDone: false, value: error.body };
  }
}

/** This answer has its own names for quantities. */
function describeAmended(amended: SpotOrder, origClientOrderId: string): object {
  const { origQty: qty, cummulativeQuoteQty: cumulativeQuoteQty, ...view } = describeOrder(amended);
  return { ...view, origClientOrderId, qty, preventedQty: fixed("0"), quoteOrderQty: fixed("0"), cumulativeQuoteQty };
}

async function amend(symbols: SpotSymbols, call: DialectCall): Promise<object> {
  const { parameters, ask, timeMs } = call;
  const pair = symbols.read(parameters);
  const quantity = parameters.needDecimal("newQty");
  const order = await asCancel(findOrder(call, pair));
  if (order.quantity === null || !isBelow(quantity, order.quantity))
    throw new DialectRefusal(-2038, "Order amend (quantity increase) is not supported.");
  const amended = (await ask("PATCH", `${NATIVE}/orders/:id`, {
    params: { id: order.orderId },
    body: { quantity },
  })) as SpotOrder;
  return {
    transactTime: timeMs,
    executionId: timeMs,
    amendedOrder: describeAmended(amended, clientIdOf(order)),
  };
}
