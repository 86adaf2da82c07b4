// Refusals of signing in by QR code, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  QR_UNKNOWN: [404, "This picture is unknown, used or too old; show a new one."],
  ACCOUNT_FROZEN: [403, "This account is frozen; release it first."],
  UNAUTHENTICATED: [401, "Sign in first."],
} as const satisfies RefusalTable<string>;

export type QrRefusal = keyof typeof REFUSALS;
