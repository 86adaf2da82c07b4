// Which accounts were used from other accounts' devices. SQL only.
import type { Kysely } from "kysely";

type DeviceTables = { sessions_device: { readonly user_id: number; readonly device_key: string } };

/** An upper bound of accounts per user; a condition on certain accounts applies to all of them. */
const SHARING_MAX = 1_000;

/** Other accounts that were used from a device of one of these, the oldest first. */
export async function listSharing(kysely: Kysely<unknown>, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (userIds.length === 0) return new Set();
  const rows = await sharing(kysely)
    .where("mine.user_id", "in", userIds)
    .where("other.user_id", "not in", userIds)
    .orderBy("other.user_id")
    .limit(SHARING_MAX)
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

/** Devices of `mine` with all other users, as `other`, of each. */
export const sharing = (kysely: Kysely<unknown>) =>
  kysely
    .$extendTables<DeviceTables>()
    .selectFrom("sessions_device as mine")
    .innerJoin("sessions_device as other", "other.device_key", "mine.device_key")
    .select("other.user_id")
    .distinct()
    .where("mine.device_key", "<>", "");
