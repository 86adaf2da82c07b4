// The SQL of jobs. A job is claimed before it runs: the claim is one update that only one of many can win.
import type { Kysely } from "kysely";

export interface JobRow {
  readonly name: string;
  readonly last_due_ms: number;
  readonly holder: string | null;
  readonly held_until_ms: number;
  readonly failures: number;
  readonly retry_at_ms: number;
  readonly error: string;
  readonly ran_at_ms: number;
  readonly took_ms: number;
}

type JobTables = { jobs_job: JobRow };

export type JobStore = ReturnType<typeof jobStore>;

const FRESH = { holder: null, held_until_ms: 0, failures: 0, retry_at_ms: 0, error: "", ran_at_ms: 0, took_ms: 0 };

export function jobStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<JobTables>();
  const held = (name: string, holder: string) =>
    tables.updateTable("jobs_job").where("name", "=", name).where("holder", "=", holder);
  return {
    /** The job's row; a new job starts at this due time. */
    async open(name: string, beginsAtMs: number): Promise<JobRow> {
      await tables
        .insertInto("jobs_job")
        .values({ name, last_due_ms: beginsAtMs, ...FRESH })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      return tables.selectFrom("jobs_job").selectAll().where("name", "=", name).executeTakeFirstOrThrow();
    },
    /** False when another process runs it, or has run it since. */
    async claim(row: JobRow, holder: string, nowMs: number, untilMs: number): Promise<boolean> {
      const { numUpdatedRows } = await tables
        .updateTable("jobs_job")
        .set({ holder, held_until_ms: untilMs })
        .where("name", "=", row.name)
        .where("last_due_ms", "=", row.last_due_ms)
        .where((where) => where.or([where("holder", "is", null), where("held_until_ms", "<", nowMs)]))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async hold(name: string, holder: string, untilMs: number): Promise<void> {
      await held(name, holder).set({ held_until_ms: untilMs }).execute();
    },
    /** False when the claim was lost since. */
    async complete(name: string, holder: string, ran: { dueMs: number; ranAtMs: number; tookMs: number }) {
      const set = { ...FRESH, last_due_ms: ran.dueMs, ran_at_ms: ran.ranAtMs, took_ms: ran.tookMs };
      const { numUpdatedRows } = await held(name, holder).set(set).executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async fail(name: string, holder: string, failures: number, retryAtMs: number, error: string): Promise<void> {
      await held(name, holder)
        .set({ holder: null, held_until_ms: 0, failures, retry_at_ms: retryAtMs, error })
        .execute();
    },
    list(): Promise<JobRow[]> {
      return tables.selectFrom("jobs_job").selectAll().orderBy("name").execute();
    },
  };
}
