// Refusals of launchpad, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  PROJECT_UNKNOWN: [404, "There is no such project."],
  ROUND_UNKNOWN: [404, "There is no such round."],
  ROUND_CLOSED: [409, "This round is not open now."],
  ROUND_KIND: [422, "This round is not joined in this way."],
  ROUND_UNDRAWN: [422, "This round is no lottery: nothing is drawn in it."],
  KYC_LEVEL_REQUIRED: [403, "Launches need a verified identity, level 2."],
  NO_TICKETS: [422, "Your least daily holding gives no ticket."],
  INVALID_AMOUNT: [400, "Give an amount of USDT above zero with at most six decimals."],
  CLIENT_ID_REUSED: [409, "This clientId was used for another amount."],
  INSUFFICIENT_BALANCE: [422, "There is not enough USDT in your spot account."],
  ACCOUNT_BLOCKED: [403, "Nothing can be moved out of this account now; contact support."],
  IN_DEBT: [
    403,
    "A deposit of yours was taken back by its network and is owed: until it is repaid, nothing can leave and only what repays it is open.",
  ],
  ORDER_UNKNOWN: [404, "You have nothing of this kind to pay for."],
  ORDER_STATE: [409, "This is not waiting for your payment."],
  PAY_WINDOW_OVER: [409, "The time to pay is over."],
  SALE_BUSY: [429, "Too many people are in line; try again."],
  LAUNCH_BUSY: [503, "The exchange cannot answer now; repeat it, nothing happens twice."],
} as const satisfies RefusalTable<string>;

export type LaunchRefusal = keyof typeof REFUSALS;
