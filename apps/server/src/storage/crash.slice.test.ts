// What must survive a process killed without warning, in the middle of its writes.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { DatabaseOptions } from "./database.ts";
import { migrate } from "./migrations.ts";
import { forEachDatabase } from "./test-databases.ts";
import { type CrashTables, ROWS_PER_TRANSACTION } from "./test-writer.ts";

const ROUNDS = 20;
// Forty process starts take their time on a busy machine.
const TIMEOUT_MS = 240_000;
const IDS_PER_ROUND = 1_000_000;
const WRITER = fileURLToPath(new URL("./test-writer.ts", import.meta.url));
const TABLE =
  "create table crash_rows (id {{integer}} not null, part {{integer}} not null, way {{text}} not null, primary key (way, id, part))";

type Writer = ChildProcessByStdio<null, Readable, null>;

/** Starts a writer, lets it commit for a while, kills it and returns what it reported. */
async function writeAndKill(options: DatabaseOptions, first: number): Promise<string[]> {
  const { folder, url } = options;
  const args = [WRITER, `--folder=${folder}`, `--first=${first}`, ...(url === undefined ? [] : [`--url=${url}`])];
  const child: Writer = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const reported: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    reported.push(line);
    if (reported.length === 3) setTimeout(() => child.kill("SIGKILL"), randomInt(0, 60));
  }
  await closed;
  expect(child.signalCode).toBe("SIGKILL");
  return reported;
}

forEachDatabase("a killed process", (place) => {
  beforeAll(async () => {
    await migrate(place.database(), [{ name: "crash/001-rows.sql", sql: TABLE }]);
  });

  test(
    `[OPS-4] kill -9 during writes, ${ROUNDS} times: nothing reported is lost, nothing is half there`,
    async () => {
      await place.database().close();
      let total = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const first = round * IDS_PER_ROUND;
        const reported = await writeAndKill(place.options(), first);
        total += reported.length;
        const database = await place.open();
        const tables = database.kysely.$extendTables<CrashTables>();
        const groups = await tables
          .selectFrom("crash_rows")
          .select(["way", "id", (select) => select.fn.countAll<number>().as("parts")])
          .where("id", ">=", first)
          .groupBy(["way", "id"])
          .execute();
        const parts = new Map(groups.map((group) => [`${group.way} ${group.id}`, group.parts]));
        expect(reported.filter((line) => !parts.has(line))).toEqual([]);
        const torn = groups.filter(({ way, parts: count }) => count !== (way === "single" ? 1 : ROWS_PER_TRANSACTION));
        expect(torn).toEqual([]);
        if (place.dialect === "sqlite") {
          const check = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database.kysely);
          expect(check.rows).toEqual([{ integrity_check: "ok" }]);
        }
        if (round < ROUNDS - 1) await database.close();
      }
      expect(total).toBeGreaterThan(ROUNDS * 3);
    },
    TIMEOUT_MS,
  );
});
