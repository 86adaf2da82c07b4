// The SQL of launches being created.
import type { Generated, Kysely, Selectable } from "kysely";

interface MakingTable {
  readonly id: Generated<number>;
  readonly reference: string;
  readonly project_id: string;
  readonly server_seed: string;
  readonly salt: string;
  readonly begun_ms: number;
}
export type MakingRow = Selectable<MakingTable>;
export type MakingStore = ReturnType<typeof makingStore>;

export function makingStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ launchdesk_making: MakingTable }>();
  return {
    find: (projectId: string): Promise<MakingRow | undefined> =>
      tables.selectFrom("launchdesk_making").selectAll().where("project_id", "=", projectId).executeTakeFirst(),
    /** A name or reference in use keeps its owner. */
    async add(row: Omit<MakingRow, "id">): Promise<void> {
      const insert = tables.insertInto("launchdesk_making").values(row);
      await insert.onConflict((at) => at.doNothing()).execute();
    },
    async drop(reference: string): Promise<void> {
      await tables.deleteFrom("launchdesk_making").where("reference", "=", reference).execute();
    },
  };
}
