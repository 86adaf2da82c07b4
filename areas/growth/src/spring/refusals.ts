// Refusals of spring cards and their console, with status and message.
import { CLAIMANT_REFUSALS } from "@clockwork/host/claimant";
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  NO_ACTIVITY: [409, "No spring cards campaign is active."],
  NO_DRAWS_LEFT: [409, "No draws left today. Trade for more, or come back tomorrow."],
  CARDS_MISSING: [409, "You need one of each card to assemble a movement."],
  ...CLAIMANT_REFUSALS,
  REWARD_BUDGET_SPENT: [409, "Fully claimed."],
  DRAW_ON_ITS_WAY: [503, "Your draw is being processed. Check again in a moment."],
} as const satisfies RefusalTable<string>;

export type SpringRefusal = keyof typeof REFUSALS;

export const DESK_REFUSALS = {
  CAMPAIGN_UNKNOWN: [404, "Campaign not found."],
  ACTIVITY_UNKNOWN: [404, "Spring cards campaign not found."],
  ACTIVITY_EXISTS: [409, "A spring cards campaign with this name already exists."],
  ACTIVITY_OVERLAPS: [409, "Another spring cards campaign is open at that time. Close it first."],
  INVALID_TIMES: [422, "Must end after it starts."],
  INVALID_AMOUNT: [422, "The amount must be above zero."],
} as const satisfies RefusalTable<string>;

export type DeskRefusal = keyof typeof DESK_REFUSALS;
