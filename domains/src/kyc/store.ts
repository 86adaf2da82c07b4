// The kyc slice's SQL and nothing but SQL.
import type { Generated, Kysely } from "kysely";

export type StoredState = "DRAFT" | "SUBMITTED" | "REVIEW" | "APPROVED" | "REJECTED" | "MORE_INFO";

export interface PersonRow {
  readonly user_id: number;
  readonly level: number;
  readonly target: number;
  readonly state: StoredState;
  readonly reason: string;
  readonly sealed: Uint8Array;
  readonly expires_on: string;
  readonly submitted_at_ms: number;
  readonly decided_at_ms: number;
}

export interface FileRow {
  readonly id: string;
  readonly user_id: number;
  readonly kind: string;
  readonly media_type: string;
  readonly sealed: Uint8Array;
  readonly created_at_ms: number;
}

interface ViewRow {
  readonly id: Generated<number>;
  readonly file_id: string;
  readonly viewer_id: number;
  readonly address: string;
  readonly at_ms: number;
}

export interface LivenessRow {
  readonly user_id: number;
  readonly kind: "simulated" | "outside";
  readonly token: string;
  readonly state: "waiting" | "passed" | "failed";
  readonly at_ms: number;
}

type KycTables = {
  kyc_liveness: LivenessRow;
  kyc_person: PersonRow;
  kyc_document: { readonly mark: string; readonly user_id: number };
  kyc_submission: { readonly id: Generated<number>; readonly user_id: number; readonly at_ms: number };
  kyc_file: FileRow;
  kyc_view: ViewRow;
};

export type KycStore = ReturnType<typeof kycStore>;

export function kycStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<KycTables>();
  return { ...personQueries(tables), ...fileQueries(tables), ...livenessQueries(tables) };
}

function livenessQueries(tables: Kysely<KycTables>) {
  return {
    findLiveness: (userId: number): Promise<LivenessRow | undefined> =>
      tables.selectFrom("kyc_liveness").selectAll().where("user_id", "=", userId).executeTakeFirst(),
    async saveLiveness(row: LivenessRow): Promise<void> {
      const { user_id: _, ...values } = row;
      await tables
        .insertInto("kyc_liveness")
        .values(row)
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
        .execute();
    },
  };
}

function personQueries(tables: Kysely<KycTables>) {
  return {
    find: (userId: number): Promise<PersonRow | undefined> =>
      tables.selectFrom("kyc_person").selectAll().where("user_id", "=", userId).executeTakeFirst(),
    async save(row: PersonRow): Promise<void> {
      const { user_id: _, ...values } = row;
      await tables
        .insertInto("kyc_person")
        .values(row)
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
        .execute();
    },
    /** The row after the step; nothing when it was in none of these states, or is not the submission that was read. */
    step: (
      userId: number,
      from: readonly StoredState[],
      values: Partial<Omit<PersonRow, "user_id">>,
      submittedMs?: number,
    ): Promise<PersonRow | undefined> =>
      tables
        .updateTable("kyc_person")
        .set(values)
        .where("user_id", "=", userId)
        .where("state", "in", from)
        .$if(submittedMs !== undefined, (query) => query.where("submitted_at_ms", "=", submittedMs ?? 0))
        .returningAll()
        .executeTakeFirst(),
    listWaiting: (limit: number): Promise<PersonRow[]> =>
      tables
        .selectFrom("kyc_person")
        .selectAll()
        .where("state", "in", ["SUBMITTED", "REVIEW"])
        .orderBy("submitted_at_ms")
        .limit(limit)
        .execute(),
    async countSubmissions(userId: number, sinceMs: number): Promise<number> {
      const row = await tables
        .selectFrom("kyc_submission")
        .select((select) => select.fn.countAll<number>().as("count"))
        .where("user_id", "=", userId)
        .where("at_ms", ">", sinceMs)
        .executeTakeFirstOrThrow();
      return row.count;
    },
    async addSubmission(userId: number, atMs: number): Promise<void> {
      await tables.insertInto("kyc_submission").values({ user_id: userId, at_ms: atMs }).execute();
    },
    /** True when the document is this person's, now or already. */
    async claimDocument(mark: string, userId: number): Promise<boolean> {
      await tables
        .insertInto("kyc_document")
        .values({ mark, user_id: userId })
        .onConflict((conflict) => conflict.column("mark").doNothing())
        .execute();
      const row = await tables.selectFrom("kyc_document").select("user_id").where("mark", "=", mark).executeTakeFirst();
      return row?.user_id === userId;
    },
    async releaseDocuments(userId: number, exceptMark: string): Promise<void> {
      await tables.deleteFrom("kyc_document").where("user_id", "=", userId).where("mark", "!=", exceptMark).execute();
    },
  };
}

function fileQueries(tables: Kysely<KycTables>) {
  return {
    /** False when the person is in one of these states: what is being looked at does not change. */
    saveFile: (row: FileRow, unless: readonly StoredState[]): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const { id, user_id, media_type, sealed, created_at_ms } = row;
        const person = await inside
          .updateTable("kyc_person")
          .set({ user_id })
          .where("user_id", "=", user_id)
          .returning("state")
          .executeTakeFirst();
        if (person !== undefined && unless.includes(person.state)) return false;
        await inside
          .insertInto("kyc_file")
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(["user_id", "kind"]).doUpdateSet({ id, media_type, sealed, created_at_ms }),
          )
          .execute();
        return true;
      }),
    async listFileKinds(userId: number): Promise<string[]> {
      const rows = await tables
        .selectFrom("kyc_file")
        .select("kind")
        .where("user_id", "=", userId)
        .orderBy("kind")
        .execute();
      return rows.map(({ kind }) => kind);
    },
    findFile: (userId: number, kind: string): Promise<FileRow | undefined> =>
      tables
        .selectFrom("kyc_file")
        .selectAll()
        .where("user_id", "=", userId)
        .where("kind", "=", kind)
        .executeTakeFirst(),
    async addView(row: Omit<ViewRow, "id">): Promise<void> {
      await tables.insertInto("kyc_view").values(row).execute();
    },
  };
}
