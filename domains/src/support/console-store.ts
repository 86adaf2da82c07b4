// The SQL of the operators' console and nothing but SQL.
import type { Kysely } from "kysely";
import type { AttachmentRow, SupportTables, TicketRow } from "./store.ts";

export type ConsoleStore = ReturnType<typeof consoleStore>;

export function consoleStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<SupportTables>();
  return {
    /** The latest first. */
    list: (
      filter: {
        readonly state: string | undefined;
        readonly before?: { readonly createdMs: number; readonly number: string };
      },
      withReports: boolean,
      limit: number,
    ): Promise<TicketRow[]> => {
      let query = tables.selectFrom("support_ticket").selectAll();
      const { state, before } = filter;
      if (state !== undefined) query = query.where("state", "=", state);
      if (before !== undefined) {
        const { createdMs, number } = before;
        query = query.where((row) =>
          row.or([
            row("created_ms", "<", createdMs),
            row.and([row("created_ms", "=", createdMs), row("number", "<", number)]),
          ]),
        );
      }
      if (!withReports) query = query.where("kind", "!=", "whistleblower");
      return query.orderBy("created_ms", "desc").orderBy("number", "desc").limit(limit).execute();
    },
    listFiles: (number: string): Promise<{ id: number; name: string }[]> =>
      tables
        .selectFrom("support_attachment")
        .select(["id", "name"])
        .where("number", "=", number)
        .orderBy("id")
        .execute(),
    findFile: (number: string, id: number): Promise<AttachmentRow | undefined> =>
      tables
        .selectFrom("support_attachment")
        .select(["name", "media_type", "bytes"])
        .where("number", "=", number)
        .where("id", "=", id)
        .executeTakeFirst(),
  };
}
