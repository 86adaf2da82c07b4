// Refusals of market data, with status and message: of pairs below spot, of contracts everywhere else.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = { UNKNOWN_PAIR: [404, "There is no such pair."] } as const satisfies RefusalTable<string>;

export type MarketRefusal = keyof typeof REFUSALS;

export const CONTRACT_REFUSALS = {
  UNKNOWN_MARKET: [404, "There is no such contract."],
} as const satisfies RefusalTable<string>;

export const FUND_REFUSALS = { UNKNOWN_ASSET: [404, "There is no such coin."] } as const satisfies RefusalTable<string>;
