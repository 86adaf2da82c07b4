// How fast the storage is next to the bare drivers, in one run on one disk: durable single writes, many writers at once,
// batches and reads. Prints a table with ratios; PostgreSQL joins when CW_BENCH_DATABASE_URL names a server.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Database, openDatabase } from "@clockwork/server/storage/database";

const ROUND_MS = 1_500;
const ROUNDS = 3;
const BATCH_ROWS = 500;
const WRITERS = 64;
const TABLE_ROWS = 10_000;

type Tables = { bench_rows: { id: number; account: number; asset: string; amount: bigint } };

interface Measure {
  readonly name: string;
  /** Does one unit of work and returns how many rows or reads that was. */
  readonly run: () => Promise<number> | number;
}

let lastId = 0;
const newRow = (): Tables["bench_rows"] => {
  lastId += 1;
  return { id: lastId, account: lastId % 1_000, asset: "USDT", amount: BigInt(lastId) * 1_000_000n };
};
const newRows = (): Tables["bench_rows"][] => Array.from({ length: BATCH_ROWS }, newRow);
const someId = (): number => 1 + ((lastId * 7_919) % TABLE_ROWS);

function measuresOf(database: Database): Measure[] {
  const tables = database.kysely.$extendTables<Tables>();
  const insert = () => tables.insertInto("bench_rows").values(newRow());
  const read = () => tables.selectFrom("bench_rows").selectAll().where("id", "=", someId());
  return [
    {
      name: "durable single inserts",
      run: () =>
        insert()
          .execute()
          .then(() => 1),
    },
    {
      name: `durable inserts, ${WRITERS} at once`,
      run: () => Promise.all(Array.from({ length: WRITERS }, () => insert().execute())).then(() => WRITERS),
    },
    {
      name: `rows by values of ${BATCH_ROWS}`,
      run: () =>
        tables
          .insertInto("bench_rows")
          .values(newRows())
          .execute()
          .then(() => BATCH_ROWS),
    },
    {
      name: `rows by batch of ${BATCH_ROWS}`,
      run: () =>
        database
          .batch(newRows().map((row) => tables.insertInto("bench_rows").values(row).compile()))
          .then(() => BATCH_ROWS),
    },
    {
      name: "transactions of 3 statements",
      run: () =>
        tables.transaction().execute(async (transaction) => {
          for (let part = 0; part < 3; part += 1) {
            await transaction.insertInto("bench_rows").values(newRow()).execute();
          }
          return 1;
        }),
    },
    {
      name: "selects by key",
      run: () =>
        read()
          .execute()
          .then(() => 1),
    },
    {
      name: `selects by key, ${WRITERS} at once`,
      run: () => Promise.all(Array.from({ length: WRITERS }, () => read().execute())).then(() => WRITERS),
    },
    {
      name: "rows read, 1000 a time",
      run: () =>
        tables
          .selectFrom("bench_rows")
          .selectAll()
          .where("id", "<=", 1_000)
          .execute()
          .then((rows) => rows.length),
    },
  ];
}

/** The same work on the bare driver, in this thread and without anything between. */
function bareMeasures(database: DatabaseSync): Measure[] {
  const insert = database.prepare("insert into bench_rows (id, account, asset, amount) values (?, ?, ?, ?)");
  const one = database.prepare("select * from bench_rows where id = ?");
  const many = database.prepare("select * from bench_rows where id <= 1000");
  many.setReadBigInts(true);
  one.setReadBigInts(true);
  const write = (): void => {
    const row = newRow();
    insert.run(row.id, row.account, row.asset, row.amount);
  };
  const inTransaction = (count: number) => (): number => {
    database.exec("begin immediate");
    for (let index = 0; index < count; index += 1) write();
    database.exec("commit");
    return count;
  };
  const single = (): number => {
    write();
    return 1;
  };
  const read = (): number => {
    one.get(someId());
    return 1;
  };
  return [
    { name: "durable single inserts", run: single },
    { name: `durable inserts, ${WRITERS} at once`, run: single },
    { name: `rows by values of ${BATCH_ROWS}`, run: inTransaction(BATCH_ROWS) },
    { name: `rows by batch of ${BATCH_ROWS}`, run: inTransaction(BATCH_ROWS) },
    { name: "transactions of 3 statements", run: () => inTransaction(3)() / 3 },
    { name: "selects by key", run: read },
    { name: `selects by key, ${WRITERS} at once`, run: read },
    { name: "rows read, 1000 a time", run: () => many.all().length },
  ];
}

async function rateOf(measure: Measure): Promise<number> {
  const startMs = performance.now();
  let done = 0;
  while (performance.now() - startMs < ROUND_MS) done += await measure.run();
  return (done * 1_000) / (performance.now() - startMs);
}

async function createTable(database: Database): Promise<void> {
  const isSqlite = database.dialect === "sqlite";
  await database.kysely.schema.dropTable("bench_rows").ifExists().execute();
  await database.kysely.schema
    .createTable("bench_rows")
    .addColumn("id", isSqlite ? "integer" : "bigint", (column) => column.primaryKey())
    .addColumn("account", isSqlite ? "integer" : "bigint", (column) => column.notNull())
    .addColumn("asset", "text", (column) => column.notNull())
    .addColumn("amount", isSqlite ? "bigint" : "numeric(19, 0)", (column) => column.notNull())
    .execute();
}

async function fill(database: Database): Promise<void> {
  const tables = database.kysely.$extendTables<Tables>();
  for (let at = 0; at < TABLE_ROWS; at += BATCH_ROWS) {
    await tables.insertInto("bench_rows").values(newRows()).execute();
  }
}

/** The same table and rows for the bare driver as the storage's own thread would have. */
function openBare(path: string): DatabaseSync {
  const bare = new DatabaseSync(path);
  bare.exec("pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16000");
  bare.exec(
    "create table bench_rows (id integer primary key, account integer not null, asset text not null, amount bigint not null)",
  );
  const insert = bare.prepare("insert into bench_rows (id, account, asset, amount) values (?, ?, ?, ?)");
  bare.exec("begin");
  for (let id = 1; id <= TABLE_ROWS; id += 1) insert.run(id, id % 1_000, "USDT", BigInt(id) * 1_000_000n);
  bare.exec("commit");
  return bare;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** Takes turns, so that a noisy second hits all alike. */
async function compare(sides: readonly (readonly Measure[])[]): Promise<{ name: string; rates: number[] }[]> {
  const lines: { name: string; rates: number[] }[] = [];
  for (const [index, { name }] of (sides[0] ?? []).entries()) {
    const rounds: number[][] = sides.map(() => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [side, measures] of sides.entries()) {
        const measure = measures[index];
        if (measure !== undefined) rounds[side]?.push(await rateOf(measure));
      }
    }
    lines.push({ name, rates: rounds.map(median) });
  }
  return lines;
}

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "clockwork-bench-"));
  const bare = openBare(join(folder, "bare.sqlite"));
  const databases = [await openDatabase({ url: undefined, folder })];
  const url = process.env.CW_BENCH_DATABASE_URL;
  if (url !== undefined && url !== "") databases.push(await openDatabase({ url, folder }));
  try {
    for (const database of databases) {
      lastId = 0;
      await createTable(database);
      await fill(database);
    }
    const lines = await compare([bareMeasures(bare), ...databases.map(measuresOf)]);
    const heads = ["per second", "node:sqlite", ...databases.map(({ dialect }) => dialect)];
    const table = lines.map(({ name, rates }) => [
      name,
      ...rates.map((rate, side) => {
        const ratio = side === 0 ? "" : ` (${(rate / (rates[0] ?? 1)).toFixed(2)})`;
        return `${Math.round(rate).toLocaleString("en")}${ratio}`;
      }),
    ]);
    for (const [name = "", ...cells] of [heads, ...table]) {
      process.stdout.write(`${name.padEnd(32)}${cells.map((cell) => cell.padStart(20)).join("")}\n`);
    }
  } finally {
    for (const database of databases) {
      await database.kysely.schema.dropTable("bench_rows").ifExists().execute();
      await database.close();
    }
    bare.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await run();
