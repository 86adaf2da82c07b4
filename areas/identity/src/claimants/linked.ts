// Which accounts are taken for one person's: used from one device, with one mailbox, or verified by one document. SQL alone.
import { mailboxHosts, mailboxOf } from "@clockwork/kit/account";
import { type Kysely, sql } from "kysely";
import { sharing } from "../sessions/sharing.ts";

type LinkTables = {
  users_account: { readonly id: number; readonly email: string | null };
  kyc_document_use: { readonly mark: string; readonly user_id: number };
};

/** Other accounts linked to this one, the oldest of each kind of link first; at most so many of each kind. */
export async function listLinked(kysely: Kysely<unknown>, userId: number, limit: number): Promise<ReadonlySet<number>> {
  const tables = kysely.$extendTables<LinkTables>();
  const atDevices = sharing(kysely)
    .where("mine.user_id", "=", userId)
    .where("other.user_id", "<>", userId)
    .orderBy("other.user_id")
    .limit(limit);
  const withDocuments = tables
    .selectFrom("kyc_document_use as mine")
    .innerJoin("kyc_document_use as other", "other.mark", "mine.mark")
    .select("other.user_id")
    .distinct()
    .where("mine.user_id", "=", userId)
    .where("other.user_id", "<>", userId)
    .orderBy("other.user_id")
    .limit(limit);
  const rows = [...(await atDevices.execute()), ...(await withDocuments.execute())];
  return new Set([...rows.map(({ user_id }) => user_id), ...(await listMailbox(tables, userId, limit))]);
}

/** Tags and, where the host ignores them, dots do not make another mailbox. */
async function listMailbox(tables: Kysely<LinkTables>, userId: number, limit: number): Promise<readonly number[]> {
  const accounts = tables.selectFrom("users_account").select(["id", "email"]).where("id", "<>", userId);
  const row = await tables.selectFrom("users_account").select("email").where("id", "=", userId).executeTakeFirst();
  if (row === undefined || row.email === null) return [];
  const mailbox = mailboxOf(row.email);
  const name = mailbox.slice(0, mailbox.lastIndexOf("@")).replaceAll(".", "");
  // As the index has it, where dots matter too: those of another mailbox are left out afterwards.
  const plain = sql<string>`replace(email, '.', '')`;
  const queries = mailboxHosts(mailbox).flatMap((host) => [
    accounts.where(plain, "=", `${name}@${host.replaceAll(".", "")}`),
    // Everything that begins with the name and a plus.
    accounts.where(plain, ">=", `${name}+`).where(plain, "<", `${name},`).where("email", "like", `%@${host}`),
  ]);
  const found = await Promise.all(queries.map((query) => query.orderBy("id").limit(limit).execute()));
  return found.flat().flatMap(({ id, email }) => (email !== null && mailboxOf(email) === mailbox ? [id] : []));
}
