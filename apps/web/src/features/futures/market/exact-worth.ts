// Amounts of the data page that are computed in the browser, to the last digit: the value of a liquidated size, a
// long's payment, the fund's initial balance.

import {
  addDecimals,
  type Decimal,
  divideTruncated,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  subtractDecimals,
  writeDecimal,
  ZERO_DECIMAL,
} from "@clockwork/kit/decimal";
import type { FundingEntry, RiskFund } from "@clockwork/trading/markets/contract";

type Kind = "linear" | "inverse";

const INVERSE_DECIMALS = 8;
/** Far beyond any coin's smallest unit: what is cut here is never seen. */
const DEEP = 30;

/** Linear in the quote coin, inverse in the base coin; empty where either is no number. */
export function exactWorth(kind: Kind, quantity: string, price: string): string {
  const [size, at] = [parseDecimal(quantity), parseDecimal(price)];
  if (!size.ok || !at.ok) return "";
  return writeDecimal(
    kind === "linear"
      ? multiplyDecimals(size.value, at.value)
      : divideTruncated(size.value, at.value, INVERSE_DECIMALS),
  );
}

/**
 * What a long of one coin paid at a settlement, or of a hundred dollars of an inverse contract; negative: was paid. What is
 * paid is rounded up and what is received is cut, to the decimals it is shown with.
 */
export function longPaid(kind: Kind, { rate, mark }: Pick<FundingEntry, "rate" | "mark">, decimals: number): string {
  const [share, at] = [parseDecimal(rate, { signed: true }), parseDecimal(mark)];
  if (!share.ok || !at.ok) return "";
  const paid =
    kind === "linear"
      ? multiplyDecimals(at.value, share.value)
      : divideTruncated({ units: share.value.units * 100n, scale: share.value.scale }, at.value, DEEP);
  return writeDecimal(roundDecimal(paid, decimals, "ceil"));
}

type FundDay = RiskFund["days"][number];

const amount = (text: string): Decimal => {
  const read = parseDecimal(text, { signed: true });
  return read.ok ? read.value : ZERO_DECIMAL;
};

/** A fund's only day is drawn from what it held before that day moved it: one point is no line. */
export function withBeginning(days: readonly FundDay[]): readonly (FundDay & { readonly isBeginning?: true })[] {
  const [first, second] = days;
  if (first === undefined || second !== undefined) return days;
  const before = subtractDecimals(addDecimals(amount(first.balance), amount(first.outflow)), amount(first.inflow));
  return [{ dayMs: first.dayMs, balance: writeDecimal(before), inflow: "0", outflow: "0", isBeginning: true }, first];
}
