// npm run bench -- core-durable [--json]: what durability costs. The base workload through the core in
// memory and through the real host with its journal thread on this machine's disk, in turns; commit latency at fixed
// rates; the replay of what was written; a restart with a million live orders.
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Child, HOST_FLAGS, median, type Report, Reporter, startChild, withBundle } from "./core-process.ts";

interface Stretch {
  readonly perSecond: number;
  /** Processor time of the core's thread a command, in ns. */
  readonly cpu: number;
}

interface Latency {
  readonly p50: number;
  readonly p99: number;
  /** Writes of as many bytes without other load. */
  readonly disk: { readonly p50: number; readonly p99: number };
  readonly bytes: number;
}

const RATES = [
  { perSecond: 100_000, mustMs: 1 },
  { perSecond: 1_000_000, mustMs: 10 },
];
/** Stretches that only warm the code up. */
const WARM_UP = 3;

export async function benchDurable(report: Report): Promise<void> {
  await withBundle("core-durable-child", async (file) => {
    await benchCommit(file, report);
    await benchRestart(file, report);
  });
}

/** The same stretches of one flow in a process without and in one with a journal, in turns. */
async function benchCommit(file: string, report: Report): Promise<void> {
  const [memory, durable] = [startChild(file, HOST_FLAGS), startChild(file, HOST_FLAGS)];
  const { segments } = await memory.ask<{ segments: number }>({ do: "prepare" });
  await durable.ask({ do: "prepare" });
  const pairs: { memory: Stretch; durable: Stretch }[] = [];
  for (let index = 0; index < segments; index++) {
    const pair = {
      memory: await memory.ask<Stretch>({ do: "memory", index }),
      durable: await durable.ask<Stretch>({ do: "durable", index }),
    };
    if (index >= WARM_UP) pairs.push(pair);
  }
  memory.end();
  const of = (pick: (pair: (typeof pairs)[number]) => number): number => median(pairs.map(pick));
  const [speed, memorySpeed] = [of((pair) => pair.durable.perSecond), of((pair) => pair.memory.perSecond)];
  const ratio = of((pair) => pair.durable.perSecond / pair.memory.perSecond);
  report("durable ÷ full in memory, base", speed, ratio, "0.7", ratio >= 0.7);
  report("  in memory, under the host's flags", memorySpeed, 1, "-", true);
  const [cpu, cpuRatio] = [of((pair) => pair.durable.cpu), of((pair) => pair.memory.cpu / pair.durable.cpu)];
  report("  durable ÷ in memory by processor time of the core's thread", 1e9 / cpu, cpuRatio, "-", true);
  await benchReplay(durable, report);
  for (const { perSecond, mustMs } of RATES) {
    const { p50, p99, disk, bytes } = await durable.ask<Latency>({ do: "latency", perSecond });
    const name = `commit p99 in ms at ${perSecond / 1_000} k/s (p50 ${p50.toFixed(2)})`;
    report(name, perSecond, p99, `${mustMs} ms`, p99 <= mustMs);
    report(`  the disk's own p99, ${bytes.toFixed(0)} bytes (p50 ${disk.p50.toFixed(2)})`, 0, disk.p99, "-", true);
  }
  durable.end();
}

/** What was written is read back, in turns with the same commands in memory; a ratio is the median over turns. */
async function benchReplay(durable: Child, report: Report): Promise<void> {
  const { turns, bytes } = await durable.ask<{ turns: Record<"memory" | "files", Stretch>[]; bytes: number }>({
    do: "replay",
  });
  const of = (pick: (turn: (typeof turns)[number]) => number): number => median(turns.map(pick));
  const speed = of(({ files }) => files.perSecond);
  const name = `replay of the journal's files (${bytes.toFixed(1)} bytes a command) ÷ in memory`;
  report(
    name,
    speed,
    of(({ files, memory }) => files.perSecond / memory.perSecond),
    "5 M/s",
    speed >= 5e6,
  );
  report(
    "  the same commands in memory",
    of(({ memory }) => memory.perSecond),
    1,
    "-",
    true,
  );
  const cpu = of(({ files, memory }) => memory.cpu / files.cpu);
  report("  by processor time of the core's thread", 1e9 / of(({ files }) => files.cpu), cpu, "-", true);
}

/** One process writes, another starts with its files. */
async function benchRestart(file: string, report: Report): Promise<void> {
  const writer = startChild(file, HOST_FLAGS);
  const { folder, stateHash } = await writer.ask<{ folder: string; stateHash: string }>({ do: "fill" });
  writer.end();
  try {
    const reader = startChild(file, HOST_FLAGS);
    const restarted = await reader.ask<{ seconds: number; stateHash: string }>({ do: "restart", folder });
    reader.end();
    if (restarted.stateHash !== stateHash) throw new Error("the restarted machine differs");
    const { seconds } = restarted;
    report("restart from files in s, 1 M live orders in a snapshot", 0, seconds, "2 s", seconds <= 2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { json: { type: "boolean", default: false } },
  });
  const reporter = new Reporter(values.json);
  await benchDurable(reporter.report);
  process.exitCode = reporter.kept ? 0 : 1;
}
