// The served process: reads the config, reports every problem at once, starts the parts, prints its address, and stops
// cleanly on a signal. The only file that prints for a person and ends the process.

import { join } from "node:path";
import { createLog, type Log } from "@clockwork/host/log";
import {
  type Config,
  cookiePlaceOf,
  describePortError,
  loadConfig,
  type Problem,
  probeConfig,
} from "@clockwork/host/settings/config";
import { findUnsafe } from "@clockwork/host/settings/production";
import { inBackground } from "@clockwork/host/time/background";
import { measureMs } from "@clockwork/host/time/measure";
import { modeFactsOf } from "@clockwork/site/articles/rules";
import { findSimulationTexts, readFacts } from "@clockwork/site/articles/seed-files";
import type { FastifyInstance } from "fastify";
import { beginPages, mountPages } from "../http/pages.ts";
import { startEngineWithTables } from "../projectors/start.ts";
import { ROOT_FOLDER } from "../root-folder.ts";
import { awaitFolder, FolderInUseError, noteStopping } from "../storage/lock.ts";
import { type Clockwork, compose } from "./compose.ts";
import { readVersion } from "./version.ts";

const startedMs = measureMs();
/** A quarter of a second of start for first bursts of orders that take a fifth of the time. */
const WARM_UP_COMMANDS = 100_000;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function refuse(problems: readonly Problem[]): never {
  for (const { setting, message } of problems) process.stderr.write(`clockwork: ${setting}: ${message}\n`);
  process.exit(1);
}

function openLog(config: Config): Log {
  const text = config.mode === "development" || process.stdout.isTTY === true;
  const format = config.logFormat === "auto" ? (text ? "text" : "json") : config.logFormat;
  return createLog({ level: config.logLevel, format, write: (line) => process.stdout.write(line) });
}

/** Texts that promise test funds, or call real prices simulated. */
function judgeContent({ mode, market }: Config, content: string): readonly Problem[] {
  if (mode !== "production" || market === "on") return [];
  const found = findSimulationTexts(content, modeFactsOf(false, false));
  const remedy = "Mark these parts with {{#testFunds}}…{{/testFunds}} or {{#simulatedMarket}}…{{/simulatedMarket}}";
  return found.length === 0
    ? []
    : [{ setting: "content", message: `${found.join(", ")} speaks of simulation. ${remedy}` }];
}

/** What production refuses, and in every mode a file of the company's facts that cannot be read. */
function judgeSettings(config: Config): readonly Problem[] {
  try {
    const content = join(ROOT_FOLDER, "content");
    return [...findUnsafe(config, readFacts(content, config.companyFile)), ...judgeContent(config, content)];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ setting: "CW_COMPANY", message }, ...findUnsafe(config, {})];
  }
}

async function listen(app: FastifyInstance, config: Config): Promise<number> {
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    // Another process took the port since it was probed.
    const problem = describePortError(error as NodeJS.ErrnoException, config.host, config.port);
    process.stderr.write(`clockwork: ${problem.setting}: ${problem.message}\n`);
    throw error;
  }
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : config.port;
}

/**
 * Taken first: while the previous process is stopping its port may still be taken. A second start reports the folder
 * together with all other problems. The system releases the lock when the process ends.
 */
async function probeLock(folder: string): Promise<readonly Problem[]> {
  try {
    await awaitFolder(folder, () => print("  waiting for the process before, which is stopping"));
    return [];
  } catch (error) {
    // Every other fault of the folder has been reported by the probe before.
    return error instanceof FolderInUseError ? [{ setting: "CW_DATA", message: error.message }] : [];
  }
}

/** The first signal ends cleanly; a second one ends at once. */
function stopOnSignals(clockwork: Clockwork, log: Log, folder: string): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) {
      print("stopped at once");
      process.exit(130);
    }
    stopping = true;
    inBackground("stop.note", () => noteStopping(folder));
    print(`${signal}: stopping; running requests may end (again to stop at once)`);
    clockwork.close().then(
      () => {
        print("stopped");
        process.exit(0);
      },
      (error: unknown) => {
        log.error("stop.failed", { error });
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // The page builder of development ends the process on its own, in the middle of everything.
    process.removeAllListeners(signal);
    process.on(signal, stop);
  }
}

/** An uncaught fault leaves the state unknown; the journal is intact, so ending is safe. */
function endOnFaults(log: Log): void {
  const end = (error: unknown): void => {
    log.error("process.fault", { error });
    process.exit(70);
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}

async function main(): Promise<void> {
  const { config, problems, unknown } = loadConfig();
  for (const name of unknown)
    process.stderr.write(`clockwork: ${name}: there is no such setting; it changes nothing\n`);
  const locked = await probeLock(config.folder);
  const found = [...problems, ...(await probeConfig(config)), ...judgeSettings(config), ...locked];
  if (found.length > 0) refuse(found);
  const log = openLog(config);
  endOnFaults(log);
  const version = readVersion();
  print(`Clockwork ${version} (${config.mode}, Node ${process.versions.node}, data in ${config.folder})`);
  const pages = {
    folder: join(ROOT_FOLDER, "apps/web"),
    // Pages are served in one of two ways: as built, or from sources.
    mode: config.mode === "development" ? ("development" as const) : ("production" as const),
    publicOrigin: config.publicOrigin,
    cookies: cookiePlaceOf(config),
    givesWay: config.pagePriority === "low",
    version,
    log,
  };
  // Started before the rest, so that pages can be rendered from the first request on.
  const processes = pages.mode === "production" ? beginPages(pages) : undefined;
  const clockwork = await compose({
    config,
    log,
    version,
    report: (step) => print(`  ${step}`),
    announce: (line) => print(`  ${line}`),
    startEngine: (options) => startEngineWithTables({ ...options, warmUpCommands: WARM_UP_COMMANDS }),
    market: config.market === "on" ? "simulated" : "listed",
    pages: (scope) => mountPages(scope, pages, processes),
  }).catch((error: unknown) => {
    log.debug("start.failed", { error });
    return refuse([{ setting: "start", message: error instanceof Error ? error.message : String(error) }]);
  });
  stopOnSignals(clockwork, log, config.folder);
  const port = await listen(clockwork.app, config).catch(async () => {
    await clockwork.close();
    return process.exit(1);
  });
  const tookMs = Math.round(measureMs() - startedMs);
  const lines = [
    `  serving on http://localhost:${port}`,
    ...(config.mode !== "production" && config.smtpUrl === undefined
      ? [`  codes and mails stay here: http://localhost:${port}/dev/outbox`]
      : []),
    `  ready in ${tookMs} ms; Ctrl-C stops`,
  ];
  print(lines.join("\n"));
  log.info("server.started", { version, port, mode: config.mode, tookMs });
}

await main();
