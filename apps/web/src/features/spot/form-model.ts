// How the fields of the order form depend on one another, and how much can be bought or sold. Pure: no screen, no
// clock, no call. Text remains as typed; amounts are exact.

import type { BookPick } from "#trade/order/asking.ts";
import {
  countSteps,
  type Decimal,
  divideFloor,
  floorToGrid,
  isAbove,
  lesser,
  multiply,
  readServed,
  readTyped,
  writePlain,
  ZERO,
} from "#trade/order/exact.ts";
import type { OrderKind } from "#trade/order/form-kinds.ts";
import { protectivePrice } from "#trade/order/judge.ts";
import type { LadderChoice } from "#trade/order/ladder.ts";
import type { TerminalPick } from "#trade/terminal-link.ts";
import {
  type FormState,
  type FormWorld,
  fieldsOf,
  isInQuote,
  type PairRules,
  type Side,
  SLIPPAGE_DEFAULT_PERCENT,
  settleOptions,
  type TextField,
} from "./form-state.ts";

function withTexts(state: FormState, texts: Partial<Record<TextField, string>>): FormState {
  return { ...state, texts: { ...state.texts, ...texts } };
}

/** The price at which an amount is computed: the typed one, or the market's where the kind has none. */
export function computePrice(state: FormState, world: FormWorld): Decimal | undefined {
  const typed = (field: TextField) => readTyped(state.texts[field]);
  switch (state.kind) {
    case "limit":
    case "stopLimit":
    case "oco":
    case "twap":
      return typed("price");
    case "scaled": {
      const [from, to] = [typed("price"), typed("priceTo")];
      if (from === undefined || to === undefined) return from ?? to;
      // The dearer end: a buy must be able to pay for every rung.
      return isAbove(from, to) ? from : to;
    }
    case "stopMarket":
      return typed("stopPrice");
    case "trailingStop":
      return typed("stopPrice") ?? knownPrice(world.last);
    case "market":
      return protectiveLimit(state, world);
  }
}

function knownPrice(text: string | undefined): Decimal | undefined {
  return text === undefined ? undefined : readTyped(text);
}

/** The limit the core gives a market order; unknown while the other side of the book is. */
export function protectiveLimit(state: FormState, world: FormWorld): Decimal | undefined {
  const best = knownPrice((state.side === "buy" ? world.asks : world.bids)[0]?.[0]);
  if (best === undefined) return undefined;
  const slippage = readTyped(state.texts.slippagePercent) ?? readServed(SLIPPAGE_DEFAULT_PERCENT);
  return protectivePrice(state.side, world.pair, best, slippage, world.bandPrice);
}

/** The scaled order the fields describe. */
export function ladderOf({ texts, shape }: FormState): LadderChoice {
  return { from: texts.price, to: texts.priceTo, count: texts.count, quantity: texts.quantity, shape };
}

/** The most that can be ordered with what is available, on the grid and within the pair's bounds. */
export function maxQuantity(state: FormState, world: FormWorld): Decimal | undefined {
  const step = readServed(world.pair.stepSize);
  const bound = readServed(state.kind === "market" ? world.pair.maxMarketQuantity : world.pair.maxQuantity);
  if (state.side === "sell") {
    if (world.availableBase === undefined) return undefined;
    return floorToGrid(lesser(readServed(world.availableBase), bound), step);
  }
  const price = state.kind === "oco" ? ocoWorstPrice(state, world) : computePrice(state, world);
  if (world.availableQuote === undefined || price === undefined || price.units === 0n) return undefined;
  const affordable = multiply(step, {
    units: countSteps(readServed(world.availableQuote), multiply(price, step)),
    scale: 0,
  });
  return floorToGrid(lesser(affordable, bound), step);
}

/** A buying OCO freezes what its dearer leg needs; a stop without a limit pays up to the slippage above its trigger. */
export function ocoWorstPrice(state: FormState, world: FormWorld): Decimal | undefined {
  const limit = readTyped(state.texts.price);
  const stopLimit = readTyped(state.texts.stopLimitPrice);
  const trigger = readTyped(state.texts.stopPrice);
  const worst =
    stopLimit ??
    (trigger === undefined
      ? undefined
      : floorToGrid(multiply(trigger, { units: 105n, scale: 2 }), readServed(world.pair.tickSize)));
  if (limit === undefined) return worst;
  return worst !== undefined && isAbove(worst, limit) ? worst : limit;
}

/** A field was typed in: dependent fields follow at once, the typed text is unchanged. */
export function editText(state: FormState, world: FormWorld, field: TextField, text: string): FormState {
  const next = withTexts(state, { [field]: text });
  if (field === "amount") return { ...followAmount(next, world), percent: undefined };
  if (field === "quantity") return { ...followQuantity(next, world), percent: undefined };
  if (field === "price" || field === "stopPrice" || field === "priceTo") return followQuantity(next, world);
  return next;
}

function followQuantity(state: FormState, world: FormWorld): FormState {
  if (isInQuote(state) || !fieldsOf(state).includes("amount")) return state;
  const price = readTyped(state.texts.price);
  const quantity = readTyped(state.texts.quantity);
  if (price === undefined || quantity === undefined) {
    return state.texts.quantity === "" ? withTexts(state, { amount: "" }) : state;
  }
  return withTexts(state, { amount: writeTotal(multiply(price, quantity), world.pair) });
}

function followAmount(state: FormState, world: FormWorld): FormState {
  if (isInQuote(state)) return state;
  const price = readTyped(state.texts.price);
  const amount = readTyped(state.texts.amount);
  if (price === undefined || price.units === 0n || amount === undefined) {
    return state.texts.amount === "" ? withTexts(state, { quantity: "" }) : state;
  }
  const step = readServed(world.pair.stepSize);
  const steps = countSteps(amount, multiply(price, step));
  return withTexts(state, {
    quantity: writePlain(multiply(step, { units: steps, scale: 0 }), world.pair.quantityDecimals),
  });
}

/** The total as typed is replaced by what the quantity really comes to. Called when the field is left. */
export function settleAmount(state: FormState, world: FormWorld): FormState {
  return followQuantity(state, world);
}

export const QUOTE_DECIMALS_SHOWN = 2;

/** Two decimals like money, or all it has: a total is never shown below what is paid. */
export function writeTotal(total: Decimal, pair: PairRules): string {
  const exact = pair.priceDecimals + pair.quantityDecimals;
  const text = writePlain(total, exact);
  const point = text.indexOf(".");
  if (point === -1) return text;
  const trimmed = text.replace(/0+$/, "");
  const places = trimmed.length - point - 1;
  return places <= QUOTE_DECIMALS_SHOWN ? text.slice(0, point + 1 + Math.min(exact, QUOTE_DECIMALS_SHOWN)) : trimmed;
}

/** The slider: a share of what is available becomes the amount. */
export function applyPercent(state: FormState, world: FormWorld, percent: number): FormState {
  const share = { units: BigInt(Math.trunc(percent)), scale: 2 };
  if (isInQuote(state)) {
    if (world.availableQuote === undefined) return { ...state, percent };
    const amount = writePlain(multiply(readServed(world.availableQuote), share), QUOTE_DECIMALS_SHOWN);
    return { ...withTexts(state, { amount: percent === 0 ? "" : amount }), percent };
  }
  const most = maxQuantity(state, world);
  if (most === undefined) return { ...state, percent };
  const part = floorToGrid(multiply(most, share), readServed(world.pair.stepSize));
  const quantity = percent === 0 ? "" : writePlain(part, world.pair.quantityDecimals);
  return { ...followQuantity(withTexts(state, { quantity }), world), percent };
}

/** The slider's position: where it was released, or the amount's share of the maximum. */
export function percentOf(state: FormState, world: FormWorld): number {
  if (state.percent !== undefined) return state.percent;
  const [part, whole] = isInQuote(state)
    ? [readTyped(state.texts.amount), readServed(world.availableQuote)]
    : [readTyped(state.texts.quantity), maxQuantity(state, world) ?? ZERO];
  if (part === undefined || whole.units === 0n) return 0;
  const percent = divideFloor(multiply(part, { units: 100n, scale: 0 }), whole, 0).units;
  return percent > 100n ? 100 : Number(percent);
}

export function chooseSide(state: FormState, side: Side): FormState {
  return state.side === side ? state : { ...state, side, percent: undefined };
}

export function chooseKind(state: FormState, world: FormWorld, kind: OrderKind): FormState {
  if (state.kind === kind) return state;
  const settled = settleOptions({ ...state, kind, percent: undefined });
  // A trailing stop may go without its activation price; another kind's trigger is not meant to be one.
  const isOtherTrigger = (state.kind === "trailingStop") !== (kind === "trailingStop");
  const next = isOtherTrigger ? withTexts(settled, { stopPrice: "" }) : settled;
  // A kind with a price starts from the last one, so that the first keystroke is not about finding it.
  const needsPrice = fieldsOf(next).includes("price") && next.texts.price === "" && world.last !== undefined;
  return followQuantity(needsPrice ? withTexts(next, { price: world.last ?? "" }) : next, world);
}

/** A price was picked in the book or on the chart: it goes to the field the kind is about. */
function takePrice(state: FormState, world: FormWorld, price: string): FormState {
  const field = fieldsOf(state).find((name) => name === "price" || name === "stopPrice");
  return field === undefined ? state : editText(state, world, field, price);
}

/**
 * A level of the book brings its price and, where the form has no amount yet, as much up to it as can be paid; the menu of
 * the chart brings the kind and the side too.
 */
export function takePick(state: FormState, world: FormWorld, pick: TerminalPick, bookPick: BookPick): FormState {
  const started =
    pick.kind === undefined || pick.side === undefined
      ? state
      : chooseSide(chooseKind(state, world, pick.kind), pick.side);
  const priced = takePrice(started, world, pick.price);
  if (pick.quantity === undefined || bookPick === "price" || priced.texts.quantity !== "") return priced;
  const most = maxQuantity(priced, world);
  if (most === undefined || most.units === 0n) return priced;
  const taken = lesser(readServed(pick.quantity), most);
  return editText(priced, world, "quantity", writePlain(taken, world.pair.quantityDecimals));
}

/** After an order was placed the amounts are cleared, the rest remains for the next one. */
export function clearAmounts(state: FormState): FormState {
  return {
    ...withTexts(state, {
      quantity: "",
      amount: "",
      visibleQuantity: "",
      takeProfitPrice: "",
      stopLossPrice: "",
      stopLossLimitPrice: "",
    }),
    percent: undefined,
  };
}
