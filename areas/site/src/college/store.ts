// The SQL of college.
import type { Kysely } from "kysely";

export interface ProgressRow {
  readonly user_id: number;
  readonly course: string;
  readonly lesson: string;
  readonly correct: number;
  readonly questions: number;
  readonly passed_ms: number | null;
  readonly tried_ms: number;
}

type CollegeTables = { college_progress: ProgressRow };

export type CollegeStore = ReturnType<typeof collegeStore>;

export function collegeStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<CollegeTables>();
  return {
    list: (userId: number): Promise<ProgressRow[]> =>
      tables.selectFrom("college_progress").selectAll().where("user_id", "=", userId).execute(),
    /** The best result is kept: a later, worse try changes nothing. */
    async record(row: ProgressRow): Promise<void> {
      const { correct, questions, passed_ms, tried_ms } = row;
      await tables
        .insertInto("college_progress")
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(["user_id", "course", "lesson"])
            .doUpdateSet({ correct, questions, passed_ms, tried_ms })
            .where("college_progress.passed_ms", "is", null)
            .where("college_progress.correct", "<=", correct),
        )
        .execute();
    },
  };
}
