// Refusals of the console of shared page data, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  FOOTER_INVALID: [
    400,
    "Column titles must be unique, and each link needs a title and a path of this site or an https address.",
  ],
  SOCIAL_INVALID: [400, "Each link needs a kind in lower-case letters, a title and an https address."],
  DOWNTIME_INVALID: [400, "A reason and an end after the start are required."],
  CONFIRMATION_WRONG: [400, "Type the module's name exactly to confirm."],
  CONFIG_INVALID: [400, "A switch must be 0 or 1; a chat group address must start with https or be empty."],
  RATE_INVALID: [400, "Enter a positive decimal number. The rate of the US dollar is 1."],
  DOWNTIME_TAKES_TWO: [409, "Ending maintenance early needs two operators. Propose it."],
  DOWNTIME_CHANGED: [409, "Another operator has changed this maintenance. Reload it."],
  DOWNTIME_NONE: [409, "This module is not under maintenance."],
  LINKS_CHANGED: [409, "Another operator has changed this list. Reload it."],
} as const satisfies RefusalTable<string>;

export type SiteRefusal = keyof typeof REFUSALS;
