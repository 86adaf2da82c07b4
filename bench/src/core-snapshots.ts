// npm run bench -- core-snapshots [--accounts N] [--json]: what a snapshot of a large state costs orders during it.
// Commands one after the other, with a snapshot in progress and without, on the real engine; and what copying the same
// state would take.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { restoreMachine } from "@clockwork/core/machine/machine";
import type { Command } from "@clockwork/core/protocol/command";
import { type Engine, startEngine } from "@clockwork/server/engine/engine";
import { localFiles } from "@clockwork/server/engine/journal/files";
import { listSnapshots, readSnapshot } from "@clockwork/server/engine/recovery/snapshots";

import { Reporter } from "./core-process.ts";

const AT_ONCE = 20_000;
const ASSETS = 8;
const NEVER = 1e12;
const STRETCH_MS = 8_000;
/** The longest of this many commands during a snapshot, and without one. */
const STRETCHES = 3;

const { values } = parseArgs({ options: { accounts: { type: "string" }, json: { type: "boolean" } } });
const count = Number(values.accounts ?? 1_000_000);
const reporter = new Reporter(values.json === true);
const folder = mkdtempSync(join(tmpdir(), "cw-bench-snapshots-"));

async function submitAll(engine: Engine, total: number, commandOf: (index: number) => Command): Promise<number[]> {
  const accounts: number[] = [];
  for (let from = 0; from < total; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, total - from);
    const acks = await Promise.all(Array.from({ length }, (_, index) => engine.submit(commandOf(from + index))));
    for (const ack of acks) {
      if (!ack.done) throw new Error(`a command was refused: ${ack.code}`);
      for (const event of ack.events) if (event.kind === "accountCreated") accounts.push(event.account);
    }
  }
  return accounts;
}

/** Waits of commands sent one after the other, in ms, in order of length. */
async function measure(engine: Engine, account: number, until: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  const end = performance.now() + STRETCH_MS;
  while (performance.now() < end && !until()) {
    const started = performance.now();
    await engine.submit({ kind: "cancelOrder", account, orderId: 1 });
    waits.push(performance.now() - started);
  }
  return waits.sort((left, right) => left - right);
}

const at = (waits: readonly number[], share: number): number => waits[Math.floor((waits.length - 1) * share)] ?? 0;

try {
  const rate = { snapshotEveryMs: NEVER, snapshotEveryCommands: NEVER };
  const engine = await startEngine({ folder, release: "bench", ...rate });
  await submitAll(engine, ASSETS, (index) => ({ kind: "listAsset", symbol: `C${index}`, scale: 6 }));
  const accounts = await submitAll(engine, count, (index) => ({
    kind: "createAccount",
    user: index + 1,
    book: "spot",
  }));
  const own = (index: number): number => accounts[index % count] as number;
  await submitAll(engine, count * ASSETS, (index) => ({
    kind: "mint",
    account: own(index),
    asset: 1 + Math.floor(index / count),
    units: 1,
    business: "deposit",
    reference: `${index}`,
  }));
  const account = own(0);
  // The first one brings the second machine level with all of this.
  await engine.takeSnapshot();
  const isTaken = (sequence: number): boolean => (engine.health().stateHashSequence ?? 0) >= sequence;
  while (!isTaken(engine.health().sequence)) await new Promise((resolve) => setTimeout(resolve, 100));
  for (let stretch = 1; stretch <= STRETCHES; stretch++) {
    const without = await measure(engine, account, () => false);
    const { sequence } = engine.health();
    await engine.takeSnapshot();
    const beside = await measure(engine, account, () => isTaken(sequence));
    const text = `p99 ${at(beside, 0.99).toFixed(2)} beside, ${at(without, 0.99).toFixed(2)} without`;
    const [longest, alone] = [at(beside, 1), at(without, 1)];
    reporter.report(`longest wait beside a snapshot in ms (${text}; alone ${alone.toFixed(1)})`, 0, longest, "-", true);
  }
  await engine.close();
  const newest = listSnapshots(localFiles, join(folder, "snapshots"))[0];
  if (newest === undefined) throw new Error("there is no snapshot");
  const { state } = readSnapshot(localFiles, newest.path);
  const machine = restoreMachine([state]);
  const started = performance.now();
  machine.snapshot();
  const copyMs = performance.now() - started;
  reporter.report(`a copy of the same ${(state.length / 2 ** 20).toFixed(0)} MB in ms`, 0, copyMs, "-", true);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
