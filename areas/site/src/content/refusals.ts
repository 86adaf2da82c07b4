// Refusals of the console of shared page data, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  FOOTER_INVALID: [
    400,
    "Columns need different titles, and links a title and a path of this site or an https address.",
  ],
  SOCIAL_INVALID: [400, "Links need a kind in small letters, a title and an https address."],
  DOWNTIME_INVALID: [400, "A reason is needed, and an end after the beginning."],
  CONFIRMATION_WRONG: [400, "Type the part's name exactly to confirm."],
  CONFIG_INVALID: [400, "A switch is 0 or 1; the address of a chat group begins with https, or is empty."],
  RATE_INVALID: [400, "A positive decimal number is needed; the dollar's own rate is one."],
  DOWNTIME_TAKES_TWO: [409, "Opening a part earlier takes two people: propose it."],
  DOWNTIME_CHANGED: [409, "Somebody else has changed this maintenance; look again."],
  DOWNTIME_NONE: [409, "This part is up."],
  LINKS_CHANGED: [409, "Somebody else has changed this list; look again."],
} as const satisfies RefusalTable<string>;

export type SiteRefusal = keyof typeof REFUSALS;
