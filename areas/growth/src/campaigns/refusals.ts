// Refusals of the console of campaigns, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  CAMPAIGN_INVALID: [400, "A title, a way to go that fits, and an end after the beginning are needed."],
  CAMPAIGN_CHANGED: [409, "Somebody else has changed it meanwhile. Load it again; what you wrote is still here."],
  CAMPAIGNS_FULL: [409, "Remove a campaign first; there are too many."],
  CAMPAIGN_UNKNOWN: [404, "There is no such campaign."],
} as const satisfies RefusalTable<string>;

export const SEEN_REFUSALS = {
  CAMPAIGN_UNKNOWN: [404, "There is no such popup."],
} as const satisfies RefusalTable<string>;
