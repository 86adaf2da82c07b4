// The SQL of the console.
import type { Sealing } from "@clockwork/host/vault";
import { ANSWERED_FIRST_LEVEL } from "@clockwork/kit/vip-levels";
import { type Kysely, sql } from "kysely";
import { openBytes } from "./seal-rules.ts";
import { type AttachmentRow, openName, openTicket, type SupportTables, type TicketRow } from "./store.ts";

interface ListFilter {
  readonly state: string | undefined;
  readonly isRanked: boolean;
  readonly before?: { readonly rank: number; readonly createdMs: number; readonly number: string };
}

export type ConsoleStore = ReturnType<typeof consoleStore>;

export function consoleStore(kysely: Kysely<unknown>, vault: Sealing) {
  const tables = kysely.$extendTables<SupportTables>();
  return {
    /** The latest first; of those waiting, the next to be answered before the others. */
    async list(filter: ListFilter, withReports: boolean, limit: number): Promise<TicketRow[]> {
      let query = tables.selectFrom("support_ticket").selectAll();
      const { state, before } = filter;
      const rank = filter.isRanked
        ? sql<number>`case when level >= ${ANSWERED_FIRST_LEVEL} then 1 else 0 end`
        : sql<number>`0`;
      if (state !== undefined) query = query.where("state", "=", state);
      if (before !== undefined) {
        const { createdMs, number } = before;
        const atRank = { above: sql<boolean>`${rank} < ${before.rank}`, same: sql<boolean>`${rank} = ${before.rank}` };
        query = query.where((row) =>
          row.or([
            atRank.above,
            row.and([atRank.same, row("created_ms", "<", createdMs)]),
            row.and([atRank.same, row("created_ms", "=", createdMs), row("number", "<", number)]),
          ]),
        );
      }
      if (!withReports) query = query.where("kind", "!=", "whistleblower");
      // A number alone would be taken as a column.
      if (filter.isRanked) query = query.orderBy(rank, "desc");
      const rows = await query.orderBy("created_ms", "desc").orderBy("number", "desc").limit(limit).execute();
      return rows.map((row) => openTicket(vault, row));
    },
    async findFile(number: string, id: number): Promise<AttachmentRow | undefined> {
      const row = await tables
        .selectFrom("support_attachment")
        .select(["name", "media_type", "bytes", "name_sealed"])
        .where("number", "=", number)
        .where("id", "=", id)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { name_sealed, ...file } = row;
      if (name_sealed === null) return file;
      const bytes = openBytes(vault, "file", number, file.bytes);
      return { ...file, bytes, name: openName(vault, number, file.name, name_sealed) };
    },
  };
}
