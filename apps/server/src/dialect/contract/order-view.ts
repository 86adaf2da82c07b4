// Orders and fills of contracts as the Binance dialect writes them, plain and conditional ones.
import type { FuturesFill, FuturesOrder, FuturesPlaced } from "@clockwork/trading/futures/contract";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { clientIdOf, statusOf } from "../spot/order-view.ts";
import { type Contracts, writeQuantity } from "./contracts.ts";
import type { ContractOrder, PositionSide } from "./order-request.ts";

export const OPEN_STATES: ReadonlySet<string> = new Set(["NEW", "PARTIALLY_FILLED", "PENDING_TRIGGER"]);

/** Order types unknown to the dialect are left out: slices of a TWAP come as orders of their own. */
export function isPublished({ type }: Pick<FuturesOrder, "type">): boolean {
  return type !== "twap";
}

export function positionSideOf({ positionSide = "both" }: Pick<FuturesFill, "positionSide">): PositionSide {
  return positionSide.toUpperCase() as PositionSide;
}

export function typeOf(order: Pick<FuturesOrder, "type" | "side" | "triggerDirection">): string {
  const { type, side, triggerDirection } = order;
  if (type === "market") return "MARKET";
  if (type === "trailingStop") return "TRAILING_STOP_MARKET";
  if (type !== "stopLimit" && type !== "stopMarket") return "LIMIT";
  const isStop = (side === "buy") === (triggerDirection !== "falls");
  return `${isStop ? "STOP" : "TAKE_PROFIT"}${type === "stopMarket" ? "_MARKET" : ""}`;
}

const plain = (text: string | null | undefined): string => text ?? "0";

/** What was turned over: in quote coins of a linear contract, in coins of an inverse one. */
export function turnover({ kind }: Contracts, amount: string): { cumQuote: string } | { cumBase: string } {
  return kind.biz === "futures" ? { cumQuote: amount } : { cumBase: amount };
}

function nameOf({ kind }: Contracts, contract: { readonly pairCode: string }): { symbol: string; pair?: string } {
  const symbol = kind.symbolOf(contract);
  return kind.biz === "futures" ? { symbol } : { symbol, pair: symbol.split("_")[0] ?? symbol };
}

export function describeOrder(contracts: Contracts, contract: ContractInfo, order: FuturesOrder) {
  const type = typeOf(order);
  const executedQty = writeQuantity(contract, order.filledQuantity);
  const isTrailing = order.type === "trailingStop";
  return {
    orderId: Number(order.orderId),
    ...nameOf(contracts, order),
    status: statusOf(order.status),
    clientOrderId: clientIdOf(order),
    price: plain(order.price),
    avgPrice: plain(order.averagePrice),
    origQty: writeQuantity(contract, order.quantity),
    executedQty,
    ...turnover(contracts, order.filledAmount),
    timeInForce: order.postOnly ? "GTX" : order.timeInForce,
    type,
    reduceOnly: order.reduceOnly,
    closePosition: order.isWhole,
    side: order.side.toUpperCase(),
    positionSide: positionSideOf(order),
    stopPrice: isTrailing ? "0" : plain(order.stopPrice),
    ...(isTrailing ? { activatePrice: plain(order.stopPrice), priceRate: plain(order.callbackPercent) } : {}),
    workingType: order.triggerSource === "mark" ? "MARK_PRICE" : "CONTRACT_PRICE",
    priceProtect: false,
    origType: type,
    priceMatch: "NONE",
    selfTradePreventionMode: order.selfTrade ?? "EXPIRE_TAKER",
    goodTillDate: order.expiresAtMs ?? 0,
    time: order.createdAtMs,
    updateTime: order.updatedAtMs,
  };
}

export type ContractOrderView = ReturnType<typeof describeOrder>;

/** An order as it was just taken, from the commit's own answer. */
export function describePlaced(
  contracts: Contracts,
  contract: ContractInfo,
  { body, type, positionSide }: ContractOrder,
  placed: FuturesPlaced,
  timeMs: number,
): object {
  const executedQty = writeQuantity(contract, placed.filledQuantity);
  const isTrailing = body.type === "trailingStop";
  return {
    orderId: Number(placed.orderId),
    ...nameOf(contracts, contract),
    status: statusOf(placed.status),
    clientOrderId: body.clientOrderId,
    price: plain(body.price),
    avgPrice: plain(placed.averagePrice),
    origQty: writeQuantity(contract, body.quantity),
    executedQty,
    cumQty: executedQty,
    ...turnover(contracts, placed.filledAmount),
    timeInForce: body.postOnly === true ? "GTX" : (body.timeInForce ?? "GTC"),
    type,
    reduceOnly: body.reduceOnly === true,
    closePosition: false,
    side: body.side.toUpperCase(),
    positionSide,
    stopPrice: isTrailing ? "0" : plain(body.stopPrice),
    ...(isTrailing ? { activatePrice: plain(body.stopPrice), priceRate: plain(body.callbackPercent) } : {}),
    workingType: body.triggerSource === "mark" ? "MARK_PRICE" : "CONTRACT_PRICE",
    priceProtect: false,
    origType: type,
    priceMatch: "NONE",
    selfTradePreventionMode: body.selfTrade ?? "EXPIRE_TAKER",
    goodTillDate: body.expiresAtMs ?? 0,
    updateTime: timeMs,
  };
}

/** Types of conditional orders. */
export const PLANS: ReadonlySet<string> = new Set(["stopLimit", "stopMarket", "trailingStop"]);

const ALGO_STATES: Readonly<Record<string, string>> = {
  PENDING_TRIGGER: "NEW",
  NEW: "TRIGGERED",
  PARTIALLY_FILLED: "TRIGGERED",
  FILLED: "FINISHED",
  EXPIRED_STP: "EXPIRED",
};

/** A conditional order under the names the dialect keeps for those. */
export function describeAlgo(contracts: Contracts, contract: ContractInfo, order: FuturesOrder) {
  const view = describeOrder(contracts, contract, order);
  const isOver = order.status !== "PENDING_TRIGGER";
  return {
    algoId: view.orderId,
    clientAlgoId: view.clientOrderId,
    algoType: "CONDITIONAL",
    orderType: view.type,
    symbol: view.symbol,
    side: view.side,
    positionSide: view.positionSide,
    timeInForce: view.timeInForce,
    quantity: view.origQty,
    algoStatus: ALGO_STATES[order.status] ?? order.status,
    actualOrderId: isOver && order.filledQuantity !== "0" ? String(view.orderId) : "",
    actualPrice: view.avgPrice,
    executedQty: view.executedQty,
    triggerPrice: view.stopPrice,
    price: view.price,
    ...(view.priceRate === undefined ? {} : { activatePrice: view.activatePrice, callbackRate: view.priceRate }),
    workingType: view.workingType,
    priceProtect: false,
    closePosition: view.closePosition,
    reduceOnly: view.reduceOnly,
    selfTradePreventionMode: view.selfTradePreventionMode,
    createTime: view.time,
    updateTime: view.updateTime,
    triggerTime: 0,
    goodTillDate: 0,
  };
}

export function describeFill(contracts: Contracts, contract: ContractInfo, fill: FuturesFill) {
  const { kind } = contracts;
  return {
    ...nameOf(contracts, fill),
    id: fill.tradeId,
    orderId: Number(fill.orderId),
    side: fill.side.toUpperCase(),
    price: fill.price,
    qty: writeQuantity(contract, fill.quantity),
    realizedPnl: fill.realizedPnl,
    ...(kind.biz === "futures" ? { quoteQty: fill.amount } : { baseQty: fill.amount, marginAsset: fill.feeAsset }),
    commission: fill.fee,
    commissionAsset: fill.feeAsset,
    time: fill.timeMs,
    positionSide: positionSideOf(fill),
    buyer: fill.side === "buy",
    maker: fill.role === "maker",
  };
}
