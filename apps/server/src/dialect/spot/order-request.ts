// A new spot order in the Binance dialect, read into the exchange's own: which parameters each type needs and may have.

import { decimalText } from "@clockwork/kit/decimal";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { PlaceOrderBody } from "@clockwork/trading/spot/contract";
import { DialectRefusal, illegal, missing, notRequired } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { ORDER_TYPES, SELF_TRADE_MODES } from "./exchange-info.ts";

type OrderType = (typeof ORDER_TYPES)[number];
const TIMES_IN_FORCE = ["GTC", "IOC", "FOK"] as const;
const CLIENT_ID = /^[a-zA-Z0-9._:/-]{1,36}$/;

interface Shape {
  readonly needs: readonly string[];
  readonly may: readonly string[];
}
const PLAN = ["stopPrice", "trailingDelta"] as const;
const SHAPES: Readonly<Record<OrderType, Shape>> = {
  LIMIT: { needs: ["timeInForce", "quantity", "price"], may: ["icebergQty"] },
  LIMIT_MAKER: { needs: ["quantity", "price"], may: ["icebergQty"] },
  MARKET: { needs: [], may: ["quantity", "quoteOrderQty"] },
  STOP_LOSS: { needs: ["quantity"], may: PLAN },
  TAKE_PROFIT: { needs: ["quantity"], may: PLAN },
  STOP_LOSS_LIMIT: { needs: ["timeInForce", "quantity", "price"], may: PLAN },
  TAKE_PROFIT_LIMIT: { needs: ["timeInForce", "quantity", "price"], may: PLAN },
};
const CHECKED = [
  "timeInForce",
  "quantity",
  "price",
  "icebergQty",
  "quoteOrderQty",
  "stopPrice",
  "trailingDelta",
] as const;

export const badSide = (): DialectRefusal => new DialectRefusal(-1117, "Invalid side.");
export const badType = (): DialectRefusal => new DialectRefusal(-1116, "Invalid orderType.");
export const badTime = (): DialectRefusal => new DialectRefusal(-1115, "Invalid timeInForce.");
const badMode = (): DialectRefusal =>
  new DialectRefusal(-1130, "Data sent for parameter 'selfTradePreventionMode' is not valid.");

export function readClientId(parameters: Parameters, name = "newClientOrderId"): string | undefined {
  const text = parameters.text(name);
  if (text !== undefined && !CLIENT_ID.test(text)) throw illegal(name, "^[a-zA-Z0-9-_.:/]{1,36}$");
  return text;
}

export function readSide(parameters: Parameters): "buy" | "sell" {
  const side = parameters.one("side", ["BUY", "SELL"], badSide);
  if (side === undefined) throw missing("side");
  return side === "BUY" ? "buy" : "sell";
}

export type SpotOrderRequest = PlaceOrderBody & { readonly clientOrderId: string };

/** How much to sell for an amount: by the book as it is. */
export type SizeSale = (pair: MarketPair, amount: string) => string;

export function readOrder(
  parameters: Parameters,
  pair: MarketPair,
  makeId: () => string,
  sizeSale: SizeSale,
): SpotOrderRequest {
  const type = parameters.one("type", ORDER_TYPES, badType);
  const side = readSide(parameters);
  if (type === undefined) throw missing("type");
  checkShape(type, parameters);
  const selfTrade = parameters.one("selfTradePreventionMode", SELF_TRADE_MODES, badMode);
  const { pairCode } = pair;
  const clientOrderId = readClientId(parameters) ?? makeId();
  // Written out and added to, not spread together: nearly all orders are such ones.
  if (type === "LIMIT" || type === "LIMIT_MAKER") {
    const order: Writable = { pairCode, side, clientOrderId, type: "limit", price: parameters.needDecimal("price") };
    order.quantity = parameters.needDecimal("quantity");
    addLimit(order, parameters, type);
    if (selfTrade !== undefined) order.selfTrade = selfTrade;
    return order;
  }
  const common = { pairCode, side, clientOrderId, ...(selfTrade === undefined ? {} : { selfTrade }) };
  if (type === "MARKET")
    return { ...common, type: "market", ...readMarketSize(parameters, side, (amount) => sizeSale(pair, amount)) };
  const quantity = parameters.needDecimal("quantity");
  return { ...common, ...readPlan(parameters, type, side), quantity };
}

type Writable = { -readonly [Name in keyof SpotOrderRequest]: SpotOrderRequest[Name] };

function checkShape(type: OrderType, parameters: Parameters): void {
  const { needs, may } = SHAPES[type];
  for (const name of needs) if (parameters.text(name) === undefined) throw missing(name);
  for (const name of CHECKED) {
    if (parameters.text(name) === undefined || needs.includes(name) || may.includes(name)) continue;
    // Clients send it with every order; it has no effect here.
    if (name === "timeInForce" && type === "LIMIT_MAKER") continue;
    throw notRequired(name);
  }
}

function readMarketSize(
  parameters: Parameters,
  side: "buy" | "sell",
  sizeSale: (amount: string) => string,
): { quantity: string } | { amount: string } {
  const [quantity, amount] = [parameters.decimal("quantity"), parameters.decimal("quoteOrderQty")];
  if (quantity === undefined && amount === undefined) throw missing("quantity");
  if (quantity !== undefined && amount !== undefined) throw notRequired("quoteOrderQty");
  if (quantity !== undefined) return { quantity };
  if (side === "sell") return { quantity: sizeSale(amount as string) };
  return { amount: amount as string };
}

function readTime(parameters: Parameters): (typeof TIMES_IN_FORCE)[number] {
  const time = parameters.one("timeInForce", TIMES_IN_FORCE, badTime);
  if (time === undefined) throw missing("timeInForce");
  return time;
}

function addLimit(order: Writable, parameters: Parameters, type: "LIMIT" | "LIMIT_MAKER"): void {
  const visible = parameters.decimal("icebergQty");
  if (type === "LIMIT_MAKER") order.postOnly = true;
  else order.timeInForce = readTime(parameters);
  if (visible !== undefined && visible !== "0") order.visibleQuantity = visible;
}

function readPlan(
  parameters: Parameters,
  type: Exclude<OrderType, "LIMIT" | "LIMIT_MAKER" | "MARKET">,
  side: "buy" | "sell",
): Pick<PlaceOrderBody, "type" | "price" | "timeInForce" | "stopPrice" | "triggerDirection" | "callbackPercent"> {
  const stopPrice = parameters.decimal("stopPrice");
  const delta = parameters.integer("trailingDelta", { min: 1 });
  const isLimit = type.endsWith("_LIMIT");
  if (delta !== undefined) {
    if (isLimit || type.startsWith("TAKE_PROFIT"))
      throw new DialectRefusal(-1128, "Combination of optional parameters invalid.");
    // Hundredths of a percent.
    const callbackPercent = decimalText(BigInt(delta), 2);
    return { type: "trailingStop", callbackPercent, ...(stopPrice === undefined ? {} : { stopPrice }) };
  }
  if (stopPrice === undefined) throw missing("stopPrice");
  const isStop = type.startsWith("STOP_LOSS");
  const triggerDirection = (side === "buy") === isStop ? "rises" : "falls";
  if (!isLimit) return { type: "stopMarket", stopPrice, triggerDirection };
  const timeInForce = readTime(parameters);
  return { type: "stopLimit", stopPrice, triggerDirection, price: parameters.needDecimal("price"), timeInForce };
}
