// What the order form refuses before it calls the server, by the server's own rules and under its own codes. Returns
// codes with their bounds; texts belong to the screen.
import {
  add,
  countSteps,
  type Decimal,
  floorTo,
  isAbove,
  isBelow,
  isEqual,
  isOnGrid,
  multiply,
  readServed,
  readTyped,
  writeShown,
  ZERO,
} from "#trade/order/exact.ts";
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
import { computePrice, ladderOf, ocoWorstPrice, protectiveLimit } from "./form-model.ts";
import { type FieldName, type FormState, type FormWorld, fieldsOf, isInQuote, type TextField } from "./form-state.ts";

export type FormFaults = Faults<FieldName>;

type Found = Partial<Record<FieldName, Fault>>;

/** Every fault there is, the first one per field, in the order the server judges. Empty means it may be sent. */
export function findFaults(state: FormState, world: FormWorld): FormFaults {
  const found: Found = {};
  const fields = fieldsOf(state);
  if (world.pair.status !== "TRADING") found.form = { code: "MARKET_NOT_TRADING" };
  for (const field of fields) note(found, field, judgeShape(field, state, world));
  if (Object.keys(found).length > 0) return found;
  judgeOptions(found, state, world);
  judgeKind(found, state, world);
  judgeSize(found, state, world);
  judgeBands(found, state, world);
  judgeCount(found, state, world);
  judgeBalance(found, state, world);
  judgeCrossing(found, state, world);
  return found;
}

/** The field that holds the size. */
export function sizeField(state: FormState): "quantity" | "amount" {
  return isInQuote(state) ? "amount" : "quantity";
}

const OPTIONAL: ReadonlySet<TextField> = new Set(["stopLimitPrice", "stopLossLimitPrice", "slippagePercent"]);
const PRICES: ReadonlySet<TextField> = new Set([
  "price",
  "stopPrice",
  "stopLimitPrice",
  "takeProfitPrice",
  "stopLossPrice",
  "stopLossLimitPrice",
  "priceTo",
]);

function isOptional(field: TextField, state: FormState): boolean {
  if (OPTIONAL.has(field)) return true;
  // A trailing stop without an activation price is active at once.
  if (field === "stopPrice") return state.kind === "trailingStop";
  // One exit is enough.
  if (field === "takeProfitPrice") return state.texts.stopLossPrice !== "";
  if (field === "stopLossPrice") return state.texts.takeProfitPrice !== "";
  // The total is the quantity in another unit.
  return field === "amount" && !isInQuote(state);
}

/** Is it there, is it an amount, is it on the pair's grid. */
function judgeShape(field: TextField, state: FormState, world: FormWorld): Fault | undefined {
  const text = state.texts[field];
  if (text === "") return isOptional(field, state) ? undefined : { code: "REQUIRED" };
  if (field === "expiresAt") return judgeExpiry(text, world.zone, world.nowMs);
  const value = readTyped(text);
  if (value === undefined) return { code: "ILLEGAL" };
  if (value.units === 0n && (field !== "amount" || isInQuote(state))) return { code: "REQUIRED" };
  const { pair } = world;
  if (PRICES.has(field)) return judgePrice(value, pair);
  if (field === "quantity" || field === "visibleQuantity") return judgeQuantity(value, pair);
  if (field === "amount" && isInQuote(state) && !isOnGrid(value, { units: 1n, scale: pair.quoteScale })) {
    return { code: "INVALID_AMOUNT", limit: String(pair.quoteScale) };
  }
  return field in RANGES ? judgeRange(value, RANGES[field as keyof typeof RANGES]) : undefined;
}

function judgeOptions(found: Found, state: FormState, world: FormWorld): void {
  if (!state.iceberg) return;
  const visible = readServed(state.texts.visibleQuantity);
  const quantity = readServed(state.texts.quantity);
  note(found, "visibleQuantity", judgeIceberg(visible, quantity, world.pair.quantityDecimals));
}

/** What a kind requires of its prices among themselves and against the last trade. */
function judgeKind(found: Found, state: FormState, world: FormWorld): void {
  const last = world.last === undefined ? undefined : readTyped(world.last);
  const stop = readTyped(state.texts.stopPrice);
  const sells = state.side === "sell";
  if (state.kind === "stopLimit" || state.kind === "stopMarket") {
    if (last === undefined) note(found, "form", { code: "NO_REFERENCE_PRICE" });
    else if (stop !== undefined && isEqual(stop, last)) note(found, "stopPrice", { code: "TRIGGER_ALREADY_TRUE" });
  }
  if (state.kind === "oco" && stop !== undefined) {
    const price = readServed(state.texts.price);
    if (last === undefined) note(found, "form", { code: "NO_REFERENCE_PRICE" });
    else {
      const [high, low] = sells ? [price, stop] : [stop, price];
      const [highField, lowField] = sells ? (["price", "stopPrice"] as const) : (["stopPrice", "price"] as const);
      const limit = writeShown(last, world.pair.priceDecimals);
      if (!isAbove(high, last)) note(found, highField, { code: "OCO_ABOVE_LAST", limit });
      if (!isBelow(low, last)) note(found, lowField, { code: "OCO_BELOW_LAST", limit });
    }
  }
  if (state.exits) judgeExits(found, state, world, last);
}

function judgeExits(found: Found, state: FormState, world: FormWorld, last: Decimal | undefined): void {
  const anchor = state.kind === "market" ? last : readTyped(state.texts.price);
  if (anchor === undefined) return;
  const sells = state.side === "sell";
  const limit = writeShown(anchor, world.pair.priceDecimals);
  const above = (value: Decimal | undefined) => value === undefined || isAbove(value, anchor);
  const below = (value: Decimal | undefined) => value === undefined || isBelow(value, anchor);
  const profit = readTyped(state.texts.takeProfitPrice);
  const stop = readTyped(state.texts.stopLossPrice);
  if (!(sells ? below(profit) : above(profit)))
    note(found, "takeProfitPrice", { code: sells ? "EXIT_BELOW_ENTRY" : "EXIT_ABOVE_ENTRY", limit });
  if (!(sells ? above(stop) : below(stop)))
    note(found, "stopLossPrice", { code: sells ? "EXIT_ABOVE_ENTRY" : "EXIT_BELOW_ENTRY", limit });
}

/** Minimum and maximum of the quantity and of its value; for orders in parts, of every part. */
function judgeSize(found: Found, state: FormState, world: FormWorld): void {
  const { pair } = world;
  const field = sizeField(state);
  const least = readServed(pair.minNotional);
  if (isInQuote(state)) {
    const amount = readServed(state.texts.amount);
    if (isBelow(amount, least)) note(found, field, { code: "NOTIONAL_TOO_SMALL", limit: writeShown(least, 0) });
    return;
  }
  const quantity = readServed(state.texts.quantity);
  const part = smallestPart(found, state, world, quantity);
  if (part === undefined) return;
  const min = readServed(pair.minQuantity);
  const inParts = state.kind === "twap" || state.kind === "scaled";
  if (isBelow(part.quantity, min)) {
    const limit = writeShown(min, pair.quantityDecimals);
    note(found, field, { code: inParts ? "PART_TOO_SMALL" : "QUANTITY_TOO_SMALL", limit });
  }
  note(found, field, judgeMost(quantity, pair, state.kind === "market"));
  if (part.price !== undefined && isBelow(multiply(part.quantity, part.price), least)) {
    note(found, field, {
      code: inParts ? "PART_NOTIONAL_TOO_SMALL" : "NOTIONAL_TOO_SMALL",
      limit: writeShown(least, 0),
    });
  }
}

interface Part {
  readonly quantity: Decimal;
  readonly price: Decimal | undefined;
}

function smallestPart(found: Found, state: FormState, world: FormWorld, quantity: Decimal): Part | undefined {
  if (state.kind === "twap") {
    const slices = BigInt(countSlices(state));
    const steps = countSteps(quantity, readServed(world.pair.stepSize)) / (slices === 0n ? 1n : slices);
    return {
      quantity: multiply(readServed(world.pair.stepSize), { units: steps, scale: 0 }),
      price: readTyped(state.texts.price),
    };
  }
  if (state.kind === "scaled") {
    const rungs = rungsOf(ladderOf(state), world.pair);
    const [first] = rungs ?? [];
    if (rungs === undefined || first === undefined) {
      note(found, "priceTo", { code: "INVALID_SCALE" });
      return undefined;
    }
    return rungs.reduce<Part>(
      (small, rung) =>
        isBelow(multiply(rung.quantity, rung.price), multiply(small.quantity, small.price ?? ZERO)) ? rung : small,
      first,
    );
  }
  return { quantity, price: computePrice(state, world) };
}

/** Slices of a TWAP: as many whole intervals as the duration has. */
export function countSlices(state: FormState): number {
  const duration = readServed(state.texts.durationMinutes);
  const interval = readServed(state.texts.intervalSeconds);
  if (interval.units === 0n) return 0;
  return Number(countSteps(multiply(duration, { units: 60n, scale: 0 }), interval));
}

function judgeBands(found: Found, state: FormState, world: FormWorld): void {
  const band = bandOf(state.side, world.pair, world.bandPrice);
  const banded: readonly TextField[] = state.kind === "scaled" ? ["price", "priceTo"] : ["price"];
  for (const field of banded) {
    // A plan's price is judged when it fires, against the average of that day.
    if (state.kind === "stopLimit" || !fieldsOf(state).includes(field)) continue;
    const price = readTyped(state.texts[field]);
    if (price !== undefined) note(found, field, judgeBand(price, band, world.pair.priceDecimals));
  }
}

function judgeCount(found: Found, state: FormState, world: FormWorld): void {
  const rests =
    (state.kind === "limit" && state.timeInForce !== "IOC" && state.timeInForce !== "FOK") || state.kind === "oco";
  const wanted = state.kind === "scaled" ? Number(readServed(state.texts.count).units) : rests ? 1 : 0;
  if (wanted === 0 || world.openOrders === undefined) return;
  const { openOrdersMax } = world.pair;
  if (world.openOrders + wanted > openOrdersMax)
    note(found, "form", { code: "TOO_MANY_ORDERS", limit: String(openOrdersMax) });
}

/** What the order freezes at once; undefined where it freezes nothing or it cannot be computed. */
export function findNeed(state: FormState, world: FormWorld): Decimal | undefined {
  const quantity = readServed(state.texts.quantity);
  if (state.kind === "twap") return undefined;
  if (state.side === "sell") return quantity;
  switch (state.kind) {
    case "market": {
      if (isInQuote(state)) return readServed(state.texts.amount);
      const limit = protectiveLimit(state, world);
      return limit === undefined ? undefined : multiply(limit, quantity);
    }
    case "limit":
      return multiply(readServed(state.texts.price), quantity);
    case "oco":
      return multiply(ocoWorstPrice(state, world) ?? ZERO, quantity);
    case "scaled":
      return (rungsOf(ladderOf(state), world.pair) ?? []).reduce(
        (sum, rung) => add(sum, multiply(rung.price, rung.quantity)),
        ZERO,
      );
    default:
      return undefined;
  }
}

function judgeBalance(found: Found, state: FormState, world: FormWorld): void {
  const need = findNeed(state, world);
  const available = state.side === "sell" ? world.availableBase : world.availableQuote;
  if (need === undefined || available === undefined) return;
  if (!isAbove(need, readServed(available))) return;
  const decimals = state.side === "sell" ? world.pair.quantityDecimals : 2;
  const asset = state.side === "sell" ? world.pair.base : world.pair.quote;
  const limit = `${writeShown(floorTo(readServed(available), Math.max(decimals, 2)), decimals)} ${asset}`;
  note(found, sizeField(state), { code: "INSUFFICIENT_BALANCE", limit });
}

function judgeCrossing(found: Found, state: FormState, world: FormWorld): void {
  if (state.kind === "market" && (state.side === "buy" ? world.asks : world.bids).length === 0) {
    if (world.asks.length + world.bids.length > 0) note(found, "form", { code: "NO_LIQUIDITY" });
  }
  if (state.kind !== "limit" || !state.postOnly || state.reprice) return;
  if (crosses(state, world)) note(found, "price", { code: "POST_ONLY_WOULD_CROSS" });
}

/** Whether the limit would trade at once. */
export function crosses(state: FormState, world: FormWorld): boolean {
  const best = readTyped((state.side === "buy" ? world.asks : world.bids)[0]?.[0] ?? "");
  return crossesBest(state.side, readTyped(state.texts.price), best);
}
