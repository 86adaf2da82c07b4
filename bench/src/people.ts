// The console's search over a million users: number, address, the start of an address, phone and the newest accounts,
// one after the other, on SQLite and, where CW_BENCH_DATABASE_URL names a server, on PostgreSQL. Beside it a bare read of
// one row by its key. Ends with 1 when a p99 is at its bar.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { userStore } from "@clockwork/identity/users/store";
import { type Database, openDatabase } from "@clockwork/server/storage/database";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import type { PeopleNeeds } from "@clockwork/site/people/needs";
import { PeopleService } from "@clockwork/site/people/service";
import { peopleStore } from "@clockwork/site/people/store";

const USERS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 1_000;
const BATCH = 2_000;
const BAR_MS = 100;
const FIRST = 100_000_000;
const RIGHTS = { withdrawals: true, tickets: true, reports: false, otc: true };

type UserTables = { users_account: Record<string, unknown> };

async function fill({ kysely }: Database): Promise<void> {
  const tables = kysely.$extendTables<UserTables>();
  for (let at = 0; at < USERS; at += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, USERS - at) }, (_, index) => {
      const number = at + index;
      return {
        id: FIRST + number,
        email: `${["anna", "ben", "chen", "dora"][number % 4]}.${number}@example.com`,
        phone: number % 3 === 0 ? `4420${String(number).padStart(8, "0")}` : null,
        password_hash: "x",
        nickname: `User-${number}`,
        country: "GB",
        role: "user",
        status: "active",
        books: "open",
        invite_code: `C${number.toString(36).toUpperCase()}`,
        invited_by: null,
        invited_code: null,
        invited_percent: null,
        user_language: "en_US",
        pricing_currency: "USD",
        created_at_ms: 1_700_000_000_000 + number,
      };
    });
    await tables.insertInto("users_account").values(rows).execute();
  }
}

async function measure(work: (at: number) => Promise<unknown>): Promise<readonly [p50: number, p99: number]> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await work((round * 7_919_993) % USERS);
    took.push(performance.now() - started);
  }
  took.sort((left, right) => left - right);
  return [took[ROUNDS >> 1] ?? 0, took[Math.floor(ROUNDS * 0.99)] ?? 0];
}

async function run(name: string, database: Database): Promise<boolean> {
  await migrate(database, collectMigrations(new URL("../..", import.meta.url).pathname));
  await fill(database);
  const users = userStore(database.kysely);
  const store = peopleStore(database.kysely);
  const people = new PeopleService({ store, users, needs: {} as PeopleNeeds });
  const ways: readonly (readonly [string, (at: number) => Promise<unknown>])[] = [
    ["one row by its key", (at) => users.find(FIRST + at)],
    ["search: number", (at) => people.search(String(FIRST + at), RIGHTS)],
    ["search: address", (at) => people.search(`anna.${at - (at % 4)}@example.com`, RIGHTS)],
    ["search: start of an address", (at) => people.search(`chen.${String(at).slice(0, 3)}`, RIGHTS)],
    ["search: phone", (at) => people.search(`4420${String(at).padStart(8, "0")}`, RIGHTS)],
    ["search: chain address", (at) => people.search(`0x${at.toString(16).padStart(40, "0")}`, RIGHTS)],
    ["newest accounts", () => people.list({})],
  ];
  let isWithin = true;
  for (const [way, work] of ways) {
    const [p50, p99] = await measure(work);
    isWithin &&= p99 < BAR_MS;
    process.stdout.write(`${name.padEnd(10)} ${way.padEnd(28)} p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms\n`);
  }
  return isWithin;
}

const folder = mkdtempSync(join(tmpdir(), "cw-bench-people-"));
const results: boolean[] = [];
try {
  for (const url of [undefined, process.env.CW_BENCH_DATABASE_URL]) {
    if (url === undefined && results.length > 0) continue;
    const database = await openDatabase({ url, folder });
    try {
      results.push(await run(url === undefined ? "SQLite" : "PostgreSQL", database));
    } finally {
      await database.close();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = results.every(Boolean) ? 0 : 1;
