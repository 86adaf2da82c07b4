// A copy of a running exchange, restored elsewhere: proved by verify, and served with the same customers and balances.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { holds, place, startTradingServer } from "@clockwork/trading/spot/spot-fixture";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Visitor } from "../process/account-fixture.ts";
import { programOf } from "../process/program-fixture.ts";
import { forEachMigrated } from "../storage/test-databases.ts";
import { backup, restore } from "./copies.ts";
import { MANIFEST } from "./manifest.ts";

const SLOW = { timeout: 300_000 };

function run(environment: Record<string, string>, ...given: string[]): Promise<{ code: number | null; reply: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [...programOf("cli"), ...given], {
      env: { ...process.env, DATABASE_URL: "", ...environment },
    });
    let reply = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (reply += String(part)));
    child.on("close", (code) => done({ code, reply }));
  });
}

/** An empty database next to another one; undefined for SQLite. */
async function makeSibling(url: string | undefined): Promise<string | undefined> {
  if (url === undefined) return undefined;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sibling = new URL(url);
  sibling.pathname = `${sibling.pathname}_restored`;
  await client.query(`create database ${sibling.pathname.slice(1)} encoding 'UTF8' template template0`);
  await client.end();
  return sibling.href;
}

async function dropSibling(url: string | undefined, sibling: string | undefined): Promise<void> {
  if (url === undefined || sibling === undefined) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`drop database if exists ${new URL(sibling).pathname.slice(1)} with (force)`);
  await client.end();
}

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cw-copies-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

forEachMigrated("a copy", (database) => {
  test("[OPS-4] taken while the server trades, restored elsewhere, verified, and served as it was", SLOW, async () => {
    const [data, copy, other] = [join(root, "data"), join(root, "copy"), join(root, "other")];
    const { url } = database.options();
    const here: Record<string, string> = url === undefined ? {} : { DATABASE_URL: url };
    const server = await startTradingServer({ CW_DATA: data, ...here });
    let held: readonly [string, string];
    try {
      const visitor = await server.trader({ USDT: "1000" });
      await visitor.post("/v2/users/preferences", {});
      for (let index = 0; index < 5; index++) {
        expect((await place(visitor, { side: "buy", price: "50000", quantity: "0.001" })).status).toBe(200);
      }
      held = await holds(visitor, "USDT");
      const trading = { isOver: false };
      const going = (async () => {
        const asset = { kind: "mint", account: 1, asset: 1, business: "deposit", units: 1 } as const;
        for (let index = 0; !trading.isOver; index++) await server.engine.submit({ ...asset, reference: `m${index}` });
      })();
      const taken = await run(here, "backup", data, "--to", copy);
      trading.isOver = true;
      await going;
      expect(taken).toMatchObject({ code: 0 });
      expect(taken.reply).toMatch(/^tables .*\nkey .*\njournal .* up to \d+$/m);
      expect((await run(here, "backup", data, "--to", copy)).reply).toContain("is not empty");
    } finally {
      await server.close();
    }
    const sibling = await makeSibling(url);
    const there: Record<string, string> = sibling === undefined ? {} : { DATABASE_URL: sibling };
    try {
      const restored = await run(there, "restore", copy, "--to", other);
      expect(restored.reply).toMatch(/^tables {4}agree at \d+: \d+ balances/m);
      expect(restored.code).toBe(0);
      const again = await startTradingServer({ CW_DATA: other, ...there });
      try {
        const visitor = new Visitor(again);
        const email = JSON.stringify(await readEmail(again));
        expect((await visitor.signIn(JSON.parse(email) as string)).code).toBe(0);
        expect(await holds(visitor, "USDT")).toEqual(held);
      } finally {
        await again.close();
      }
    } finally {
      await dropSibling(url, sibling);
    }
  });
});

async function readEmail(server: { readonly kysely: unknown }): Promise<string> {
  const { sql } = await import("kysely");
  const { rows } = await sql<{ email: string }>`select email from users_account where email like 'trader-%'`.execute(
    server.kysely as never,
  );
  return rows[0]?.email ?? "";
}

test("[OPS-4] a copy that is unfinished or changed is refused, and nothing is made of it", SLOW, async () => {
  const [data, copy, other] = [join(root, "data"), join(root, "copy"), join(root, "other")];
  const server = await startTradingServer({ CW_DATA: data });
  await server.close();
  expect((await run({}, "backup", data, "--to", copy)).code).toBe(0);
  const key = join(copy, "secret.key");
  const kept = readFileSync(key);
  writeFileSync(key, `${"1".repeat(64)}\n`);
  const changed = await run({}, "restore", copy, "--to", other);
  expect(changed).toMatchObject({ code: 1, reply: expect.stringContaining("secret.key is not what was copied") });
  writeFileSync(key, kept);
  rmSync(join(copy, MANIFEST));
  const unfinished = await run({}, "restore", copy, "--to", other);
  expect(unfinished).toMatchObject({ code: 1, reply: expect.stringContaining("is no finished copy") });
  expect(existsSync(other)).toBe(false);
});

test(
  "[OPS-4] a copy holds the chains and never the signer's keys, and comes back only with the keys it belongs to",
  SLOW,
  async () => {
    const [data, copy, keys] = [join(root, "data"), join(root, "copy"), join(root, "keys")];
    const server = await startTradingServer({ CW_DATA: data });
    await server.close();
    const put = (name: string, text: string): void => {
      mkdirSync(join(data, name, ".."), { recursive: true });
      writeFileSync(join(data, name), text, { mode: 0o644 });
    };
    put("signer/keys.sealed", "the sealed keys");
    put("signer/unlock.key", "what opens them");
    put("prehistory/leaders.journal", "what was before");
    mkdirSync(join(data, "chain"));
    const chain = new DatabaseSync(join(data, "chain", "CWT.sqlite"));
    chain.exec("CREATE TABLE blocks (number INTEGER)");
    chain.close();
    const quiet = { databaseUrl: undefined, print: () => undefined };
    const manifest = backup({ from: data, to: copy, ...quiet });
    const names = manifest.files.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["chain/CWT.sqlite", "prehistory/leaders.journal"]));
    expect(names.filter((name) => name.startsWith("signer"))).toEqual([]);
    for (const name of names) expect([name, statSync(join(copy, name)).mode & 0o777]).toEqual([name, 0o600]);
    expect((await run({}, "backup-keys", data, "--to", keys)).code).toBe(0);
    const back = (to: string, given: { keys: string | null | undefined }) =>
      restore({ from: copy, to: join(root, to), ...quiet, ...given });
    expect(() => back("a", { keys: undefined })).toThrow("name their copy with --keys");
    expect(existsSync(join(root, "a"))).toBe(false);
    back("b", { keys });
    for (const name of ["keys.sealed", "unlock.key"]) {
      const path = join(root, "b", "signer", name);
      expect(readFileSync(path, "utf8")).toBe(readFileSync(join(data, "signer", name), "utf8"));
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    back("c", { keys: null });
    expect(existsSync(join(root, "c", "signer"))).toBe(false);
    writeFileSync(join(keys, "keys.sealed"), "other keys");
    expect(() => back("d", { keys })).toThrow("is not the one this copy belongs to");
  },
);
