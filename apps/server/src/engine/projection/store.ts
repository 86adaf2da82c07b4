// Owns the projection's cursor and its transactions, in the SQL both databases share. Uses no table but the cursor's.
// Must write rows and cursor in one transaction: that is what makes the projection exactly once.
import type { ReadRows, WriteSession } from "@clockwork/host/projector";
import type { RowShape, RunStatement } from "@clockwork/host/row-shape";
import { CompiledQuery, type Kysely, type Transaction } from "kysely";

export interface CursorRow {
  name: string;
  journal: string;
  sequence: number;
  time_ms: number;
}

type CursorTables = { engine_cursor: CursorRow };

const CURSOR = "projection";

/** Another writer moved the cursor: two projections must never write at once. */
export class ProjectionConflict extends Error {
  constructor(sequence: number) {
    super(`the projection's cursor is no longer at ${sequence}: another process writes it`);
    this.name = "ProjectionConflict";
  }
}

export interface ProjectionStore {
  readCursor(): Promise<CursorRow | undefined>;
  readonly read: ReadRows;
  /**
   * Moves the cursor and lets `write` store what belongs to it, all or nothing. Throws ProjectionConflict when the cursor
   * is not where this projection left it.
   */
  write(
    from: CursorRow | undefined,
    to: Omit<CursorRow, "name">,
    write: (session: WriteSession) => Promise<void>,
  ): Promise<void>;
  /** Clears these tables, cursor included. */
  clear(tables: readonly string[]): Promise<void>;
}

export type DirectRun = (text: string, values: readonly unknown[]) => void;

/** `direct` runs a statement at once, inside the transaction Kysely has open on its one connection. */
export function projectionStore(kysely: Kysely<unknown>, direct?: DirectRun): ProjectionStore {
  const tables = kysely.$extendTables<CursorTables>();
  const isNumbered = numbersParameters(tables);
  return {
    readCursor: () => tables.selectFrom("engine_cursor").selectAll().where("name", "=", CURSOR).executeTakeFirst(),
    read: reader(tables, isNumbered),
    write: (from, to, write) =>
      // Rows and cursor go together or not at all, but need not be on disk: what is lost comes again from the journal.
      tables
        .transaction()
        .setIsolationLevel("read uncommitted")
        .execute(async (transaction) => {
          await moveCursor(transaction, from, to);
          await write(openSession(transaction, isNumbered, direct));
        }),
    clear: (names) =>
      tables.transaction().execute(async (transaction) => {
        for (const table of ["engine_cursor", ...names]) {
          await transaction.executeQuery(CompiledQuery.raw(`delete from "${table}"`));
        }
      }),
  };
}

function reader(tables: Kysely<CursorTables>, isNumbered: boolean): ReadRows {
  return async <Row>(text: string, values: readonly unknown[] = []) => {
    const { rows } = await tables.executeQuery(CompiledQuery.raw(numbered(text, isNumbered), [...values]));
    return rows as Row[];
  };
}

function openSession(
  transaction: Transaction<CursorTables>,
  isNumbered: boolean,
  direct: DirectRun | undefined,
): WriteSession {
  const run: RunStatement =
    direct === undefined
      ? (text, values) => transaction.executeQuery(CompiledQuery.raw(text, [...values]))
      : (text, values) => {
          direct(text, values);
          return undefined;
        };
  return {
    read: reader(transaction, isNumbered),
    write: async (shape, values) => {
      if (values.length > 0) await shape.write(run, isNumbered, values);
    },
    writeRows: async (shape, rows) => {
      if (rows.length > 0) await shape.write(run, isNumbered, valuesOf(shape, rows));
    },
    run: async (text, values) => {
      await run(numbered(text, isNumbered), values);
    },
  };
}

function valuesOf(shape: RowShape, rows: readonly object[]): unknown[] {
  return rows.flatMap((row) => shape.columns.map((column) => (row as Record<string, unknown>)[column]));
}

/** Whether this database writes its parameters as $1, $2 and so on. */
function numbersParameters(tables: Kysely<CursorTables>): boolean {
  return tables.selectFrom("engine_cursor").select("name").where("name", "=", "").compile().sql.includes("$1");
}

function numbered(text: string, isNumbered: boolean): string {
  if (!isNumbered) return text;
  let made = NUMBERED.get(text);
  if (made === undefined) {
    let place = 0;
    made = text.replaceAll("?", () => {
      place += 1;
      return `$${place}`;
    });
    NUMBERED.set(text, made);
  }
  return made;
}

/** Texts are the projectors' own, so there are few. */
const NUMBERED = new Map<string, string>();

async function moveCursor(
  tables: Transaction<CursorTables>,
  from: CursorRow | undefined,
  to: Omit<CursorRow, "name">,
): Promise<void> {
  if (from === undefined) {
    await tables
      .insertInto("engine_cursor")
      .values({ name: CURSOR, ...to })
      .execute();
    return;
  }
  const moved = await tables
    .updateTable("engine_cursor")
    .set(to)
    .where("name", "=", CURSOR)
    .where("sequence", "=", from.sequence)
    .where("journal", "=", from.journal)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) throw new ProjectionConflict(from.sequence);
}
