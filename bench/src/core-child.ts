// Owns one engine in its own process, so that no engine's compiled code or garbage affects another's, and each runs
// under its intended flags. Executes the parent's requests; prints nothing.
import { PerformanceObserver } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { createMachine } from "@clockwork/core/machine/machine";
import type { Machine } from "@clockwork/core/protocol/contract";
import {
  applyFile,
  type Engine,
  encodeWorkload,
  fullEngine,
  machineOptions,
  matchEngine,
  peerEngine,
} from "./core-engines.ts";
import { answerParent } from "./core-process.ts";
import { createWorkload, SHAPES, type Shape } from "./core-workload.ts";

interface Request {
  readonly do: "prepare" | "run" | "latency" | "collections" | "restart" | "replay";
  readonly engine?: string;
  readonly shape?: string;
}

let shape: Shape | undefined;
let engine: Engine | undefined;
let expected = { trades: 0, tradeHash: 0, bookHash: 0 };

function prepare(engineName: string, shapeName: string): unknown {
  shape = SHAPES.find(({ name }) => name === shapeName);
  if (shape === undefined) throw new Error(`no workload ${shapeName}`);
  const workload = createWorkload(shape);
  expected = workload;
  if (engineName === "match") engine = matchEngine(workload);
  else if (engineName === "full") engine = fullEngine(workload);
  else engine = peerEngine(workload, engineName as "nodejs-order-book");
  return { fillsPerCommand: workload.trades / workload.count };
}

/** One round, refused when it did not reach the workload's result. */
function run(): unknown {
  if (engine === undefined || shape === undefined) throw new Error("not prepared");
  const outcome = engine.run();
  const wrong = [...outcome.broken];
  if (outcome.bookHash !== expected.bookHash) wrong.push("another final book");
  if (outcome.tradeHash !== -1 && outcome.tradeHash !== expected.tradeHash) wrong.push("other trades");
  if (wrong.length > 0) throw new Error(`the run does not count: ${wrong.join("; ")}`);
  return { perSecond: shape.timed / outcome.seconds, quietPerSecond: shape.timed / outcome.quietSeconds };
}

function latency(): unknown {
  const times = engine?.latencies?.();
  if (times === undefined) throw new Error("no latencies");
  times.sort();
  const at = (share: number): number => times[Math.floor(times.length * share)] as number;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), clock: clockCost() };
}

/** Nanoseconds that reading the clock itself adds to each measured command. */
function clockCost(): number {
  const count = 100_000;
  const start = performance.now();
  let last = start;
  for (let i = 0; i < count; i++) last = performance.now();
  return ((last - start) * 1e6) / count;
}

const MAJOR = 4;

/** The one machine of this process that takes the fast paths. */
function fullMachine(): Machine {
  if (engine?.machine === undefined) throw new Error("not prepared");
  engine.machine.restore();
  return engine.machine;
}

/** Ten million commands on one machine with the collector watched. */
async function collections(): Promise<unknown> {
  const base = SHAPES[0] as Shape;
  const { file } = encodeWorkload(createWorkload({ ...base, timed: 10_000_000 }));
  const machine = fullMachine();
  applyFile(machine, file, 0, file.timedFrom);
  globalThis.gc?.();
  const pauses: { kind: number; ms: number }[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      pauses.push({ kind: (entry as unknown as { detail: { kind: number } }).detail.kind, ms: entry.duration });
  });
  await wait(50);
  observer.observe({ entryTypes: ["gc"] });
  // No wait in between: waiting creates garbage.
  applyFile(machine, file, file.timedFrom, file.count);
  await wait(50);
  observer.disconnect();
  return {
    major: pauses.filter(({ kind }) => (kind & MAJOR) !== 0).length,
    minor: pauses.filter(({ kind }) => (kind & MAJOR) === 0).length,
    longestMs: Math.max(0, ...pauses.map(({ ms }) => ms)),
  };
}

/** From the bytes of a snapshot with all live orders to a machine that can continue. */
function restart(): unknown {
  if (shape === undefined) throw new Error("not prepared");
  const { file } = encodeWorkload(createWorkload(shape));
  const machine = createMachine(machineOptions(shape));
  applyFile(machine, file, 0, file.count);
  const hash = machine.stateHash();
  const beforeCopy = performance.now();
  const parts = machine.snapshot();
  const copyMs = performance.now() - beforeCopy;
  const restored = createMachine(machineOptions(shape));
  const before = performance.now();
  restored.restore(parts);
  const seconds = (performance.now() - before) / 1_000;
  if (restored.stateHash() !== hash) throw new Error("the restored machine differs");
  return { seconds, copyMs, bytes: parts.reduce((sum, part) => sum + part.length, 0) };
}

/** The whole file from an empty machine, as a start without snapshot would read it. */
function replay(): unknown {
  const file = engine?.file;
  if (file === undefined) throw new Error("not prepared");
  let best = 0;
  for (let round = 0; round < 5; round++) {
    const machine = fullMachine();
    const before = performance.now();
    applyFile(machine, file, 0, file.count);
    best = Math.max(best, file.count / ((performance.now() - before) / 1_000));
  }
  return { perSecond: best };
}

async function answer(request: Request): Promise<unknown> {
  switch (request.do) {
    case "prepare":
      return prepare(request.engine ?? "", request.shape ?? "");
    case "run":
      return run();
    case "latency":
      return latency();
    case "collections":
      return collections();
    case "restart":
      return restart();
    case "replay":
      return replay();
  }
}

answerParent(answer);
