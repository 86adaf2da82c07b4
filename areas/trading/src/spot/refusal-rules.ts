// Every refusal of the core and the engine as a person reads it: status, message with the bound in the market's own
// units, and the member of the input it is about. Pure; the code is the core's own and never changes on the way.
import type { EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import type { RouteRejection } from "@clockwork/host/route";
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import type { EngineAnswer, SpotPair } from "./needs.ts";
import type { OrderProblem } from "./order-rules.ts";

type Refused = Extract<EngineAnswer, { readonly done: false }>;

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
    message: "Trading has stopped. Repeat the call with the same client id once it is back: it will not happen twice.",
    retryAfterSeconds: 10,
  },
  UNKNOWN_ORDER: { status: 404, message: "There is no such open order." },
  UNKNOWN_LIST: { status: 404, message: "There is no such order list." },
  UNKNOWN_MARKET: { status: 404, message: "There is no such pair.", field: "pairCode" },
  UNKNOWN_ASSET: { status: 404, message: "There is no such coin.", field: "asset" },
  UNKNOWN_ACCOUNT: { status: 403, message: "This account cannot trade." },
  ACCOUNT_BLOCKED: { status: 403, message: "This account is blocked from trading; contact support." },
  IN_DEBT: {
    status: 403,
    message:
      "A deposit of yours was taken back by its network and is owed: until it is repaid, only orders that repay it or reduce a position are accepted.",
  },
  BOOK_NOT_TRADABLE: { status: 403, message: "This account cannot trade this pair." },
  NOT_TRANSFERABLE: { status: 403, message: "Nothing can be moved between these accounts." },
  SELF_TRADE_MODE_FORBIDDEN: { status: 403, message: "This self-trade mode is not for customers.", field: "selfTrade" },
  MARKET_NOT_TRADING: { status: 409, message: "This pair is not trading now.", field: "pairCode" },
  MARKET_CANCEL_ONLY: { status: 409, message: "On this pair orders can only be canceled now.", field: "pairCode" },
  MARKET_AUCTION: {
    status: 409,
    message: "Before the opening only limit orders that do not cross are taken.",
    field: "type",
  },
  REDUCE_ONLY_REJECTED: { status: 409, message: "On this pair holdings can only be sold now.", field: "side" },
  DUPLICATE_CLIENT_ORDER_ID: {
    status: 409,
    message: "This clientOrderId was used for another order in the last 24 hours.",
    field: "clientOrderId",
  },
  REFERENCE_REUSED: { status: 409, message: "This clientId was used for another transfer.", field: "clientId" },
  INVALID_CLIENT_ORDER_ID: { status: 400, message: "1 to 36 letters, digits and ._:/- alone.", field: "clientOrderId" },
  INVALID_REFERENCE: { status: 400, message: "Letters, digits and ._:/- alone.", field: "clientId" },
  INVALID_AMOUNT: { status: 400, message: "The amount is not one the ledger can hold.", field: "amount" },
  INVALID_PRICE: { status: 400, message: "The price is not one this pair can have.", field: "price" },
  INVALID_QUANTITY: { status: 400, message: "The quantity is not one this pair can have.", field: "quantity" },
  INVALID_SLIPPAGE: { status: 400, message: "Slippage may be 0.01 to 10 percent.", field: "slippagePercent" },
  INVALID_EXPIRY: { status: 400, message: "An order may expire 60 seconds to 90 days ahead.", field: "expiresAtMs" },
  INVALID_ICEBERG: {
    status: 400,
    message: "An iceberg shows at least a twentieth of the whole and has at most 100 slices.",
    field: "visibleQuantity",
  },
  INVALID_COMBINATION: { status: 400, message: "These options do not go together.", field: "type" },
  INVALID_TRIGGER: { status: 400, message: "The stop price is not one this pair can have.", field: "stopPrice" },
  INVALID_CALLBACK: { status: 400, message: "The callback may be 0.1 to 10 percent.", field: "callbackPercent" },
  INVALID_OCO_PRICES: {
    status: 422,
    message: "To sell, the limit is above and the stop below the last price; to buy, the other way round.",
    field: "stopPrice",
  },
  INVALID_BRACKET_PRICES: {
    status: 422,
    message: "Take profit must lie on the winning side of the entry price, stop loss on the losing side.",
    field: "takeProfitPrice",
  },
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
  INVALID_TIMEOUT: { status: 400, message: "3 to 300 seconds, or 0 to switch it off.", field: "timeoutSeconds" },
  NO_LIQUIDITY: { status: 422, message: "Nobody stands on the other side of the book now." },
  NO_REFERENCE_PRICE: { status: 422, message: "This pair has no last price yet." },
  POST_ONLY_WOULD_CROSS: { status: 422, message: "The order would trade at once, and it must not.", field: "price" },
  AMEND_NO_CHANGE: { status: 409, message: "The order is like this already." },
  AMEND_NOT_ALLOWED: { status: 409, message: "This order cannot be changed; cancel it and place another." },
  POSITION_LIMIT: { status: 422, message: "This is more than the account may hold.", field: "quantity" },
  MINT_LIMIT: { status: 422, message: "No more of this coin can be given out.", field: "amount" },
  CAPACITY: { status: 503, message: "The exchange is full; nothing was done. Try again later.", retryAfterSeconds: 30 },
};

/** What the caller wanted, as far as a message needs it. */
export interface Asked {
  readonly pair?: SpotPair | undefined;
  readonly side?: "buy" | "sell" | undefined;
  /** Market orders are limited by another quantity, named for the person. */
  readonly isByAmount?: boolean | undefined;
}

/** The refusal among a refused command's events; its limit is the bound that was broken. */
function findRejected(events: readonly MachineEvent[]): EventOf<"rejected"> | undefined {
  return events.find((event) => event.kind === "rejected");
}

export function describeRefusal(answer: Refused, asked: Asked = {}): RouteRejection {
  const limit = findRejected(answer.events)?.limit ?? 0;
  const words = boundWords(answer.code, limit, asked) ?? PLAIN[answer.code];
  if (words === undefined) return { code: answer.code, status: 422, message: "The exchange refused this." };
  const { status, message, field, retryAfterSeconds } = words;
  return {
    code: answer.code,
    status,
    message,
    ...(field === undefined ? {} : { fields: { [`body.${field}`]: message } }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** Refusals that name a bound say it in the units of the pair. */
function boundWords(code: string, limit: number, { pair, side, isByAmount }: Asked): Words | undefined {
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
      return size("The order is worth more than the exchange can count.", sizeField);
    case "PRICE_TOO_HIGH":
      return size(`The price may be at most ${priceText(pair, limit)} now.`, "price");
    case "PRICE_TOO_LOW":
      return size(`The price must be at least ${priceText(pair, limit)} now.`, "price");
    case "INSUFFICIENT_BALANCE":
      return size(`Not enough ${held.symbol}: ${formatUnits(units(limit), held.scale)} available.`, sizeField);
    case "TRIGGER_ALREADY_TRUE":
      return size(`The last price is ${priceText(pair, limit)}: this would fire at once.`, "stopPrice");
    case "TOO_MANY_ORDERS":
      return size(`At most ${limit} open orders on this pair; cancel some first.`, "pairCode");
    case "TOO_MANY_CONDITIONALS":
      return size(`At most ${limit} plans on this pair; cancel some first.`, "pairCode");
    case "TOO_MANY_LISTS":
      return size(`At most ${limit} order lists on this pair; cancel some first.`, "pairCode");
    case "AMEND_BELOW_FILLED":
      return {
        status: 409,
        message: `${quantityText(pair, limit)} ${pair.base.symbol} are filled already.`,
        field: "quantity",
      };
    default:
      return undefined;
  }
}

function size(message: string, field: string): Words {
  return { status: 422, message, field };
}

export function describeProblem({ code, message, field }: OrderProblem): RouteRejection {
  return { code, status: 400, message, fields: { [`body.${field}`]: message } };
}

export const UNKNOWN_PAIR: RouteRejection = {
  code: "UNKNOWN_MARKET",
  status: 404,
  message: "There is no such pair.",
  fields: { pairCode: "There is no such pair." },
};
export const UNKNOWN_ORDER: RouteRejection = {
  code: "UNKNOWN_ORDER",
  status: 404,
  message: "There is no such open order.",
};
export const ACCOUNT_NOT_READY: RouteRejection = {
  code: "ACCOUNT_NOT_READY",
  status: 503,
  message: "The account is being opened; try again in a moment.",
  retryAfterSeconds: 2,
};
