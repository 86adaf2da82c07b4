// The exchange's sweeps, batch payments and pauses, read from its own tables: they are not published.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface Swept {
  readonly done: number;
  readonly open: number;
  readonly failed: number;
  /** Deposit addresses that were swept to the end at least once. */
  readonly addresses: number;
  /** Batch transactions, and the number of payments in them. */
  readonly batches: number;
  readonly together: number;
}

/** As text, empty without any: a network that paused itself pays nothing until two operators have reviewed it. */
export function readPauses(folder: string): string {
  const database = new DatabaseSync(join(folder, "clockwork.sqlite"), { readOnly: true });
  const rows = database.prepare("SELECT network, cause FROM withdrawals_pause").all() as unknown as readonly {
    network: string;
    cause: string;
  }[];
  database.close();
  return rows.map(({ network, cause }) => `; ${network} is paused: ${cause}`).join("");
}

export function readSweeps(folder: string): Swept {
  const database = new DatabaseSync(join(folder, "clockwork.sqlite"), { readOnly: true });
  const sql = "SELECT sender, state FROM treasury_move WHERE kind = 'sweep'";
  const rows = database.prepare(sql).all() as unknown as readonly { sender: string; state: string }[];
  const many =
    "SELECT count(DISTINCT batch_key) AS batches, count(*) AS together FROM withdrawals_part WHERE is_success";
  const paid = database.prepare(many).get() as unknown as Pick<Swept, "batches" | "together">;
  database.close();
  const count = (state: string): number => rows.filter((row) => row.state === state).length;
  const addresses = new Set(rows.filter(({ state }) => state === "DONE").map(({ sender }) => sender)).size;
  return { done: count("DONE"), open: count("OPEN"), failed: count("FAILED"), addresses, ...paid };
}
