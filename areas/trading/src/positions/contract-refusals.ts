// Every refusal of the core and the engine about perpetual contracts as a person reads it: status, message with the bound
// in the contract's own units, and the member of the input it is about. Pure; the code never changes on the way.

import type { RouteRejection } from "@clockwork/host/route";
import { type Instrument, priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { formatDateTime } from "@clockwork/kit/time";

interface Words {
  readonly status: number;
  readonly message: string;
  readonly field?: string;
  readonly retryAfterSeconds?: number;
}

const PLAIN: Readonly<Record<string, Words>> = {
  ENGINE_BUSY: {
    status: 503,
    message: "Too much is waiting just now; nothing was done. Try again.",
    retryAfterSeconds: 1,
  },
  ENGINE_STARTING: {
    status: 503,
    message: "Trading is starting; nothing was done. Try again shortly.",
    retryAfterSeconds: 2,
  },
  ENGINE_CLOSED: {
    status: 503,
    message: "Trading is closing; nothing was done. Try again shortly.",
    retryAfterSeconds: 5,
  },
  ENGINE_HALTED: {
    status: 503,
    message: "Trading has stopped. Look at your positions once it is back before you repeat the call.",
    retryAfterSeconds: 10,
  },
  CAPACITY: { status: 503, message: "The exchange is full; nothing was done. Try again later.", retryAfterSeconds: 30 },
  UNKNOWN_ORDER: { status: 404, message: "There is no such open order." },
  UNKNOWN_POSITION: { status: 404, message: "There is no such open position.", field: "positionId" },
  UNKNOWN_MARKET: { status: 404, message: "There is no such contract.", field: "pairCode" },
  NOT_A_PERPETUAL: { status: 404, message: "There is no such contract.", field: "pairCode" },
  UNKNOWN_ACCOUNT: { status: 403, message: "This account cannot trade." },
  ACCOUNT_BLOCKED: { status: 403, message: "This account is blocked from trading; contact support." },
  BOOK_NOT_TRADABLE: { status: 403, message: "This account cannot trade this contract." },
  SELF_TRADE_MODE_FORBIDDEN: { status: 403, message: "This self-trade mode is not for customers.", field: "selfTrade" },
  MARKET_NOT_TRADING: { status: 409, message: "This contract is not trading now.", field: "pairCode" },
  MARKET_CANCEL_ONLY: { status: 409, message: "Orders of this contract can only be canceled now.", field: "pairCode" },
  MARKET_AUCTION: {
    status: 409,
    message: "Before the opening only limit orders that do not cross are taken.",
    field: "type",
  },
  REDUCE_ONLY_REJECTED: {
    status: 409,
    message: "There is nothing left that this order could reduce, or only reducing orders are taken now.",
    field: "quantity",
  },
  MODE_LOCKED: {
    status: 409,
    message: "Close all positions and cancel all orders first; split positions are always isolated.",
    field: "mode",
  },
  MARGIN_UNHEALTHY: {
    status: 409,
    message: "The margin would not carry what is open, or the liquidation price would come within 0.5 % of the mark.",
  },
  MARGIN_NOT_ISOLATED: {
    status: 409,
    message: "Only an isolated position has margin of its own.",
    field: "positionId",
  },
  DUPLICATE_CLIENT_ORDER_ID: {
    status: 409,
    message: "This clientOrderId was used for another order in the last 24 hours.",
    field: "clientOrderId",
  },
  REFERENCE_REUSED: {
    status: 409,
    message: "This clientId was used for something else; look at the position before you repeat it.",
    field: "clientId",
  },
  INDEX_DEGRADED: {
    status: 409,
    message: "The index cannot be trusted just now: no market orders until it can.",
    field: "type",
  },
  AMEND_NOT_ALLOWED: { status: 409, message: "This order cannot be changed; cancel it and place another." },
  AMEND_NO_CHANGE: { status: 409, message: "The order has this price and quantity already." },
  INVALID_CLIENT_ORDER_ID: { status: 400, message: "1 to 36 letters, digits and ._:/- alone.", field: "clientOrderId" },
  INVALID_REFERENCE: { status: 400, message: "1 to 36 letters, digits and ._:/- alone.", field: "clientId" },
  INVALID_AMOUNT: { status: 400, message: "The amount is not one the ledger can hold.", field: "amount" },
  INVALID_PRICE: { status: 400, message: "The price is not one this contract can have.", field: "price" },
  INVALID_QUANTITY: { status: 400, message: "The quantity is not one this contract can have.", field: "quantity" },
  INVALID_SLIPPAGE: { status: 400, message: "Slippage may be 0.01 to 10 percent.", field: "slippagePercent" },
  INVALID_EXPIRY: { status: 400, message: "An order may expire 60 seconds to 90 days ahead.", field: "expiresAtMs" },
  INVALID_ICEBERG: {
    status: 400,
    message: "An iceberg shows at least a twentieth of the whole and has at most 100 slices.",
    field: "visibleQuantity",
  },
  INVALID_COMBINATION: { status: 400, message: "These options do not go together.", field: "type" },
  INVALID_TRIGGER: { status: 400, message: "The trigger is not one this contract can have.", field: "stopPrice" },
  INVALID_CALLBACK: { status: 400, message: "The callback may be 0.1 to 10 percent.", field: "callbackPercent" },
  INVALID_SCALE: {
    status: 400,
    message: "So many rungs need more room between the prices, or more quantity.",
    field: "count",
  },
  INVALID_TWAP: {
    status: 400,
    message: "Duration 5 minutes to 24 hours, interval 10 to 300 seconds.",
    field: "durationSeconds",
  },
  INVALID_OCO_PRICES: {
    status: 422,
    message: "To sell, the limit is above and the stop below the last price; to buy, the other way round.",
    field: "stopPrice",
  },
  INVALID_BRACKET_PRICES: {
    status: 422,
    message: "Take profit must lie on the winning side of the entry price, stop loss on the losing side.",
    field: "stopProfit",
  },
  NO_LIQUIDITY: { status: 422, message: "Nobody stands on the other side of the book now." },
  NO_REFERENCE_PRICE: { status: 422, message: "This contract has no mark price yet." },
  POST_ONLY_WOULD_CROSS: { status: 422, message: "The order would trade at once, and it must not.", field: "price" },
};

export interface RefusedCommand {
  readonly code: string;
  readonly events: readonly { readonly kind: string; readonly limit?: number }[];
}

/** What was asked of which contract, as far as a message needs it. */
export interface RefusalContext {
  readonly pair?: Instrument | undefined;
  /** Where the call names a member otherwise than an order does. */
  readonly fields?: Readonly<Record<string, string>>;
}

export function describeContractRefusal(refused: RefusedCommand, context: RefusalContext = {}): RouteRejection {
  const limit = refused.events.find(({ kind }) => kind === "rejected")?.limit ?? 0;
  const words = boundWords(refused.code, limit, context.pair) ?? PLAIN[refused.code];
  if (words === undefined) return { code: refused.code, status: 422, message: "The exchange refused this." };
  const { status, message, retryAfterSeconds } = words;
  const field = context.fields?.[refused.code] ?? words.field;
  return {
    code: refused.code,
    status,
    message,
    ...(field === undefined ? {} : { fields: { [`body.${field}`]: message } }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** Refusals that name a bound say it in the units of the contract. */
function boundWords(code: string, limit: number, pair: Instrument | undefined): Words | undefined {
  const bound = (message: string, field: string): Words => ({ status: 422, message, field });
  switch (code) {
    case "INVALID_LEVERAGE":
      return { status: 400, message: `Leverage may be 1 to ${limit} here.`, field: "leverage" };
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
      return { status: 409, message: `The demo account can begin again at ${formatDateTime(limit)} UTC.` };
    default:
      return pair === undefined ? undefined : pairWords(code, limit, pair);
  }
}

function pairWords(code: string, limit: number, pair: Instrument): Words | undefined {
  const bound = (message: string, field: string): Words => ({ status: 422, message, field });
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
      return { status: 409, message: `${quantity()} are filled already.`, field: "quantity" };
    case "TRIGGER_ALREADY_TRUE":
      return bound(`The price is ${priceText(pair, limit)}: this would fire at once.`, "stopPrice");
    default:
      return undefined;
  }
}
