// The text of every refusal of the core and the engine: status, message with the bound in the market's own units, and
// the invalid member of the input. Pure; the code is passed through.

import type { EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import type { Refused } from "@clockwork/host/engine";
import { type RouteRejection, refuseAs } from "@clockwork/host/route";
import type { RefusalWords } from "@clockwork/kit/endpoint";
import { formatUnits, units } from "@clockwork/kit/money";
import type { MarketPair } from "../markets/pair.ts";
import { bound, orderBound } from "../orders/bound-words.ts";
import type { OrderProblem } from "../orders/order-builder.ts";
import { OWN_REFUSALS, REFUSALS, type SpotRefusal } from "./refusals.ts";

const SPOT = { market: "pair", price: "last price" } as const;

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
  if (code !== "INSUFFICIENT_BALANCE") return orderBound(code, limit, pair, { ...SPOT, sizeField });
  const held = side === "buy" ? pair.quote : pair.base;
  return bound(`Not enough ${held.symbol}: ${formatUnits(units(limit), held.scale)} available.`, sizeField);
}

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
