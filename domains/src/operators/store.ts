// SQL of the audit log and of roles, and nothing but SQL. There is no way to change or remove a row of the log.
import type { Generated, Kysely } from "kysely";

export interface AuditRow {
  readonly id: number;
  readonly operator_id: number;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
  readonly address: string;
  readonly at_ms: number;
  readonly digest: string;
}

export interface RoleRow {
  readonly user_id: number;
  readonly role: string;
  readonly granted_by: number;
  readonly granted_at_ms: number;
}

type OperatorTables = {
  operators_audit: Omit<AuditRow, "id"> & { readonly id: Generated<number> };
  operators_role: RoleRow;
};

export type OperatorStore = ReturnType<typeof operatorStore>;

export function operatorStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<OperatorTables>();
  return { ...auditQueries(tables), ...roleQueries(tables) };
}

function auditQueries(tables: Kysely<OperatorTables>) {
  return {
    async lastDigest(): Promise<string> {
      const row = await tables
        .selectFrom("operators_audit")
        .select("digest")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.digest ?? "";
    },
    async add(row: Omit<AuditRow, "id">): Promise<void> {
      await tables.insertInto("operators_audit").values(row).execute();
    },
    list: (afterId: number, limit: number): Promise<AuditRow[]> =>
      tables.selectFrom("operators_audit").selectAll().where("id", ">", afterId).orderBy("id").limit(limit).execute(),
    listNewest: (beforeId: number | undefined, limit: number): Promise<AuditRow[]> =>
      tables
        .selectFrom("operators_audit")
        .selectAll()
        .$if(beforeId !== undefined, (query) => query.where("id", "<", beforeId ?? 0))
        .orderBy("id", "desc")
        .limit(limit)
        .execute(),
  };
}

const ROLES_MAX = 500;

function roleQueries(tables: Kysely<OperatorTables>) {
  return {
    async rolesOf(userId: number): Promise<string[]> {
      const rows = await tables.selectFrom("operators_role").select("role").where("user_id", "=", userId).execute();
      return rows.map(({ role }) => role);
    },
    listRoles: (): Promise<RoleRow[]> =>
      tables.selectFrom("operators_role").selectAll().orderBy("granted_at_ms").limit(ROLES_MAX).execute(),
    async countRole(role: string): Promise<number> {
      const row = await tables
        .selectFrom("operators_role")
        .select((select) => select.fn.countAll<number>().as("count"))
        .where("role", "=", role)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async grant(row: RoleRow): Promise<void> {
      await tables
        .insertInto("operators_role")
        .values(row)
        .onConflict((conflict) => conflict.columns(["user_id", "role"]).doNothing())
        .execute();
    },
    async revoke(userId: number, role: string): Promise<void> {
      await tables.deleteFrom("operators_role").where("user_id", "=", userId).where("role", "=", role).execute();
    },
  };
}
