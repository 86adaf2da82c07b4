// Refusals of launchpad, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  PROJECT_UNKNOWN: [404, "Project not found."],
  ROUND_UNKNOWN: [404, "Round not found."],
  ROUND_CLOSED: [409, "This round is not open now."],
  ROUND_KIND: [422, "This round cannot be joined this way."],
  ROUND_UNDRAWN: [422, "This round is not a lottery and has no draw."],
  KYC_LEVEL_REQUIRED: [403, "Launchpad requires identity level 2. Verify your identity first."],
  NO_TICKETS: [422, "Your lowest daily holding is too small for a ticket."],
  INVALID_AMOUNT: [400, "Enter an amount of USDT above zero, with up to six decimals."],
  CLIENT_ID_REUSED: [409, "This clientId was already used with another amount."],
  INSUFFICIENT_BALANCE: [422, "Insufficient USDT in your spot account."],
  ACCOUNT_BLOCKED: [403, "Transfers out of this account are blocked. Contact support."],
  IN_DEBT: [
    403,
    "A deposit was reversed by its network and must be repaid. Until then you cannot withdraw or transfer, and only actions that repay it are available.",
  ],
  ORDER_UNKNOWN: [404, "You have nothing to pay for."],
  ORDER_STATE: [409, "No payment is due."],
  PAY_WINDOW_OVER: [409, "The payment period has ended."],
  SALE_BUSY: [429, "The queue is full. Try again."],
  LAUNCH_BUSY: [503, "The exchange is temporarily unavailable. Try again; the request is executed only once."],
} as const satisfies RefusalTable<string>;

export type LaunchRefusal = keyof typeof REFUSALS;
