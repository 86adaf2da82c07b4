// The audit log's SQL and nothing but SQL. There is no way to change or remove a row.
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

type OperatorTables = { operators_audit: Omit<AuditRow, "id"> & { readonly id: Generated<number> } };

export type OperatorStore = ReturnType<typeof operatorStore>;

export function operatorStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<OperatorTables>();
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
  };
}
