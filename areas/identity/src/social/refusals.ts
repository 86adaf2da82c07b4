// Refusals of social sign-in, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  PROVIDER_UNKNOWN: [404, "This sign-in method is not available."],
  SOCIAL_REFUSED: [403, "The external sign-in was not accepted. Try again."],
  SOCIAL_LINKED: [409, "This external account is already linked."],
  SOCIAL_UNKNOWN: [404, "Link not found."],
  STEP_UP_REQUIRED: [403, "Confirm it's you: this action requires a recent verification."],
  TICKET_INVALID: [403, "This request has expired. Start again."],
  ACCOUNT_FROZEN: [403, "This account is frozen. Release it first."],
  UNAUTHENTICATED: [401, "Sign in first."],
  PASSWORD_INVALID: [400, "Use 8 to 32 characters with at least two of: letters, digits, special characters."],
  INVITE_UNKNOWN: [400, "Referral code not found."],
  ACCOUNT_KNOWN: [409, "You already have an account with this address. Sign in to link it."],
  BUSY: [429, "The service is busy. Try again in a moment."],
} as const satisfies RefusalTable<string>;

export type SocialRefusal = keyof typeof REFUSALS;
