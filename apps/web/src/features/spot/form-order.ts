// Turns a valid form into the order that is sent, whose id is the intent's (`#live/intent.ts`), and maps a refusal to
// its field.

import { parseDateTime } from "@clockwork/kit/time";
import type { PlaceOrderBody } from "@clockwork/trading/spot/contract";
import { isBelow, readServed, readTyped, writeTrimmed } from "#trade/order/exact.ts";
import { type FieldName, type FormState, type FormWorld, fieldsOf, isInQuote, type TextField } from "./form-state.ts";

/** Everything but the id: the user's request. */
export type OrderDraft = Omit<PlaceOrderBody, "clientOrderId">;

/** Only what the kind has and the user entered; the form must be valid. */
export function buildOrder(state: FormState, world: FormWorld): OrderDraft {
  const fields = new Set<TextField>(fieldsOf(state));
  const plain = (field: TextField): string | undefined => {
    const value = fields.has(field) ? readTyped(state.texts[field]) : undefined;
    return value === undefined ? undefined : writeTrimmed(value);
  };
  const inQuote = isInQuote(state);
  const order: Record<string, unknown> = {
    pairCode: world.pair.pairCode,
    side: state.side,
    type: state.kind,
    price: plain("price"),
    quantity: inQuote ? undefined : plain("quantity"),
    amount: inQuote ? plain("amount") : undefined,
    stopPrice: plain("stopPrice"),
    stopLimitPrice: plain("stopLimitPrice"),
    callbackPercent: plain("callbackPercent"),
    takeProfitPrice: plain("takeProfitPrice"),
    stopLossPrice: plain("stopLossPrice"),
    stopLossLimitPrice: plain("stopLossPrice") === undefined ? undefined : plain("stopLossLimitPrice"),
    priceTo: plain("priceTo"),
    slippagePercent: plain("slippagePercent"),
    visibleQuantity: plain("visibleQuantity"),
    ...timeOf(state, world),
    ...(state.postOnly ? { postOnly: state.reprice ? "reprice" : true } : {}),
    ...partsOf(state),
    ...(state.selfTrade === "EXPIRE_TAKER" ? {} : { selfTrade: state.selfTrade }),
    ...directionOf(state, world),
  };
  return Object.fromEntries(Object.entries(order).filter(([, value]) => value !== undefined)) as OrderDraft;
}

function timeOf(state: FormState, world: FormWorld): Partial<OrderDraft> {
  if (state.kind !== "limit" && state.kind !== "stopLimit") return {};
  if (state.timeInForce !== "GTD") return { timeInForce: state.timeInForce };
  const expiresAtMs = parseDateTime(state.texts.expiresAt, world.zone);
  return expiresAtMs === undefined ? {} : { timeInForce: "GTD", expiresAtMs };
}

function partsOf(state: FormState): Partial<OrderDraft> {
  const whole = (field: TextField) => Number(readServed(state.texts[field]).units);
  if (state.kind === "scaled") return { count: whole("count"), shape: state.shape };
  if (state.kind !== "twap") return {};
  return { durationSeconds: whole("durationMinutes") * 60, intervalSeconds: whole("intervalSeconds") };
}

/**
 * The direction the user saw is sent explicitly: a price that has moved past the stop must reject, not reverse the
 * plan.
 */
function directionOf(state: FormState, world: FormWorld): Partial<OrderDraft> {
  if (state.kind !== "stopLimit" && state.kind !== "stopMarket") return {};
  const stop = readTyped(state.texts.stopPrice);
  if (stop === undefined || world.last === undefined) return {};
  return { triggerDirection: isBelow(stop, readServed(world.last)) ? "falls" : "rises" };
}

const PLACES: Readonly<Record<string, FieldName>> = {
  INVALID_PRICE: "price",
  PRICE_TOO_HIGH: "price",
  PRICE_TOO_LOW: "price",
  POST_ONLY_WOULD_CROSS: "price",
  INVALID_QUANTITY: "quantity",
  QUANTITY_TOO_SMALL: "quantity",
  QUANTITY_TOO_LARGE: "quantity",
  NOTIONAL_TOO_SMALL: "quantity",
  NOTIONAL_TOO_LARGE: "quantity",
  INSUFFICIENT_BALANCE: "quantity",
  INVALID_AMOUNT: "quantity",
  INVALID_EXPIRY: "expiresAt",
  INVALID_ICEBERG: "visibleQuantity",
  INVALID_SLIPPAGE: "slippagePercent",
  TRIGGER_ALREADY_TRUE: "stopPrice",
  INVALID_TRIGGER: "stopPrice",
  INVALID_OCO_PRICES: "stopPrice",
  INVALID_CALLBACK: "callbackPercent",
  INVALID_BRACKET_PRICES: "takeProfitPrice",
  INVALID_SCALE: "priceTo",
  INVALID_TWAP: "durationMinutes",
};

/** The field that the server's refusal belongs to; `form` where the kind has no such field. */
export function placeRefusal(code: string, state: FormState): FieldName {
  const field = PLACES[code];
  if (field === undefined || field === "form") return "form";
  const moved = field === "quantity" && isInQuote(state) ? "amount" : field;
  if (moved === "takeProfitPrice" && state.texts.takeProfitPrice === "") return "stopLossPrice";
  return fieldsOf(state).includes(moved) ? moved : "form";
}
