// The Binance dialect's refusals: its codes, texts and statuses, and how the exchange's own refusals map to them.
// Clients match some of these texts letter by letter.
import type { Refusal } from "@clockwork/host/refusal";

export class DialectRefusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly retryAfterSeconds: number | undefined;
  readonly data: object | undefined;
  constructor(code: number, message: string, status = 400, more: { retryAfterSeconds?: number; data?: object } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.data = more.data;
  }

  get body(): object {
    return { code: this.code, msg: this.message, ...(this.data === undefined ? {} : { data: this.data }) };
  }
}

export const badKey = (): DialectRefusal =>
  new DialectRefusal(-2015, "Invalid API-key, IP, or permissions for action.", 401);
export const missing = (name: string): DialectRefusal =>
  new DialectRefusal(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);
export const empty = (name: string): DialectRefusal => new DialectRefusal(-1105, `Parameter '${name}' was empty.`);
export const illegal = (name: string, range: string): DialectRefusal =>
  new DialectRefusal(-1100, `Illegal characters found in parameter '${name}'; legal range is '${range}'.`);
/** One of them has its own code. */
export const notRequired = (name: string): DialectRefusal =>
  name === "timeInForce"
    ? new DialectRefusal(-1114, "TimeInForce parameter sent when not required.")
    : new DialectRefusal(-1106, `Parameter '${name}' sent when not required.`);
export const badSymbol = (): DialectRefusal => new DialectRefusal(-1121, "Invalid symbol.");
export const unknownOrder = (): DialectRefusal => new DialectRefusal(-2013, "Order does not exist.");
export const unknownToCancel = (): DialectRefusal => new DialectRefusal(-2011, "Unknown order sent.");
const filter = (name: string): readonly [number, string] => [-1013, `Filter failure: ${name}`];

const CLOSED = [-1013, "Market is closed."] as const;
const RESTING = [503, -1000, "System is under maintenance."] as const;
const BUSY = [503, -1001, "Internal error; unable to process your request. Please try again."] as const;

const ORDER_REFUSALS: Readonly<Record<string, readonly [code: number, message: string]>> = {
  INSUFFICIENT_BALANCE: [-2010, "Account has insufficient balance for requested action."],
  POST_ONLY_WOULD_CROSS: [-2010, "Order would immediately match and take."],
  TRIGGER_ALREADY_TRUE: [-2010, "Stop price would trigger immediately."],
  DUPLICATE_CLIENT_ORDER_ID: [-2010, "Duplicate order sent."],
  NO_LIQUIDITY: [-2010, "Market has no liquidity on the other side."],
  NO_REFERENCE_PRICE: [-2010, "Market has no last price yet."],
  INVALID_OCO_PRICES: [-2010, "The relationship of the prices for the orders is not correct."],
  ACCOUNT_BLOCKED: [-2010, "This action is disabled on this account."],
  IN_DEBT: [-2010, "This action is disabled on this account."],
  UNKNOWN_ACCOUNT: [-2010, "This action is disabled on this account."],
  BOOK_NOT_TRADABLE: [-2010, "This symbol is not permitted for this account."],
  POSITION_LIMIT: filter("MAX_POSITION"),
  INVALID_PRICE: filter("PRICE_FILTER"),
  INVALID_TRIGGER: filter("PRICE_FILTER"),
  PRICE_TOO_HIGH: filter("PERCENT_PRICE_BY_SIDE"),
  PRICE_TOO_LOW: filter("PERCENT_PRICE_BY_SIDE"),
  INVALID_QUANTITY: filter("LOT_SIZE"),
  QUANTITY_TOO_SMALL: filter("LOT_SIZE"),
  QUANTITY_TOO_LARGE: filter("LOT_SIZE"),
  INVALID_AMOUNT: filter("LOT_SIZE"),
  NOTIONAL_TOO_SMALL: filter("NOTIONAL"),
  NOTIONAL_TOO_LARGE: filter("NOTIONAL"),
  INVALID_ICEBERG: filter("ICEBERG_PARTS"),
  INVALID_CALLBACK: filter("TRAILING_DELTA"),
  TOO_MANY_ORDERS: filter("MAX_NUM_ORDERS"),
  TOO_MANY_CONDITIONALS: filter("MAX_NUM_ALGO_ORDERS"),
  TOO_MANY_LISTS: filter("MAX_NUM_ORDER_LISTS"),
  MARKET_NOT_TRADING: CLOSED,
  MARKET_CANCEL_ONLY: CLOSED,
  MARKET_AUCTION: CLOSED,
  UNKNOWN_MARKET: [-1121, "Invalid symbol."],
  UNKNOWN_PAIR: [-1121, "Invalid symbol."],
  UNKNOWN_ORDER: [-2013, "Order does not exist."],
  AMEND_NO_CHANGE: [-2038, "The requested action would change no state; rejecting."],
  AMEND_NOT_ALLOWED: [-2038, "This order may not be amended."],
  AMEND_BELOW_FILLED: [-2038, "The new quantity is not above what is filled."],
  INVALID_COMBINATION: [-1128, "Combination of optional parameters invalid."],
  INVALID_CLIENT_ORDER_ID: [
    -1100,
    "Illegal characters found in parameter 'newClientOrderId'; legal range is '^[a-zA-Z0-9-_.:/]{1,36}$'.",
  ],
};

/** The exchange's refusal in this dialect. */
export function refusalFrom(refusal: Refusal, retryAfterSeconds?: number): DialectRefusal {
  const { code, status, message } = refusal;
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  if (code === "UNAUTHENTICATED" || code === "KEY_FORBIDDEN") return badKey();
  if (code === "RATE_LIMITED") return new DialectRefusal(-1003, "Too many requests.", 429, wait);
  if (code === "MODULE_DOWN") return new DialectRefusal(RESTING[1], message, RESTING[0], wait);
  if (code === "ENGINE_HALTED" || code === "ENGINE_CLOSED")
    return new DialectRefusal(RESTING[1], RESTING[2], RESTING[0], wait);
  if (status >= 500) return new DialectRefusal(BUSY[1], BUSY[2], status === 500 ? 500 : 503, wait);
  if (code === "VALIDATION_FAILED") {
    const name =
      Object.keys(refusal.fields ?? {})[0]
        ?.split(".")
        .at(-1) ?? "";
    return new DialectRefusal(-1100, `Illegal characters found in parameter '${name}'.`);
  }
  const known = ORDER_REFUSALS[code];
  return known === undefined ? new DialectRefusal(-2010, message) : new DialectRefusal(known[0], known[1]);
}
