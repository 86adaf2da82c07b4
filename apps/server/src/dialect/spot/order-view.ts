// Spot orders and fills as the Binance dialect writes them.
import type { Fill, SpotOrder } from "@clockwork/trading/spot/contract";
import { fixed } from "../numbers.ts";
import { symbolOf } from "../symbols.ts";

/** What an order placed without a name is called here. */
const UNNAMED = "web_";

export function clientIdOf({ orderId, clientOrderId }: Pick<SpotOrder, "orderId" | "clientOrderId">): string {
  return clientOrderId ?? `${UNNAMED}${orderId}`;
}

/** The order number in such a name. */
export function unnamedId(clientOrderId: string): string | undefined {
  const rest = clientOrderId.startsWith(UNNAMED) ? clientOrderId.slice(UNNAMED.length) : "";
  return /^[1-9][0-9]{0,14}$/.test(rest) ? rest : undefined;
}

export function statusOf(status: string): string {
  if (status === "PENDING_TRIGGER" || status === "TRIGGERED") return "NEW";
  return status === "EXPIRED_STP" ? "EXPIRED_IN_MATCH" : status;
}

/** A plan that waits against its side's loss is a stop, else it takes profit. */
export function typeOf(order: Pick<SpotOrder, "type" | "side" | "postOnly" | "triggerDirection">): string {
  const { type, side, postOnly, triggerDirection } = order;
  if (type === "market") return "MARKET";
  if (type === "trailingStop") return "STOP_LOSS";
  if (type === "stopLimit" || type === "stopMarket") {
    const isStop = (side === "buy") === (triggerDirection !== "falls");
    return `${isStop ? "STOP_LOSS" : "TAKE_PROFIT"}${type === "stopLimit" ? "_LIMIT" : ""}`;
  }
  return postOnly ? "LIMIT_MAKER" : "LIMIT";
}

export function describeOrder(order: SpotOrder) {
  const isWaiting = order.status === "PENDING_TRIGGER";
  return {
    symbol: symbolOf(order),
    orderId: Number(order.orderId),
    orderListId: order.listId === null ? -1 : Number(order.listId),
    clientOrderId: clientIdOf(order),
    price: fixed(order.price),
    origQty: fixed(order.quantity ?? order.filledQuantity),
    executedQty: fixed(order.filledQuantity),
    cummulativeQuoteQty: fixed(order.filledAmount),
    status: statusOf(order.status),
    timeInForce: order.timeInForce,
    type: typeOf(order),
    side: order.side.toUpperCase(),
    stopPrice: fixed(order.stopPrice),
    icebergQty: fixed(order.visibleQuantity ?? "0"),
    time: order.createdAtMs,
    updateTime: order.updatedAtMs,
    isWorking: !isWaiting,
    workingTime: isWaiting ? -1 : order.createdAtMs,
    origQuoteOrderQty: fixed(order.amount),
    selfTradePreventionMode: order.selfTrade ?? "EXPIRE_TAKER",
    ...(order.callbackPercent === null ? {} : { trailingDelta: basisPoints(order.callbackPercent) }),
  };
}

/** Hundredths of a percent. */
function basisPoints(percent: string): number {
  const [whole = "", decimals = ""] = percent.split(".");
  return Number(whole + decimals.padEnd(2, "0").slice(0, 2));
}

export type DialectOrder = ReturnType<typeof describeOrder>;

/** An order that was just ended by its owner. */
export function describeCanceled(order: SpotOrder, cancelId: string, timeMs: number) {
  const { time: _, updateTime: __, isWorking: ___, ...rest } = describeOrder(order);
  return {
    ...rest,
    origClientOrderId: clientIdOf(order),
    clientOrderId: cancelId,
    status: "CANCELED",
    transactTime: timeMs,
  };
}

export function describeFill(fill: Fill) {
  return {
    symbol: symbolOf(fill),
    id: fill.tradeId,
    orderId: Number(fill.orderId),
    orderListId: -1,
    price: fixed(fill.price),
    qty: fixed(fill.quantity),
    quoteQty: fixed(fill.amount),
    commission: fixed(fill.fee),
    commissionAsset: fill.feeAsset,
    time: fill.timeMs,
    isBuyer: fill.side === "buy",
    isMaker: fill.role === "maker",
    isBestMatch: true,
  };
}
