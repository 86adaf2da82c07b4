// What a start reports for a damaged folder: tables gone, emptied, damaged, tampered with, a key gone. Each is detected
// before the first request is served, with a text that names the file and what to do.
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { present } from "@clockwork/kit/assert";
import { holds } from "@clockwork/trading/spot/spot-fixture";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { localFiles } from "../engine/journal/files.ts";
import { encodeSegmentHeader, PAGE_BYTES } from "../engine/journal/journal-format.ts";
import { listSegments } from "../engine/journal/segments.ts";
import { startEngineWithTables } from "../projectors/start.ts";
import { DATABASE_FILE, openDatabase } from "../storage/database.ts";
import { forEachDatabase } from "../storage/test-databases.ts";
import { startTestServer, type TestServer, Visitor } from "./account-fixture.ts";

/** Several starts one after another. */
const SLOW = { timeout: 240_000 };

let left: string;
let folder: string;
let alarms: string[] = [];
beforeAll(async () => {
  left = await mkdtemp(join(tmpdir(), "cw-start-"));
  folder = left;
  await leaveOne();
}, SLOW.timeout);
afterAll(() => rm(left, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cw-start-"));
  alarms = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = (
  more: Record<string, string> = {},
  release?: string,
  limits: { readonly balancesMax?: number } = {},
): Promise<TestServer> =>
  startTestServer(
    { CW_DATA: folder, CW_RATE_WEIGHT_PER_MINUTE: "0", ...more },
    (options) =>
      startEngineWithTables({
        ...options,
        ...(release === undefined ? {} : { release }),
        ...limits,
        onAlarm: (line) => void alarms.push(line),
        segmentBytes: 1 << 20,
      }),
    "listed",
  );

/** What such an exchange left, as a folder of the test's own. */
const copyLeft = (): Promise<void> => cp(left, folder, { recursive: true });

/** An exchange with one customer who has 1 000 USDT, stopped in order. */
async function leaveOne(more: Record<string, string> = {}): Promise<void> {
  const server = await start(more);
  const visitor = new Visitor(server);
  expect((await visitor.signUp("one@example.com")).code).toBe(0);
  expect((await visitor.faucet("USDT", "1000")).status).toBe(200);
  await server.close();
}

async function tamper(units: number): Promise<void> {
  const tampered = await openDatabase({ url: undefined, folder });
  await sql`update engine_balances set available_units = available_units + ${units}
    where account = (select max(account) from engine_balances where available_units > 0)`.execute(tampered.kysely);
  await tampered.close();
}

/** Every file but the lock's, with its bytes. */
function photograph(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !/clockwork\.(?:lock|pid)/.test(path)) found[path] = readFileSync(path).toString("base64");
  }
  return found;
}

async function expectRefused(reason: RegExp, more: Record<string, string> = {}): Promise<void> {
  const before = photograph();
  await expect(start(more)).rejects.toThrow(reason);
  expect(photograph()).toEqual(before);
}

test("[OPS-4] a deleted SQLite file is missed, nothing is made in its place", SLOW, async () => {
  await copyLeft();
  for (const name of readdirSync(folder)) if (name.startsWith(DATABASE_FILE)) rmSync(join(folder, name));
  await expectRefused(/clockwork\.sqlite is missing, but .*journal is there: .*Restore the database from a copy/);
});

test("[OPS-4] a deleted secret.key is missed, no other is made in its place", SLOW, async () => {
  await copyLeft();
  const key = join(folder, "secret.key");
  const kept = readFileSync(key);
  rmSync(key);
  await expect(start()).rejects.toThrow(/secret\.key is missing, but the tables hold secrets sealed with it/);
  expect(existsSync(key)).toBe(false);
  writeFileSync(key, `${"0".repeat(64)}\n`);
  await expect(start()).rejects.toThrow(/secret\.key holds key [0-9a-f]{16}, but the tables were sealed with key/);
  writeFileSync(key, kept);
  const server = await start();
  await server.close();
});

test("[OPS-4] flipped bytes in the SQLite file are detected and reported as damage", SLOW, async () => {
  await copyLeft();
  const file = openSync(join(folder, DATABASE_FILE), "r+");
  const noise = new Uint8Array(4096).fill(0x5a);
  // Pages in the middle, as a disk that goes bad leaves them.
  const pages = fstatSync(file).size / noise.length;
  for (let page = 5; page < pages; page += 5) writeSync(file, noise, 0, noise.length, page * noise.length);
  closeSync(file);
  await expect(start()).rejects.toThrow(/clockwork\.sqlite is damaged: .*Restore it from a copy/);
});

test("[OPS-4] an older SQLite file is brought up to date and reported as older", SLOW, async () => {
  await copyLeft();
  // What it holds is spread over its log.
  const names = () => readdirSync(folder).filter((name) => name.startsWith(DATABASE_FILE));
  const old = new Map(names().map((name) => [name, readFileSync(join(folder, name))]));
  const server = await start();
  const visitor = new Visitor(server);
  await visitor.signIn("one@example.com");
  expect((await visitor.faucet("USDT", "5")).status).toBe(200);
  await server.close();
  expect(alarms).toEqual([]);
  for (const name of names()) rmSync(join(folder, name));
  for (const [name, bytes] of old) writeFileSync(join(folder, name), bytes);
  const again = await start();
  try {
    expect(alarms).toEqual([
      expect.stringMatching(/^the tables hold events up to \d+, but had reached \d+: they come from an older copy/),
    ]);
    const back = new Visitor(again);
    await back.signIn("one@example.com");
    expect(await holds(back, "USDT")).toEqual(["1005", "0"]);
  } finally {
    await again.close();
  }
});

test(
  "[RECOVER-1] another release's commands are replayed under their rules, and never to other balances",
  SLOW,
  async () => {
    await copyLeft();
    rmSync(join(folder, "snapshots"), { recursive: true });
    await tamper(5);
    await expect(start({}, "later")).rejects.toThrow(
      /REPLAY_CHANGES: .*balances in the tables differed from the core's: .*Nothing was written/,
    );
    expect(existsSync(join(folder, "snapshots"))).toBe(false);
    await tamper(-5);
    const server = await start({}, "later");
    try {
      const visitor = new Visitor(server);
      await visitor.signIn("one@example.com");
      expect(await holds(visitor, "USDT")).toEqual(["1000", "0"]);
    } finally {
      await server.close();
    }
  },
);

test("[OPS-6] a journal that this release may not replay is refused before any table is migrated", SLOW, async () => {
  await copyLeft();
  rmSync(join(folder, "snapshots"), { recursive: true });
  const [segment] = listSegments(localFiles, join(folder, "journal"));
  const header = { ...present(segment, "TEST-1", "no segment").header, release: "0.9.0+abc", rules: 0 };
  const file = openSync(present(segment, "TEST-1", "no segment").path, "r+");
  writeSync(file, encodeSegmentHeader(header), 0, PAGE_BYTES, 0);
  closeSync(file);
  // Migrations would be refused too, and they come second.
  const tables = await openDatabase({ url: undefined, folder });
  await sql`insert into storage_migrations values ('future/001-new.sql', 'x', 1)`.execute(tables.kysely);
  await tables.close();
  await expect(start()).rejects.toThrow(
    /JOURNAL_RELEASE: .*was written by release 0\.9\.0\+abc\. Start that release once/,
  );
});

test("[OPS-4] more balances than the start waits for are compared soon after it, slice by slice", SLOW, async () => {
  await copyLeft();
  await tamper(5);
  const server = await start({}, undefined, { balancesMax: 0 });
  try {
    const reply = expect.stringMatching(/^\d+ balances in the tables differed from the core's/);
    await expect.poll(() => alarms).toEqual([reply]);
    const visitor = new Visitor(server);
    await visitor.signIn("one@example.com");
    expect(await holds(visitor, "USDT")).toEqual(["1000", "0"]);
  } finally {
    await server.close();
  }
});

forEachDatabase("the start", (database) => {
  test("[OPS-4] balances that disagree with the core are rewritten from it and reported", SLOW, async () => {
    const url = database.options().url;
    const more: Record<string, string> = url === undefined ? {} : { DATABASE_URL: url };
    await (url === undefined ? copyLeft() : leaveOne(more));
    expect(alarms).toEqual([]);
    const tampered = await openDatabase({ url, folder });
    const { numAffectedRows } = await sql`update engine_balances set available_units = available_units + 5
      where account = (select max(account) from engine_balances where available_units > 0)`.execute(tampered.kysely);
    expect(Number(numAffectedRows ?? 1)).toBeGreaterThan(0);
    await tampered.close();
    const server = await start(more);
    try {
      expect(alarms).toHaveLength(1);
      expect(alarms[0]).toMatch(/balances in the tables differed from the core's: account \d+ asset \d+ said/);
      const visitor = new Visitor(server);
      await visitor.signIn("one@example.com");
      expect(await holds(visitor, "USDT")).toEqual(["1000", "0"]);
    } finally {
      await server.close();
    }
    alarms = [];
    const again = await start(more);
    await again.close();
    expect(alarms).toEqual([]);
  });
});
