// How much to sell for an amount of the quote coin, by the book as it is: the core sells quantities. Rounds down, so that
// at these prices it never brings more than was requested.
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  divideTruncated,
  multiplyDecimals,
  parseDecimal,
  subtractDecimals,
  trimZeros,
  truncateToStep,
  writeDecimal,
  ZERO_DECIMAL,
} from "@clockwork/kit/decimal";

const DECIMALS = 18;

function readExact(text = ""): Decimal {
  const read = parseDecimal(text);
  if (!read.ok) throw new Error(`${text} is no number`);
  return read.value;
}

/** All of the bids where they are worth less; "0" without bids or for less than a step. */
export function quantityFor(bids: readonly (readonly string[])[], amountText: string, stepText: string): string {
  let left = readExact(amountText);
  let quantity = ZERO_DECIMAL;
  for (const [priceText, levelText] of bids) {
    const [price, level] = [readExact(priceText), readExact(levelText)];
    const value = multiplyDecimals(price, level);
    if (compareDecimals(value, left) > 0) {
      quantity = addDecimals(quantity, divideTruncated(left, price, DECIMALS));
      break;
    }
    quantity = addDecimals(quantity, level);
    left = subtractDecimals(left, value);
  }
  return trimZeros(writeDecimal(truncateToStep(quantity, readExact(stepText))));
}
