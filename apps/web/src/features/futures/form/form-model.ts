// How the futures form's fields follow one another, what it refuses, and the order it becomes. Pure: no screen, no call.

import { parseDateTime } from "@clockwork/kit/time";
import type { FuturesOrderBody } from "@clockwork/trading/futures/contract";
import type { BookPick } from "#trade/order/asking.ts";
import {
  type Decimal,
  divideFloor,
  floorToGrid,
  isAbove,
  isBelow,
  lesser,
  multiply,
  readServed,
  readTyped,
  writePlain,
  writeTrimmed,
  ZERO,
} from "#trade/order/exact.ts";
import type { OrderKind } from "#trade/order/form-kinds.ts";
import {
  bandOf,
  crossesBest,
  type Fault,
  type Faults,
  judgeBand,
  judgeExpiry,
  judgeIceberg,
  judgeMost,
  judgePrice,
  judgeQuantity,
  judgeRange,
  note,
  RANGES,
} from "#trade/order/judge.ts";
import { rungsOf } from "#trade/order/ladder.ts";
import type { TerminalPick } from "#trade/terminal-link.ts";
import type { TradeSide } from "#trade/trade-order.ts";
import {
  type FieldName,
  type FormState,
  type FormWorld,
  fieldsOf,
  optionsOf,
  settleOptions,
  type TextField,
} from "./form-state.ts";

export type OrderDraft = Omit<FuturesOrderBody, "clientOrderId">;

/** The price at which an order is computed: the typed one, the trigger, or the best of the other side. */
export function computePrice(state: FormState, world: FormWorld): string | undefined {
  const { texts, kind, side } = state;
  if (kind === "market") return side === "buy" ? (world.ask ?? world.last) : (world.bid ?? world.last);
  if (kind === "stopMarket") return texts.stopPrice || undefined;
  if (kind === "trailingStop") return texts.stopPrice || world.last;
  if (kind === "oco" && texts.price !== "" && texts.stopPrice !== "") {
    // Both legs have the same quantity: the cost is that of the more expensive one.
    const stop = texts.stopLimitPrice || texts.stopPrice;
    return isAbove(readServed(stop), readServed(texts.price)) ? stop : texts.price;
  }
  if (kind === "scaled" && texts.price !== "" && texts.priceTo !== "") {
    const [from, to] = [readServed(texts.price), readServed(texts.priceTo)];
    return isAbove(from, to) === (side === "buy") ? texts.price : texts.priceTo;
  }
  return texts.price || undefined;
}

/** The size in the contract's own unit, on its grid, for any unit of input. */
export function quantityOf(state: FormState, world: FormWorld): Decimal | undefined {
  const typed = readTyped(state.texts.quantity);
  if (typed === undefined || state.sizeIn === "quantity") return typed;
  const price = readTyped(computePrice(state, world) ?? "");
  if (price === undefined || price.units === 0n) return undefined;
  const step = readServed(world.pair.stepSize);
  // Linear: coins for dollars. Inverse: dollars for coins.
  const raw =
    world.pair.kind === "linear" ? divideFloor(typed, price, world.pair.quantityDecimals + 2) : multiply(typed, price);
  return floorToGrid(raw, step);
}

export function isClosing(state: FormState, world: FormWorld): boolean {
  return state.reduceOnly || (world.isHedge && state.intent === "close");
}

/** The largest order of the side: what can be opened, or what can be closed. */
export function mostOf(state: FormState, world: FormWorld): Decimal | undefined {
  const step = readServed(world.pair.stepSize);
  const bound = readServed(state.kind === "market" ? world.pair.maxMarketQuantity : world.pair.maxQuantity);
  const text = isClosing(state, world)
    ? world.heldAgainst[state.side]
    : state.side === "buy"
      ? world.mostBuy
      : world.mostSell;
  return text === undefined ? undefined : floorToGrid(lesser(readServed(text), bound), step);
}

export function editText(state: FormState, field: TextField, text: string): FormState {
  const texts = { ...state.texts, [field]: text };
  return { ...state, texts, percent: field === "quantity" ? undefined : state.percent };
}

export function applyPercent(state: FormState, world: FormWorld, percent: number): FormState {
  const most = mostOf(state, world);
  if (most === undefined) return { ...state, percent };
  const part = floorToGrid(
    multiply(most, { units: BigInt(Math.trunc(percent)), scale: 2 }),
    readServed(world.pair.stepSize),
  );
  const quantity = percent === 0 ? "" : writePlain(part, world.pair.quantityDecimals);
  return { ...state, sizeIn: "quantity", texts: { ...state.texts, quantity }, percent };
}

export function percentOf(state: FormState, world: FormWorld): number {
  if (state.percent !== undefined) return state.percent;
  const part = quantityOf(state, world);
  const most = mostOf(state, world);
  if (part === undefined || most === undefined || most.units === 0n) return 0;
  const percent = divideFloor(multiply(part, { units: 100n, scale: 0 }), most, 0).units;
  return percent > 100n ? 100 : Number(percent);
}

export function chooseKind(state: FormState, world: FormWorld, kind: OrderKind): FormState {
  if (state.kind === kind) return state;
  const settled = settleOptions({ ...state, kind, percent: undefined });
  const stopPrice = state.kind === "trailingStop" || kind === "trailingStop" ? "" : settled.texts.stopPrice;
  const price = settled.texts.price === "" ? (world.last ?? "") : settled.texts.price;
  return { ...settled, texts: { ...settled.texts, stopPrice, price } };
}

export function chooseSide(state: FormState, side: TradeSide): FormState {
  return state.side === side ? state : { ...state, side, percent: undefined };
}

export function takePick(state: FormState, world: FormWorld, pick: TerminalPick, bookPick: BookPick): FormState {
  const started =
    pick.kind === undefined || pick.side === undefined
      ? state
      : chooseSide(chooseKind(state, world, pick.kind), pick.side);
  const field = fieldsOf(started).find((name) => name === "price" || name === "stopPrice");
  const priced = field === undefined ? started : editText(started, field, pick.price);
  if (pick.quantity === undefined || bookPick === "price" || priced.texts.quantity !== "") return priced;
  const most = mostOf(priced, world);
  if (most === undefined || most.units === 0n) return priced;
  const taken = lesser(readServed(pick.quantity), most);
  return { ...editText(priced, "quantity", writePlain(taken, world.pair.quantityDecimals)), sizeIn: "quantity" };
}

export function clearAmounts(state: FormState): FormState {
  return { ...state, texts: { ...state.texts, quantity: "", stopProfit: "", stopLoss: "" }, percent: undefined };
}

type Found = Partial<Record<FieldName, Fault>>;
const PRICES: ReadonlySet<TextField> = new Set([
  "price",
  "stopPrice",
  "stopLimitPrice",
  "stopProfit",
  "stopLoss",
  "priceTo",
]);

function isOptional(field: TextField, { kind, texts }: FormState): boolean {
  if (field === "slippagePercent" || field === "stopLimitPrice") return true;
  if (field === "stopPrice") return kind === "trailingStop";
  if (field === "stopProfit") return texts.stopLoss !== "";
  return field === "stopLoss" && texts.stopProfit !== "";
}

function judgeShape(field: TextField, state: FormState, world: FormWorld): Fault | undefined {
  const text = state.texts[field];
  if (text === "") return isOptional(field, state) ? undefined : { code: "REQUIRED" };
  if (field === "expiresAt") return judgeExpiry(text, world.zone, world.nowMs);
  const value = readTyped(text);
  if (value === undefined) return { code: "ILLEGAL" };
  if (value.units === 0n) return { code: "REQUIRED" };
  if (PRICES.has(field)) return judgePrice(value, world.pair);
  if (field === "visibleQuantity") return judgeQuantity(value, world.pair);
  if (field === "quantity") return state.sizeIn === "quantity" ? judgeQuantity(value, world.pair) : undefined;
  return field in RANGES ? judgeRange(value, RANGES[field as keyof typeof RANGES]) : undefined;
}

/** Every fault there is, the first one per field. Empty means it may be sent. */
export function findFaults(state: FormState, world: FormWorld): Faults<FieldName> {
  const found: Found = {};
  if (world.pair.status !== "TRADING") found.form = { code: "MARKET_NOT_TRADING" };
  for (const field of fieldsOf(state)) note(found, field, judgeShape(field, state, world));
  if (Object.keys(found).length > 0) return found;
  judgeSize(found, state, world);
  judgePrices(found, state, world);
  judgeOco(found, state, world);
  judgeExits(found, state, world);
  return found;
}

function judgeSize(found: Found, state: FormState, world: FormWorld): void {
  const { pair } = world;
  const quantity = quantityOf(state, world) ?? ZERO;
  const min = readServed(pair.minQuantity);
  if (isBelow(quantity, min)) note(found, "quantity", { code: "QUANTITY_TOO_SMALL", limit: pair.minQuantity });
  note(found, "quantity", judgeMost(quantity, pair, state.kind === "market"));
  const most = mostOf(state, world);
  if (most !== undefined && isAbove(quantity, most)) {
    const code = isClosing(state, world) ? "CLOSE_TOO_LARGE" : "INSUFFICIENT_MARGIN";
    note(found, "quantity", { code, limit: writePlain(most, pair.quantityDecimals) });
  }
  if (state.iceberg)
    note(
      found,
      "visibleQuantity",
      judgeIceberg(readServed(state.texts.visibleQuantity), quantity, pair.quantityDecimals),
    );
  if (state.kind !== "scaled") return;
  const { texts, shape } = state;
  const choice = {
    from: texts.price,
    to: texts.priceTo,
    count: texts.count,
    quantity: writeTrimmed(quantity),
    shape,
  };
  if (rungsOf(choice, pair) === undefined) note(found, "priceTo", { code: "INVALID_SCALE" });
}

function judgePrices(found: Found, state: FormState, world: FormWorld): void {
  const { pair, last } = world;
  const price = readTyped(state.texts.price);
  const hasPrice = fieldsOf(state).includes("price");
  if (hasPrice && price !== undefined && state.kind !== "stopLimit")
    note(found, "price", judgeBand(price, bandOf(state.side, pair, world.bandPrice), pair.priceDecimals));
  const best = readTyped((state.side === "buy" ? world.ask : world.bid) ?? "");
  if (state.postOnly && state.kind === "limit" && crossesBest(state.side, price, best))
    note(found, "price", { code: "POST_ONLY_WOULD_CROSS" });
  const isStop = state.kind === "stopLimit" || state.kind === "stopMarket";
  const from = state.triggerSource === "mark" ? (world.mark ?? last) : last;
  if (isStop && from === undefined) note(found, "form", { code: "NO_REFERENCE_PRICE" });
  else if (
    isStop &&
    from !== undefined &&
    writeTrimmed(readServed(from)) === writeTrimmed(readServed(state.texts.stopPrice))
  )
    note(found, "stopPrice", { code: "TRIGGER_ALREADY_TRUE" });
}

/** The last price must be between the two: to sell, the limit above and the stop below; to buy, the other way round. */
function judgeOco(found: Found, { kind, side, texts }: FormState, { last, pair }: FormWorld): void {
  if (kind !== "oco") return;
  if (last === undefined) {
    note(found, "form", { code: "NO_REFERENCE_PRICE" });
    return;
  }
  const [high, low] = side === "sell" ? (["price", "stopPrice"] as const) : (["stopPrice", "price"] as const);
  const limit = writePlain(readServed(last), pair.priceDecimals);
  if (!isAbove(readServed(texts[high]), readServed(last))) note(found, high, { code: "OCO_ABOVE_LAST", limit });
  if (!isBelow(readServed(texts[low]), readServed(last))) note(found, low, { code: "OCO_BELOW_LAST", limit });
}

/** A long takes profit above its entry and stops below it; a short the other way round. */
function judgeExits(found: Found, state: FormState, world: FormWorld): void {
  if (!state.exits) return;
  const entryText = state.kind === "market" ? world.last : state.texts.price;
  const entry = readTyped(entryText ?? "");
  if (entry === undefined) return;
  const isLong = state.side === "buy";
  const limit = writePlain(entry, world.pair.priceDecimals);
  const judge = (field: "stopProfit" | "stopLoss", wantsAbove: boolean) => {
    const exit = readTyped(state.texts[field]);
    if (exit === undefined) return;
    if (wantsAbove && !isAbove(exit, entry)) note(found, field, { code: "EXIT_ABOVE_ENTRY", limit });
    if (!wantsAbove && !isBelow(exit, entry)) note(found, field, { code: "EXIT_BELOW_ENTRY", limit });
  };
  judge("stopProfit", isLong);
  judge("stopLoss", !isLong);
}

/** Only what the kind has and the user entered; the form must be valid. */
export function buildOrder(state: FormState, world: FormWorld): OrderDraft {
  const fields = new Set<TextField>(fieldsOf(state));
  const plain = (field: TextField): string | undefined => {
    const value = fields.has(field) ? readTyped(state.texts[field]) : undefined;
    return value === undefined ? undefined : writeTrimmed(value);
  };
  const whole = (field: TextField) => Number(readServed(state.texts[field]).units);
  const { pair, isHedge } = world;
  const expiresAtMs = fields.has("expiresAt") ? parseDateTime(state.texts.expiresAt, world.zone) : undefined;
  const order: Record<string, unknown> = {
    biz: pair.biz,
    pairCode: pair.pairCode,
    side: state.side,
    positionSide: isHedge ? sideOfPosition(state) : undefined,
    type: state.kind,
    price: plain("price"),
    quantity: writeTrimmed(quantityOf(state, world) ?? ZERO),
    reduceOnly: state.reduceOnly && !isHedge ? true : undefined,
    stopPrice: plain("stopPrice"),
    stopLimitPrice: plain("stopLimitPrice"),
    triggerSource: optionsOf(state).triggers ? state.triggerSource : undefined,
    triggerDirection: directionOf(state, world),
    callbackPercent: plain("callbackPercent"),
    stopProfit: plain("stopProfit"),
    stopLoss: plain("stopLoss"),
    priceTo: plain("priceTo"),
    slippagePercent: plain("slippagePercent"),
    visibleQuantity: plain("visibleQuantity"),
    expiresAtMs,
    timeInForce: state.kind === "limit" || state.kind === "stopLimit" ? state.timeInForce : undefined,
    postOnly: state.postOnly ? true : undefined,
    ...(state.kind === "scaled" ? { count: whole("count"), shape: state.shape } : {}),
    ...(state.kind === "twap"
      ? { durationSeconds: whole("durationMinutes") * 60, intervalSeconds: whole("intervalSeconds") }
      : {}),
  };
  return Object.fromEntries(Object.entries(order).filter(([, value]) => value !== undefined)) as OrderDraft;
}

/** Hedge mode: buying opens a long and closes a short. */
export function sideOfPosition({ side, intent }: FormState): "long" | "short" {
  return (side === "buy") === (intent === "open") ? "long" : "short";
}

/**
 * The direction the user saw is sent explicitly: a price that has moved past the stop must reject, not reverse the
 * plan.
 */
function directionOf(state: FormState, world: FormWorld): "rises" | "falls" | undefined {
  if (state.kind !== "stopLimit" && state.kind !== "stopMarket") return undefined;
  const stop = readTyped(state.texts.stopPrice);
  const from = state.triggerSource === "mark" ? (world.mark ?? world.last) : world.last;
  if (stop === undefined || from === undefined) return undefined;
  return isBelow(stop, readServed(from)) ? "falls" : "rises";
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
  INSUFFICIENT_MARGIN: "quantity",
  TIER_LIMIT: "quantity",
  INVALID_EXPIRY: "expiresAt",
  INVALID_ICEBERG: "visibleQuantity",
  INVALID_OCO_PRICES: "stopPrice",
  INVALID_SLIPPAGE: "slippagePercent",
  TRIGGER_ALREADY_TRUE: "stopPrice",
  INVALID_TRIGGER: "stopPrice",
  INVALID_CALLBACK: "callbackPercent",
  INVALID_BRACKET_PRICES: "stopProfit",
  INVALID_SCALE: "priceTo",
  INVALID_TWAP: "durationMinutes",
};

/** The field that the server's refusal belongs to; `form` where the kind has no such field. */
export function placeRefusal(code: string, state: FormState): FieldName {
  const field = PLACES[code];
  if (field === undefined || field === "form") return "form";
  return fieldsOf(state).includes(field) ? field : "form";
}
