// SQL of the stored positions of notice senders.
import type { Kysely } from "kysely";

/** A row of the projection: its command and its place among the rows of it. */
export interface NoticePlace {
  readonly sequence: number;
  readonly line: number;
}

export type PlaceStore = ReturnType<typeof placeStore>;

/** Before every row. */
const START: NoticePlace = { sequence: 0, line: -1 };

export function placeStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ notices_place: NoticePlace & { readonly name: string } }>();
  return {
    async read(name: string): Promise<NoticePlace> {
      const query = tables.selectFrom("notices_place").select(["sequence", "line"]).where("name", "=", name);
      return (await query.executeTakeFirst()) ?? START;
    },
    async keep(name: string, { sequence, line }: NoticePlace): Promise<void> {
      await tables
        .insertInto("notices_place")
        .values({ name, sequence, line })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ sequence, line }))
        .execute();
    },
  };
}
