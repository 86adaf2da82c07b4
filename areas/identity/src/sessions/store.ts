// SQL of sessions, security versions, sign-ins under way, devices and activity.
import { done, type Result, refused } from "@clockwork/kit/result";
import { type Generated, type Kysely, sql } from "kysely";
import { HANDLE_LENGTH } from "./rules.ts";

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
  /** The account's security version it was opened or renewed at. */
  readonly version: number;
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

export interface TicketRow {
  readonly id: string;
  readonly user_id: number;
  /** Checks already passed, separated by commas. */
  readonly passed: string;
  readonly device_key: string;
  readonly expires_at_ms: number;
  /** The account's security version when the password was right. */
  readonly version: number;
}

type SessionTables = {
  sessions_account: { readonly user_id: number; readonly version: number };
  sessions_session: SessionRow;
  sessions_ticket: TicketRow;
  sessions_device: DeviceRow;
  sessions_activity: Omit<ActivityRow, "id"> & { readonly id: Generated<number> };
};

type Queries = ReturnType<typeof versionQueries> &
  ReturnType<typeof sessionQueries> &
  ReturnType<typeof ticketQueries> &
  ReturnType<typeof deviceQueries> &
  ReturnType<typeof activityQueries>;

export interface SessionStore extends Queries {
  underLock<Value, Code extends string>(userId: number, work: Work<Value, Code>): Promise<Result<Value, Code>>;
}

export function sessionStore(kysely: Kysely<unknown>): SessionStore {
  const tables = kysely.$extendTables<SessionTables>();
  return {
    ...versionQueries(tables),
    ...sessionQueries(tables),
    ...ticketQueries(tables),
    ...deviceQueries(tables),
    ...activityQueries(tables),
    underLock: (userId, work) => underLock(kysely, userId, work),
  };
}

/** What a change reads and writes under the lock of its account. */
export interface Inside {
  readonly store: Queries;
  /** For the tables of other slices; waiting inside for a write outside deadlocks. */
  readonly kysely: Kysely<unknown>;
  readonly version: number;
}

type Work<Value, Code extends string> = (inside: Inside) => Promise<Result<Value, Code>>;

class Refusal extends Error {
  readonly refused: { readonly code: string; readonly detail?: string };

  constructor(result: { readonly code: string; readonly detail?: string }) {
    super(result.code);
    this.refused = result;
  }
}

/** One transaction that locks the account; a refusal leaves nothing behind. */
async function underLock<Value, Code extends string>(
  kysely: Kysely<unknown>,
  userId: number,
  work: Work<Value, Code>,
): Promise<Result<Value, Code>> {
  try {
    return await kysely.transaction().execute(async (inside) => {
      const store = sessionStore(inside);
      const result = await work({ store, kysely: inside, version: await store.lockVersion(userId) });
      if (result.done) return done(result.value);
      throw new Refusal(result);
    });
  } catch (error) {
    if (error instanceof Refusal) return refused(error.refused.code as Code, error.refused.detail);
    throw error;
  }
}

/** True for a session with its account's current security version. */
const IS_PRESENT = sql<boolean>`sessions_session.version = coalesce(
  (select a.version from sessions_account as a where a.user_id = sessions_session.user_id), 0)`;

function versionQueries(tables: Kysely<SessionTables>) {
  return {
    async readVersion(userId: number): Promise<number> {
      const row = await tables
        .selectFrom("sessions_account")
        .select("version")
        .where("user_id", "=", userId)
        .executeTakeFirst();
      return row?.version ?? 0;
    },
    /** Locks the account until the transaction ends. Returns its security version. */
    async lockVersion(userId: number): Promise<number> {
      const row = await tables
        .insertInto("sessions_account")
        .values({ user_id: userId, version: 0 })
        .onConflict((conflict) =>
          conflict.column("user_id").doUpdateSet({ version: sql<number>`sessions_account.version` }),
        )
        .returning("version")
        .executeTakeFirstOrThrow();
      return row.version;
    },
    async setVersion(userId: number, version: number): Promise<void> {
      await tables.updateTable("sessions_account").set({ version }).where("user_id", "=", userId).execute();
    },
  };
}

function sessionQueries(tables: Kysely<SessionTables>) {
  return {
    async add(row: SessionRow): Promise<void> {
      await tables.insertInto("sessions_session").values(row).execute();
    },
    find: (id: string): Promise<SessionRow | undefined> =>
      tables.selectFrom("sessions_session").selectAll().where("id", "=", id).where(IS_PRESENT).executeTakeFirst(),
    /** True for the one caller that advances this generation while the session is active. */
    async rotate(id: string, generation: number, nowMs: number): Promise<boolean> {
      const row = await tables
        .updateTable("sessions_session")
        .set({ generation: generation + 1, rotated_at_ms: nowMs, seen_at_ms: nowMs })
        .where("id", "=", id)
        .where("generation", "=", generation)
        .where(IS_PRESENT)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Renames the session; the old name is invalid. */
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
        .where(IS_PRESENT)
        .orderBy("created_at_ms", "desc")
        .execute(),
    /** Carries the user's sessions over to the account's new security version. */
    async carryOver(userId: number, from: number, to: number): Promise<void> {
      await tables
        .updateTable("sessions_session")
        .set({ version: to })
        .where("user_id", "=", userId)
        .where("version", "=", from)
        .execute();
    },
    async remove(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await tables.deleteFrom("sessions_session").where("id", "in", ids).execute();
    },
    /** Ends the selected sessions of the user, whatever their current ids, and returns these. */
    async removeOf(
      userId: number,
      which: { readonly exceptId?: string; readonly deviceKey?: string; readonly handle?: string } = {},
    ): Promise<readonly string[]> {
      let query = tables.deleteFrom("sessions_session").where("user_id", "=", userId);
      if (which.exceptId !== undefined) query = query.where("id", "!=", which.exceptId);
      if (which.deviceKey !== undefined) query = query.where("device_key", "=", which.deviceKey);
      if (which.handle !== undefined) query = query.where(sql`substr(id, 1, ${HANDLE_LENGTH})`, "=", which.handle);
      return (await query.returning("id").execute()).map(({ id }) => id);
    },
    async removeEnded(nowMs: number): Promise<void> {
      await tables.deleteFrom("sessions_session").where("ends_at_ms", "<=", nowMs).execute();
    },
  };
}

function ticketQueries(tables: Kysely<SessionTables>) {
  return {
    async addTicket(row: TicketRow): Promise<void> {
      await tables.insertInto("sessions_ticket").values(row).execute();
    },
    findTicket: (id: string, nowMs: number): Promise<TicketRow | undefined> =>
      tables
        .selectFrom("sessions_ticket")
        .selectAll()
        .where("id", "=", id)
        .where("expires_at_ms", ">", nowMs)
        .executeTakeFirst(),
    async markTicket(id: string, passed: string): Promise<void> {
      await tables.updateTable("sessions_ticket").set({ passed }).where("id", "=", id).execute();
    },
    /** True for the one caller that ends it. */
    async removeTicket(id: string): Promise<boolean> {
      const row = await tables.deleteFrom("sessions_ticket").where("id", "=", id).returning("id").executeTakeFirst();
      return row !== undefined;
    },
    async removeTickets(beforeMs: number): Promise<void> {
      await tables.deleteFrom("sessions_ticket").where("expires_at_ms", "<", beforeMs).execute();
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
    /** False when there is no such device. */
    async removeDevice(userId: number, key: string): Promise<boolean> {
      const row = await tables
        .deleteFrom("sessions_device")
        .where("user_id", "=", userId)
        .where("device_key", "=", key)
        .returning("device_key")
        .executeTakeFirst();
      return row !== undefined;
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
