// Refusals of stopping and opening a market, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_MARKET: [404, "There is no such market."],
  CONFIRMATION_WRONG: [400, "Type the pair's code exactly to confirm."],
  MARKET_NOT_STOPPED: [409, "No operator has stopped this market."],
  MARKET_NOT_OPEN: [409, "This market is not open, or no longer listed."],
  HALT_AWAY: [503, "The exchange cannot answer now; press again."],
} as const satisfies RefusalTable<string>;

export type HaltRefusal = keyof typeof REFUSALS;
