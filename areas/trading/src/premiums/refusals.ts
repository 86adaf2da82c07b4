// Refusals of the samples of a settlement, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { CONTRACT_REFUSALS } from "../markets/refusals.ts";

export const REFUSALS = {
  ...CONTRACT_REFUSALS,
  UNKNOWN_SETTLEMENT: [404, "There is no settlement at this time."],
} as const satisfies RefusalTable<string>;
