// The SQL of kyc.

import type { Generated, Kysely } from "kysely";
import type { FileKind } from "./contract.ts";

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
  readonly kind: FileKind;
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
  kyc_document_use: { readonly mark: string; readonly user_id: number };
  kyc_submission: { readonly id: Generated<number>; readonly user_id: number; readonly at_ms: number };
  kyc_file: FileRow;
  kyc_view: ViewRow;
};

export type KycStore = ReturnType<typeof kycStore>;

export function kycStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<KycTables>();
  return { ...personQueries(tables), ...submissionQueries(tables), ...fileQueries(tables), ...livenessQueries(tables) };
}

function livenessQueries(tables: Kysely<KycTables>) {
  return {
    findLiveness: (userId: number): Promise<LivenessRow | undefined> =>
      tables.selectFrom("kyc_liveness").selectAll().where("user_id", "=", userId).executeTakeFirst(),
    /** The decision on this check, unless another has started or it is already decided. */
    async decideLiveness({ user_id, token }: LivenessRow, state: LivenessRow["state"], atMs: number): Promise<void> {
      await tables
        .updateTable("kyc_liveness")
        .set({ state, at_ms: atMs })
        .where("user_id", "=", user_id)
        .where("token", "=", token)
        .where("state", "=", "waiting")
        .execute();
    },
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
    /** False, without a change, when the row is no longer the one that was read. */
    async save(row: PersonRow, read: PersonRow | undefined): Promise<boolean> {
      const written =
        read === undefined
          ? await tables
              .insertInto("kyc_person")
              .values(row)
              .onConflict((conflict) => conflict.column("user_id").doNothing())
              .returning("user_id")
              .executeTakeFirst()
          : await tables
              .updateTable("kyc_person")
              .set(row)
              .where("user_id", "=", read.user_id)
              .where("state", "=", read.state)
              .where("sealed", "=", read.sealed)
              .returning("user_id")
              .executeTakeFirst();
      return written !== undefined;
    },
    /**
     * The row after the step; undefined when it was in none of these states, or is not the submission that was read.
     */
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
  };
}

function submissionQueries(tables: Kysely<KycTables>) {
  return {
    /** A submission in one transaction; the row it was judged by must be the current one. */
    submit: ({ person, mark, sinceMs, submissionsMax, timeMs }: Submission): Promise<SubmitFault | undefined> =>
      tables.transaction().execute(async (inside) => {
        const userId = person.user_id;
        // Locked first: of two concurrent submissions the second waits here, and then finds another state.
        const step = await inside
          .updateTable("kyc_person")
          .set({ user_id: userId })
          .where("user_id", "=", userId)
          .where("state", "=", person.state)
          .where("sealed", "=", person.sealed)
          .returning("user_id")
          .executeTakeFirst();
        if (step === undefined) return "CHANGED";
        if ((await personQueries(inside).countSubmissions(userId, sinceMs)) >= submissionsMax) return "TOO_OFTEN";
        if (!(await claimDocument(inside, mark, userId))) return "DOCUMENT_USED";
        await inside.insertInto("kyc_submission").values({ user_id: userId, at_ms: timeMs }).execute();
        const values = { state: "SUBMITTED", reason: "", submitted_at_ms: timeMs } as const;
        await inside.updateTable("kyc_person").set(values).where("user_id", "=", userId).execute();
        return undefined;
      }),
  };
}

export interface Submission {
  readonly person: PersonRow;
  /** Of the document. */
  readonly mark: string;
  /** The number of submissions permitted since then. */
  readonly submissionsMax: number;
  readonly sinceMs: number;
  readonly timeMs: number;
}

export type SubmitFault = "CHANGED" | "TOO_OFTEN" | "DOCUMENT_USED";

/** True when the document is this person's, now or already; their previous ones are released. */
async function claimDocument(inside: Kysely<KycTables>, mark: string, userId: number): Promise<boolean> {
  await inside
    .insertInto("kyc_document_use")
    .values({ mark, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await inside
    .insertInto("kyc_document")
    .values({ mark, user_id: userId })
    .onConflict((conflict) => conflict.column("mark").doNothing())
    .execute();
  const row = await inside.selectFrom("kyc_document").select("user_id").where("mark", "=", mark).executeTakeFirst();
  if (row?.user_id !== userId) return false;
  await inside.deleteFrom("kyc_document").where("user_id", "=", userId).where("mark", "!=", mark).execute();
  return true;
}

function fileQueries(tables: Kysely<KycTables>) {
  return {
    /** False when the person is in one of these states: data under review does not change. */
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
    async listFileKinds(userId: number): Promise<FileKind[]> {
      const rows = await tables
        .selectFrom("kyc_file")
        .select("kind")
        .where("user_id", "=", userId)
        .orderBy("kind")
        .execute();
      return rows.map(({ kind }) => kind);
    },
    findFile: (userId: number, kind: FileKind): Promise<FileRow | undefined> =>
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
