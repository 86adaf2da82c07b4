// Refusals of the console of campaigns, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  CAMPAIGN_INVALID: [400, "A title, a valid link target and an end after the start are required."],
  CAMPAIGN_CHANGED: [409, "Another operator has changed this. Reload it; your text is kept."],
  CAMPAIGNS_FULL: [409, "Campaign limit reached. Remove one first."],
  CAMPAIGN_UNKNOWN: [404, "Campaign not found."],
} as const satisfies RefusalTable<string>;

export const SEEN_REFUSALS = {
  CAMPAIGN_UNKNOWN: [404, "Popup not found."],
} as const satisfies RefusalTable<string>;
