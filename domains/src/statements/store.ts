// The SQL of statements and nothing but SQL: the files people asked for, and the postings they are made from.
import { type Kysely, sql } from "kysely";
import type { CostBasis, StatementFormat, StatementKind } from "./api.ts";

export interface FileRow {
  readonly file_id: string;
  readonly user_id: number;
  readonly client_id: string;
  readonly kind: StatementKind;
  readonly format: StatementFormat;
  readonly asset: string;
  readonly basis: CostBasis;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly state: "WAITING" | "MAKING" | "DONE" | "FAILED";
  readonly reason: string;
  readonly rows_done: number;
  readonly rows_all: number;
  readonly parts: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly journal_head: number;
  readonly created_ms: number;
}

interface PartRow {
  readonly file_id: string;
  readonly part: number;
  readonly text: string;
}

export interface PostingRow {
  readonly account: number;
  readonly sequence: number;
  readonly line: number;
  readonly asset: number;
  readonly business: string;
  readonly delta_units: bigint;
  readonly available_units: bigint;
  readonly frozen_units: bigint;
  readonly market: number;
  readonly reference_number: number;
  readonly reference: string | null;
  readonly time_ms: number;
}

/** Which postings: of these accounts, of one coin or all, in a time. */
export interface Range {
  readonly accounts: readonly number[];
  readonly asset: number | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

interface OwnerRow {
  readonly user_id: number;
  readonly asked: number;
}

type Added = "added" | "known" | "full" | "busy";
type StatementTables = {
  statements_file: FileRow;
  statements_part: PartRow;
  statements_owner: OwnerRow;
  engine_bills: PostingRow;
};
type Tables = Kysely<StatementTables>;
export type StatementStore = ReturnType<typeof statementStore>;

const UNDER_WAY: readonly FileRow["state"][] = ["WAITING", "MAKING"];

export function statementStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<StatementTables>();
  return { ...intents(tables), ...files(tables), ...postings(tables) };
}

/** Takes the user's row: whoever else needs it waits until the transaction ends. */
async function lock(inside: Tables, userId: number): Promise<void> {
  await inside
    .insertInto("statements_owner")
    .values({ user_id: userId, asked: 1 })
    .onConflict((at) => at.column("user_id").doUpdateSet({ asked: sql<number>`statements_owner.asked + 1` }))
    .execute();
}

function findIntent(tables: Tables, userId: number, clientId: string): Promise<FileRow | undefined> {
  const query = tables.selectFrom("statements_file").selectAll().where("user_id", "=", userId);
  return query.where("client_id", "=", clientId).executeTakeFirst();
}

function intents(tables: Tables) {
  return {
    findIntent: (userId: number, clientId: string) => findIntent(tables, userId, clientId),
    /**
     * Counted and written under one lock of the user's: two at once see each other. A statement of this clientId that is there
     * already is left as it is; it is read afterwards.
     */
    add: (row: FileRow, most: { readonly files: number; readonly underWay: number }): Promise<Added> =>
      tables.transaction().execute(async (inside) => {
        await lock(inside, row.user_id);
        if ((await findIntent(inside, row.user_id, row.client_id)) !== undefined) return "known";
        const query = inside.selectFrom("statements_file").select("state").where("user_id", "=", row.user_id);
        const held = await query.execute();
        if (held.length >= most.files) return "full";
        if (held.filter(({ state }) => UNDER_WAY.includes(state)).length >= most.underWay) return "busy";
        await inside.insertInto("statements_file").values(row).execute();
        return "added";
      }),
  };
}

function files(tables: Tables) {
  const remove = (inside: Tables, fileIds: readonly string[]) =>
    inside.deleteFrom("statements_part").where("file_id", "in", fileIds).execute();
  return {
    list: (userId: number, limit: number): Promise<FileRow[]> =>
      tables
        .selectFrom("statements_file")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_ms", "desc")
        .orderBy("file_id")
        .limit(limit)
        .execute(),
    find: (fileId: string): Promise<FileRow | undefined> =>
      tables.selectFrom("statements_file").selectAll().where("file_id", "=", fileId).executeTakeFirst(),
    /** The oldest that is to be made, or that a stop left half made. */
    next: (): Promise<FileRow | undefined> =>
      tables
        .selectFrom("statements_file")
        .selectAll()
        .where("state", "in", UNDER_WAY)
        .orderBy("created_ms")
        .orderBy("file_id")
        .limit(1)
        .executeTakeFirst(),
    /** False when it was removed meanwhile. */
    async change(fileId: string, values: Partial<FileRow>): Promise<boolean> {
      const change = tables.updateTable("statements_file").set(values).where("file_id", "=", fileId);
      return (await change.where("state", "in", UNDER_WAY).executeTakeFirst()).numUpdatedRows > 0n;
    },
    /** One transaction: it is made with all its parts, or not. */
    finish: (fileId: string, values: Partial<FileRow>, texts: readonly string[]): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const change = inside.updateTable("statements_file").set(values).where("file_id", "=", fileId);
        const changed = await change.where("state", "in", UNDER_WAY).executeTakeFirst();
        if (changed.numUpdatedRows === 0n) return false;
        await remove(inside, [fileId]);
        for (const [part, text] of texts.entries()) {
          await inside.insertInto("statements_part").values({ file_id: fileId, part, text }).execute();
        }
        return true;
      }),
    async readPart(fileId: string, part: number): Promise<string | undefined> {
      const query = tables.selectFrom("statements_part").select("text").where("file_id", "=", fileId);
      return (await query.where("part", "=", part).executeTakeFirst())?.text;
    },
    remove: (userId: number, fileId: string): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const query = inside.deleteFrom("statements_file").where("user_id", "=", userId).where("file_id", "=", fileId);
        if ((await query.executeTakeFirst()).numDeletedRows === 0n) return false;
        await remove(inside, [fileId]);
        return true;
      }),
    forgetOld: (beforeMs: number): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const query = inside.selectFrom("statements_file").select("file_id").where("created_ms", "<", beforeMs);
        const old = (await query.execute()).map(({ file_id }) => file_id);
        if (old.length === 0) return;
        await inside.deleteFrom("statements_file").where("file_id", "in", old).execute();
        await remove(inside, old);
      }),
  };
}

function postings(tables: Tables) {
  const within = ({ accounts, asset, fromMs, toMs }: Range) => {
    let query = tables.selectFrom("engine_bills").where("account", "in", accounts).where("time_ms", "<", toMs);
    if (fromMs > 0) query = query.where("time_ms", ">=", fromMs);
    return asset === undefined ? query : query.where("asset", "=", asset);
  };
  return {
    count: async (range: Range): Promise<number> => {
      const query = within(range).select(sql<number>`cast(count(*) as bigint)`.as("count"));
      return Number((await query.executeTakeFirst())?.count ?? 0);
    },
    /** In the journal's order, after the one given. */
    listPostings(range: Range, after: readonly [sequence: number, line: number], limit: number): Promise<PostingRow[]> {
      const [sequence, line] = after;
      return within(range)
        .selectAll()
        .where("sequence", ">=", sequence)
        .where(({ or, eb }) => or([eb("sequence", ">", sequence), eb("line", ">", line)]))
        .orderBy("sequence")
        .orderBy("line")
        .limit(limit)
        .execute();
    },
    /** What had come together before a time, cell by cell. */
    async openings(range: Range): Promise<{ account: number; asset: number; units: bigint }[]> {
      const rows = await within({ ...range, fromMs: 0, toMs: range.fromMs })
        .select(["account", "asset", sql<string>`cast(sum(delta_units) as text)`.as("sum")])
        .groupBy(["account", "asset"])
        .orderBy("account")
        .orderBy("asset")
        .execute();
      return rows.map(({ account, asset, sum }) => ({ account, asset, units: BigInt(sum) }));
    },
    /** The journal's sequence of the last posting up to the end. */
    async lastSequence(range: Range): Promise<number> {
      const query = within({ ...range, fromMs: 0 })
        .select("sequence")
        .orderBy("sequence", "desc")
        .limit(1);
      return (await query.executeTakeFirst())?.sequence ?? 0;
    },
    async sumByBusiness(range: Range): Promise<readonly { business: string; units: bigint; count: number }[]> {
      const rows = await within(range)
        .select(["business", sql<string>`cast(sum(delta_units) as text)`.as("sum")])
        .select(sql<number>`cast(count(*) as bigint)`.as("count"))
        .groupBy("business")
        .execute();
      return rows.map(({ business, sum, count }) => ({ business, units: BigInt(sum), count: Number(count) }));
    },
  };
}
