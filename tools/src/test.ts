// Owns `npm test`: brings what the tests need, runs the suites in order with a line each, and ends with the count.
// Never leaves a process behind, and never calls a suite passed that had files and ran nothing.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "./build.mjs";
import { runChecks } from "./check.ts";
import { listUnreached } from "./check-tests.ts";
import { runQuietly } from "./child.mjs";
import { ensureLinters } from "./linters.ts";
import { startPostgres } from "./postgres.ts";
import { print, Refusal, seconds, step } from "./progress.mjs";
import { SUITES, type Suite } from "./suites.ts";
import { ensurePackages, findChromium, findPostgres } from "./system-packages.ts";
import {
  addCounts,
  type Count,
  countResults,
  leaveOut,
  listCostly,
  listFailedFiles,
  listFailures,
} from "./test-results.ts";

const ROOT = resolve(import.meta.dirname, "../..");
// Vitest writes into a pipe here, so it cannot see whether a terminal or a log file is at its end.
const COLOR: Record<string, string> = process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1", FORCE_COLOR: "0" };
const NAMES = ["check", ...SUITES.map(({ name }) => name)];

/** Where a suite's time goes, as a guide to shortening it: CONTRIBUTING states what a file may take. */
const COSTLY = { overMs: 20_000, most: 5 };
const costly: string[] = [];

/** The failures of all suites, repeated at the end. */
const failures: string[] = [];

const filesOf = ({ include, exclude }: Suite): readonly string[] =>
  globSync([...include], { cwd: ROOT, exclude: [...exclude] }).filter((path) => !path.includes("node_modules"));

const isStopped = { now: false };

/** Failed once and passed when run again: each is a fault to be found, and is listed at the end of every run. */
const flaky: string[] = [];

interface Ran {
  readonly code: number;
  readonly output: string;
  /** What vitest wrote of it, where it came that far. */
  readonly text: string | undefined;
}

/** The expectations of a whole suite that its run did not reach: each proves nothing. */
const judgeReach = (suite: Suite, count: Count, reached: string): Count => {
  const places = listUnreached(ROOT, filesOf(suite), existsSync(reached) ? readFileSync(reached, "utf8") : "");
  const lines = places.map((place) => `FAIL ${suite.name} ${place}: this expectation never ran`);
  failures.push(...lines);
  for (const line of lines) print(line);
  return { ...count, failed: count.failed + lines.length };
};

const runVitest = async (suite: Suite, filters: readonly string[], env: Record<string, string>): Promise<Ran> => {
  const folder = mkdtempSync(join(tmpdir(), "cw-test-"));
  try {
    const report = join(folder, "report.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`, "--silent=passed-only"];
    const args = [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--project",
      suite.name,
      "--passWithNoTests",
      ...reporters,
      ...filters,
    ];
    const costs = join(folder, "costs.txt");
    const { code, output } = await runQuietly(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...COLOR, CW_SETTINGS: "off", CW_COSTS: costs, ...env },
    });
    const written = existsSync(costs) ? readFileSync(costs, "utf8") : "";
    if (process.env.CW_COSTS !== undefined) appendFileSync(process.env.CW_COSTS, written);
    for (const { path, costMs } of listCostly(written, ROOT, COSTLY)) costly.push(`${seconds(costMs)} ${path}`);
    return { code, output, text: existsSync(report) ? readFileSync(report, "utf8") : undefined };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const runSuite = async (suite: Suite, filters: readonly string[], env: Record<string, string>): Promise<Count> => {
  const ran = await runVitest(suite, filters, env);
  const count = countResults(ran.text, ran.code, filters.length === 0);
  if (count.failed === 0) return count;
  const found = listFailures(ran.text, ROOT);
  const files = listFailedFiles(ran.text, ROOT);
  // What went wrong outside of all tests belongs to no file that could be run again.
  const isWithin = !ran.output.includes("Unhandled Error");
  const mayRepeat = files.length > 0 && files.length <= (suite.repeatsMax ?? 0) && isWithin && !isStopped.now;
  if (ran.text !== undefined && mayRepeat) {
    for (const line of found) print(`  run again: ${line}`);
    const again = await runVitest(suite, files, env);
    const second = countResults(again.text, again.code, true);
    if (second.failed === 0) {
      flaky.push(...found.map((line) => `FLAKY ${suite.name} ${line}`));
      print(ran.output);
      return addCounts(countResults(leaveOut(ran.text, ROOT, files), 0, false), second);
    }
    print(again.output);
  }
  // A log cut to its start or its end still names every failure.
  const lines = found.map((line) => `FAIL ${suite.name} ${line}`);
  failures.push(...lines);
  for (const line of [...lines, ran.output]) print(line);
  return count;
};

const report = (name: string, { passed, failed, skipped }: Count, tookMs: number): void => {
  const left = skipped > 0 ? `, ${skipped} skipped` : "";
  print(`${failed === 0 ? "✓" : "✗"} ${name.padEnd(8)} ${passed} passed, ${failed} failed${left} (${seconds(tookMs)})`);
};

interface Plan {
  readonly names: readonly string[];
  readonly filters: readonly string[];
}

/** `npm test -- unit core/` runs one suite and the files whose path contains core/; filters alone leave the checks out. */
const plan = (args: readonly string[]): Plan => {
  const names = args.filter((arg) => NAMES.includes(arg));
  const filters = args.filter((arg) => !NAMES.includes(arg));
  if (names.length > 0) return { names, filters };
  return { names: filters.length > 0 ? NAMES.slice(1) : NAMES, filters };
};

const prepare = async (names: readonly string[], suites: readonly Suite[]): Promise<void> => {
  const needs = new Set(suites.flatMap((suite) => suite.needs));
  await ensurePackages(needs);
  if (needs.has("linters")) await ensureLinters(ROOT);
  // The checks weigh the pages, so they too need a build of these very sources.
  if (needs.has("build") || names.includes("check")) await build(ROOT, process.execPath, ["web", "server"]);
};

const MEMORY = "/dev/shm";
/** Twice what the databases of all slices have been seen to take; those of the journeys take less. */
const MEMORY_BYTES_MIN = 4 * 2 ** 30;

/**
 * Throwaway databases and browser profiles in memory, without waiting for a disk: they request the same durability and
 * get it at once. A process killed by force finds its files there as it would on a disk. Nothing where the machine has
 * no space for it.
 */
const openMemory = (): string | undefined => {
  if (!existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < MEMORY_BYTES_MIN) return undefined;
  const folder = mkdtempSync(join(MEMORY, "cw-test-"));
  // PostgreSQL runs as its own user and has a folder in it.
  chmodSync(folder, 0o711);
  return folder;
};

const main = async (): Promise<number> => {
  const { names, filters } = plan(process.argv.slice(2));
  const from = performance.now();
  const suites = SUITES.filter(({ name }) => names.includes(name)).filter((suite) => {
    const has = filesOf(suite).some((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)));
    if (!has && filters.length === 0) print(`– ${suite.name.padEnd(8)} has no files`);
    return has;
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => (isStopped.now = true));
  await prepare(names, suites);
  const total = { passed: 0, failed: 0 };
  const tally = async (name: string, work: () => Promise<Count>): Promise<void> => {
    if (isStopped.now) return;
    print(`• ${name} …`);
    const at = performance.now();
    const count = await work();
    report(name, count, performance.now() - at);
    for (const line of costly.splice(0)) print(`  processor time: ${line}`);
    total.passed += count.passed;
    total.failed += count.failed;
  };
  if (names.includes("check")) await tally("check", async () => ({ ...(await runChecks(ROOT)), skipped: 0 }));
  const programs = findPostgres();
  const isNeeded = suites.some(({ needs }) => needs.includes("postgres"));
  const inMemory = ({ needs }: Suite): boolean => needs.includes("postgres") || needs.includes("chromium");
  const memory = suites.some(inMemory) ? openMemory() : undefined;
  const start = () => startPostgres(programs ?? "", memory);
  const postgres = isNeeded && programs ? await step("Starting PostgreSQL", start) : undefined;
  const reach = mkdtempSync(join(tmpdir(), "cw-reached-"));
  try {
    const chromium = findChromium();
    const env: Record<string, string> = {
      ...(postgres === undefined ? {} : { CW_TEST_DATABASE_URL: postgres.url }),
      ...(chromium === undefined ? {} : { CW_CHROMIUM: chromium }),
      // Journeys visit the server that was just built: it starts in two thirds of the time its sources take.
      CW_E2E_BUILT: "1",
      CW_BUILT_WORKERS: "1",
      // What one process has compiled the next need not: a server starts in four fifths of the time.
      ...(memory === undefined ? {} : { NODE_COMPILE_CACHE: join(memory, "compiled") }),
    };
    for (const suite of suites) {
      const place = memory !== undefined && inMemory(suite) ? { TMPDIR: memory } : {};
      await tally(suite.name, async () => {
        if (filters.length > 0 || !suite.reachesAll) return runSuite(suite, filters, { ...env, ...place });
        const reached = join(reach, suite.name);
        const count = await runSuite(suite, filters, { ...env, ...place, CW_REACHED: reached });
        return count.failed > 0 ? count : judgeReach(suite, count, reached);
      });
    }
  } finally {
    await postgres?.stop();
    rmSync(reach, { recursive: true, force: true });
    if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
  }
  if (isStopped.now) print("Stopped before the end.");
  if (total.passed + total.failed === 0) print("Nothing was run.");
  for (const line of [...flaky, ...failures]) print(line);
  print(`All in ${seconds(performance.now() - from)}`);
  print(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 || total.passed === 0 || isStopped.now ? 1 : 0;
};

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(
    `${error instanceof Refusal || !(error instanceof Error) ? `${error}`.replace(/^Error: /, "") : error.stack}\n`,
  );
  print("0 passed, 1 failed");
  process.exitCode = 1;
}
