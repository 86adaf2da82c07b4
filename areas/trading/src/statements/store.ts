// The SQL of statements: the requested files, and the postings they are made from.
import { sequenceBounds } from "@clockwork/kit/pages/sequence-bounds";
import { DAY_MS } from "@clockwork/kit/time";
import { type Kysely, sql } from "kysely";
import { FIRST_ACCOUNT, listKinds } from "../wallet/bill-kinds.ts";
import type { CostBasis, StatementFormat, StatementKind } from "./contract.ts";

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
  /** Of funding: when it was due. */
  readonly settled_ms?: number | null | undefined;
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
  engine_bill_days: {
    readonly account: number;
    readonly day: number;
    readonly asset: number;
    readonly business: string;
    readonly units: bigint;
    readonly bills: number;
  };
};
type Tables = Kysely<StatementTables>;
export type StatementStore = ReturnType<typeof statementStore>;

const UNDER_WAY: readonly FileRow["state"][] = ["WAITING", "MAKING"];

export function statementStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<StatementTables>();
  return { ...intents(tables), ...files(tables), ...postings(tables) };
}

/** Locks the user's row until the transaction ends. */
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
     * Counted and written under one lock of the user: concurrent calls see each other. An existing statement of this
     * clientId is unchanged; it is read afterwards.
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
    /** False when it was removed since. */
    async change(fileId: string, values: Partial<FileRow>): Promise<boolean> {
      const change = tables.updateTable("statements_file").set(values).where("file_id", "=", fileId);
      return (await change.where("state", "in", UNDER_WAY).executeTakeFirst()).numUpdatedRows > 0n;
    },
    /** One transaction: complete with all its parts, or not at all. */
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
    removeOld: (beforeMs: number): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const query = inside.selectFrom("statements_file").select("file_id").where("created_ms", "<", beforeMs);
        const old = (await query.execute()).map(({ file_id }) => file_id);
        if (old.length === 0) return;
        await inside.deleteFrom("statements_file").where("file_id", "in", old).execute();
        await remove(inside, old);
      }),
  };
}

const bounds = sequenceBounds((texts, ...values) => sql<number>(texts, ...values));

interface Cell {
  readonly account: number;
  readonly asset: number;
  readonly business: string;
  readonly units: bigint;
  readonly count: number;
}

function postings(tables: Tables) {
  const within = ({ accounts, asset, fromMs, toMs }: Range) => {
    let query = tables.selectFrom("engine_bills").where("account", "in", accounts).where("time_ms", "<", toMs);
    query = query.where("sequence", "<=", bounds.most(toMs));
    if (fromMs > 0) query = query.where("time_ms", ">=", fromMs).where("sequence", ">=", bounds.least(fromMs));
    return asset === undefined ? query : query.where("asset", "=", asset);
  };
  /** Days from their sums, with the rows before the first whole one, and without those of the last after the end. */
  const sum = async (range: Range): Promise<Cell[]> => {
    const { accounts, asset, fromMs, toMs } = range;
    if (accounts.length === 0 || fromMs >= toMs) return [];
    const [first, end] = [Math.ceil(fromMs / DAY_MS), Math.ceil(toMs / DAY_MS)];
    const isWithinDay = first >= end;
    const isOwn = sql`account in (${sql.join(accounts)}) and ${asset === undefined ? sql`1 = 1` : sql`asset = ${asset}`}`;
    const kinds = (await Promise.all(accounts.map((account) => listKinds(tables, account))))
      .flat()
      .filter((kind) => asset === undefined || kind.asset === asset);
    if (kinds.length === 0) return [];
    // Kind by kind, as the index of kinds has them with their amounts.
    const listed = sql.join(
      kinds.map(
        (kind) => sql`(cast(${kind.account} as bigint), cast(${kind.asset} as bigint), cast(${kind.business} as text))`,
      ),
    );
    const rows = (sign: number, sinceMs: number, untilMs: number) => sql`
      select k.account, k.asset, k.business, ${sql.lit(sign)} * b.delta_units as units, ${sql.lit(sign)} as bills
      from (select column1 as account, column2 as asset, column3 as business from (values ${listed}) listed) k
      cross join engine_bills b
      where b.account = k.account and b.asset = k.asset and b.business = k.business
        and b.account >= ${sql.lit(FIRST_ACCOUNT)} and b.time_ms >= ${sinceMs} and b.time_ms < ${untilMs}
        and b.sequence >= ${bounds.least(sinceMs)} and b.sequence <= ${bounds.most(untilMs)}`;
    const whole = sql`select account, asset, business, units, bills from engine_bill_days
      where ${isOwn} and day >= ${first} and day < ${end}`;
    const parts = isWithinDay
      ? [rows(1, fromMs, toMs)]
      : [whole, ...(first * DAY_MS > fromMs ? [rows(1, fromMs, first * DAY_MS)] : [])];
    // One statement, so that all of it is of one moment.
    if (!isWithinDay && end * DAY_MS > toMs) parts.push(rows(-1, toMs, end * DAY_MS));
    const found = await sql<{ account: number; asset: number; business: string; sum: string; count: number }>`
      select account, asset, business, cast(sum(units) as text) as sum, cast(sum(bills) as bigint) as count
      from (${sql.join(parts, sql` union all `)}) parts
      group by account, asset, business having sum(bills) > 0`.execute(tables);
    return found.rows.map(({ sum, count, ...row }) => ({
      ...row,
      account: Number(row.account),
      asset: Number(row.asset),
      count: Number(count),
      units: BigInt(sum),
    }));
  };
  return {
    count: async (range: Range): Promise<number> => (await sum(range)).reduce((all, cell) => all + cell.count, 0),
    /** Of one account in the journal's order, the first after a command and at most up to another. */
    listPostings: (
      range: Range,
      account: number,
      after: number,
      through: number,
      limit: number,
    ): Promise<PostingRow[]> =>
      within({ ...range, accounts: [account] })
        .selectAll()
        .where("sequence", ">", after)
        .where("sequence", "<=", through)
        .orderBy("sequence")
        .orderBy("line")
        .limit(limit)
        .execute(),
    /** The sums before a time, cell by cell. */
    async openings(range: Range): Promise<{ account: number; asset: number; units: bigint }[]> {
      const cells = new Map<string, { account: number; asset: number; units: bigint }>();
      for (const { account, asset, units } of await sum({ ...range, fromMs: 0, toMs: range.fromMs })) {
        const cell = cells.get(`${account}:${asset}`) ?? { account, asset, units: 0n };
        cells.set(`${account}:${asset}`, { ...cell, units: cell.units + units });
      }
      return [...cells.values()].sort((left, right) => left.account - right.account || left.asset - right.asset);
    },
    /** The journal's sequence of the last posting up to the end. */
    async lastSequence(range: Range): Promise<number> {
      const rows = await Promise.all(
        range.accounts.map((account) =>
          within({ ...range, accounts: [account], fromMs: 0 })
            .select("sequence")
            .orderBy("sequence", "desc")
            .limit(1)
            .executeTakeFirst(),
        ),
      );
      return Math.max(0, ...rows.map((row) => row?.sequence ?? 0));
    },
    async sumByBusiness(range: Range): Promise<readonly { business: string; units: bigint; count: number }[]> {
      const sums = new Map<string, { business: string; units: bigint; count: number }>();
      for (const { business, units, count } of await sum(range)) {
        const known = sums.get(business) ?? { business, units: 0n, count: 0 };
        sums.set(business, { business, units: known.units + units, count: known.count + count });
      }
      return [...sums.values()];
    },
  };
}
