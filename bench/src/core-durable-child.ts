// Owns one run of the real host in its own process, with journal and maintenance on threads next to it. Executes the
// parent's requests; prints nothing.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { createMachine } from "@clockwork/core/machine/machine";
import { SEGMENT_BYTES_DEFAULT, writeBlank } from "@clockwork/server/engine/journal/file-journal";
import { localFiles, syncWhole, writeWhole } from "@clockwork/server/engine/journal/files";
import { recordBytes } from "@clockwork/server/engine/journal/journal-format";
import { listSegments } from "@clockwork/server/engine/journal/segments";
import { allocateBuffers, EngineMemory, RING_SIZES_DEFAULT } from "@clockwork/server/engine/memory/memory";
import { RingReader, RingWriter } from "@clockwork/server/engine/memory/ring";
import { type MachineFactory, type Recovery, recover } from "@clockwork/server/engine/recovery/recovery";
import { writeSnapshot } from "@clockwork/server/engine/recovery/snapshots";
import { Host } from "@clockwork/server/engine/threads/host";
import { applyFile, type CommandFile, encodeWorkload, machineOptions } from "./core-engines.ts";
import { answerParent } from "./core-process.ts";
import { createWorkload, SHAPES, type Shape } from "./core-workload.ts";

interface Request {
  readonly do: "prepare" | "memory" | "durable" | "replay" | "latency" | "fill" | "restart";
  readonly index?: number;
  readonly perSecond?: number;
  readonly folder?: string;
}

/** Commands timed at a stretch, and how many stretches there are. */
const SEGMENT_COMMANDS = 500_000;
const SEGMENTS = 9;
const TIMED = SEGMENT_COMMANDS * SEGMENTS;
const REPLAYS = 8;
/** As the server warms its journal's thread up. */
const WARM_UP_COMMANDS = 200_000;
/** Seconds at a fixed rate: the first are of a market that has just opened and are not counted. */
const PACED_BEFORE_S = 1;
const PACED_S = 3.5;
/** Approximate bytes of a command in the journal; and how often the bare disk is measured. */
const FRAME_BYTES = 14;
const DISK_WRITES = 10_000;
const [base, deep] = SHAPES as [Shape, Shape];
let shape = base;
/** The one machine of this thread, emptied between runs, as the core's thread has it. */
// Rings as large as in production, but for commands: they all wait there before the time is taken.
const buffers = allocateBuffers({ ...RING_SIZES_DEFAULT, commandBytes: 1 << 26 });
let machine = createMachine({ ...machineOptions(base), eventBuffer: buffers.events });
let file: CommandFile | undefined;
let run: DurableRun | undefined;

const factory: MachineFactory = {
  createMachine: () => {
    machine.restore();
    return machine;
  },
  restoreMachine: (parts) => {
    machine.restore(parts);
    return machine;
  },
};

/** The host on this thread, the journal and its maintenance on threads of their own, in a folder that is gone afterwards. */
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
    const shared = { ...buffers, control: new SharedArrayBuffer(buffers.control.byteLength) };
    this.#memory = new EngineMemory(shared);
    this.#writer = new RingWriter(this.#memory.commandRing);
    this.#reader = new RingReader(this.#memory.eventRing);
    const [fromJournal, fromCore] = [new MessageChannel(), new MessageChannel()];
    const start = (name: string, workerData: object, transferList: MessageChannel["port1"][]): Worker => {
      const worker = new Worker(new URL(import.meta.resolve(`@clockwork/server/engine/threads/${name}`)), {
        workerData,
        transferList,
      });
      this.#workers.push(worker);
      return worker;
    };
    const ports = { fromJournal: fromJournal.port1, fromCore: fromCore.port1 };
    start("maintenance-worker", { buffers: shared, ...ports }, [fromJournal.port1, fromCore.port1]);
    const maintenance = fromJournal.port2;
    const data = {
      buffers: shared,
      folder: join(this.folder, "journal"),
      release: "bench",
      segmentBytes: SEGMENT_BYTES_DEFAULT,
      warmUpCommands: WARM_UP_COMMANDS,
      maintenance,
    };
    const journal = start("journal-worker", data, [maintenance]);
    const received = (kind: string): Promise<void> =>
      new Promise((resolve, reject) =>
        journal.on("message", (message: { kind: string; message?: string }) => {
          if (message.kind === kind) resolve();
          if (message.kind === "fault") reject(new Error(message.message));
        }),
      );
    this.#opened = received("open");
    this.#closed = received("closed");
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

  /**
   * Puts commands [from, to) of the file into the ring, as many as fit; returns the next one. Word by word: this thread is
   * the core's, and a submitter leaves no garbage on it.
   */
  offer(file: CommandFile, from: number, to: number): number {
    const target = this.#writer.i32;
    const { words, offsets } = file;
    let at = from;
    for (; at < to; at++) {
      const start = (offsets[at] as number) >> 2;
      const length = (words[start] as number) & 0xffff;
      const room = this.#writer.reserve(length);
      if (room < 0) break;
      for (let word = 0; word < length >> 2; word++) target[(room >> 2) + word] = words[start + word] as number;
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

function commands(): CommandFile {
  file ??= encodeWorkload(createWorkload({ ...shape, timed: shape === base ? TIMED : 1 })).file;
  return file;
}

interface Stretch {
  readonly perSecond: number;
  readonly cpu: number;
}

/** Wall and processor time of this thread over `count` commands: commands a second, nanoseconds a command. */
function timed(count: number, work: () => void): Stretch {
  const before = process.threadCpuUsage();
  const start = performance.now();
  work();
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.threadCpuUsage(before);
  return { perSecond: count / seconds, cpu: ((user + system) * 1_000) / count };
}

/** Where segment `index` of the timed commands starts. */
const segmentStart = (all: CommandFile, index: number): number => all.timedFrom + index * SEGMENT_COMMANDS;

/** The next stretch of commands in memory. */
function segmentInMemory(index: number): unknown {
  const all = commands();
  if (index === 0) applyFile(machine, all, 0, all.timedFrom);
  const [from, to] = [segmentStart(all, index), segmentStart(all, index + 1)];
  return timed(to - from, () => applyFile(machine, all, from, to));
}

/** The next stretch of commands through the host, until the disk has them; one host for all of them, as it has. */
async function segmentDurable(index: number): Promise<unknown> {
  const all = commands();
  const [from, to] = [segmentStart(all, index), segmentStart(all, index + 1)];
  if (run === undefined) {
    run = new DurableRun();
    await run.open();
    run.offer(all, 0, all.timedFrom);
    run.drain(all.timedFrom);
  }
  const open = run;
  open.offer(all, from, to);
  return timed(to - from, () => open.drain(to));
}

/**
 * Ends the run and comes back from its files alone, in turns with the same commands from memory into the same machine:
 * as many, in the same order, only stamped with other times. The first turns warm the reading up.
 */
async function replay(): Promise<unknown> {
  if (run === undefined) throw new Error("nothing was written");
  const { folder } = run;
  await run.close();
  const all = commands();
  const stateHash = machine.stateHash();
  const count = machine.sequence;
  // The host left the log a part of its ring that a thousand commands of the memory's side would outgrow.
  machine.events.place(0, buffers.events.byteLength);
  const turns: { memory: Stretch; files: Stretch }[] = [];
  let bytes = 0;
  for (let round = 0; round < REPLAYS; round++) {
    machine.restore();
    const memory = timed(all.count, () => applyFile(machine, all, 0, all.count));
    let recovery: Recovery | undefined;
    const files = timed(count, () => {
      recovery = recoverFrom(folder);
    });
    if (recovery?.machine.stateHash() !== stateHash) throw new Error("the replay reached another state");
    bytes = (recovery.segments.length - 1) * SEGMENT_BYTES_DEFAULT + (recovery.end.stop?.offset ?? 0);
    turns.push({ memory, files });
  }
  run.remove();
  run = undefined;
  return { turns: turns.slice(1), bytes: bytes / count };
}

function recoverFrom(folder: string): Recovery {
  const [journalFolder, snapshotFolder] = [join(folder, "journal"), join(folder, "snapshots")];
  // This file's bundle is in another folder than the thread's.
  const ahead = { worker: new URL(import.meta.resolve("@clockwork/server/engine/recovery/read-ahead-worker")) };
  return recover({ files: localFiles, journalFolder, snapshotFolder, factory, ahead });
}

/**
 * Milliseconds from the moment a command was due at this rate until it was durable, and the disk's own for comparison.
 */
async function latency(perSecond: number): Promise<unknown> {
  const all = commands();
  const run = new DurableRun();
  try {
    await run.open();
    run.offer(all, 0, all.timedFrom);
    run.drain(all.timedFrom);
    const before = perSecond * PACED_BEFORE_S;
    const latencies = new Float64Array(Math.min(all.count - all.timedFrom, perSecond * PACED_S + before));
    const batches = rate(run, all, perSecond, latencies);
    await run.close();
    const counted = latencies.subarray(before).sort();
    const bytes = (FRAME_BYTES * latencies.length) / batches;
    return { ...percentiles(counted), disk: measureDisk(run.folder, bytes), bytes };
  } finally {
    run.remove();
  }
}

const percentiles = (sorted: Float64Array): { p50: number; p99: number } => ({
  p50: sorted[sorted.length >> 1] as number,
  p99: sorted[Math.floor(sorted.length * 0.99)] as number,
});

/** Offers commands when they are due and notes when each is durable; returns in how many commits. */
function rate(run: DurableRun, all: CommandFile, perSecond: number, latencies: Float64Array): number {
  const total = latencies.length;
  const start = performance.now();
  let [sent, confirmed, batches] = [0, 0, 0];
  while (confirmed < total) {
    const due = Math.min(total, Math.floor(((performance.now() - start) * perSecond) / 1_000));
    if (sent < due) sent = run.offer(all, all.timedFrom + sent, all.timedFrom + due) - all.timedFrom;
    const applied = run.step();
    const durable = run.host.durableSequence - all.timedFrom;
    if (durable > confirmed) batches++;
    const nowMs = performance.now() - start;
    for (; confirmed < durable; confirmed++) latencies[confirmed] = nowMs - (confirmed * 1_000) / perSecond;
    if (applied === 0) run.rest(0.05);
  }
  return batches;
}

/** Cost of writing and syncing this many bytes without other load: milliseconds, on a blank file as ours are. */
function measureDisk(folder: string, bytes: number): { p50: number; p99: number } {
  const path = join(folder, "bare");
  writeBlank(localFiles, path, SEGMENT_BYTES_DEFAULT);
  const file = localFiles.open(path, "write");
  const record = new Uint8Array(recordBytes(Math.round(bytes))).fill(1);
  const times = new Float64Array(DISK_WRITES);
  for (let index = 0, at = 0; index < DISK_WRITES; index++, at += record.length) {
    if (at + record.length > SEGMENT_BYTES_DEFAULT) at = 0;
    const before = performance.now();
    writeWhole(file, record, at);
    syncWhole(file);
    times[index] = performance.now() - before;
  }
  file.close();
  return percentiles(times.sort());
}

/** Leaves a folder behind with a million live orders: a whole journal and a snapshot of its end. */
async function fill(): Promise<unknown> {
  shape = deep;
  machine = createMachine({ ...machineOptions(deep), eventBuffer: buffers.events });
  const all = commands();
  const run = new DurableRun();
  await run.open();
  for (let at = 0; at < all.count; run.drain(at)) at = run.offer(all, at, Math.min(all.count, at + 500_000));
  await run.close();
  const identity = listSegments(localFiles, join(run.folder, "journal"))[0]?.header.identity ?? "";
  const { sequence, now } = machine;
  const header = { sequence, timeMs: now, identity, release: "bench", stateHash: machine.stateHash() };
  writeSnapshot(localFiles, join(run.folder, "snapshots"), header, machine.snapshot());
  return { folder: run.folder, stateHash: header.stateHash };
}

/** From the files to a machine that can continue, in a process that has just started. */
function restart(folder: string): unknown {
  const start = performance.now();
  // As large as the core's thread makes it; the tables grow to what the snapshot holds.
  machine = createMachine({ orderCapacity: 1 << 18, accountCapacity: 1 << 15, eventCapacity: 1 << 14 });
  const { snapshot, replayed } = recoverFrom(folder);
  const seconds = (performance.now() - start) / 1_000;
  if (snapshot === undefined || replayed > 0) throw new Error("the snapshot was not used");
  return { seconds, stateHash: machine.stateHash() };
}

answerParent<Request>((request) => {
  switch (request.do) {
    case "prepare":
      return { segments: SEGMENTS, commands: commands().count };
    case "memory":
      return segmentInMemory(request.index ?? 0);
    case "durable":
      return segmentDurable(request.index ?? 0);
    case "replay":
      return replay();
    case "latency":
      return latency(request.perSecond ?? 0);
    case "fill":
      return fill();
    case "restart":
      return restart(request.folder ?? "");
  }
});
