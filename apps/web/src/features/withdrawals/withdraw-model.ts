// What is wrong with an amount before anything is sent: more than may leave, less than the network takes, beyond the limit.
import { compareDecimals, type Decimal, multiplyDecimals, parseDecimal, ZERO_DECIMAL } from "@clockwork/kit/decimal";

/** Nothing while it is not a number yet. */
export function decimalOf(text: string | null): Decimal {
  const read = parseDecimal(text ?? "");
  return read.ok ? read.value : ZERO_DECIMAL;
}

export const isMore = (left: string, right: string): boolean => compareDecimals(decimalOf(left), decimalOf(right)) > 0;

export interface AmountFacts {
  readonly amount: string;
  /** What may leave of the coin. */
  readonly leaves: string;
  /** The least the way takes; nothing where it takes any. */
  readonly min?: string | undefined;
  /** Of one coin in USDT; null where nobody can say. */
  readonly priceUsdt: string | null;
  readonly limitLeftUsdt: string;
}

export type AmountFault = "much" | "small" | "limit";

export function findAmountFault({
  amount,
  leaves,
  min,
  priceUsdt,
  limitLeftUsdt,
}: AmountFacts): AmountFault | undefined {
  if (amount === "") return undefined;
  if (isMore(amount, leaves)) return "much";
  if (min !== undefined && isMore(min, amount)) return "small";
  const worth = multiplyDecimals(decimalOf(amount), decimalOf(priceUsdt));
  return compareDecimals(worth, decimalOf(limitLeftUsdt)) > 0 ? "limit" : undefined;
}
