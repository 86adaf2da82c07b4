// Which parameters spot's order calls take in the Binance dialect. Any other is refused before anything is done: an
// order must not lose a condition because its name was misspelled.
import { names } from "../endpoint.ts";

const PLACED = [
  "symbol",
  "side",
  "type",
  "timeInForce",
  "quantity",
  "quoteOrderQty",
  "price",
  "newClientOrderId",
  // Numbers the client keeps for itself.
  "strategyId",
  "strategyType",
  "stopPrice",
  "trailingDelta",
  "icebergQty",
  "newOrderRespType",
  "selfTradePreventionMode",
] as const;
const NAMED = ["symbol", "orderId", "origClientOrderId"] as const;
const SPAN = ["symbol", "orderId", "startTime", "endTime", "limit"] as const;

export const TAKEN = {
  place: names(...PLACED),
  test: names(...PLACED, "computeCommissionRates"),
  replace: names(
    ...PLACED,
    "cancelReplaceMode",
    "cancelNewClientOrderId",
    "cancelOrigClientOrderId",
    "cancelOrderId",
    "cancelRestrictions",
    "orderRateLimitExceededMode",
  ),
  amend: names(...NAMED, "newClientOrderId", "newQty"),
  cancel: names(...NAMED, "newClientOrderId", "cancelRestrictions"),
  open: names("symbol"),
  read: names(...NAMED),
  all: names(...SPAN),
  trades: names(...SPAN, "fromId"),
} as const;
