#!/usr/bin/env node
// Entry of the `clockwork` command: readings of a data folder, the rebuilding of its tables, copies of it and their return.
// Must never change a journal or a snapshot.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readSums } from "@clockwork/core/inspect/sums";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { KNOWN_RULES } from "@clockwork/core/protocol/rules";
import { verifyDraw } from "@clockwork/growth/spring/draw-check";
import { loadConfig } from "@clockwork/host/settings/config";
import { renderHelp, renderSample } from "@clockwork/host/settings/reference";
import { backup, requireNew, restore } from "../copies/copies.ts";
import { copyKeys, SIGNER_FOLDER } from "../copies/keys.ts";
import { inspectFolder, replayTo, verifyFolder } from "../engine/inspection.ts";
import { rebuildProjection } from "../engine/projection/rebuild.ts";
import { nameRelease } from "../engine/release.ts";
import { PROJECTORS } from "../projectors/projectors.ts";
import { verifyTables } from "../projectors/verify-tables.ts";
import { ROOT_FOLDER } from "../root-folder.ts";
import { runInit } from "../setup/init.ts";
import { DATABASE_FILE, type Database, openDatabase } from "../storage/database.ts";
import { FolderInUseError, lockFolder } from "../storage/lock.ts";
import { collectMigrations, migrate } from "../storage/migrations.ts";
import { reportLeader } from "./leader-report.ts";
import { checkUpgrade } from "./upgrade-check.ts";
import { describeVersion, readVersion } from "./version.ts";

const USAGE = `clockwork <command> [data folder]

  verify  <data>                      re-run the journal; print sequence, state hash (with and without
                                      snapshots) and what users and house hold of each asset against what was minted
  replay  <data> --to SEQ             the state after SEQ, the command there and its events
  inspect <data> [--from SEQ] [--to SEQ] [--limit N]
                                      segments and snapshots; with --from or --to also the commands
  rebuild <data>                      empty the projection's tables and fill them again from the journal; commands of
                                      another release with CW_REPLAY_OTHER_RELEASES=on alone
  leader-report ID [data]             a leader's figures, reckoned from the journal alone
  backup  <data> --to FOLDER          copy tables, key, snapshots and journal, in this order, while the server runs;
                                      never the signer's keys
  backup-keys <data> --to FOLDER      copy the signer's keys, to be kept apart from every other copy
  restore <copy> --to FOLDER --keys FOLDER | --without-keys
                                      check a copy, make a data folder from it with the keys it belongs to, and
                                      verify that
  draw    <project|round> [--source PLACE]
                                      draw lotteries again from public data; PLACE is an exchange or a downloaded file
                                      (spring cards: the file of one's own draws),
                                      http://127.0.0.1:3000 where none is named
  sign-refill <keys> --file FILE --hot ADDRESS
                                      sign a prepared refill of the hot wallet with the cold wallet's key in that
                                      folder; for the machine without a network
  upgrade --check <data>              what a start by this release would do: snapshot, replay, migrations, time and space; changes
                                      nothing
  settings [--sample]                 every setting with its value, default and meaning; --sample prints a settings file
                                      with all of them as comments
  init production [--file FILE] [--NAME VALUE ...]
                                      write the settings of a production exchange: NAME is a line of the file, such as
                                      --public_origin; what is left out is asked for; makes keys and says what remains
  doctor [--json] [--mail-to ADDRESS] look at settings, machine, database, mail, names, proxy, networks, wallet and copies,
                                      and say what to do; changes nothing, and sends a mail only where one is named
  version                             version, commit, rules and layouts of this release
  payout-contract                     the data of the transaction that puts the contract paying many at once onto a network

The data folder defaults to CW_DATA, or ./data. Tables are those of DATABASE_URL, or of SQLite in the folder; restore
fills the empty database of DATABASE_URL.`;

const factory = { createMachine, restoreMachine, readSums, rules: KNOWN_RULES };
const print = (line: string): void => void process.stdout.write(`${line}\n`);

class UsageError extends Error {}

function readSequence(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new UsageError(`--${name} needs a sequence, 1 or more`);
  return value;
}

async function rebuild(folder: string, databaseUrl: string | undefined, replayOthers: boolean): Promise<void> {
  const lock = lockFolder(folder);
  const database = await openDatabase({ url: databaseUrl, folder });
  try {
    await database.claim(0);
    await migrate(database, collectMigrations(ROOT_FOLDER));
    const { kysely } = database;
    const release = nameRelease(readVersion(), ROOT_FOLDER);
    const journal = { folder, release, replayOthers, onNote: print };
    const sequence = await rebuildProjection({ ...journal, kysely, projectors: PROJECTORS, factory });
    print(`rebuilt the tables up to sequence ${sequence}`);
  } finally {
    await database.close();
    lock.release();
  }
}

async function report(id: string | undefined, folder: string): Promise<number> {
  const account = Number(id);
  if (!Number.isSafeInteger(account) || account < 1) throw new UsageError("leader-report needs the leader's id");
  return (await reportLeader({ folder: resolve(folder), account, factory, print })) ? 0 : 1;
}

function requireTarget(to: string | undefined): string {
  if (to === undefined) throw new UsageError("needs --to FOLDER, a new one");
  return resolve(to);
}

function backupKeys(folder: string, to: string): number {
  requireNew(to);
  for (const name of copyKeys(join(folder, SIGNER_FOLDER), to)) print(`key       ${name}`);
  print("whoever has these files has the money: keep them apart from the other copies");
  return 0;
}

async function verify(folder: string, databaseUrl: string | undefined): Promise<boolean> {
  const isGood = verifyFolder({ folder, factory, print });
  return (await verifyStored(folder, databaseUrl)) && isGood;
}

/** Of a running server the tables move on while they are read: it has compared them itself. */
async function verifyStored(folder: string, databaseUrl: string | undefined): Promise<boolean> {
  if (databaseUrl === undefined && !existsSync(join(folder, DATABASE_FILE))) {
    print("tables    none");
    return true;
  }
  let database: Database;
  try {
    database = await openDatabase({ url: databaseUrl, folder });
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    print("tables    not compared: the server is running, and compares them at its start");
    return true;
  }
  try {
    await database.claim(0);
    return await verifyTables({ folder, kysely: database.kysely, factory, print });
  } finally {
    await database.close();
  }
}

async function signFile(keys: string | undefined, file: string | undefined, hot: string | undefined): Promise<number> {
  if (keys === undefined || file === undefined || hot === undefined)
    throw new UsageError("sign-refill needs the folder of the keys, --file and --hot");
  const { signRefill } = await import("@clockwork/custody/chain/cold-sign");
  print(await signRefill(resolve(keys), resolve(file), hot));
  return 0;
}

/** Fails where something is red, so that a timer can report it. */
async function consult(isJson: boolean, mailTo: string | undefined): Promise<number> {
  const { examine, renderFindings } = await import("../doctor/doctor.ts");
  const { OUTSIDE } = await import("../doctor/outside.ts");
  const findings = await examine({ ...loadConfig(), content: join(ROOT_FOLDER, "content"), outside: OUTSIDE, mailTo });
  print(isJson ? JSON.stringify({ findings }, undefined, 2) : renderFindings(findings));
  return findings.some(({ light }) => light === "red") ? 1 : 0;
}

async function run(): Promise<number> {
  // Its options are the keys of all settings.
  if (process.argv[2] === "init") return runInit(process.argv.slice(3), process.stdin, print);
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: "string" },
      to: { type: "string" },
      limit: { type: "string" },
      source: { type: "string" },
      file: { type: "string" },
      hot: { type: "string" },
      keys: { type: "string" },
      check: { type: "boolean" },
      sample: { type: "boolean" },
      json: { type: "boolean" },
      "mail-to": { type: "string" },
      "without-keys": { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [command, given] = positionals;
  if (values.help === true || command === undefined) {
    print(USAGE);
    return command === undefined && values.help !== true ? 2 : 0;
  }
  if (command === "version") {
    for (const line of describeVersion()) print(line);
    return 0;
  }
  if (command === "settings") {
    print(values.sample === true ? renderSample() : renderHelp());
    return 0;
  }
  if (command === "doctor") return consult(values.json === true, values["mail-to"]);
  const { config } = loadConfig();
  if (command === "leader-report") return report(given, positionals[2] ?? config?.folder ?? "./data");
  const folder = resolve(given ?? config?.folder ?? "./data");
  const isCopy = ["backup", "backup-keys", "restore"].includes(command);
  const [from, to] = [readSequence("from", values.from), readSequence("to", isCopy ? undefined : values.to)];
  const databaseUrl = config?.databaseUrl;
  switch (command) {
    case "verify":
      return (await verify(folder, databaseUrl)) ? 0 : 1;
    case "replay": {
      if (to === undefined) throw new UsageError("replay needs --to SEQ");
      replayTo({ folder, factory, print, toSequence: to });
      return 0;
    }
    case "inspect": {
      const commandsMax = readSequence("limit", values.limit) ?? 1_000;
      const listing = { fromSequence: from ?? 1, toSequence: to ?? Number.MAX_SAFE_INTEGER, commandsMax };
      inspectFolder({ folder, factory, print, ...(from === undefined && to === undefined ? {} : { listing }) });
      return 0;
    }
    case "rebuild":
      await rebuild(folder, databaseUrl, config?.replayOthers === "on");
      return 0;
    case "upgrade":
      if (values.check !== true) throw new UsageError("upgrade needs --check: the upgrade itself is the next start");
      return (await checkUpgrade({
        folder,
        databaseUrl,
        release: nameRelease(readVersion(), ROOT_FOLDER),
        migrations: collectMigrations(ROOT_FOLDER),
        factory,
        print,
      }))
        ? 0
        : 1;
    case "backup":
      backup({ from: folder, to: requireTarget(values.to), databaseUrl, print });
      return 0;
    case "backup-keys":
      return backupKeys(folder, requireTarget(values.to));
    case "restore": {
      if (given === undefined) throw new UsageError("restore needs the folder of a copy");
      const target = requireTarget(values.to);
      const keys = values["without-keys"] === true ? null : values.keys;
      restore({ from: resolve(given), to: target, databaseUrl, print, keys });
      return (await verify(target, databaseUrl)) ? 0 : 1;
    }
    case "draw": {
      if (given === undefined) throw new UsageError("draw needs a project or one of its rounds");
      return (await verifyDraw({ name: given, from: values.source ?? "http://127.0.0.1:3000" }, print)) ? 0 : 1;
    }
    case "sign-refill":
      return signFile(given, values.file, values.hot);
    case "payout-contract": {
      const { PAYOUT_DEPLOYMENT } = await import("@clockwork/custody/chain/payout-code");
      print(PAYOUT_DEPLOYMENT);
      return 0;
    }
    default:
      throw new UsageError(`unknown command ${command}`);
  }
}

try {
  process.exitCode = await run();
} catch (error) {
  const isUsage = error instanceof UsageError || (error instanceof TypeError && "code" in error);
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${isUsage ? `\n${USAGE}\n` : ""}`);
  process.exitCode = isUsage ? 2 : 1;
}
