// npm run bench -- core-perp [--json] [--rounds N] [--only flow|marks]: perpetuals compared with spot on the same flow,
// in turns, and a mark over 100 000 open positions. A run counts only when every invariant holds at its end.
import { parseArgs } from "node:util";
import type { Marks, Spread } from "./core-perp-marks.ts";
import { CORE_FLAGS, median, type Report, Reporter, startChild, withBundle } from "./core-process.ts";

async function benchFlow(file: string, report: Report, rounds: number): Promise<void> {
  const names = ["spot", "perp"] as const;
  const children = { spot: startChild(file, CORE_FLAGS), perp: startChild(file, CORE_FLAGS) };
  const speeds = { spot: [] as number[], perp: [] as number[] };
  for (const name of names) {
    await children[name].ask({ do: "prepare", engine: name });
    for (let i = 0; i < 3; i++) await children[name].ask({ do: "run" });
  }
  for (let round = 0; round < rounds; round++)
    for (const name of names)
      speeds[name].push((await children[name].ask<{ perSecond: number }>({ do: "run" })).perSecond);
  const garbage = await children.perp.ask<{ count: number; grown: number }>({ do: "collections" });
  for (const child of Object.values(children)) child.end();
  const ratio = median(speeds.perp.map((speed, i) => speed / (speeds.spot[i] ?? 1)));
  report("full perpetuals ÷ full spot, base", median(speeds.perp), ratio, "0.7", ratio >= 0.7);
  report("  full spot beside it", median(speeds.spot), 1, "-", true);
  const bytes = (garbage.grown / 1_000_000).toFixed(2);
  report(`collections in 1 M perpetual commands (${bytes} bytes each)`, 0, garbage.count, "0", garbage.count === 0);
}

async function benchMarks(file: string, report: Report): Promise<void> {
  const child = startChild(file, CORE_FLAGS);
  const marks = await child.ask<Marks>({ do: "marks" });
  child.end();
  const print = (name: string, { median, p90, p99, worst, worstOnClock, count }: Spread): void => {
    const spread = `median ${median.toFixed(3)}, p90 ${p90.toFixed(2)}, p99 ${p99.toFixed(2)}`;
    report(`${name}: worst ms of ${count}, waiting for a core left out`, 0, worst, "5 ms", worst < 5);
    report(`  ${spread}; worst on the clock`, 0, worstOnClock, "-", true);
  };
  print("a mark over 100 000 positions that ends nobody", marks.commandsSinceGrowth);
  print(`finding whom a mark ends, up to ${marks.foundMost} at once`, marks.finding);
  report(`  liquidated, ${marks.microsEach.toFixed(0)} µs each`, 0, marks.liquidated, "-", true);
}

/** The flow alone, as a bar of the core. */
export async function benchPerp(report: Report, rounds: number): Promise<void> {
  await withBundle("core-perp-child", (file) => benchFlow(file, report, rounds));
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      rounds: { type: "string", default: "25" },
      only: { type: "string" },
    },
  });
  const reporter = new Reporter(values.json);
  await withBundle("core-perp-child", async (file) => {
    if (values.only !== "marks") await benchFlow(file, reporter.report, Number(values.rounds));
    if (values.only !== "flow") await benchMarks(file, reporter.report);
  });
  process.exitCode = reporter.kept ? 0 : 1;
}
