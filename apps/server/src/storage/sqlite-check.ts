// Checks the embedded database's file for damage: inconsistent pages, by SQLite's own check. A small file is checked
// before anything else uses it; a large one in parallel, since that takes as long as reading it.
import { statSync } from "node:fs";
import { DatabaseFault } from "./fault.ts";
import { SqliteThread, type StartWorker } from "./sqlite-thread.ts";

const AT_ONCE_BYTES_MAX = 96 << 20;
const BUSY_TIMEOUT_MS = 5_000;

/** Rejects for a damaged small file; damage of a large one is reported later. */
export async function checkSqlite(
  path: string,
  onDamage: (reason: string) => void,
  start?: StartWorker,
): Promise<void> {
  if (statSync(path).size <= AT_ONCE_BYTES_MAX) {
    const damage = await findDamage(path, start);
    if (damage !== undefined) throw new DatabaseFault("unavailable", damage);
    return;
  }
  findDamage(path, start).then(
    (damage) => (damage === undefined ? undefined : onDamage(damage)),
    (error: unknown) => onDamage(String(error)),
  );
}

async function findDamage(path: string, start: StartWorker | undefined): Promise<string | undefined> {
  const thread = await SqliteThread.open({ path, role: "read", busyTimeoutMs: BUSY_TIMEOUT_MS }, start);
  try {
    const [result] = await thread.run("alone", [{ sql: "PRAGMA quick_check(1)", parameters: [] }]);
    const verdict = String(result?.values?.[0]);
    return verdict === "ok" ? undefined : describe(path, verdict);
  } catch (error) {
    if (error instanceof DatabaseFault && error.kind === "unavailable") return describe(path, error.message);
    throw error;
  } finally {
    await thread.close();
  }
}

/** The same text where the file cannot even be opened; any other error unchanged. */
export function nameDamage(path: string, error: unknown): unknown {
  if (!(error instanceof DatabaseFault) || !/malformed|not a database/.test(error.message)) return error;
  return new DatabaseFault("unavailable", describe(path, error.message), error);
}

function describe(path: string, verdict: string): string {
  return (
    `${path} is damaged: ${verdict.replace(`${path}: `, "").replace(/\s+/g, " ")}. Restore it from a copy; ` +
    "what the journal holds is written again by clockwork rebuild"
  );
}
