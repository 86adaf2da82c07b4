// Maps refusals about contracts to the Binance dialect: its contracts have codes spot lacks.
import type { Refusal } from "@clockwork/host/refusal";
import { DialectRefusal, refusalFrom } from "../refusal.ts";

type Words = readonly [code: number, message: string];

const CLOSED: Words = [-4141, "Symbol is closed."];
const barred = (why: string): Words => [-4088, `User can not place order currently. ${why}`];
const TICK: Words = [-4014, "Price not increased by tick size."];
const invalid = (name: string): Words => [-1130, `Data sent for parameter '${name}' is not valid.`];

const CONTRACT_REFUSALS: Readonly<Record<string, Words>> = {
  INSUFFICIENT_MARGIN: [-2019, "Margin is insufficient."],
  BANKRUPTCY_PRICE: [-2019, "Margin is insufficient."],
  INSUFFICIENT_BALANCE: [-2018, "Balance is insufficient."],
  TRIGGER_ALREADY_TRUE: [-2021, "Order would immediately trigger."],
  REDUCE_ONLY_REJECTED: [-2022, "ReduceOnly Order is rejected."],
  TOO_MANY_ORDERS: [-2025, "Reach max open order limit."],
  POSITION_LIMIT: [-2027, "Exceeded the maximum allowable position at current leverage."],
  QUANTITY_TOO_SMALL: [-4004, "Quantity less than min quantity."],
  QUANTITY_TOO_LARGE: [-4005, "Quantity greater than max quantity."],
  INVALID_QUANTITY: [-1111, "Precision is over the maximum defined for this asset."],
  INVALID_PRICE: TICK,
  INVALID_TRIGGER: TICK,
  PRICE_TOO_HIGH: [-4016, "Price is higher than mark price multiplier cap."],
  PRICE_TOO_LOW: [-4024, "Price is lower than mark price multiplier floor."],
  INVALID_LEVERAGE: [-4028, "Leverage is not valid."],
  LEVERAGE_TOO_HIGH: [-4028, "Leverage is not valid."],
  TOO_MANY_CONDITIONALS: [-4045, "Reach max stop order limit."],
  TOO_MANY_STOPS: [-4045, "Reach max stop order limit."],
  MARGIN_NOT_ISOLATED: [-4049, "Add margin only support for isolated position."],
  MARGIN_UNHEALTHY: [-4051, "Isolated balance insufficient."],
  UNKNOWN_POSITION: [-4054, "Cannot add position margin: position is 0."],
  MODE_LOCKED: [-4068, "Position side cannot be changed if there exists position."],
  DUPLICATE_CLIENT_ORDER_ID: [-4116, "ClientOrderId is duplicated."],
  NO_LIQUIDITY: [-4131, "The counterparty's best price does not meet the PERCENT_PRICE filter limit."],
  NOTIONAL_TOO_SMALL: [-4164, "Order's notional must be no smaller than the minimum (unless you choose reduce only)."],
  POST_ONLY_WOULD_CROSS: [
    -5022,
    "Due to the order could not be executed as maker, the Post Only order will be rejected. The order will not be recorded in the order history.",
  ],
  AMEND_NOT_ALLOWED: [-5025, "Only limit order is supported."],
  AMEND_NO_CHANGE: [-5027, "No need to modify the order."],
  AMEND_BELOW_FILLED: invalid("quantity"),
  INVALID_CALLBACK: invalid("callbackRate"),
  INVALID_EXPIRY: invalid("goodTillDate"),
  INVALID_TIMEOUT: invalid("countdownTime"),
  MARKET_NOT_TRADING: CLOSED,
  MARKET_CANCEL_ONLY: CLOSED,
  MARKET_AUCTION: CLOSED,
  INDEX_DEGRADED: barred("The index of this contract is not reliable now; only what closes positions is taken."),
  IDENTITY_REQUIRED: barred("Contracts need a verified identity: verify yours at /identity on this site."),
  ACCOUNT_BLOCKED: barred("This account is blocked: write to support at /help/ticket on this site."),
  IN_DEBT: barred("This account owes for a deposit that was taken back; deposit what is owed first."),
  UNKNOWN_ACCOUNT: barred("There is no such account of yours."),
  BOOK_NOT_TRADABLE: barred("This account does not trade this contract."),
};

export const sideMismatch = (): DialectRefusal =>
  new DialectRefusal(-4061, "Order's position side does not match user's setting.");

export function contractRefusal(refusal: Refusal, retryAfterSeconds?: number): DialectRefusal {
  const { code, status, fields } = refusal;
  if (code === "INVALID_COMBINATION" && Object.keys(fields ?? {}).includes("body.positionSide")) return sideMismatch();
  const known = status >= 500 ? undefined : CONTRACT_REFUSALS[code];
  return known === undefined ? refusalFrom(refusal, retryAfterSeconds) : new DialectRefusal(known[0], known[1]);
}
