// Refusals of proposals of launches and coins for them; the named field gives the details.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_ASSET: [404, "There is no such coin."],
  PROJECT_EXISTS: [409, "This name is taken."],
  STOCK_SHORT: [422, "The house has not so many of this coin for sales."],
  INVALID_ASSET: [422, "A launch sells another coin than USDT."],
  INVALID_AMOUNT: [422, "Above zero, with as many decimals as the coin has."],
  INVALID_VESTING: [422, "Without days, all of it is free at the listing: 100."],
  INVALID_TIME: [422, "A round opens later than now, and each step follows the one before."],
} as const satisfies RefusalTable<string>;

export type LaunchDeskRefusal = keyof typeof REFUSALS;
