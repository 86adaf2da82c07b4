// The text of every refusal of the core and the engine about perpetual contracts: status, message with the bound in the
// contract's own units, and the invalid member of the input. Pure; the code is passed through.

import type { Refused } from "@clockwork/host/engine";
import { type RouteRejection, refuseAs } from "@clockwork/host/route";
import type { RefusalWords } from "@clockwork/kit/endpoint";
import { type Instrument, priceText } from "@clockwork/kit/instrument";
import { formatDateTime } from "@clockwork/kit/time";
import { bound, orderBound, quantityWords, tooMany, valueWords } from "../orders/bound-words.ts";
import { type ContractRefusal, REFUSALS } from "./refusals.ts";

export interface RefusedCommand {
  readonly code: Refused["code"];
  readonly events: readonly { readonly kind: string; readonly limit?: number }[];
}

const CONTRACT = { market: "contract", price: "price", sizeField: "quantity" } as const;

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
  if (words === undefined) return { code, status: 422, message: "The exchange rejected this." };
  const [status, message, about] = words;
  const field = fields?.[code];
  return refuseAs<ContractRefusal>(code, field === undefined ? words : [status, message, { ...about, field }])
    .rejection;
}

/** Refusals that name a bound say it in the units of the contract. */
function boundWords(code: string, limit: number, pair: Instrument | undefined): RefusalWords | undefined {
  switch (code) {
    case "INVALID_LEVERAGE":
      return [400, `Leverage must be 1 to ${limit}.`, { field: "leverage" }];
    case "LEVERAGE_TOO_HIGH":
      return bound(`With almighty gold the leverage may be at most ${limit}.`, "pairCode");
    case "TOO_MANY_STOPS":
      return bound(`At most ${limit} partial TP/SL pairs. Cancel some first.`, "quantity");
    case "RESET_TOO_SOON":
      return [409, `The demo account can be reset at ${formatDateTime(limit)} UTC.`];
    default:
      return pair === undefined ? tooMany(code, limit, CONTRACT.market) : pairWords(code, limit, pair);
  }
}

function pairWords(code: string, limit: number, pair: Instrument): RefusalWords | undefined {
  switch (code) {
    case "POSITION_LIMIT":
      return bound(
        `At this leverage, at most ${quantityWords(pair, limit)} more. Lower the leverage for more.`,
        "quantity",
      );
    case "INSUFFICIENT_MARGIN":
      return bound(`Insufficient margin: ${valueWords(pair, limit)} available.`, "quantity");
    case "BANKRUPTCY_PRICE":
      return bound(`The account could not cover a close beyond ${priceText(pair, limit)}.`, "price");
    default:
      return orderBound(code, limit, pair, CONTRACT);
  }
}
