// Refusals of the newsletter, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  EMAIL_INVALID: [400, "This is not an e-mail address."],
  CAPTCHA_REQUIRED: [403, "Solve the check once more and send again."],
  TOKEN_INVALID: [404, "This link is not good any more."],
} as const satisfies RefusalTable<string>;
