// Refusals of spring cards and their console, with status and message.
import { CLAIMANT_REFUSALS } from "@clockwork/host/claimant";
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  NO_ACTIVITY: [409, "No spring activity is running."],
  NO_DRAWS_LEFT: [409, "You have no draw left today: trading gives more, tomorrow another one."],
  CARDS_MISSING: [409, "A movement needs one of each card."],
  ...CLAIMANT_REFUSALS,
  REWARD_BUDGET_SPENT: [409, "All given out."],
  DRAW_ON_ITS_WAY: [503, "Your draw is on its way; look again in a moment."],
} as const satisfies RefusalTable<string>;

export type SpringRefusal = keyof typeof REFUSALS;

export const DESK_REFUSALS = {
  CAMPAIGN_UNKNOWN: [404, "There is no such campaign."],
  ACTIVITY_UNKNOWN: [404, "There is no such spring activity."],
  ACTIVITY_EXISTS: [409, "There is a spring activity of this name."],
  ACTIVITY_OVERLAPS: [409, "Another spring activity is open at that time; close it first."],
  INVALID_TIMES: [422, "It ends after it starts."],
  INVALID_AMOUNT: [422, "An amount is above zero."],
} as const satisfies RefusalTable<string>;

export type DeskRefusal = keyof typeof DESK_REFUSALS;
