// Runs before each test file and writes down what the file cost: processor time of the worker and of all processes it
// started. A wall clock measures the machine's other work too.
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, expect } from "vitest";

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;
const FIELDS = { parent: 1, user: 11, system: 12, endedUser: 13, endedSystem: 14 } as const;

/** The fields of `/proc/<id>/stat` after the name, which may contain spaces; none once the process has ended. */
const readFields = (id: string): readonly number[] => {
  try {
    const text = readFileSync(`/proc/${id}/stat`, "utf8");
    return text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
  } catch {
    return [];
  }
};

/** Processor time of this process and its descendants, including those that have ended. */
const readCostMs = (): number => {
  const processes = new Map<number, readonly number[]>();
  for (const id of readdirSync("/proc")) {
    const fields = /^\d+$/.test(id) ? readFields(id) : [];
    if (fields.length > 0) processes.set(Number(id), fields);
  }
  const isBelow = (id: number): boolean => {
    const parent = processes.get(id)?.[FIELDS.parent];
    return id === process.pid || (parent !== undefined && parent > 1 && isBelow(parent));
  };
  const { user, system, endedUser, endedSystem } = FIELDS;
  let ticks = 0;
  for (const [id, fields] of processes) {
    if (!isBelow(id)) continue;
    for (const field of [user, system, endedUser, endedSystem]) ticks += fields[field] ?? 0;
  }
  return ticks * TICK_MS;
};

const file = process.env.CW_COSTS;
if (file !== undefined && existsSync("/proc/self/stat")) {
  const startMs = readCostMs();
  afterAll(() => appendFileSync(file, `${readCostMs() - startMs} ${expect.getState().testPath}\n`));
}
