// The text of every refusal of the core and the engine about perpetual contracts: status, message with the bound in the
// contract's own units, and the invalid member of the input. Pure; the code is passed through.

import type { Refused } from "@clockwork/host/engine";
import { type RouteRejection, refuseAs } from "@clockwork/host/route";
import type { RefusalWords } from "@clockwork/kit/endpoint";
import { type Instrument, priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { formatDateTime } from "@clockwork/kit/time";
import { type ContractRefusal, REFUSALS } from "./refusals.ts";

export interface RefusedCommand {
  readonly code: Refused["code"];
  readonly events: readonly { readonly kind: string; readonly limit?: number }[];
}

/** The request and the contract, as far as a message needs them. */
export interface RefusalContext {
  readonly pair?: Instrument | undefined;
  /** Where the call names a member otherwise than an order does. */
  readonly fields?: Readonly<Record<string, string>>;
}

export function describeContractRefusal(
  { code, events }: RefusedCommand,
  { pair, fields }: RefusalContext = {},
): RouteRejection<ContractRefusal> {
  const limit = events.find(({ kind }) => kind === "rejected")?.limit ?? 0;
  const words = boundWords(code, limit, pair) ?? REFUSALS[code];
  if (words === undefined) return { code, status: 422, message: "The exchange refused this." };
  const [status, message, about] = words;
  const field = fields?.[code];
  return refuseAs<ContractRefusal>(code, field === undefined ? words : [status, message, { ...about, field }])
    .rejection;
}

/** Refusals that name a bound say it in the units of the contract. */
function boundWords(code: string, limit: number, pair: Instrument | undefined): RefusalWords | undefined {
  const bound = (message: string, field: string): RefusalWords => [422, message, { field }];
  switch (code) {
    case "INVALID_LEVERAGE":
      return [400, `Leverage may be 1 to ${limit} here.`, { field: "leverage" }];
    case "LEVERAGE_TOO_HIGH":
      return bound(`With almighty gold the leverage may be at most ${limit}.`, "pairCode");
    case "TOO_MANY_STOPS":
      return bound(`At most ${limit} pairs of partial stops; cancel some first.`, "quantity");
    case "TOO_MANY_ORDERS":
      return bound(`At most ${limit} open orders on this contract; cancel some first.`, "pairCode");
    case "TOO_MANY_CONDITIONALS":
      return bound(`At most ${limit} plans on this contract; cancel some first.`, "pairCode");
    case "TOO_MANY_LISTS":
      return bound(`At most ${limit} order lists on this contract; cancel some first.`, "pairCode");
    case "RESET_TOO_SOON":
      return [409, `The demo account can begin again at ${formatDateTime(limit)} UTC.`];
    default:
      return pair === undefined ? undefined : pairWords(code, limit, pair);
  }
}

function pairWords(code: string, limit: number, pair: Instrument): RefusalWords | undefined {
  const bound = (message: string, field: string): RefusalWords => [422, message, { field }];
  const unit = pair.kind === "inverse" ? pair.quote.symbol : pair.base.symbol;
  const quantity = () => `${quantityText(pair, limit)} ${unit}`;
  const amount = () => `${valueText(pair, limit)} ${pair.settle.symbol}`;
  switch (code) {
    case "QUANTITY_TOO_SMALL":
      return bound(`At least ${quantity()}.`, "quantity");
    case "QUANTITY_TOO_LARGE":
      return bound(`At most ${quantity()}.`, "quantity");
    case "NOTIONAL_TOO_SMALL":
      return bound(`The order must be worth at least ${amount()}.`, "quantity");
    case "NOTIONAL_TOO_LARGE":
      return bound("The order is worth more than the exchange can count.", "quantity");
    case "PRICE_TOO_HIGH":
      return bound(`The price may be at most ${priceText(pair, limit)} now.`, "price");
    case "PRICE_TOO_LOW":
      return bound(`The price must be at least ${priceText(pair, limit)} now.`, "price");
    case "POSITION_LIMIT":
      return bound(`At this leverage at most ${quantity()} more; lower the leverage for more.`, "quantity");
    case "INSUFFICIENT_MARGIN":
      return bound(`Not enough margin: ${amount()} free.`, "quantity");
    case "BANKRUPTCY_PRICE":
      return bound(`The account could not pay for a close beyond ${priceText(pair, limit)}.`, "price");
    case "AMEND_BELOW_FILLED":
      return [409, `${quantity()} are filled already.`, { field: "quantity" }];
    case "TRIGGER_ALREADY_TRUE":
      return bound(`The price is ${priceText(pair, limit)}: this would fire at once.`, "stopPrice");
    default:
      return undefined;
  }
}
