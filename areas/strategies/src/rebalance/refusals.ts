// Refusals of rebalance, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_PAIR: [404, "A coin has no market against the coin you pay with."],
  UNKNOWN_BOT: [404, "There is no such bot of yours."],
  INVALID_AMOUNT: [400, "Give an amount above zero with as many decimals as the coin has."],
  AGREEMENT_REQUIRED: [403, "Accept the strategy agreement first."],
  IDENTITY_REQUIRED: [403, "Strategies open with identity level 1: verify your identity first."],
  ACCOUNT_NOT_READY: [503, "The account is being opened; try again in a moment."],
  ACCOUNT_BLOCKED: [403, "Your account is blocked."],
  IN_DEBT: [
    403,
    "A deposit of yours was taken back by its network and is owed: until it is repaid, nothing can leave and only what repays it is open.",
  ],
  INSUFFICIENT_BALANCE: [422, "There is not enough in the account the money comes from."],
  TOO_MANY_BOTS: [422, "Twenty bots can run at once; stop one first."],
  BOT_NOT_RUNNING: [409, "The bot is not running any more."],
  MARKET_NOT_TRADING: [422, "A coin's market is not trading now."],
  NO_LIQUIDITY: [422, "Nobody sells one of the coins now."],
  REBALANCE_COUNT_INVALID: [422, "A basket has 2 to 10 coins."],
  REBALANCE_COINS_INVALID: [422, "Every coin stands in the basket once."],
  REBALANCE_WEIGHTS_INVALID: [422, "Weights are at least 1 % each and 100 % together."],
  REBALANCE_RULE_INVALID: [422, "Choose a threshold of 1 to 20 %, an interval of 30 minutes to 30 days, or both."],
  REBALANCE_INVESTMENT_TOO_SMALL: [422, "The investment is too small for the smallest order of every coin."],
  REFERENCE_REUSED: [409, "This clientId was used for something else."],
  TOO_FEW_CANDLES: [422, "There are not enough candles that all of the coins share."],
  UNKNOWN_TASK: [404, "There is no such back-test."],
  TOO_MANY_TASKS: [429, "Too many back-tests run now; wait for one to end."],
  NOT_DONE: [503, "The exchange cannot answer now; ask again."],
} as const satisfies RefusalTable<string>;

export type RebalanceRefusal = keyof typeof REFUSALS;
