// Refusals of social sign-in, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  PROVIDER_UNKNOWN: [404, "This way to sign in is not offered here."],
  SOCIAL_REFUSED: [403, "The other site's answer was not accepted; try again."],
  SOCIAL_LINKED: [409, "That account is linked already."],
  SOCIAL_UNKNOWN: [404, "There is no such link."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  TICKET_INVALID: [403, "This took too long; begin again."],
  ACCOUNT_FROZEN: [403, "This account is frozen; release it first."],
  UNAUTHENTICATED: [401, "Sign in first."],
  PASSWORD_INVALID: [400, "A password has 8 to 32 characters and two of letters, digits and special characters."],
  INVITE_UNKNOWN: [400, "Nobody has this invite code."],
  ACCOUNT_KNOWN: [409, "You have an account with this address already; sign in and link it."],
  BUSY: [429, "Many people are signing up; try again in a moment."],
} as const satisfies RefusalTable<string>;

export type SocialRefusal = keyof typeof REFUSALS;
