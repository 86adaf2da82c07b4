// The SQL of security.
import { type Kysely, sql } from "kysely";

export interface TotpRow {
  readonly user_id: number;
  readonly sealed: Uint8Array;
  readonly is_bound: boolean;
  readonly last_step: number;
  readonly created_at_ms: number;
}

export interface SettingRow {
  readonly user_id: number;
  readonly trade_hash: string | null;
  readonly anti_phishing: string | null;
}

export interface LockRow {
  readonly user_id: number;
  readonly cause: string;
  readonly ends_at_ms: number;
}

type SecurityTables = { security_totp: TotpRow; security_setting: SettingRow; security_lock: LockRow };

export type SecurityStore = ReturnType<typeof securityStore>;

export function securityStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<SecurityTables>();
  return { ...totpQueries(tables), ...settingQueries(tables) };
}

function totpQueries(tables: Kysely<SecurityTables>) {
  return {
    findTotp: (userId: number): Promise<TotpRow | undefined> =>
      tables.selectFrom("security_totp").selectAll().where("user_id", "=", userId).executeTakeFirst(),
    /** A secret to be bound; never replaces a bound one. */
    async offerTotp(row: TotpRow): Promise<boolean> {
      const saved = await tables
        .insertInto("security_totp")
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column("user_id")
            .doUpdateSet({ sealed: row.sealed, last_step: 0, created_at_ms: row.created_at_ms })
            .where("security_totp.is_bound", "=", false),
        )
        .returning("user_id")
        .executeTakeFirst();
      return saved !== undefined;
    },
    /** True for the first caller that uses this step's code of this secret; binds a secret that was only offered. */
    async spendStep({ user_id, sealed, is_bound }: TotpRow, step: number): Promise<boolean> {
      const row = await tables
        .updateTable("security_totp")
        .set({ last_step: step, is_bound: true })
        .where("user_id", "=", user_id)
        .where("is_bound", "=", is_bound)
        .where("sealed", "=", sealed)
        .where("last_step", "<", step)
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async removeTotp(userId: number): Promise<boolean> {
      const row = await tables
        .deleteFrom("security_totp")
        .where("user_id", "=", userId)
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

function settingQueries(tables: Kysely<SecurityTables>) {
  return {
    findSetting: (userId: number): Promise<SettingRow | undefined> =>
      tables.selectFrom("security_setting").selectAll().where("user_id", "=", userId).executeTakeFirst(),
    async saveSetting(userId: number, values: Partial<Omit<SettingRow, "user_id">>): Promise<void> {
      await tables
        .insertInto("security_setting")
        .values({ user_id: userId, trade_hash: null, anti_phishing: null, ...values })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
        .execute();
    },
    async saveLock(row: LockRow): Promise<void> {
      await tables
        .insertInto("security_lock")
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(["user_id", "cause"]).doUpdateSet({
            ends_at_ms: sql<number>`case when security_lock.ends_at_ms > ${row.ends_at_ms}
              then security_lock.ends_at_ms else ${row.ends_at_ms} end`,
          }),
        )
        .execute();
    },
    async removeLock(userId: number, cause: string): Promise<void> {
      await tables.deleteFrom("security_lock").where("user_id", "=", userId).where("cause", "=", cause).execute();
    },
    listLocks: (userId: number, nowMs: number): Promise<LockRow[]> =>
      tables
        .selectFrom("security_lock")
        .selectAll()
        .where("user_id", "=", userId)
        .where("ends_at_ms", ">", nowMs)
        .orderBy("ends_at_ms", "desc")
        .orderBy("cause")
        .execute(),
  };
}
