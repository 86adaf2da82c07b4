// What the house swept meanwhile, read from the exchange's own table: nobody outside is told of it.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface Swept {
  readonly done: number;
  readonly open: number;
  readonly failed: number;
  /** Deposit addresses that were swept to the end at least once. */
  readonly addresses: number;
}

export function readSweeps(folder: string): Swept {
  const database = new DatabaseSync(join(folder, "clockwork.sqlite"), { readOnly: true });
  const sql = "SELECT sender, state FROM treasury_move WHERE kind = 'sweep'";
  const rows = database.prepare(sql).all() as unknown as readonly { sender: string; state: string }[];
  database.close();
  const count = (state: string): number => rows.filter((row) => row.state === state).length;
  const addresses = new Set(rows.filter(({ state }) => state === "DONE").map(({ sender }) => sender)).size;
  return { done: count("DONE"), open: count("OPEN"), failed: count("FAILED"), addresses };
}
