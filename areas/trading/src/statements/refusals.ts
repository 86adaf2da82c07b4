// Refusals of statements, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  PERIOD_INVALID: [400, "The period must start before it ends and not exceed ten years."],
  PERIOD_OPEN: [400, "The period must be in the past."],
  UNKNOWN_ASSET: [404, "Coin not found."],
  STATEMENTS_BUSY: [429, "Statements are being created. Wait until they are done."],
  STATEMENTS_FULL: [409, "File limit reached. Remove some files first."],
  STATEMENT_UNKNOWN: [404, "File not found."],
  STATEMENT_NOT_MADE: [409, "The file is not ready yet."],
  CLIENT_ID_REUSED: [409, "This clientId was already used for another statement."],
} as const satisfies RefusalTable<string>;

export type StatementRefusal = keyof typeof REFUSALS;
