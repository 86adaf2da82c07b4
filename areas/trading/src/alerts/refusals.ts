// Refusals of price alerts, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

/** The maximum of waiting alerts. */
export const ALERTS_MAX = 50;

export const REFUSALS = {
  UNKNOWN_MARKET: [404, "There is no such pair."],
  INVALID_PRICE: [400, "This is no price of the pair."],
  NO_PRICE: [422, "The pair has not traded yet; say which way its price should go."],
  ALERT_MET: [422, "The price is already there."],
  INVALID_INDICATOR: [400, "An indicator needs a direction, no price, and a fast average below the slow one."],
  ALERTS_FULL: [422, `At most ${ALERTS_MAX} alerts may wait; remove one first.`],
  ALERT_UNKNOWN: [404, "There is no such alert."],
} as const satisfies RefusalTable<string>;

export type AlertRefusal = keyof typeof REFUSALS;

/** Why the field of a refusal is invalid. */
export const FIELD_FAULTS: { readonly [Code in AlertRefusal]?: Readonly<Record<string, string>> } = {
  INVALID_PRICE: { "body.price": "must be a price of the pair" },
  NO_PRICE: { "body.direction": "is required before the first trade" },
  ALERT_MET: { "body.price": "must lie ahead of the last price" },
  INVALID_INDICATOR: { "body.indicator": "must stand alone with a direction" },
};
