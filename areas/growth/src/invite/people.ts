// Sign-ups by code and shared devices, read from the accounts' own tables. SQL only.

import { sharing } from "@clockwork/identity/sessions/sharing";
import { mailboxOf } from "@clockwork/kit/account";
import { type Kysely, sql } from "kysely";
import type { InvitedUser } from "./needs.ts";

type PeopleTables = {
  users_account: {
    id: number;
    email: string | null;
    invited_by: number | null;
    invited_code: string | null;
    invited_percent: number | null;
    created_at_ms: number;
  };
  sessions_device: { user_id: number; device_key: string };
};
const CHUNK = 1_000;

/** From the one who signed up first. */
export async function listInvited(
  kysely: Kysely<unknown>,
  after: { readonly joinedMs: number; readonly userId: number },
  limit: number,
): Promise<readonly InvitedUser[]> {
  const rows = await kysely
    .$extendTables<PeopleTables>()
    .selectFrom("users_account")
    .select(["id", "invited_by", "invited_code", "invited_percent", "created_at_ms"])
    .where("invited_by", "is not", null)
    .where("created_at_ms", ">=", after.joinedMs)
    .where(({ or, eb }) => or([eb("created_at_ms", ">", after.joinedMs), eb("id", ">", after.userId)]))
    .orderBy("created_at_ms")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    userId: row.id,
    inviterId: row.invited_by ?? row.id,
    code: row.invited_code,
    friendPercent: row.invited_percent ?? 0,
    joinedMs: row.created_at_ms,
  }));
}

/** Those of these accounts used from a device another account used too: only they need a closer check. */
export async function listSharers(kysely: Kysely<unknown>, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  const tables = kysely.$extendTables<PeopleTables>();
  const found = new Set<number>();
  for (let at = 0; at < userIds.length; at += CHUNK) {
    const rows = await tables
      .selectFrom("sessions_device as mine")
      .select("mine.user_id")
      .distinct()
      .where("mine.user_id", "in", userIds.slice(at, at + CHUNK))
      .where("mine.device_key", "<>", "")
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("sessions_device as other")
            .select(sql`1`.as("one"))
            .whereRef("other.device_key", "=", "mine.device_key")
            .whereRef("other.user_id", "<>", "mine.user_id"),
        ),
      )
      .execute();
    for (const { user_id } of rows) found.add(user_id);
  }
  return found;
}

/** Of these accounts all that were used from a device of this one, or have its mailbox. */
export async function sharesWith(
  kysely: Kysely<unknown>,
  userId: number,
  among: readonly number[],
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (let at = 0; at < among.length; at += CHUNK) {
    const rows = await sharing(kysely)
      .where("mine.user_id", "=", userId)
      .where("other.user_id", "<>", userId)
      .where("other.user_id", "in", among.slice(at, at + CHUNK))
      .execute();
    for (const { user_id } of rows) found.add(user_id);
  }
  for (const other of await sharesMailbox(kysely, userId, among)) found.add(other);
  return found;
}

/** Those of these accounts with the same mailbox as this one. */
async function sharesMailbox(
  kysely: Kysely<unknown>,
  userId: number,
  among: readonly number[],
): Promise<readonly number[]> {
  const accounts = kysely.$extendTables<PeopleTables>().selectFrom("users_account").select(["id", "email"]);
  const own = (await accounts.where("id", "=", userId).executeTakeFirst())?.email ?? null;
  if (own === null) return [];
  const found: number[] = [];
  for (let at = 0; at < among.length; at += CHUNK) {
    const rows = await accounts.where("id", "in", among.slice(at, at + CHUNK)).execute();
    for (const { id, email } of rows)
      if (id !== userId && email !== null && mailboxOf(email) === mailboxOf(own)) found.push(id);
  }
  return found;
}
