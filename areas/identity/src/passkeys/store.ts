// The SQL of passkeys.
import type { Kysely } from "kysely";

export interface KeyRow {
  readonly id: string;
  readonly user_id: number;
  readonly name: string;
  readonly public_key: Uint8Array;
  readonly counter: number;
  readonly transports: string;
  readonly created_at_ms: number;
  readonly used_at_ms: number;
}

interface ChallengeRow {
  readonly challenge: string;
  readonly user_id: number;
  readonly expires_at_ms: number;
}

type PasskeyTables = { passkeys_key: KeyRow; passkeys_challenge: ChallengeRow };

export type PasskeyStore = ReturnType<typeof passkeyStore>;

export function passkeyStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<PasskeyTables>();
  return { ...challengeQueries(tables), ...keyQueries(tables) };
}

function challengeQueries(tables: Kysely<PasskeyTables>) {
  return {
    async addChallenge(row: ChallengeRow): Promise<void> {
      await tables.insertInto("passkeys_challenge").values(row).execute();
    },
    /** True once, for a living challenge of this user. */
    async takeChallenge(challenge: string, userId: number, nowMs: number): Promise<boolean> {
      const row = await tables
        .deleteFrom("passkeys_challenge")
        .where("challenge", "=", challenge)
        .where("user_id", "=", userId)
        .returning("expires_at_ms")
        .executeTakeFirst();
      return row !== undefined && row.expires_at_ms > nowMs;
    },
    async removeChallenges(beforeMs: number): Promise<void> {
      await tables.deleteFrom("passkeys_challenge").where("expires_at_ms", "<", beforeMs).execute();
    },
  };
}

function keyQueries(tables: Kysely<PasskeyTables>) {
  return {
    /** False when the key is stored already, for any user. */
    async addKey(row: KeyRow): Promise<boolean> {
      const added = await tables
        .insertInto("passkeys_key")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .executeTakeFirst();
      return added !== undefined;
    },
    findKey: (id: string): Promise<KeyRow | undefined> =>
      tables.selectFrom("passkeys_key").selectAll().where("id", "=", id).executeTakeFirst(),
    listKeys: (userId: number): Promise<KeyRow[]> =>
      tables
        .selectFrom("passkeys_key")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_at_ms")
        .orderBy("id")
        .execute(),
    /** False when the key is gone or was used since: its counter is no longer the one that was read. */
    async countUse(key: Pick<KeyRow, "id" | "counter">, counter: number, nowMs: number): Promise<boolean> {
      const row = await tables
        .updateTable("passkeys_key")
        .set({ counter, used_at_ms: nowMs })
        .where("id", "=", key.id)
        .where("counter", "=", key.counter)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async rename(userId: number, id: string, name: string): Promise<boolean> {
      const row = await tables
        .updateTable("passkeys_key")
        .set({ name })
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async removeKey(userId: number, id: string): Promise<boolean> {
      const row = await tables
        .deleteFrom("passkeys_key")
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
