// Refusals of signing in by QR code, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  QR_UNKNOWN: [404, "This QR code is invalid, used or expired. Generate a new one."],
  ACCOUNT_FROZEN: [403, "This account is frozen. Release it first."],
  UNAUTHENTICATED: [401, "Sign in first."],
} as const satisfies RefusalTable<string>;

export type QrRefusal = keyof typeof REFUSALS;
