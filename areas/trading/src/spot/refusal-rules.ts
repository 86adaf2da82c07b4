// The text of every refusal of the core and the engine: status, message with the bound in the market's own units, and
// the invalid member of the input. Pure; the code is passed through.

import type { EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import type { Ack } from "@clockwork/host/engine";
import { type RouteRejection, refuseAs } from "@clockwork/host/route";
import type { RefusalWords } from "@clockwork/kit/endpoint";
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import type { MarketPair } from "../markets/pair.ts";
import type { OrderProblem } from "./order-rules.ts";
import { OWN_REFUSALS, REFUSALS, type SpotRefusal } from "./refusals.ts";

type Refused = Extract<Ack, { readonly done: false }>;

/** The request, as far as a message needs it. */
export interface Requested {
  readonly pair?: MarketPair | undefined;
  readonly side?: "buy" | "sell" | undefined;
  /** Market orders have another quantity limit, named in the text. */
  readonly isByAmount?: boolean | undefined;
}

/** The rejection among a command's events; its limit is the violated bound. */
function findRejected(events: readonly MachineEvent[]): EventOf<"rejected"> | undefined {
  return events.find((event) => event.kind === "rejected");
}

export function describeRefusal({ code, events }: Refused, requested: Requested = {}): RouteRejection<SpotRefusal> {
  const limit = findRejected(events)?.limit ?? 0;
  const words = boundWords(code, limit, requested) ?? REFUSALS[code] ?? [422, "The exchange rejected this."];
  return refuseAs<SpotRefusal>(code, words).rejection;
}

/** Refusals that name a bound say it in the units of the pair. */
function boundWords(code: string, limit: number, { pair, side, isByAmount }: Requested): RefusalWords | undefined {
  if (pair === undefined) return undefined;
  const sizeField = isByAmount === true ? "amount" : "quantity";
  const held = side === "buy" ? pair.quote : pair.base;
  switch (code) {
    case "QUANTITY_TOO_SMALL":
      return size(`At least ${quantityText(pair, limit)} ${pair.base.symbol}.`, sizeField);
    case "QUANTITY_TOO_LARGE":
      return size(`At most ${quantityText(pair, limit)} ${pair.base.symbol}.`, sizeField);
    case "NOTIONAL_TOO_SMALL":
      return size(`The order must be worth at least ${valueText(pair, limit)} ${pair.quote.symbol}.`, sizeField);
    case "NOTIONAL_TOO_LARGE":
      return size("The order value is too large.", sizeField);
    case "PRICE_TOO_HIGH":
      return size(`The price may be at most ${priceText(pair, limit)} now.`, "price");
    case "PRICE_TOO_LOW":
      return size(`The price must be at least ${priceText(pair, limit)} now.`, "price");
    case "INSUFFICIENT_BALANCE":
      return size(`Not enough ${held.symbol}: ${formatUnits(units(limit), held.scale)} available.`, sizeField);
    case "TRIGGER_ALREADY_TRUE":
      return size(`The last price is ${priceText(pair, limit)}: the order would trigger immediately.`, "stopPrice");
    case "TOO_MANY_ORDERS":
      return size(`At most ${limit} open orders on this pair. Cancel some first.`, "pairCode");
    case "TOO_MANY_CONDITIONALS":
      return size(`At most ${limit} conditional orders on this pair. Cancel some first.`, "pairCode");
    case "TOO_MANY_LISTS":
      return size(`At most ${limit} order lists on this pair. Cancel some first.`, "pairCode");
    case "AMEND_BELOW_FILLED":
      return [409, `${quantityText(pair, limit)} ${pair.base.symbol} is already filled.`, { field: "quantity" }];
    default:
      return undefined;
  }
}

const size = (message: string, field: string): RefusalWords => [422, message, { field }];

export function describeProblem({ code, message, field }: OrderProblem): RouteRejection<SpotRefusal> {
  return { code, status: 400, message, fields: { [`body.${field}`]: message } };
}

export const UNKNOWN_PAIR: RouteRejection<SpotRefusal> = {
  code: "UNKNOWN_MARKET",
  status: 404,
  message: "Pair not found.",
  fields: { pairCode: "Pair not found." },
};
export const UNKNOWN_ORDER: RouteRejection<SpotRefusal> = {
  code: "UNKNOWN_ORDER",
  status: 404,
  message: "Open order not found.",
};
export const ACCOUNT_NOT_READY = refuseAs("ACCOUNT_NOT_READY", OWN_REFUSALS.ACCOUNT_NOT_READY).rejection;
