// Refusals of rebalance, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_PAIR: [404, "A coin has no pair with the quote coin."],
  UNKNOWN_BOT: [404, "Bot not found."],
  INVALID_AMOUNT: [400, "Enter an amount above zero, with no more decimals than the coin supports."],
  AGREEMENT_REQUIRED: [403, "Accept the strategy agreement first."],
  IDENTITY_REQUIRED: [403, "Trading bots require identity level 1. Verify your identity first."],
  ACCOUNT_NOT_READY: [503, "Your account is being set up. Try again in a moment."],
  ACCOUNT_BLOCKED: [403, "Your account is blocked."],
  IN_DEBT: [
    403,
    "A deposit was reversed by its network and must be repaid. Until then you cannot withdraw or transfer, and only actions that repay it are available.",
  ],
  INSUFFICIENT_BALANCE: [422, "Insufficient balance in the source account."],
  TOO_MANY_BOTS: [422, "Limit of 20 running bots reached. Stop one first."],
  BOT_NOT_RUNNING: [409, "The bot is no longer running."],
  MARKET_NOT_TRADING: [422, "Trading is halted on the market of a coin."],
  NO_LIQUIDITY: [422, "One of the coins has no sellers right now."],
  REBALANCE_COUNT_INVALID: [422, "Choose 2 to 10 coins."],
  REBALANCE_COINS_INVALID: [422, "Each coin can be added only once."],
  REBALANCE_WEIGHTS_INVALID: [422, "Each weight must be at least 1%, and weights must total 100%."],
  REBALANCE_RULE_INVALID: [422, "Choose a threshold of 1% to 20%, an interval of 30 minutes to 30 days, or both."],
  REBALANCE_INVESTMENT_TOO_SMALL: [422, "The investment is below the minimum order of every coin."],
  REFERENCE_REUSED: [409, "This clientId was already used for another request."],
  TOO_FEW_CANDLES: [422, "Not enough common price history for these coins."],
  UNKNOWN_TASK: [404, "Back-test not found."],
  TOO_MANY_TASKS: [429, "Too many back-tests are running. Wait for one to finish."],
  NOT_DONE: [503, "The exchange is temporarily unavailable. Try again."],
} as const satisfies RefusalTable<string>;

export type RebalanceRefusal = keyof typeof REFUSALS;
