// Databases that have every table already, made once for a run and copied from then on: making the tables takes longer
// than all the rest of a start. Named by what they were made from, so that a changed migration makes another.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openDatabase } from "./database.ts";
import { collectMigrations, migrate } from "./migrations.ts";

const ROOT = new URL("../../../..", import.meta.url).pathname;
/** The holder creates the template; any number that no other code takes is fine. */
const LOCK = 7_310_031;

let known: string | undefined;
function templateName(): string {
  known ??= `cw_template_${createHash("sha256")
    .update(JSON.stringify(collectMigrations(ROOT)))
    .digest("hex")
    .slice(0, 16)}`;
  return known;
}

/** Puts SQLite's files with every table into an empty folder; one that holds anything is left as it is. */
export async function copyTables(folder: string): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length > 0) return;
  const template = join(tmpdir(), templateName());
  if (!existsSync(template)) {
    const made = mkdtempSync(join(tmpdir(), "cw-making-"));
    const database = await openDatabase({ url: undefined, folder: made });
    await migrate(database, collectMigrations(ROOT));
    await database.close();
    try {
      renameSync(made, template);
    } catch {
      // Another process was faster.
      rmSync(made, { recursive: true, force: true });
    }
  }
  cpSync(template, folder, { recursive: true });
}

/** The name of a database with every table on that server; it has no connections. */
export async function templateOn(url: string): Promise<string> {
  const name = templateName();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    const found = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (found.rows.length > 0) return name;
    await client.query(`drop database if exists ${name}_making`);
    await client.query(`create database ${name}_making encoding 'UTF8' template template0`);
    const own = new URL(url);
    own.pathname = `/${name}_making`;
    const database = await openDatabase({ url: own.href, folder: tmpdir() });
    await migrate(database, collectMigrations(ROOT));
    await database.close();
    await client.query(`alter database ${name}_making rename to ${name}`);
    return name;
  } finally {
    await client.end();
  }
}
