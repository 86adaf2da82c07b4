// The SQL of broadcasts.
import type { Generated, Kysely } from "kysely";
import type { BroadcastAudience, BroadcastState } from "./contract.ts";

export interface IssueRow {
  readonly number: number;
  readonly client_id: string;
  readonly audience: BroadcastAudience;
  readonly words: string;
  readonly state: BroadcastState;
  readonly send_at_ms: number;
  readonly stage: "mail" | "push";
  readonly place: string;
  readonly mails: number;
  readonly pushes: number;
  readonly made_by: number;
  readonly made_at_ms: number;
  readonly started_at_ms: number | null;
  readonly ended_at_ms: number | null;
}

type IssueTables = { broadcasts_issue: Omit<IssueRow, "number"> & { readonly number: Generated<number> } };
export type IssueStep = Partial<Pick<IssueRow, "state" | "stage" | "place" | "mails" | "pushes" | "ended_at_ms">>;

export type BroadcastStore = ReturnType<typeof broadcastStore>;

export function broadcastStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<IssueTables>();
  return {
    /** Undefined when the intent is stored already. */
    async add(row: Omit<IssueRow, "number">): Promise<void> {
      const insert = tables.insertInto("broadcasts_issue").values(row);
      await insert.onConflict((at) => at.column("client_id").doNothing()).execute();
    },
    findIntent: (clientId: string): Promise<IssueRow | undefined> =>
      tables.selectFrom("broadcasts_issue").selectAll().where("client_id", "=", clientId).executeTakeFirst(),
    list: (limit: number): Promise<IssueRow[]> =>
      tables.selectFrom("broadcasts_issue").selectAll().orderBy("number", "desc").limit(limit).execute(),
    /** The one that has waited longest. Its receivers are fixed when it starts. */
    async findDue(timeMs: number): Promise<IssueRow | undefined> {
      const due = await tables
        .selectFrom("broadcasts_issue")
        .selectAll()
        .where("state", "in", ["scheduled", "sending"])
        .where("send_at_ms", "<=", timeMs)
        .orderBy("send_at_ms")
        .orderBy("number")
        .limit(1)
        .executeTakeFirst();
      if (due === undefined || due.state === "sending") return due;
      return tables
        .updateTable("broadcasts_issue")
        .set({ state: "sending", started_at_ms: timeMs })
        .where("number", "=", due.number)
        .where("state", "=", "scheduled")
        .returningAll()
        .executeTakeFirst();
    },
    /** The step and its messages, or neither: false when the issue has moved on or was stopped since. */
    step: (
      { number, stage, place }: Pick<IssueRow, "number" | "stage" | "place">,
      change: IssueStep,
      write: (inside: Kysely<unknown>) => Promise<void>,
    ): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const moved = await inside
          .updateTable("broadcasts_issue")
          .set(change)
          .where("number", "=", number)
          .where("state", "=", "sending")
          .where("stage", "=", stage)
          .where("place", "=", place)
          .executeTakeFirst();
        if (moved.numUpdatedRows === 0n) return false;
        await write(inside as unknown as Kysely<unknown>);
        return true;
      }),
    async cancel(number: number, timeMs: number): Promise<boolean> {
      const stopped = await tables
        .updateTable("broadcasts_issue")
        .set({ state: "cancelled", ended_at_ms: timeMs })
        .where("number", "=", number)
        .where("state", "in", ["scheduled", "sending"])
        .executeTakeFirst();
      return stopped.numUpdatedRows > 0n;
    },
  };
}
