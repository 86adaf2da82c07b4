// A few facts the database keeps about itself, by name. Made with the first migration; must never hold a secret.
import { type Kysely, sql } from "kysely";
import { type DialectName, resolveTokens } from "./dialect.ts";

export async function createMarks(kysely: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const create = "CREATE TABLE IF NOT EXISTS storage_marks (name {{text}} PRIMARY KEY, value {{text}} NOT NULL)";
  await sql.raw(resolveTokens(create, dialect)).execute(kysely);
}
