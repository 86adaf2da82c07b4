// npm run bench -- core [--json] [--rounds N] [--only match|full|rest|durable|perp]: the core compared with its npm
// peers, in one run on one machine, one line for each bar of the core. Engines take turns round by round; a ratio is
// the median over rounds. A run counts only when it reached the same final book and trades with every asset conserved.
import { parseArgs } from "node:util";
import { benchDurable } from "./core-durable.ts";
import { benchPerp } from "./core-perp.ts";
import { type Child, CORE_FLAGS, HUGE_PAGES, median, Reporter, startChild, withBundle } from "./core-process.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    only: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const reporter = new Reporter(values.json);
const { report } = reporter;

interface Round {
  readonly perSecond: number;
  readonly quietPerSecond: number;
}

/** A turn lasts so long at least: one run of the book alone is over in 40 ms, and the machine's speed changes within
 *  tenths of a second, while a peer's run takes seconds and sees all of it. */
const TURN_MS = 1_000;

/** One engine's turn: as many whole runs as fit, and what they come to together. */
async function takeTurn(child: Child): Promise<Round> {
  const runs: Round[] = [];
  const startedMs = performance.now();
  do runs.push(await child.ask<Round>({ do: "run" }));
  while (performance.now() - startedMs < TURN_MS);
  return {
    perSecond: runs.length / runs.reduce((sum, { perSecond }) => sum + 1 / perSecond, 0),
    quietPerSecond: median(runs.map(({ quietPerSecond }) => quietPerSecond)),
  };
}

/** Runs engines on one workload in turns; the first is what ratios are of. */
async function compare(
  file: string,
  shape: string,
  engines: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Map<string, Round[]>> {
  const children = new Map<string, Child>();
  const results = new Map<string, Round[]>();
  for (const engine of engines) {
    const own = engine === "match" || engine === "full";
    const child = startChild(file, own ? CORE_FLAGS : [], env);
    await child.ask({ do: "prepare", engine, shape });
    children.set(engine, child);
    results.set(engine, []);
    // The compiler needs about a million commands to see what is hot.
    for (let i = 0; i < (own ? 3 : 1); i++) await child.ask({ do: "run" });
  }
  for (let round = 0; round < rounds; round++) {
    for (const [engine, child] of children) results.get(engine)?.push(await takeTurn(child));
  }
  for (const child of children.values()) child.end();
  return results;
}

const speeds = (results: Map<string, Round[]>, engine: string): number[] =>
  (results.get(engine) ?? []).map(({ perSecond }) => perSecond);
const quiet = (results: Map<string, Round[]>, engine: string): number =>
  median((results.get(engine) ?? []).map(({ quietPerSecond }) => quietPerSecond));

async function benchMatch(file: string): Promise<void> {
  const peers = ["nodejs-order-book", "hft-limit-order-book"];
  const results = await compare(file, "base", ["match", ...peers]);
  const own = speeds(results, "match");
  for (const peer of peers) {
    const theirs = speeds(results, peer);
    const ratio = median(own.map((speed, i) => speed / (theirs[i] ?? 1)));
    report(peer, median(theirs), 1, "-", true);
    const must = peer === "nodejs-order-book" ? 80 : 0;
    report(`match ÷ ${peer}, base`, median(own), ratio, must === 0 ? "-" : `${must}×`, ratio >= must);
    const still = quiet(results, "match") / quiet(results, peer);
    report("  in undisturbed slices", quiet(results, "match"), still, "-", true);
  }
}

const SHAPE_BARS = [
  { shape: "base", must: 1 },
  { shape: "deep", must: 0.3 },
  { shape: "multi", must: 0.2 },
  { shape: "multi-small", must: 0 },
];

async function benchFull(file: string): Promise<void> {
  let base = 0;
  for (const { shape, must } of SHAPE_BARS) {
    const results = await compare(file, shape, ["full"], HUGE_PAGES);
    const own = median(speeds(results, "full"));
    if (shape === "base") {
      base = own;
      report("full, base", own, 1, "5 M/s", own >= 5e6);
    } else report(`full, ${shape} ÷ base`, own, own / base, must === 0 ? "-" : String(must), own / base >= must);
    report("  in undisturbed slices, ÷ whole", quiet(results, "full"), quiet(results, "full") / own, "-", true);
  }
  const small = median(speeds(await compare(file, "multi", ["full"]), "full"));
  report("  multi on ordinary pages ÷ base", small, small / base, "-", true);
}

const LATENCY_PASSES = 15;

/** The median of many passes over a million commands each, because a single one may be disturbed by the host. */
async function benchLatency(child: Child): Promise<void> {
  const passes: Record<"p50" | "p99" | "p999" | "clock", number>[] = [];
  for (let pass = 0; pass < LATENCY_PASSES; pass++) passes.push(await child.ask({ do: "latency" }));
  const middle = (name: "p50" | "p99" | "p999" | "clock"): number => median(passes.map((pass) => pass[name]));
  const best = (name: "p99" | "p999"): number => Math.min(...passes.map((pass) => pass[name]));
  report(`latency p50 in µs, ${middle("clock").toFixed(0)} ns of it the clock's`, 0, middle("p50") / 1_000, "-", true);
  report("latency p99 in µs, full, base", 0, middle("p99") / 1_000, "1 µs", middle("p99") <= 1_000);
  report("latency p99.9 in µs, full, base", 0, middle("p999") / 1_000, "3 µs", middle("p999") <= 3_000);
  report("  p99 in the calmest pass", 0, best("p99") / 1_000, "-", true);
  report("  p99.9 in the calmest pass", 0, best("p999") / 1_000, "-", true);
}

async function benchRest(file: string): Promise<void> {
  const child = startChild(file, CORE_FLAGS);
  await child.ask({ do: "prepare", engine: "full", shape: "base" });
  for (let i = 0; i < 3; i++) await child.ask({ do: "run" });
  await benchLatency(child);
  const { perSecond } = await child.ask<{ perSecond: number }>({ do: "replay" });
  report("replay of commands in memory from empty", perSecond, 1, "5 M/s", perSecond >= 5e6);
  const pauses = await child.ask<{ major: number; minor: number; longestMs: number }>({ do: "collections" });
  report(`major collections in 10 M commands (${pauses.minor} minor)`, 0, pauses.major, "0", pauses.major === 0);
  report("longest collection in ms", 0, pauses.longestMs, "1 ms", pauses.longestMs <= 1);
  child.end();
  const deep = startChild(file, CORE_FLAGS);
  await deep.ask({ do: "prepare", engine: "match", shape: "deep" });
  const restart = await deep.ask<{ seconds: number; copyMs: number; bytes: number }>({ do: "restart" });
  const megabytes = (restart.bytes / 2 ** 20).toFixed(0);
  report(`restore 1 M live orders in s (${megabytes} MiB in memory)`, 0, restart.seconds, "2 s", restart.seconds <= 2);
  report("snapshot copy in ms", 0, restart.copyMs, "-", true);
  deep.end();
}

const wanted = (name: string): boolean => values.only === undefined || values.only === name;
await withBundle("core-child", async (file) => {
  if (wanted("match")) await benchMatch(file);
  if (wanted("full")) await benchFull(file);
  if (wanted("rest")) await benchRest(file);
});
if (wanted("durable")) await benchDurable(report);
if (wanted("perp")) await benchPerp(report, rounds);
process.exitCode = reporter.kept ? 0 : 1;
