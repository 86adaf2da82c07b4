// Owns `npm run check`: every rule of the project that a tool can verify, errors only, two at a time. Never changes a
// file; `npm run fix` formats and `npm run contracts` rewrites the contracts.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { stale } from "./build.mjs";
import { checkArrows } from "./check-arrows.ts";
import { checkCommits } from "./check-commits.ts";
import { checkFaults, checkLinks, checkWalk } from "./check-documents.ts";
import { checkExact } from "./check-exact.ts";
import { checkLock, checkPins } from "./check-lock.ts";
import { checkLastPrices, checkPriceReaders } from "./check-prices.ts";
import { checkFolders, checkServices } from "./check-rooms.ts";
import {
  checkFeatures,
  checkNames,
  checkOpenings,
  checkSpreads,
  checkTables,
  checkTimers,
  checkWords,
} from "./check-source.ts";
import { checkClaims } from "./check-tests.ts";
import { checkTexts } from "./check-texts.ts";
import { runQuietly } from "./child.mjs";
import { checkContracts } from "./contracts.ts";
import { checkCoverage } from "./coverage.ts";
import { checkDecisions } from "./decisions.ts";
import { listFiles } from "./files.ts";
import { checkNotices } from "./notices.ts";
import { checkWeights, weighPages } from "./page-weight.ts";
import { seconds } from "./progress.mjs";
import { checkReleases } from "./releases.ts";
import { checkSettings } from "./settings.ts";

interface Outcome {
  readonly problems: readonly string[];
  /** Printed with a passed check, for instance why it had nothing to read. */
  readonly note?: string;
}

interface Check {
  readonly name: string;
  run(): Promise<Outcome> | Outcome;
}

const tool = async (root: string, name: string, args: readonly string[], cwd = root): Promise<Outcome> => {
  const { code, output } = await runQuietly(join(root, "node_modules/.bin", name), args, { cwd });
  return { problems: code === 0 ? [] : [output.trim() || `${name} ended with exit code ${code}`] };
};

/** Every journal of every release, decided as it was then. */
const corpus = async (root: string): Promise<Outcome> => {
  const { code, output } = await runQuietly(process.execPath, ["sim/src/corpus/run.ts", "check"], { cwd: root });
  if (code === 0) return { problems: [] };
  const hint = "the core decides otherwise than a release did: number new rules (docs/decisions/0080)";
  return { problems: [...output.trim().split("\n").slice(0, 20), hint] };
};

const webTypes = async (root: string): Promise<Outcome> => {
  if (existsSync(join(root, "apps/web/react-router.config.ts"))) {
    const made = await tool(root, "react-router", ["typegen"], join(root, "apps/web"));
    if (made.problems.length > 0) return made;
  }
  return tool(root, "tsc", ["-p", "tsconfig.web.json"]);
};

const weigh = (root: string): Outcome => {
  if (stale(root, ["web"]).length > 0)
    return { problems: [], note: "not weighed: the web app is not built from these sources" };
  const weights = weighPages(root);
  const first = weights.get("/");
  if (first === undefined) return { problems: ["The web build shows no page at /"] };
  return { problems: checkWeights(weights), note: `/ loads ${(first / 1000).toFixed(1)} kB` };
};

const checksOf = (root: string): readonly Check[] => {
  const files = listFiles(root);
  const biome = ["ci", "--diagnostic-level=error", "--max-diagnostics=100", "--colors=off", "."];
  return [
    { name: "lint and format", run: () => tool(root, "biome", biome) },
    { name: "types: kit and core, without a world", run: () => tool(root, "tsc", ["-p", "tsconfig.pure.json"]) },
    { name: "types: server side", run: () => tool(root, "tsc", ["-p", "tsconfig.node.json"]) },
    { name: "types: browser side", run: () => webTypes(root) },
    { name: "dead code and dependencies", run: () => tool(root, "knip", ["--no-progress"]) },
    { name: "arrows", run: () => ({ problems: checkArrows(root, files) }) },
    { name: "tables", run: () => ({ problems: checkTables(root, files) }) },
    { name: "exact money, time and chance", run: () => ({ problems: checkExact(root, files) }) },
    { name: "claims of tests", run: () => ({ problems: checkClaims(root, files) }) },
    { name: "features", run: () => ({ problems: checkFeatures(root, files) }) },
    { name: "names", run: () => ({ problems: checkNames(files) }) },
    {
      name: "rooms",
      run: () => ({ problems: [...checkFolders(root, files), ...checkServices(root, files)] }),
    },
    {
      name: "readers of the last trade",
      run: () => ({ problems: [...checkLastPrices(root, files), ...checkPriceReaders(root, files)] }),
    },
    { name: "timers", run: () => ({ problems: checkTimers(root, files) }) },
    { name: "words", run: () => ({ problems: checkWords(root, files) }) },
    { name: "retired phrases", run: () => ({ problems: checkTexts(root, files) }) },
    { name: "spreads", run: () => ({ problems: checkSpreads(root, files) }) },
    { name: "openings", run: () => ({ problems: checkOpenings(root, files) }) },
    { name: "coverage", run: () => ({ problems: checkCoverage(root, files) }) },
    { name: "decisions", run: () => ({ problems: checkDecisions(root) }) },
    { name: "faults and the order's path", run: () => ({ problems: [...checkFaults(root), ...checkWalk(root)] }) },
    { name: "document links", run: () => ({ problems: checkLinks(root, files) }) },
    { name: "commit subjects", run: () => ({ problems: checkCommits(root) }) },
    { name: "lock file and pins", run: () => ({ problems: [...checkLock(root), ...checkPins(root, files)] }) },
    { name: "licences and notices", run: () => ({ problems: checkNotices(root, files) }) },
    { name: "releases", run: () => ({ problems: checkReleases(root) }) },
    { name: "settings", run: async () => ({ problems: await checkSettings(root, files) }) },
    { name: "corpus of the releases", run: () => corpus(root) },
    { name: "page weight", run: () => weigh(root) },
    { name: "contracts", run: () => checkContracts(root) },
  ];
};

/** Runs all checks, prints a line for each, and counts. */
export const runChecks = async (root: string): Promise<{ readonly passed: number; readonly failed: number }> => {
  const waiting = [...checksOf(root)];
  let passed = 0;
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const from = performance.now();
      const { problems, note } = await check.run();
      const took = seconds(performance.now() - from);
      if (problems.length === 0) passed += 1;
      else failed += 1;
      const mark = problems.length === 0 ? "✓" : "✗";
      process.stdout.write(`  ${mark} ${check.name} (${took})${note === undefined ? "" : ` ${note}`}\n`);
      for (const problem of problems) process.stdout.write(`${problem.replace(/^/gm, "    ")}\n`);
    }
  };
  await Promise.all([work(), work()]);
  return { passed, failed };
};

if (import.meta.main) {
  const from = performance.now();
  const { passed, failed } = await runChecks(resolve(import.meta.dirname, "../.."));
  process.stdout.write(`${passed} checks passed, ${failed} failed (${seconds(performance.now() - from)})\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
