// A process that tests start in order to kill it: it writes to a database and reports each commit on its output.
// Must never report a commit before the database has answered it.

import { parseArgs } from "node:util";
import { openDatabase } from "./database.ts";

/** Rows of one transaction: all of them or none may ever be seen. */
export const ROWS_PER_TRANSACTION = 5;

export type CrashTables = { crash_rows: { id: number; part: number; way: string } };

/** Writes in the three ways there are, side by side, until it is killed. */
async function writeForever(folder: string, url: string | undefined, first: number): Promise<void> {
  const database = await openDatabase({ url, folder });
  const tables = database.kysely.$extendTables<CrashTables>();
  const report = (way: string, id: number): void => void process.stdout.write(`${way} ${id}\n`);
  const rowsOf = (way: string, id: number) =>
    Array.from({ length: ROWS_PER_TRANSACTION }, (_, part) => ({ id, part, way }));

  const transactions = async (): Promise<void> => {
    for (let id = first; ; id += 1) {
      await tables.transaction().execute(async (transaction) => {
        for (const row of rowsOf("transaction", id)) await transaction.insertInto("crash_rows").values(row).execute();
      });
      report("transaction", id);
    }
  };
  const batches = async (): Promise<void> => {
    for (let id = first; ; id += 1) {
      await database.batch(rowsOf("batch", id).map((row) => tables.insertInto("crash_rows").values(row).compile()));
      report("batch", id);
    }
  };
  const singles = async (lane: number): Promise<void> => {
    for (let id = first + lane; ; id += 4) {
      await tables.insertInto("crash_rows").values({ id, part: 0, way: "single" }).execute();
      report("single", id);
    }
  };
  await Promise.all([transactions(), batches(), singles(0), singles(1), singles(2), singles(3)]);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { folder: { type: "string" }, url: { type: "string" }, first: { type: "string" } },
  });
  await writeForever(values.folder ?? "", values.url, Number(values.first));
}
