// `clockwork backup` and `clockwork restore`: a copy of a whole data folder, taken while the server runs, in the order that
// keeps the tables behind the journal; and a new folder made from it, proved before it is called good.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makePrivate } from "@clockwork/host/private-files";
import { KEY_FILE } from "@clockwork/identity/accounts/secret-key";
import { journalFolderOf, snapshotFolderOf } from "../engine/places.ts";
import { backupDatabase, copyDatabase } from "../storage/backup.ts";
import { DATABASE_FILE } from "../storage/database.ts";
import { copyJournal } from "./copy-journal.ts";
import { copyKeys, hashOfKeys, requireKeys, SIGNER_FOLDER } from "./keys.ts";
import { DUMP_FILE, listFiles, type Manifest, readCopy, writeManifest } from "./manifest.ts";

export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  readonly databaseUrl: string | undefined;
  readonly print: (line: string) => void;
}

export interface RestoreOptions extends CopyOptions {
  /** The folder of `backup-keys` that belongs to the copy; null to go without on purpose: nothing is signed then. */
  readonly keys: string | null | undefined;
}

export function requireNew(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(`${folder} is not empty: name a new folder with --to`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Tables first, journal last: the journal then holds every command the tables have seen. */
export function backup({ from, to, databaseUrl, print }: CopyOptions): Manifest {
  requireNew(to);
  try {
    if (databaseUrl === undefined) backupDatabase(from, join(to, DATABASE_FILE));
    else runTool("pg_dump", ["--format=custom", "--no-owner", `--file=${join(to, DUMP_FILE)}`], databaseUrl);
    print(`tables    ${databaseUrl === undefined ? DATABASE_FILE : DUMP_FILE}`);
    const hasKey = existsSync(join(from, KEY_FILE));
    if (hasKey) copyFileSync(join(from, KEY_FILE), join(to, KEY_FILE));
    print(`key       ${hasKey ? KEY_FILE : "none here: keep CW_SECRET_KEY yourself"}`);
    copySnapshots(from, to);
    const { identity, sequence, archivedElsewhere } = copyJournal(journalFolderOf(from), journalFolderOf(to));
    print(`journal   ${identity} up to ${sequence}`);
    if (archivedElsewhere > 0)
      print(
        `archive   ${archivedElsewhere} segments are not copied: they remain in the places of journal/archive.json`,
      );
    // After the tables: a chain that is ahead of them is read on.
    copyFolder(from, to, "chain", (name) => name.endsWith(".sqlite"), copyDatabase);
    copyFolder(from, to, "prehistory", () => true, copyFileSync);
    // After the tables, which name them: files of trades never change.
    copyFolder(from, to, "trades", (name) => name.endsWith(".trades"), copyFileSync);
    const signer = hashOfKeys(join(from, SIGNER_FOLDER));
    if (signer !== undefined) print("signer    not copied: its keys are kept apart by backup-keys");
    const tables = databaseUrl === undefined ? "sqlite" : "postgres";
    const keys = signer === undefined ? {} : { signer };
    const manifest: Manifest = { format: 1, tables, journal: identity, sequence, ...keys, files: listFiles(to) };
    writeManifest(to, manifest);
    makePrivate(to);
    return manifest;
  } catch (error) {
    rmSync(to, { recursive: true, force: true });
    throw error;
  }
}

/** What of a folder is there; nothing where it is not. */
function copyFolder(
  from: string,
  to: string,
  folder: string,
  isWanted: (name: string) => boolean,
  copy: (source: string, target: string) => unknown,
): void {
  if (!existsSync(join(from, folder))) return;
  mkdirSync(join(to, folder), { mode: 0o700 });
  for (const name of readdirSync(join(from, folder)).filter(isWanted))
    copy(join(from, folder, name), join(to, folder, name));
}

/** They only shorten a start: one that is being replaced is left out. */
function copySnapshots(from: string, to: string): void {
  const source = snapshotFolderOf(from);
  if (!existsSync(source)) return;
  mkdirSync(snapshotFolderOf(to), { mode: 0o700 });
  for (const name of readdirSync(source).filter((found) => !found.endsWith(".tmp"))) {
    try {
      copyFileSync(join(source, name), join(snapshotFolderOf(to), name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

/** Makes a data folder from a copy; the tables of PostgreSQL go into the empty database named by DATABASE_URL. */
export function restore({ from, to, databaseUrl, print, keys }: RestoreOptions): Manifest {
  const manifest = readCopy(from);
  const fitting = manifest.signer === undefined || keys === null ? undefined : requireKeys(manifest.signer, keys);
  if (manifest.tables === "postgres" && databaseUrl === undefined) {
    throw new Error("this copy holds tables of PostgreSQL: name an empty database in DATABASE_URL");
  }
  if (manifest.tables === "sqlite" && databaseUrl !== undefined) {
    throw new Error("this copy holds tables of SQLite: leave DATABASE_URL empty");
  }
  requireNew(to);
  try {
    for (const { name } of manifest.files) {
      if (name === DUMP_FILE) continue;
      mkdirSync(dirname(join(to, name)), { recursive: true, mode: 0o700 });
      copyFileSync(join(from, name), join(to, name));
    }
    if (fitting !== undefined) copyKeys(fitting, join(to, SIGNER_FOLDER));
    makePrivate(to);
    if (databaseUrl !== undefined) {
      runTool(
        "pg_restore",
        ["--no-owner", "--exit-on-error", "--single-transaction", join(from, DUMP_FILE)],
        databaseUrl,
      );
    }
  } catch (error) {
    rmSync(to, { recursive: true, force: true });
    throw error;
  }
  print(`restored  ${manifest.files.length} files up to command ${manifest.sequence}`);
  return manifest;
}

/** The URL holds a password, so it goes by the environment and not by the command line. */
function runTool(tool: "pg_dump" | "pg_restore", given: readonly string[], url: string): void {
  const { hostname, port, username, password, pathname } = new URL(url);
  const env = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    PGHOST: decodeURIComponent(hostname),
    PGPORT: port || "5432",
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  };
  const target = tool === "pg_restore" ? [`--dbname=${env.PGDATABASE}`] : [];
  const { status, error, stderr } = spawnSync(tool, [...target, ...given], { env, encoding: "utf8" });
  if (error !== undefined)
    throw new Error(`${tool} cannot be run (${error.message}): install PostgreSQL's client tools`);
  if (status !== 0) throw new Error(`${tool} failed: ${stderr.trim()}`);
}
