// Refusals of API keys, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNAUTHENTICATED: [401, "Sign in first."],
  STEP_UP_REQUIRED: [403, "Confirm it's you: this action requires a recent verification."],
  API_KEY_LIMIT: [409, "Limit of 20 API keys reached. Delete a key first."],
  API_KEY_UNKNOWN: [404, "Key not found."],
  PUBLIC_KEY_INVALID: [
    400,
    "An ED25519 or RSA key (2048 to 4096 bits) needs its public key as PEM; an HMAC key takes none.",
  ],
  IP_LIST_INVALID: [400, "Every entry must be an IPv4 or IPv6 address, or a range such as 10.0.0.0/8."],
  IP_LIST_REQUIRED: [400, "A key with withdrawal permission requires an IP whitelist."],
  KYC_LEVEL_REQUIRED: [403, "A key with withdrawal permission requires identity level 2."],
} as const satisfies RefusalTable<string>;

export type ApiKeyRefusal = keyof typeof REFUSALS;
