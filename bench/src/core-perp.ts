// npm run bench -- core-perp [--rounds N]: perpetuals beside spot on the same flow, in turns, and a mark over 100 000
// open positions. A run counts only when every invariant holds at its end.
import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const FLAGS = ["--max-inlined-bytecode-size=1500", "--max-inlined-bytecode-size-cumulative=5000", "--no-maglev"];
const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" }, only: { type: "string" } } });
const rounds = Number(values.rounds);
const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

interface Child {
  ask<T>(request: Record<string, string>): Promise<T>;
  end(): void;
}

function startChild(file: string): Child {
  const child = fork(file, [], { execArgv: FLAGS, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        child.once("message", (message: { result?: never; error?: string }) =>
          message.error === undefined ? resolve(message.result as never) : reject(new Error(message.error)),
        );
        child.send(request);
      }),
    end: () => child.disconnect(),
  };
}

async function bundle(folder: string): Promise<string> {
  const { rolldown } = await import("rolldown");
  const made = await rolldown({
    input: join(import.meta.dirname, "core-perp-child.ts"),
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith("/") && !id.startsWith("@clockwork/"),
    optimization: { inlineConst: { mode: "all", pass: 3 } },
    onLog: () => {},
  });
  const file = join(folder, "core-perp-child.mjs");
  await made.write({ file, format: "esm" });
  return file;
}

async function benchFlow(file: string): Promise<boolean> {
  const children = { spot: startChild(file), perp: startChild(file) };
  const speeds = { spot: [] as number[], perp: [] as number[] };
  for (const name of ["spot", "perp"] as const) {
    await children[name].ask({ do: "prepare", engine: name });
    for (let i = 0; i < 3; i++) await children[name].ask({ do: "run" });
  }
  for (let round = 0; round < rounds; round++)
    for (const name of ["spot", "perp"] as const)
      speeds[name].push((await children[name].ask<{ perSecond: number }>({ do: "run" })).perSecond);
  for (const child of Object.values(children)) child.end();
  const ratio = median(speeds.perp.map((speed, i) => speed / (speeds.spot[i] ?? 1)));
  const show = (speed: number): string => (speed / 1e6).toFixed(2);
  process.stdout.write(
    `full perpetuals ÷ full spot, base   ${show(median(speeds.perp))} M/s beside ${show(median(speeds.spot))}   ratio ${ratio.toFixed(2)}   must 0.7   ${ratio >= 0.7 ? "kept" : "MISSED"}\n`,
  );
  return ratio >= 0.7;
}

async function benchMarks(file: string): Promise<boolean> {
  const child = startChild(file);
  const marks = await child.ask<{ median: number; worst: number; marks: number; liquidated: number; each: number }>({
    do: "marks",
  });
  child.end();
  const kept = marks.worst < 5;
  process.stdout.write(
    `mark over 100 000 open positions    median ${marks.median.toFixed(3)} ms, worst ${marks.worst.toFixed(3)} ms over ${marks.marks} marks   must 5 ms   ${kept ? "kept" : "MISSED"}; ${marks.liquidated} liquidated, ${marks.each.toFixed(0)} µs each\n`,
  );
  return kept;
}

async function main(): Promise<void> {
  const cache = join(import.meta.dirname, "../../.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "bench-"));
  try {
    const file = await bundle(folder);
    const kept: boolean[] = [];
    if (values.only !== "marks") kept.push(await benchFlow(file));
    if (values.only !== "flow") kept.push(await benchMarks(file));
    process.exitCode = kept.every(Boolean) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
