// Refusals that name a bound, in the units of the market. Pure.
import type { RefusalWords } from "@clockwork/kit/endpoint";
import { type Instrument, priceText, quantityText, valueText } from "@clockwork/kit/instrument";

interface Named {
  /** How the product calls a market. */
  readonly market: "pair" | "contract";
  /** How it calls the price that would trigger. */
  readonly price: "last price" | "price";
  /** The member that holds the size of the order. */
  readonly sizeField: string;
}

export const bound = (message: string, field: string): RefusalWords => [422, message, { field }];

export const quantityWords = (pair: Instrument, lots: number): string =>
  `${quantityText(pair, lots)} ${pair.kind === "inverse" ? pair.quote.symbol : pair.base.symbol}`;

export const valueWords = (pair: Instrument, units: number): string =>
  `${valueText(pair, units)} ${pair.settle.symbol}`;

/** Of orders on every market; undefined for a code without a bound that all share. */
export function orderBound(
  code: string,
  limit: number,
  pair: Instrument,
  { market, price, sizeField }: Named,
): RefusalWords | undefined {
  switch (code) {
    case "QUANTITY_TOO_SMALL":
      return bound(`At least ${quantityWords(pair, limit)}.`, sizeField);
    case "QUANTITY_TOO_LARGE":
      return bound(`At most ${quantityWords(pair, limit)}.`, sizeField);
    case "NOTIONAL_TOO_SMALL":
      return bound(`The order must be worth at least ${valueWords(pair, limit)}.`, sizeField);
    case "NOTIONAL_TOO_LARGE":
      return bound("The order value is too large.", sizeField);
    case "PRICE_TOO_HIGH":
      return bound(`The price may be at most ${priceText(pair, limit)} now.`, "price");
    case "PRICE_TOO_LOW":
      return bound(`The price must be at least ${priceText(pair, limit)} now.`, "price");
    case "TRIGGER_ALREADY_TRUE":
      return bound(`The ${price} is ${priceText(pair, limit)}: the order would trigger immediately.`, "stopPrice");
    case "AMEND_BELOW_FILLED":
      return [409, `${quantityWords(pair, limit)} is already filled.`, { field: "quantity" }];
    default:
      return tooMany(code, limit, market);
  }
}

/** Orders an account may have on one market at a time. */
export function tooMany(code: string, limit: number, market: Named["market"]): RefusalWords | undefined {
  const what = {
    TOO_MANY_ORDERS: "open orders",
    TOO_MANY_CONDITIONALS: "conditional orders",
    TOO_MANY_LISTS: "order lists",
  };
  if (!(code in what)) return undefined;
  return bound(`At most ${limit} ${what[code as keyof typeof what]} on this ${market}. Cancel some first.`, "pairCode");
}
