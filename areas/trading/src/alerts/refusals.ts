// Refusals of price alerts, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

/** The maximum of waiting alerts. */
export const ALERTS_MAX = 50;

export const REFUSALS = {
  UNKNOWN_MARKET: [404, "Pair not found."],
  INVALID_PRICE: [400, "Invalid price for this pair."],
  NO_PRICE: [422, "The pair has not traded yet. Choose a direction."],
  ALERT_MET: [422, "The price has already been reached."],
  INVALID_INDICATOR: [400, "An indicator alert needs a direction, no price, and a fast period below the slow one."],
  ALERTS_FULL: [422, `At most ${ALERTS_MAX} active alerts allowed. Remove one first.`],
  ALERT_UNKNOWN: [404, "Alert not found."],
} as const satisfies RefusalTable<string>;

export type AlertRefusal = keyof typeof REFUSALS;

/** Why the field of a refusal is invalid. */
export const FIELD_FAULTS: { readonly [Code in AlertRefusal]?: Readonly<Record<string, string>> } = {
  INVALID_PRICE: { "body.price": "must be a price of the pair" },
  NO_PRICE: { "body.direction": "is required before the first trade" },
  ALERT_MET: { "body.price": "must lie ahead of the last price" },
  INVALID_INDICATOR: { "body.indicator": "must stand alone with a direction" },
};
