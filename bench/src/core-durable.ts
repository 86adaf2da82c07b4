// What durability costs: the base workload through the whole core in memory and through the real host with its journal
// thread on this machine's disk, in rounds of one run; then commit latency at fixed rates, and the replay of what was
// written. `--json` prints a line per case.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { MessageChannel, Worker } from "node:worker_threads";
import { createMachine } from "@clockwork/core/machine";
// biome-ignore-start lint/style/noRestrictedImports: the journal has no wire to speak; its benchmark must hold it
// biome-ignore-start lint/correctness/noUndeclaredDependencies: as above
import { SEGMENT_BYTES_DEFAULT } from "@clockwork/server/engine/file-journal";
import { localFiles } from "@clockwork/server/engine/files";
import { Host } from "@clockwork/server/engine/host";
import { allocateBuffers, EngineMemory } from "@clockwork/server/engine/memory";
import { recover } from "@clockwork/server/engine/recovery";
import { RingReader, RingWriter } from "@clockwork/server/engine/ring";
// biome-ignore-end lint/correctness/noUndeclaredDependencies: as above
// biome-ignore-end lint/style/noRestrictedImports: as above
import { applyFile, type CommandFile, encodeWorkload } from "./core-engines.ts";
import { createWorkload, SHAPES } from "./core-workload.ts";

// As the core's thread has them in production.
setFlagsFromString("--max-inlined-bytecode-size=1500");
setFlagsFromString("--max-inlined-bytecode-size-cumulative=5000");

const ROUNDS = 5;
const TIMED = 2_000_000;
const OPTIONS = { orderCapacity: 32_768, accountCapacity: 2_000, eventCapacity: 16_384 };
/** The one machine of this thread, emptied between runs, as the core's thread has it. */
const machine = createMachine(OPTIONS);
const isJson = process.argv.includes("--json");

/** The host on this thread, the journal and its chores on threads of their own, in a folder that is gone afterwards. */
class DurableRun {
  readonly folder = mkdtempSync(join(tmpdir(), "cw-bench-"));
  readonly #memory: EngineMemory;
  readonly #writer: RingWriter;
  readonly #reader: RingReader;
  readonly #workers: Worker[] = [];
  readonly #opened: Promise<void>;
  readonly #closed: Promise<void>;
  #host: Host | undefined;

  constructor() {
    const buffers = allocateBuffers({ commandBytes: 1 << 27, journalBytes: 8 << 20, eventBytes: 16 << 20 });
    this.#memory = new EngineMemory(buffers);
    this.#writer = new RingWriter(this.#memory.commandRing);
    this.#reader = new RingReader(this.#memory.eventRing);
    const [fromJournal, fromCore] = [new MessageChannel(), new MessageChannel()];
    const start = (name: string, workerData: object, transferList: MessageChannel["port1"][]): Worker => {
      const worker = new Worker(new URL(import.meta.resolve(`@clockwork/server/engine/${name}`)), {
        workerData,
        transferList,
      });
      this.#workers.push(worker);
      return worker;
    };
    const snapshotFolder = join(this.folder, "snapshots");
    const ports = { fromJournal: fromJournal.port1, fromCore: fromCore.port1 };
    start("chores-worker", { buffers, snapshotFolder, ...ports }, [fromJournal.port1, fromCore.port1]);
    const chores = fromJournal.port2;
    const data = {
      buffers,
      folder: join(this.folder, "journal"),
      release: "bench",
      segmentBytes: SEGMENT_BYTES_DEFAULT,
      chores,
    };
    const journal = start("journal-worker", data, [chores]);
    const heard = (kind: string): Promise<void> =>
      new Promise((resolve, reject) =>
        journal.on("message", (message: { kind: string; message?: string }) => {
          if (message.kind === kind) resolve();
          if (message.kind === "fault") reject(new Error(message.message));
        }),
      );
    this.#opened = heard("open");
    this.#closed = heard("closed");
  }

  async open(): Promise<void> {
    await this.#opened;
    machine.restore();
    this.#host = new Host({
      memory: this.#memory,
      machine,
      clock: Date.now,
      onTurn: () => false,
      onEventsFull: () => this.#dropEvents(),
    });
  }

  get host(): Host {
    if (this.#host === undefined) throw new Error("not open");
    return this.#host;
  }

  /** Puts commands [from, to) of the file into the ring, as many as fit; returns the next one. */
  offer(file: CommandFile, from: number, to: number): number {
    let at = from;
    for (; at < to; at++) {
      const start = file.offsets[at] as number;
      const length = (file.bytes[start] as number) | ((file.bytes[start + 1] as number) << 8);
      const room = this.#writer.reserve(length);
      if (room < 0) break;
      this.#writer.bytes.set(file.bytes.subarray(start, start + length), room);
      this.#writer.commit(length);
    }
    this.#writer.publish();
    return at;
  }

  /** One turn of the host; released events are read and dropped, as if handed on. */
  step(): number {
    const applied = this.host.step();
    if (this.host.halted !== undefined) throw new Error(this.host.halted.detail);
    this.#dropEvents();
    return applied;
  }

  rest(timeoutMs: number): void {
    this.#memory.coreBell.wait(() => false, timeoutMs);
  }

  /** Runs until everything offered is durable. */
  drain(count: number): void {
    while (this.host.durableSequence < count) if (this.step() === 0) this.rest(1);
  }

  async close(): Promise<void> {
    this.#memory.stop();
    this.#memory.journalBell.ring();
    await this.#closed;
    for (const worker of this.#workers) await worker.terminate();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #dropEvents(): void {
    for (let at = this.#reader.peek(); at >= 0; at = this.#reader.peek())
      this.#reader.advance(this.#reader.i32[at >> 2] as number);
    this.#reader.release();
  }
}

function runInMemory(file: CommandFile): number {
  machine.restore();
  applyFile(machine, file, 0, file.timedFrom);
  const start = performance.now();
  applyFile(machine, file, file.timedFrom, file.count);
  return (file.count - file.timedFrom) / ((performance.now() - start) / 1_000);
}

interface DurableResult {
  readonly opsPerSec: number;
  readonly replayPerSec: number;
  readonly bytesPerCommand: number;
}

async function runDurable(file: CommandFile): Promise<DurableResult> {
  const run = new DurableRun();
  try {
    await run.open();
    run.offer(file, 0, file.timedFrom);
    run.drain(file.timedFrom);
    run.offer(file, file.timedFrom, file.count);
    const start = performance.now();
    run.drain(file.count);
    const opsPerSec = (file.count - file.timedFrom) / ((performance.now() - start) / 1_000);
    await run.close();
    return { opsPerSec, ...replay(run.folder, file.count) };
  } finally {
    run.remove();
  }
}

/** Comes back from the files alone and must reach the very same state. */
function replay(folder: string, count: number): { replayPerSec: number; bytesPerCommand: number } {
  const stateHash = machine.stateHash();
  const start = performance.now();
  const recovery = recover({
    files: localFiles,
    journalFolder: join(folder, "journal"),
    snapshotFolder: join(folder, "snapshots"),
    factory: {
      createMachine: () => {
        machine.restore();
        return machine;
      },
      restoreMachine: (parts) => {
        machine.restore(parts);
        return machine;
      },
    },
  });
  const seconds = (performance.now() - start) / 1_000;
  if (recovery.machine.stateHash() !== stateHash) throw new Error("the replay reached another state");
  const bytes = recovery.end.stop?.offset ?? 0;
  const before = (recovery.segments.length - 1) * SEGMENT_BYTES_DEFAULT;
  return { replayPerSec: count / seconds, bytesPerCommand: (before + bytes) / count };
}

/** Milliseconds from the moment a command was due at this rate until it was durable. */
async function measureLatency(file: CommandFile, perSecond: number): Promise<Float64Array> {
  const run = new DurableRun();
  try {
    await run.open();
    run.offer(file, 0, file.timedFrom);
    run.drain(file.timedFrom);
    const total = Math.min(file.count - file.timedFrom, perSecond * 4);
    const latencies = new Float64Array(total);
    const start = performance.now();
    let sent = 0;
    let confirmed = 0;
    while (confirmed < total) {
      const due = Math.min(total, Math.floor(((performance.now() - start) * perSecond) / 1_000));
      if (sent < due) sent = run.offer(file, file.timedFrom + sent, file.timedFrom + due) - file.timedFrom;
      const applied = run.step();
      const durable = run.host.durableSequence - file.timedFrom;
      const nowMs = performance.now() - start;
      for (; confirmed < durable; confirmed++) latencies[confirmed] = nowMs - (confirmed * 1_000) / perSecond;
      if (applied === 0) run.rest(0.05);
    }
    await run.close();
    return latencies.sort();
  } finally {
    run.remove();
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[values.length >> 1] ?? 0;
const at = (sorted: Float64Array, part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;

/** One line for people, or one for programs with the figures as measured. */
function report(name: string, text: string, must: number, figures: Readonly<Record<string, number>>): void {
  if (isJson) process.stdout.write(`${JSON.stringify({ case: name, ...figures, must })}\n`);
  else process.stdout.write(`${name.padEnd(32)} ${text.padStart(28)}   must ${must}\n`);
}

const base = SHAPES.find((shape) => shape.name === "base");
if (base === undefined) throw new Error("no base workload");
const { file } = encodeWorkload(createWorkload({ ...base, timed: TIMED }));
const ratios: number[] = [];
const durables: DurableResult[] = [];
// The first round warms the code up and does not count.
for (let round = 0; round <= ROUNDS; round++) {
  const inMemory = runInMemory(file);
  const durable = await runDurable(file);
  if (round === 0) continue;
  ratios.push(durable.opsPerSec / inMemory);
  durables.push(durable);
  if (!isJson) {
    const [memory, disk] = [inMemory / 1e6, durable.opsPerSec / 1e6].map((value) => value.toFixed(2));
    process.stdout.write(`round ${round}: in memory ${memory} M/s, durable ${disk} M/s\n`);
  }
}
const ratio = median(ratios);
const opsPerSec = median(durables.map((each) => each.opsPerSec));
const millions = (value: number): string => `${(value / 1e6).toFixed(2)} M/s`;
report("durable ÷ full in memory, base", `${ratio.toFixed(2)} (${millions(opsPerSec)})`, 0.7, { opsPerSec, ratio });
const replayPerSec = median(durables.map((each) => each.replayPerSec));
report("replay from the journal's files", millions(replayPerSec), 5e6, { opsPerSec: replayPerSec });
for (const [perSecond, mustMs] of [
  [100_000, 1],
  [1_000_000, 10],
] as const) {
  const sorted = await measureLatency(file, perSecond);
  const [p50Ms, p99Ms] = [at(sorted, 0.5), at(sorted, 0.99)];
  const text = `${p99Ms.toFixed(3)} ms (p50 ${p50Ms.toFixed(3)})`;
  report(`commit p99 at ${perSecond / 1_000} k/s`, text, mustMs, { p50Ms, p99Ms });
}
if (!isJson) process.stdout.write(`journal: ${durables[0]?.bytesPerCommand.toFixed(1)} bytes a command\n`);
