// `clockwork upgrade --check`: what a start by this release would do with a data folder, and whether it would be refused. Must
// change nothing.
import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Machine } from "@clockwork/core/protocol/contract";
import { FIRST_RULES } from "@clockwork/core/protocol/rules";
import { measureMs } from "@clockwork/host/time/measure";
import { RuleViolation } from "@clockwork/kit/assert";
import { localFiles } from "../engine/journal/files.ts";
import { listSegments, readLastSequence } from "../engine/journal/segments.ts";
import { EngineFault } from "../engine/memory/fault.ts";
import { journalFolderOf, snapshotFolderOf } from "../engine/places.ts";
import type { MachineFactory } from "../engine/recovery/recovery.ts";
import { checkReleases, listOthers, refuseSnapshot } from "../engine/recovery/releases.ts";
import { loadSnapshot, type Snapshot } from "../engine/recovery/snapshots.ts";
import { DATABASE_FILE, openDatabase } from "../storage/database.ts";
import {
  choosePending,
  listPending,
  MigrationError,
  type MigrationSource,
  orderSources,
} from "../storage/migrations.ts";

export interface UpgradeCheckOptions {
  readonly folder: string;
  readonly databaseUrl: string | undefined;
  readonly release: string;
  readonly migrations: readonly MigrationSource[];
  readonly factory: MachineFactory;
  readonly print: (line: string) => void;
}

/** Of a busy machine; the default run's commands are replayed four times as fast. */
const COMMANDS_A_SECOND = 100_000;
const NAMES_MAX = 8;

/** True when a start would go through. */
export async function checkUpgrade(options: UpgradeCheckOptions): Promise<boolean> {
  const { folder, print } = options;
  const problems: string[] = [];
  print(`release   ${options.release}`);
  const seconds = checkJournal(options, problems);
  await checkTables(options, problems);
  print(`time      about ${Math.ceil(seconds)} s before trading, and what the migrations of large tables take`);
  await checkSpace(folder, options.databaseUrl, problems, print);
  for (const problem of problems) print(`refused   ${problem}`);
  if (problems.length === 0) print("good      a start by this release goes through; nothing was changed");
  return problems.length === 0;
}

/** Seconds until the core is back. */
function checkJournal({ folder, factory, release, print }: UpgradeCheckOptions, problems: string[]): number {
  const segments = listSegments(localFiles, journalFolderOf(folder));
  const last = segments.at(-1);
  if (last === undefined) {
    print("journal   none");
    return 0;
  }
  const lastSequence = readLastSequence(localFiles, segments);
  print(`journal   ${segments.length} segments up to ${lastSequence}, last written by ${last.header.release}`);
  const wanted = { identity: last.header.identity, sequenceMax: lastSequence };
  const snapshot = loadSnapshot(localFiles, snapshotFolderOf(folder), wanted, (fault) =>
    print(`note      ${fault.message}`),
  );
  const from = snapshot?.sequence ?? 0;
  const startedMs = measureMs();
  const machine = restore(snapshot, factory, problems, print);
  const range = { fromSequence: from, toSequence: lastSequence };
  const others = [...new Set(listOthers(segments, release, range).map(({ header }) => header.release))];
  const after = lastSequence - from;
  const by = others.length === 0 ? "" : `, written by ${others.join(", ")}`;
  print(`replay    ${after} commands after it${by}`);
  if (machine !== undefined) {
    try {
      checkReleases(segments, { release, rules: factory.rules }, range);
    } catch (error) {
      if (!(error instanceof EngineFault)) throw error;
      problems.push(error.message);
    }
    printRules(Math.max(machine.rules, last.header.rules), factory, print);
  }
  return (measureMs() - startedMs) / 1_000 + after / COMMANDS_A_SECOND;
}

function printRules(inForce: number, { rules }: MachineFactory, print: (line: string) => void): void {
  if (rules === undefined) return;
  const before = inForce === 0 ? `not numbered, which is ${FIRST_RULES}` : `${inForce}`;
  print(`rules     ${before}${inForce < rules.newest ? `; the start sets ${rules.newest}` : ""}`);
}

/** The machine as it is after the snapshot; undefined when that cannot be read. */
function restore(
  snapshot: Snapshot | undefined,
  { createMachine, restoreMachine }: MachineFactory,
  problems: string[],
  print: (line: string) => void,
): Machine | undefined {
  if (snapshot === undefined) {
    print("snapshot  none: everything is replayed");
    return createMachine();
  }
  const { path, sequence, release, state } = snapshot;
  try {
    const machine = restoreMachine([state]);
    print(`snapshot  ${sequence} of ${release} is read by this release`);
    return machine;
  } catch (error) {
    if (!(error instanceof RuleViolation)) throw error;
    print(`snapshot  ${sequence} of ${release} cannot be read: ${error.message}`);
    problems.push(refuseSnapshot(path, release, error.message).message);
    return undefined;
  }
}

async function checkTables(
  { folder, databaseUrl, migrations, print }: UpgradeCheckOptions,
  problems: string[],
): Promise<void> {
  try {
    const pending = await readPending(folder, databaseUrl, migrations);
    const shown = pending.slice(0, NAMES_MAX).join(", ");
    const more = pending.length > NAMES_MAX ? ` and ${pending.length - NAMES_MAX} more` : "";
    print(
      pending.length === 0
        ? "tables    as this release has them"
        : `tables    ${pending.length} migrations: ${shown}${more}`,
    );
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    print("tables    are not of this release or an earlier one");
    problems.push(error.message);
  }
}

async function readPending(
  folder: string,
  url: string | undefined,
  migrations: readonly MigrationSource[],
): Promise<readonly string[]> {
  if (url !== undefined) {
    const database = await openDatabase({ url, folder });
    try {
      return await listPending(database.kysely, migrations);
    } finally {
      await database.close();
    }
  }
  const path = join(folder, DATABASE_FILE);
  const ordered = orderSources(migrations);
  if (!existsSync(path)) return ordered.map(({ name }) => name);
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare("SELECT name, checksum FROM storage_migrations").all();
    const applied = rows.map(({ name, checksum }) => ({ name: String(name), checksum: String(checksum) }));
    return choosePending(ordered, applied).map(({ name }) => name);
  } finally {
    database.close();
  }
}

/** Migrations are one transaction, which may write as much again as the tables hold. */
async function checkSpace(
  folder: string,
  url: string | undefined,
  problems: string[],
  print: (line: string) => void,
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const path = join(folder, DATABASE_FILE);
  const needed = url === undefined && existsSync(path) ? statSync(path).size : 0;
  const mb = (bytes: number): number => Math.ceil(bytes / 1e6);
  print(`space     ${mb(bavail * bsize)} MB are left, migrations may take ${mb(needed)} MB for a while`);
  if (bavail * bsize < needed) problems.push(`too little room on the disk of ${folder}`);
}
