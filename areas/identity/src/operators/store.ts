// SQL of the audit log, of roles and of their locks. The log has no update and no delete.
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

export interface NameRow {
  readonly user_id: number;
  readonly name: string;
  readonly folded: string;
  readonly named_by: number;
  readonly named_at_ms: number;
}

/** Undefined members filter nothing. */
export interface AuditFilter {
  readonly before?: number | undefined;
  readonly operatorId?: number | undefined;
  /** The first part of an action's name, or all of it. */
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
}

type OperatorTables = {
  operators_audit: Omit<AuditRow, "id"> & { readonly id: Generated<number> };
  operators_role: RoleRow;
  operators_lock: { readonly name: string; readonly turns: number };
  operators_name: NameRow;
  operators_founder: { readonly email: string; readonly user_id: number | null; readonly at_ms: number };
};

export type OperatorStore = ReturnType<typeof operatorStore>;

export function operatorStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<OperatorTables>();
  return {
    ...auditQueries(tables),
    ...roleQueries(tables),
    ...nameQueries(tables),
    ...founderQueries(tables),
    ...lockQueries(kysely, tables),
  };
}

function lockQueries(kysely: Kysely<unknown>, tables: Kysely<OperatorTables>) {
  return {
    transact<Value>(work: (inside: Kysely<unknown>) => Promise<Value>): Promise<Value> {
      return kysely.transaction().execute(work);
    },
    /** Inside a transaction: locks the row to the end. */
    async take(name: "rights" | "audit"): Promise<void> {
      await tables
        .updateTable("operators_lock")
        .set((update) => ({ turns: update("turns", "+", 1) }))
        .where("name", "=", name)
        .execute();
    },
  };
}

function founderQueries(tables: Kysely<OperatorTables>) {
  return {
    async isFounder(email: string): Promise<boolean> {
      const row = await tables
        .selectFrom("operators_founder")
        .select("email")
        .where("email", "=", email)
        .executeTakeFirst();
      return row !== undefined;
    },
    async hasFounders(): Promise<boolean> {
      return (await tables.selectFrom("operators_founder").select("email").limit(1).executeTakeFirst()) !== undefined;
    },
    async addFounder(email: string, userId: number | null, timeMs: number): Promise<void> {
      await tables
        .insertInto("operators_founder")
        .values({ email, user_id: userId, at_ms: timeMs })
        .onConflict((conflict) => conflict.column("email").doNothing())
        .execute();
    },
    /** The log is never deleted: whether any account ever had this role. */
    async wasEverGranted(role: string): Promise<boolean> {
      const row = await tables
        .selectFrom("operators_audit")
        .select("id")
        .where("action", "=", "operator.granted")
        .where("detail", "=", role)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
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
    listNewest: ({ before, operatorId, action, subject }: AuditFilter, limit: number): Promise<AuditRow[]> => {
      let query = tables.selectFrom("operators_audit").selectAll();
      if (before !== undefined) query = query.where("id", "<", before);
      if (operatorId !== undefined) query = query.where("operator_id", "=", operatorId);
      if (subject !== undefined) query = query.where("subject", "=", subject);
      if (action !== undefined) query = query.where("action", ">=", action).where("action", "<", `${action}\uffff`);
      return query.orderBy("id", "desc").limit(limit).execute();
    },
  };
}

function nameQueries(tables: Kysely<OperatorTables>) {
  return {
    async findName(userId: number): Promise<string | undefined> {
      const row = await tables
        .selectFrom("operators_name")
        .select("name")
        .where("user_id", "=", userId)
        .executeTakeFirst();
      return row?.name;
    },
    async findNamed(folded: string): Promise<number | undefined> {
      const row = await tables
        .selectFrom("operators_name")
        .select("user_id")
        .where("folded", "=", folded)
        .executeTakeFirst();
      return row?.user_id;
    },
    /** Under the lock of rights: the name is no one else's. */
    async saveName(row: NameRow): Promise<void> {
      const { user_id: _, ...values } = row;
      await tables
        .insertInto("operators_name")
        .values(row)
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
        .execute();
    },
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
    /** False when the account has it already. */
    async grant(row: RoleRow): Promise<boolean> {
      const added = await tables
        .insertInto("operators_role")
        .values(row)
        .onConflict((conflict) => conflict.columns(["user_id", "role"]).doNothing())
        .executeTakeFirst();
      return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    /** False when the account did not have it. */
    async revoke(userId: number, role: string): Promise<boolean> {
      const gone = await tables
        .deleteFrom("operators_role")
        .where("user_id", "=", userId)
        .where("role", "=", role)
        .executeTakeFirst();
      return gone.numDeletedRows > 0n;
    },
  };
}
