// What a liquidated size was worth, to the last digit, for files a program reads next.
import { divideTruncated, multiplyDecimals, parseDecimal, writeDecimal } from "@clockwork/kit/decimal";

const INVERSE_DECIMALS = 8;

/** Linear in the quote coin, inverse in the base coin; empty where either is no number. */
export function exactWorth(kind: "linear" | "inverse", quantity: string, price: string): string {
  const [size, at] = [parseDecimal(quantity), parseDecimal(price)];
  if (!size.ok || !at.ok) return "";
  return writeDecimal(
    kind === "linear"
      ? multiplyDecimals(size.value, at.value)
      : divideTruncated(size.value, at.value, INVERSE_DECIMALS),
  );
}
