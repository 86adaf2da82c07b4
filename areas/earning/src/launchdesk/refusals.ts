// Refusals of proposals of launches and coins for them; the named field gives the details.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_ASSET: [404, "Coin not found."],
  PROJECT_EXISTS: [409, "This name is already in use."],
  STOCK_SHORT: [422, "Not enough of this coin is reserved for sales."],
  INVALID_ASSET: [422, "A launch cannot sell USDT."],
  INVALID_AMOUNT: [422, "Must be above zero, with no more decimals than the coin supports."],
  INVALID_VESTING: [422, "Without vesting days, 100% must unlock at listing."],
  INVALID_TIME: [422, "A round must open in the future, and each step must follow the previous one."],
} as const satisfies RefusalTable<string>;

export type LaunchDeskRefusal = keyof typeof REFUSALS;
