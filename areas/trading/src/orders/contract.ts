// The kinds of orders, described once for every market: the members a call requires and permits, and what a form shows.
// docs/new-order-kind.md adds one.

/**
 * `needs` and `may`: members of a call beside those every order has; a market adds its own (`more` of its order rules).
 * `fields`: what a form shows, in this order. `waits`: rests outside the book until a price, and holds a buy's money
 * only then.
 */
export const ORDER_KINDS = {
  limit: {
    needs: ["price"],
    may: ["timeInForce", "expiresAtMs", "postOnly", "visibleQuantity"],
    fields: ["price", "quantity"],
    waits: false,
  },
  market: {
    needs: [],
    may: ["timeInForce", "slippagePercent"],
    fields: ["quantity", "slippagePercent"],
    waits: false,
  },
  stopLimit: {
    needs: ["stopPrice", "price"],
    may: ["timeInForce", "postOnly", "triggerDirection"],
    fields: ["stopPrice", "price", "quantity"],
    waits: true,
  },
  stopMarket: {
    needs: ["stopPrice"],
    may: ["slippagePercent", "triggerDirection"],
    fields: ["stopPrice", "quantity"],
    waits: true,
  },
  trailingStop: {
    needs: ["callbackPercent"],
    may: ["stopPrice", "slippagePercent"],
    fields: ["callbackPercent", "stopPrice", "quantity"],
    waits: true,
  },
  oco: {
    needs: ["price", "stopPrice"],
    may: ["stopLimitPrice"],
    fields: ["price", "stopPrice", "stopLimitPrice", "quantity"],
    waits: false,
  },
  twap: {
    needs: ["price", "durationSeconds", "intervalSeconds"],
    may: [],
    fields: ["price", "quantity", "durationMinutes", "intervalSeconds"],
    waits: false,
  },
  scaled: {
    needs: ["price", "priceTo", "count"],
    may: ["shape", "postOnly"],
    fields: ["price", "priceTo", "count", "quantity"],
    waits: false,
  },
} as const;

export type OrderKind = keyof typeof ORDER_KINDS;

/** In the order they are offered. */
export const ORDER_TYPES = Object.keys(ORDER_KINDS) as [OrderKind, ...OrderKind[]];
