// Refusals of API keys, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNAUTHENTICATED: [401, "Sign in first."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  API_KEY_LIMIT: [409, "An account has twenty keys at most; remove one first."],
  API_KEY_UNKNOWN: [404, "There is no such key."],
  PUBLIC_KEY_INVALID: [
    400,
    "An ED25519 or RSA key (2048 to 4096 bits) needs its public key as PEM; an HMAC key takes none.",
  ],
  IP_LIST_INVALID: [400, "Every entry must be an IPv4 or IPv6 address, or a range such as 10.0.0.0/8."],
  IP_LIST_REQUIRED: [400, "A key that may withdraw must be bound to addresses."],
  KYC_LEVEL_REQUIRED: [403, "A key that may withdraw needs identity level 2."],
} as const satisfies RefusalTable<string>;

export type ApiKeyRefusal = keyof typeof REFUSALS;
