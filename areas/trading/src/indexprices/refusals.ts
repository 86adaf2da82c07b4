// Refusals of pushed index prices, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  INDEX_SIGNATURE_WRONG: [401, "The source is unknown or the signature is not its own."],
  INDEX_MESSAGE_INVALID: [400, "The message must be JSON with atMs and prices, each a positive decimal."],
  INDEX_MESSAGE_OLD: [409, "The message is not newer than the last one, or its time is more than 10 seconds off."],
} as const satisfies RefusalTable<string>;

export type IndexRefusal = keyof typeof REFUSALS;
