// Refusals of statements, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  PERIOD_INVALID: [400, "The period must begin before it ends and be no longer than ten years."],
  PERIOD_OPEN: [400, "The period must be over: the same statement must come out the same for ever."],
  UNKNOWN_ASSET: [404, "There is no such coin."],
  STATEMENTS_BUSY: [429, "Wait until the statements under way are made."],
  STATEMENTS_FULL: [409, "There are as many files as can be kept; remove some first."],
  STATEMENT_UNKNOWN: [404, "There is no such file."],
  STATEMENT_NOT_MADE: [409, "The file is not made yet."],
  CLIENT_ID_REUSED: [409, "This clientId was used for another statement."],
} as const satisfies RefusalTable<string>;

export type StatementRefusal = keyof typeof REFUSALS;
