// The command line next to a running server on PostgreSQL: a command that would delete its tables is refused.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { place, startTradingServer } from "@clockwork/trading/spot/spot-fixture";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { claimPostgres } from "../storage/postgres-claim.ts";
import { forMigrated } from "../storage/test-databases.ts";
import { programOf } from "./program-fixture.ts";

/** Four more processes are started one after another. */
const SLOW = { timeout: 300_000 };

function run(environment: Record<string, string>, ...given: string[]): Promise<{ code: number | null; reply: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [...programOf("cli"), ...given], { env: { ...process.env, ...environment } });
    let reply = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (reply += String(part)));
    child.on("close", (code) => done({ code, reply }));
  });
}

forMigrated("postgres", "the command line", (database) => {
  test("[CLI-4] [OPS-4] rebuild next to a running server is refused, and its tables stay in use", SLOW, async () => {
    const url = database.options().url ?? "";
    const folder = mkdtempSync(join(tmpdir(), "cw-cli-"));
    const empty = mkdtempSync(join(tmpdir(), "cw-cli-"));
    const server = await startTradingServer({ DATABASE_URL: url, CW_DATA: folder });
    try {
      const owner = await server.trader({ USDT: "1000" });
      const sameFolder = await run({ DATABASE_URL: url }, "rebuild", folder);
      expect(sameFolder).toMatchObject({ code: 1, reply: expect.stringContaining("is in use by another process") });
      // Another folder, or another machine, with the same database.
      const otherFolder = await run({ DATABASE_URL: url }, "rebuild", empty);
      expect(otherFolder).toMatchObject({
        code: 1,
        reply: expect.stringContaining("in use by another Clockwork process"),
      });
      const { data } = await place(owner, { side: "buy", price: "90000", quantity: "0.001" });
      await owner.delete(`/v1/spot/orders/${data.orderId}`);
      const history = await owner.get("/v1/spot/orders?state=history");
      expect(JSON.stringify(history.data)).toContain(data.orderId);
    } finally {
      await server.close();
    }
    // The server has a release of its own: its commands are replayed by this one under their rules.
    expect(await run({ DATABASE_URL: url }, "rebuild", folder)).toMatchObject({ code: 0 });
    for (const one of [folder, empty]) rmSync(one, { recursive: true, force: true });
  });

  test("[OPS-4] a claim lost with its connection is acquired again, or its holder is named", async () => {
    const url = database.options().url ?? "";
    const first = await claimPostgres(url, 0);
    await expect(claimPostgres(url, 0)).rejects.toThrow("in use by another Clockwork process");
    const { kysely } = database.database();
    // Of this database alone: the server has others, whose owners other tests are.
    const owner = async () => (await sql<{ pid: number }>`${OWNER}`.execute(kysely)).rows[0]?.pid ?? 0;
    const before = await owner();
    await sql`select pg_terminate_backend(${before})`.execute(kysely);
    await expect.poll(async () => [0, before].includes(await owner())).toBe(false);
    await expect(claimPostgres(url, 0)).rejects.toThrow("in use by another Clockwork process");
    expect(first.fault).toBeUndefined();
    await first.release();
    await (await claimPostgres(url, 0)).release();
  });
});

const OWNER = sql`select l.pid from pg_locks l join pg_database d on d.oid = l.database
  where l.locktype = 'advisory' and l.granted and d.datname = current_database()`;
