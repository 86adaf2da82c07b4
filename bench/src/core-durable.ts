// npm run bench -- core-durable [--json] [--rounds N]: what durability costs. The base workload through the core in
// memory and through the real host with its journal thread on this machine's disk, in turns; commit latency at fixed
// rates; the replay of what was written; a restart with a million live orders.
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { HOST_FLAGS, median, type Report, Reporter, startChild, withBundle } from "./core-process.ts";

interface Round {
  readonly inMemory: number;
  readonly durable: number;
  readonly replay: number;
  /** Processor time of the core's thread a command, in ns. */
  readonly memoryCpu: number;
  readonly durableCpu: number;
  readonly bytes: number;
}

const RATES = [
  { perSecond: 100_000, mustMs: 1 },
  { perSecond: 1_000_000, mustMs: 10 },
];

export async function benchDurable(report: Report, rounds: number): Promise<void> {
  await withBundle("core-durable-child", async (file) => {
    const child = startChild(file, HOST_FLAGS);
    await child.ask({ do: "prepare" });
    const results: Round[] = [];
    // The first rounds warm the code up and do not count.
    for (let round = -2; round < rounds; round++) {
      const result = await child.ask<Round>({ do: "round" });
      if (round >= 0) results.push(result);
    }
    const of = (pick: (round: Round) => number): number => median(results.map(pick));
    const ratio = of(({ durable, inMemory }) => durable / inMemory);
    report(
      "durable ÷ full in memory, base",
      of(({ durable }) => durable),
      ratio,
      "0.7",
      ratio >= 0.7,
    );
    report(
      "  in memory, under the host's flags",
      of(({ inMemory }) => inMemory),
      1,
      "-",
      true,
    );
    const cpu = of(({ durableCpu, memoryCpu }) => memoryCpu / durableCpu);
    report(
      "  the same by processor time of the core's thread",
      1e9 / of(({ durableCpu }) => durableCpu),
      cpu,
      "-",
      true,
    );
    const replay = of((round) => round.replay);
    report("replay of the journal's files", replay, 1, "5 M/s", replay >= 5e6);
    report(
      "journal, bytes a command",
      0,
      of(({ bytes }) => bytes),
      "-",
      true,
    );
    for (const { perSecond, mustMs } of RATES) {
      const { p50, p99 } = await child.ask<{ p50: number; p99: number }>({ do: "latency", perSecond });
      const name = `commit p99 in ms at ${perSecond / 1_000} k/s (p50 ${p50.toFixed(2)})`;
      report(name, perSecond, p99, `${mustMs} ms`, p99 <= mustMs);
    }
    child.end();
    await benchRestart(file, report);
  });
}

/** One process writes, another begins with what it finds. */
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
    options: { json: { type: "boolean", default: false }, rounds: { type: "string", default: "5" } },
  });
  const reporter = new Reporter(values.json);
  await benchDurable(reporter.report, Number(values.rounds));
  process.exitCode = reporter.kept ? 0 : 1;
}
