#!/usr/bin/env node
// Entry of the `clockwork` command: readings of a data folder, and the rebuilding of its tables.
// Must never change a journal or a snapshot.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readSums } from "@clockwork/core/inspect/sums";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { loadConfig } from "./config.ts";
import { inspectFolder, replayTo, verifyFolder } from "./engine/inspection.ts";
import { rebuildProjection } from "./engine/projection/rebuild.ts";
import { PROJECTORS } from "./projectors/projectors.ts";
import { openDatabase } from "./storage/database.ts";
import { lockFolder } from "./storage/lock.ts";
import { collectMigrations, migrate } from "./storage/migrations.ts";

const USAGE = `clockwork <command> [data folder]

  verify  <data>                      re-run the journal; print sequence, state hash (with and without
                                      snapshots) and what users and house hold of each asset against what was minted
  replay  <data> --to SEQ             the state after SEQ, the command there and its events
  inspect <data> [--from SEQ] [--to SEQ] [--limit N]
                                      segments and snapshots; with --from or --to also the commands
  rebuild <data>                      empty the projection's tables and fill them again from the journal

The data folder defaults to CW_DATA, or ./data. rebuild writes to DATABASE_URL, or to SQLite in the folder.`;

const ROOT_FOLDER = resolve(import.meta.dirname, "../../..");
const factory = { createMachine, restoreMachine, readSums };
const print = (line: string): void => void process.stdout.write(`${line}\n`);

class UsageError extends Error {}

function readSequence(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new UsageError(`--${name} needs a sequence, 1 or more`);
  return value;
}

async function rebuild(folder: string, databaseUrl: string | undefined): Promise<void> {
  const lock = lockFolder(folder);
  const database = await openDatabase({ url: databaseUrl, folder });
  try {
    await database.claim(0);
    await migrate(database, collectMigrations(ROOT_FOLDER));
    const { kysely } = database;
    const sequence = await rebuildProjection({ folder, kysely, projectors: PROJECTORS, factory });
    print(`rebuilt the tables up to sequence ${sequence}`);
  } finally {
    await database.close();
    lock.release();
  }
}

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: "string" },
      to: { type: "string" },
      limit: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [command, given] = positionals;
  if (values.help === true || command === undefined) {
    print(USAGE);
    return command === undefined && values.help !== true ? 2 : 0;
  }
  const { config } = loadConfig();
  const folder = resolve(given ?? config?.folder ?? "./data");
  const [from, to] = [readSequence("from", values.from), readSequence("to", values.to)];
  switch (command) {
    case "verify":
      return verifyFolder({ folder, factory, print }) ? 0 : 1;
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
      await rebuild(folder, config?.databaseUrl);
      return 0;
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
