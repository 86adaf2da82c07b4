// npm run bench -- core [--json] [--rounds N] [--only NAME]: the core beside its npm peers, in one run on one machine.
// Engines take turns round by round; a ratio is the median over rounds. A run counts only when it reached the same final
// book and trades with every asset conserved. Sources are joined first, as the production build does.
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

export interface Line {
  readonly case: string;
  readonly opsPerSec: number;
  readonly ratio: number;
  readonly must: string;
  readonly kept: boolean;
}

/** For the core's thread: the flags the host uses, measured to be worth a quarter. */
export const CORE_FLAGS = [
  "--max-inlined-bytecode-size=1500",
  "--max-inlined-bytecode-size-cumulative=5000",
  "--no-maglev",
];

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    only: { type: "string" },
  },
});
const rounds = Number(values.rounds);

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

interface Child {
  ask<T>(request: Record<string, string>): Promise<T>;
  end(): void;
}

function startChild(file: string, flags: readonly string[]): Child {
  const child: ChildProcess = fork(file, [], {
    execArgv: ["--expose-gc", ...flags],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        const lost = (code: number | null): void => reject(new Error(`the engine's process ended with ${code}`));
        child.once("exit", lost);
        child.once("message", (message: { result?: never; error?: string }) => {
          child.off("exit", lost);
          if (message.error === undefined) resolve(message.result as never);
          else reject(new Error(message.error));
        });
        child.send(request);
      }),
    end: () => child.disconnect(),
  };
}

/** The child joined into one file with constants in place, so that the compiler sees what production's does. */
async function bundleChild(folder: string): Promise<string> {
  // The bundler of the production build, used the same way.
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    input: join(import.meta.dirname, "core-child.ts"),
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith("/") && !id.startsWith("@clockwork/"),
    optimization: { inlineConst: { mode: "all", pass: 3 } },
    onLog: () => {},
  });
  // Beside the sources' packages, so that the peers are found from it.
  const file = join(folder, "core-child.mjs");
  await bundle.write({ file, format: "esm" });
  return file;
}

interface Round {
  readonly perSecond: number;
  readonly quietPerSecond: number;
}

/** Runs engines on one workload in turns; the first is what ratios are of. */
async function compare(file: string, shape: string, engines: readonly string[]): Promise<Map<string, Round[]>> {
  const children = new Map<string, Child>();
  const results = new Map<string, Round[]>();
  for (const engine of engines) {
    const child = startChild(file, engine === "match" || engine === "full" ? CORE_FLAGS : []);
    await child.ask({ do: "prepare", engine, shape });
    children.set(engine, child);
    results.set(engine, []);
    const own = engine === "match" || engine === "full";
    // The compiler needs about a million commands to see what is hot.
    for (let i = 0; i < (own ? 3 : 1); i++) await child.ask({ do: "run" });
  }
  for (let round = 0; round < rounds; round++) {
    for (const [engine, child] of children) results.get(engine)?.push(await child.ask<Round>({ do: "run" }));
  }
  for (const child of children.values()) child.end();
  return results;
}

const lines: Line[] = [];

function report(name: string, opsPerSec: number, ratio: number, must: string, kept: boolean): void {
  lines.push({ case: name, opsPerSec: Math.round(opsPerSec), ratio: Math.round(ratio * 1_000) / 1_000, must, kept });
  if (values.json) process.stdout.write(`${JSON.stringify(lines.at(-1))}\n`);
  else
    process.stdout.write(
      `${name.padEnd(44)} ${(opsPerSec / 1e6).toFixed(3).padStart(9)} M/s ${ratio.toFixed(2).padStart(9)}  must ${must.padEnd(10)} ${kept ? "kept" : "MISSED"}\n`,
    );
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
    report(`match ÷ ${peer}, base, undisturbed slices`, quiet(results, "match"), still, "-", true);
  }
}

async function benchFull(file: string): Promise<void> {
  const speed = new Map<string, number>();
  for (const shape of ["base", "deep", "multi", "multi-small"]) {
    const results = await compare(file, shape, ["full"]);
    const own = median(speeds(results, "full"));
    speed.set(shape, own);
    const ratio = own / (speed.get("base") ?? own);
    const must = shape === "base" ? 0 : shape === "deep" ? 0.3 : shape === "multi" ? 0.2 : 0;
    const kept = shape === "base" ? own >= 5e6 : ratio >= must;
    report(`full, ${shape}`, own, ratio, shape === "base" ? "5 M/s" : must === 0 ? "-" : String(must), kept);
    report(`full, ${shape}, undisturbed slices`, quiet(results, "full"), quiet(results, "full") / own, "-", true);
  }
}

async function benchRest(file: string): Promise<void> {
  const child = startChild(file, CORE_FLAGS);
  await child.ask({ do: "prepare", engine: "full", shape: "base" });
  for (let i = 0; i < 3; i++) await child.ask({ do: "run" });
  const { p50, p99, p999 } = await child.ask<{ p50: number; p99: number; p999: number }>({ do: "latency" });
  report(`latency p50, ${p50.toFixed(0)} ns a command, clock included`, 1e9 / p50, p50 / 1_000, "-", true);
  report("latency p99 in µs", 1e9 / p99, p99 / 1_000, "1 µs", p99 <= 1_000);
  report("latency p99.9 in µs", 1e9 / p999, p999 / 1_000, "3 µs", p999 <= 3_000);
  const { perSecond } = await child.ask<{ perSecond: number }>({ do: "replay" });
  report("replay from empty", perSecond, 1, "5 M/s", perSecond >= 5e6);
  const pauses = await child.ask<{ major: number; minor: number; longestMs: number }>({ do: "collections" });
  report(`major collections in 10 M commands (${pauses.minor} minor)`, 0, pauses.major, "0", pauses.major === 0);
  report("longest collection in ms", 0, pauses.longestMs, "1 ms", pauses.longestMs <= 1);
  child.end();
  const deep = startChild(file, CORE_FLAGS);
  await deep.ask({ do: "prepare", engine: "match", shape: "deep" });
  const restart = await deep.ask<{ seconds: number; copyMs: number; bytes: number }>({ do: "restart" });
  report(
    `restart with 1 M live orders in s (${(restart.bytes / 2 ** 20).toFixed(0)} MiB)`,
    1 / restart.seconds,
    restart.seconds,
    "2 s",
    restart.seconds <= 2,
  );
  report("snapshot copy in ms", 0, restart.copyMs, "-", true);
  deep.end();
}

const PARTS: Record<string, (file: string) => Promise<void>> = { match: benchMatch, full: benchFull, rest: benchRest };

async function main(): Promise<void> {
  const cache = join(import.meta.dirname, "../../.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "bench-"));
  try {
    const file = await bundleChild(folder);
    for (const [name, part] of Object.entries(PARTS))
      if (values.only === undefined || values.only === name) await part(file);
    // The host adds its journalled case here: a module that exports benchDurable(report).
    const durable = join(import.meta.dirname, "core-durable.ts");
    if (existsSync(durable) && (values.only === undefined || values.only === "durable")) {
      const { benchDurable } = (await import(durable)) as { benchDurable: (add: typeof report) => Promise<void> };
      await benchDurable(report);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exitCode = lines.every(({ kept }) => kept) ? 0 : 1;
}

await main();
