// Owns the long run: many seeded sessions over all cores, a progress line, totals, failing seeds and an exit code.
//   npm run soak                                   10 000 sessions of 1 000 commands
//   npm run soak -- --seed 123 --commands 1000     one session alone, with all it has to say
// Every worker is this same file; chance and order come from the seeds alone, so the split does not matter.
import { availableParallelism } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type Failure, runSession, type SessionResult } from "./session.ts";

const PROGRESS_MS = 10_000;
const FAILURES_MAX = 10;

interface Share {
  readonly from: number;
  readonly to: number;
  readonly stride: number;
  readonly commands: number;
}

interface Totals {
  sessions: number;
  commands: number;
  events: number;
  trades: number;
  refusals: number;
  snapshots: number;
  readonly seen: Map<string, number>;
  readonly failures: Failure[];
}

type Report = Omit<SessionResult, "stateHash" | "journal">;

function emptyTotals(): Totals {
  const counts = { sessions: 0, commands: 0, events: 0, trades: 0, refusals: 0, snapshots: 0 };
  return { ...counts, seen: new Map(), failures: [] };
}

function add(totals: Totals, result: Report): void {
  totals.sessions++;
  totals.commands += result.commands;
  totals.events += result.events;
  totals.trades += result.trades;
  totals.refusals += result.refusals;
  totals.snapshots += result.snapshots;
  for (const [kind, count] of result.seen) totals.seen.set(kind, (totals.seen.get(kind) ?? 0) + count);
  if (result.failure !== undefined) totals.failures.push(result.failure);
}

function describeFailure({ seed, at, rule, detail, command }: Failure): string {
  const again = `npm run soak -- --seed ${seed} --commands ${at}`;
  return `seed ${seed} failed at command ${at}: ${rule} ${detail}\n  command ${command}\n  again: ${again}`;
}

function runShare({ from, to, stride, commands }: Share): void {
  for (let seed = from; seed < to; seed += stride) {
    const { stateHash, journal, ...report } = runSession({ seed, commands });
    parentPort?.postMessage(report);
  }
}

/** One session, told in full. */
function runAlone(seed: number, commands: number): number {
  const result = runSession({ seed, commands });
  for (const [kind, count] of [...result.seen].sort()) console.log(`${String(count).padStart(8)} ${kind}`);
  console.log(
    result.failure === undefined ? `seed ${seed}: state ${result.stateHash}` : describeFailure(result.failure),
  );
  return result.failure === undefined ? 0 : 1;
}

function line(totals: Totals, sessions: number, startedMs: number): string {
  const seconds = (performance.now() - startedMs) / 1_000;
  const rate = Math.round(totals.commands / Math.max(seconds, 1));
  return `${totals.sessions}/${sessions} sessions, ${totals.commands} commands, ${totals.events} events, ${rate}/s, ${totals.failures.length} failed`;
}

async function runAll(first: number, sessions: number, commands: number, workers: number): Promise<number> {
  const totals = emptyTotals();
  const startedMs = performance.now();
  const progress = setInterval(() => console.log(line(totals, sessions, startedMs)), PROGRESS_MS);
  const runs = Array.from({ length: workers }, (_, i) => {
    const share: Share = { from: first + i, to: first + sessions, stride: workers, commands };
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    return new Promise<void>((resolve, reject) => {
      worker.on("message", (result: Report) => {
        add(totals, result);
        if (result.failure !== undefined) console.log(describeFailure(result.failure));
        if (totals.failures.length >= FAILURES_MAX) void worker.terminate();
      });
      worker.on("error", reject);
      worker.on("exit", () => resolve());
    });
  });
  await Promise.all(runs);
  clearInterval(progress);
  for (const [kind, count] of [...totals.seen].sort()) console.log(`${String(count).padStart(12)} ${kind}`);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  console.log(
    `${line(totals, sessions, startedMs)}; ${totals.trades} trades, ${totals.refusals} refusals, ${totals.snapshots} snapshots in ${seconds} s`,
  );
  const seeds = totals.failures.map(({ seed }) => seed).sort((a, b) => a - b);
  console.log(seeds.length === 0 ? "no violation" : `failing seeds: ${seeds.join(" ")}`);
  return seeds.length === 0 && totals.sessions === sessions ? 0 : 1;
}

function readCount(text: string | undefined, fallback: number): number {
  const count = Number(text ?? fallback);
  if (!Number.isSafeInteger(count) || count < 0) throw new Error(`not a count: ${text}`);
  return count;
}

if (isMainThread) {
  const { values } = parseArgs({
    options: {
      seed: { type: "string" },
      first: { type: "string" },
      sessions: { type: "string" },
      commands: { type: "string" },
      workers: { type: "string" },
    },
  });
  const commands = readCount(values.commands, 1_000);
  const workers = Math.max(1, readCount(values.workers, availableParallelism()));
  process.exitCode =
    values.seed === undefined
      ? await runAll(readCount(values.first, 1), readCount(values.sessions, 10_000), commands, workers)
      : runAlone(readCount(values.seed, 1), commands);
} else runShare(workerData as Share);
