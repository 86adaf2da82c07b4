// Owns every command of the project. Runs on any Node from 20 without dependencies: it installs, builds what changed,
// and starts the pinned Node. Never reads the server's configuration.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "./build.mjs";
import { run } from "./child.mjs";
import { install } from "./install.mjs";
import { Refusal } from "./progress.mjs";
import { findNode } from "./runtime.mjs";

const ROOT = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");

/** @typedef {{ node: string, args: readonly string[] }} Call */

/** @param {readonly string[]} args @param {readonly string[]} known */
const refuseUnknown = (args, known) => {
  const strange = args.find((arg) => !known.includes(arg));
  if (strange !== undefined) throw new Refusal(`Unknown option ${strange}. Known: ${known.join(" ") || "none"}.`);
};

/** @param {string} path @param {string} what */
const needFile = (path, what) => {
  if (!existsSync(join(ROOT, path))) throw new Refusal(`${what}: there is no ${path}.`);
  return path;
};

/** @param {NodeJS.ProcessEnv} more */
const withEnv = (more) => ({ cwd: ROOT, env: { ...process.env, ...more } });

/**
 * How glibc releases memory; the caller's environment overrides it. By default it keeps ever larger freed pieces for
 * threads that have ended (a month of candles is generated in one), which is 50 MB of an idle exchange.
 */
const MALLOC = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" };

/** Young objects get 8 MB instead of 32: collected more often and as quickly, and an idle exchange holds 70 MB less. */
const HEAP_FLAG = "--max-semi-space-size=8";

/** @param {string} node @param {readonly string[]} args @param {NodeJS.ProcessEnv} more */
const serve = (node, args, more) =>
  run(node, ["--enable-source-maps", HEAP_FLAG, "--import", "./tools/src/parent-watch.mjs", ...args], {
    cwd: ROOT,
    env: { ...MALLOC, ...process.env, ...more },
    detached: process.platform !== "win32",
  });

/** @param {Call} call */
const start = async ({ node, args }) => {
  await build(ROOT, node, args.includes("--help") ? ["server"] : ["web", "server"]);
  if (args.includes("--help")) return run(node, ["apps/server/build/cli.js", "settings"], { cwd: ROOT });
  if (args.includes("--fresh")) {
    const code = await run(node, ["tools/src/fresh.ts"], { cwd: ROOT });
    if (code !== 0) return code;
  }
  return serve(node, ["apps/server/build/main.js"], { NODE_ENV: "production" });
};

/** @param {Call} call */
const dev = ({ node }) => {
  needFile("apps/server/src/process/main.ts", "Nothing to run");
  return serve(node, ["tools/src/dev.ts"], { NODE_ENV: "development", CW_MODE: "development" });
};

/** @param {Call} call */
const test = ({ node, args }) => run(node, ["tools/src/test.ts", ...args], { cwd: ROOT });

/** @param {Call} call */
const check = ({ node, args }) => run(node, ["tools/src/check.ts", ...args], { cwd: ROOT });

/** @param {Call} call */
const contracts = ({ node, args }) => run(node, ["tools/src/contracts.ts", "--write", ...args], { cwd: ROOT });

/** @param {Call} call */
const docs = ({ node, args }) => run(node, ["tools/src/docs.ts", ...args], { cwd: ROOT });

/** @param {Call} call */
const bench = async ({ node, args: [name = "", ...args] }) => {
  const file = `bench/src/${name}.ts`;
  // The machine alone is measured from its sources; all else speaks to a built server, which keeps its memory as the one
  // of `npm start` does.
  const alone = name.startsWith("core");
  if (!alone) await build(ROOT, node, ["web", "server"]);
  const served = alone ? {} : { ...MALLOC, CW_BENCH_HEAP_FLAG: HEAP_FLAG };
  return run(node, ["--expose-gc", file, ...args], withEnv({ ...served, NODE_ENV: "production" }));
};

/** The command-line tool for data folders: npm run clockwork -- verify. @param {Call} call */
const clockwork = async ({ node, args }) => {
  needFile("apps/server/src/process/cli.ts", "Nothing to run");
  await build(ROOT, node, ["server"]);
  return run(node, ["--enable-source-maps", "apps/server/build/cli.js", ...args], { cwd: ROOT });
};

/** Journals of every product, made by the release that is being made. @param {Call} call */
const corpus = ({ node, args }) => run(node, ["sim/src/corpus/run.ts", ...args], { cwd: ROOT });

/** @param {Call} call */
// `npm run soak` trades in the simulator; `-- kills` kills the durable engine again and again; `-- books` rebuilds the
// books of a fast simulated market from its socket; `-- ccxt` has ccxt pro keep them over lines that are cut;
// `-- perps` trades perpetuals through crashes and spikes; `-- copy` copies leaders' fills a million times;
// `-- grids` runs random grids through core and back-test; `-- futures` trades perpetuals over the network through a
// crash and kills; `-- system` drives engine, disk, tables, sessions and sockets together by seed;
// `-- stampede` has thousands request one flash sale over HTTP with as many spot orders, and one quota;
// `-- earn` runs a year of savings with stops, compared with two references;
// `-- upgrade` starts this release on folders of the one before, stopped and killed, and compares every table;
// `-- wallet` deposits and withdraws over the development chain while processes are killed and blocks replaced.
const soak = async ({ node, args: [kind, ...rest] }) => {
  /** @type {Readonly<Record<string, string>>} */
  const known = {
    kills: "apps/server/src/engine/soak/kill-soak.ts",
    books: "areas/trading/src/market/book-soak.ts",
    ccxt: "apps/server/src/dialect/book-soak.ts",
    perps: "sim/src/perp-soak.ts",
    copy: "sim/src/copy-soak.ts",
    grids: "sim/src/grid-soak.ts",
    system: "apps/server/src/simulation/system-soak.ts",
    futures: "areas/trading/src/futures/futures-soak.ts",
    earn: "areas/earning/src/earn/soak/earn-soak.ts",
    stampede: "areas/earning/src/earn/soak/stampede-soak.ts",
    upgrade: "apps/server/src/process/soak/upgrade-soak.ts",
    wallet: "areas/custody/src/custody/soak/wallet-soak.ts",
  };
  const file = kind === undefined ? undefined : known[kind];
  // It kills the built server, as users run it.
  if (kind === "wallet") await build(ROOT, node, ["web", "server"]);
  if (file !== undefined) return run(node, [file, ...rest], { cwd: ROOT });
  return run(node, ["sim/src/soak.ts", ...(kind === undefined ? [] : [kind, ...rest])], { cwd: ROOT });
};

/** @param {Call} call */
const screens = async ({ node, args }) => {
  const file = needFile("e2e/src/screens.ts", "No screens yet");
  await build(ROOT, node, ["web", "server"]);
  return run(node, [file, ...args], { cwd: ROOT });
};

/** Changes the money code in small places and reports what no test notices. @param {Call} call */
const mutate = ({ node, args }) => run(node, ["mutate/src/mutate.ts", ...args], { cwd: ROOT });

/** An archive that runs without a build. @param {Call} call */
const release = async ({ node, args }) => {
  await build(ROOT, node, ["web", "server"]);
  return run(node, ["tools/src/release.ts", ...args], { cwd: ROOT });
};

/** @type {Record<string, (call: Call) => Promise<number>>} */
const COMMANDS = { start, dev, test, check, contracts, corpus, docs, clockwork, release, bench, soak, screens, mutate };

/**
 * What is refused before anything is installed or built.
 * @type {Record<string, (args: readonly string[]) => void>}
 */
const REFUSALS = {
  start: (args) => refuseUnknown(args, ["--fresh", "--help"]),
  dev: (args) => refuseUnknown(args, []),
  bench: ([name]) => {
    if (name === undefined || !/^[a-z][a-z0-9-]*$/.test(name))
      throw new Refusal("Say which: npm run bench -- <name of a file in bench/src>.");
    needFile(`bench/src/${name}.ts`, "No such benchmark");
  },
};

const main = async () => {
  const [name = "", ...args] = process.argv.slice(2);
  const command = COMMANDS[name];
  if (!command) throw new Refusal(`Unknown command ${name}. Known: ${Object.keys(COMMANDS).join(", ")}.`);
  REFUSALS[name]?.(args);
  await install(ROOT);
  return command({ node: findNode(ROOT), args });
};

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
