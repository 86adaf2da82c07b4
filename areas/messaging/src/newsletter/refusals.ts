// Refusals of the newsletter, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  EMAIL_INVALID: [400, "Enter a valid email address."],
  CAPTCHA_REQUIRED: [403, "Complete the security check again and resend."],
  TOKEN_INVALID: [404, "This link has expired."],
} as const satisfies RefusalTable<string>;
