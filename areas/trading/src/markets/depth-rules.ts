// How much a book holds near its middle: quantity and value of the levels up to so many percent away, on both sides.
import {
  addDecimals,
  type Decimal,
  divideTruncated,
  multiplyDecimals,
  parseDecimal,
  trimZeros,
  writeDecimal,
  ZERO_DECIMAL,
} from "@clockwork/kit/decimal";
import type { BookProjector } from "./book-projector.ts";

const PERCENTS = [1, 2, 3, 4, 5] as const;
const VALUE_DECIMALS = 8;

/** Negative percents are below the middle: bids. */
export interface DepthNear {
  readonly percent: number;
  readonly quantity: string;
  readonly value: string;
}

type Book = { readonly [Side in "bids" | "asks"]: Pick<BookProjector[Side], "bestTicks" | "upTo"> };

/** Nothing while a side of the book is empty. Values of inverse contracts are in the coin. */
export function measureDepth({ bids, asks }: Book, isInverse: boolean): readonly DepthNear[] {
  const [bid, ask] = [bids.bestTicks, asks.bestTicks];
  if (bid === undefined || ask === undefined) return [];
  const below = PERCENTS.map((percent) => {
    const levels = bids.upTo(Math.ceil(((bid + ask) * (100 - percent)) / 200));
    return { percent: -percent, ...addLevels(levels, isInverse) };
  });
  const above = PERCENTS.map((percent) => {
    const levels = asks.upTo(Math.floor(((bid + ask) * (100 + percent)) / 200));
    return { percent, ...addLevels(levels, isInverse) };
  });
  return [...below.reverse(), ...above];
}

function addLevels(levels: readonly (readonly string[])[], isInverse: boolean): Omit<DepthNear, "percent"> {
  let [quantity, value] = [ZERO_DECIMAL, ZERO_DECIMAL];
  for (const [priceText, quantityText] of levels) {
    const [price, lots] = [readExact(priceText), readExact(quantityText)];
    quantity = addDecimals(quantity, lots);
    value = addDecimals(
      value,
      isInverse ? divideTruncated(lots, price, VALUE_DECIMALS) : multiplyDecimals(price, lots),
    );
  }
  return { quantity: trimZeros(writeDecimal(quantity)), value: trimZeros(writeDecimal(value)) };
}

function readExact(text = ""): Decimal {
  const read = parseDecimal(text);
  if (!read.ok) throw new Error(`BOT-1: ${text} is no level`);
  return read.value;
}
