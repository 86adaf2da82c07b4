// SQL of sessions, devices and activity, and nothing but SQL.
import type { Generated, Kysely } from "kysely";

export interface SessionRow {
  readonly id: string;
  readonly user_id: number;
  readonly generation: number;
  readonly rotated_at_ms: number;
  readonly created_at_ms: number;
  readonly seen_at_ms: number;
  readonly ends_at_ms: number;
  readonly is_kept: boolean;
  readonly verified_at_ms: number;
  readonly device_key: string;
  readonly device_name: string;
  readonly address: string;
  readonly method: string;
}

export interface DeviceRow {
  readonly user_id: number;
  readonly device_key: string;
  readonly name: string;
  readonly address: string;
  readonly first_at_ms: number;
  readonly last_at_ms: number;
}

export interface ActivityRow {
  readonly id: number;
  readonly user_id: number;
  readonly kind: string;
  readonly address: string;
  readonly device_name: string;
  readonly at_ms: number;
}

export type SessionTables = {
  sessions_session: SessionRow;
  sessions_device: DeviceRow;
  sessions_activity: Omit<ActivityRow, "id"> & { readonly id: Generated<number> };
};

export type SessionStore = ReturnType<typeof sessionStore>;

export function sessionStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<SessionTables>();
  return { ...sessionQueries(tables), ...deviceQueries(tables), ...activityQueries(tables) };
}

function sessionQueries(tables: Kysely<SessionTables>) {
  return {
    async add(row: SessionRow): Promise<void> {
      await tables.insertInto("sessions_session").values(row).execute();
    },
    find: (id: string): Promise<SessionRow | undefined> =>
      tables.selectFrom("sessions_session").selectAll().where("id", "=", id).executeTakeFirst(),
    /** True for the one caller that moves this generation on. */
    async rotate(id: string, generation: number, nowMs: number): Promise<boolean> {
      const row = await tables
        .updateTable("sessions_session")
        .set({ generation: generation + 1, rotated_at_ms: nowMs, seen_at_ms: nowMs })
        .where("id", "=", id)
        .where("generation", "=", generation)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Gives the session another name; whoever knows the old one has nothing. */
    rename: (
      id: string,
      fresh: Pick<SessionRow, "id"> & Partial<Omit<SessionRow, "id" | "user_id">>,
    ): Promise<SessionRow | undefined> =>
      tables.updateTable("sessions_session").set(fresh).where("id", "=", id).returningAll().executeTakeFirst(),
    async touch(id: string, nowMs: number): Promise<void> {
      await tables.updateTable("sessions_session").set({ seen_at_ms: nowMs }).where("id", "=", id).execute();
    },
    listOf: (userId: number): Promise<SessionRow[]> =>
      tables
        .selectFrom("sessions_session")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_at_ms", "desc")
        .execute(),
    async remove(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await tables.deleteFrom("sessions_session").where("id", "in", ids).execute();
    },
    async removeEnded(nowMs: number): Promise<void> {
      await tables.deleteFrom("sessions_session").where("ends_at_ms", "<=", nowMs).execute();
    },
  };
}

function deviceQueries(tables: Kysely<SessionTables>) {
  return {
    findDevice: (userId: number, key: string): Promise<DeviceRow | undefined> =>
      tables
        .selectFrom("sessions_device")
        .selectAll()
        .where("user_id", "=", userId)
        .where("device_key", "=", key)
        .executeTakeFirst(),
    async saveDevice(row: DeviceRow): Promise<void> {
      await tables
        .insertInto("sessions_device")
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(["user_id", "device_key"])
            .doUpdateSet({ name: row.name, address: row.address, last_at_ms: row.last_at_ms }),
        )
        .execute();
    },
    listDevices: (userId: number, limit: number): Promise<DeviceRow[]> =>
      tables
        .selectFrom("sessions_device")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("last_at_ms", "desc")
        .limit(limit)
        .execute(),
    async removeDevice(userId: number, key: string): Promise<void> {
      await tables.deleteFrom("sessions_device").where("user_id", "=", userId).where("device_key", "=", key).execute();
    },
  };
}

function activityQueries(tables: Kysely<SessionTables>) {
  return {
    async addActivity(row: Omit<ActivityRow, "id">): Promise<void> {
      await tables.insertInto("sessions_activity").values(row).execute();
    },
    listActivity(userId: number, before: number | undefined, limit: number): Promise<ActivityRow[]> {
      let query = tables.selectFrom("sessions_activity").selectAll().where("user_id", "=", userId);
      if (before !== undefined) query = query.where("id", "<", before);
      return query.orderBy("id", "desc").limit(limit).execute();
    },
    async removeActivity(beforeMs: number): Promise<void> {
      await tables.deleteFrom("sessions_activity").where("at_ms", "<", beforeMs).execute();
    },
  };
}
