// Owns the snapshots of a running engine: a second machine that applies the journal's durable commands now and then and
// writes itself to a file, so that trading never waits for a copy of its state. What it writes is what a replay leads to.
// Must never apply a command that is not durable, nor write where another engine's snapshot is being written.
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { Machine } from "@clockwork/core/protocol/contract";
import { giveWay } from "@clockwork/host/time/give-way";
import { measureMs } from "@clockwork/host/time/measure";
import { localFiles } from "../journal/files.ts";
import { EngineFault } from "../memory/fault.ts";
import { EngineMemory } from "../memory/memory.ts";
import { advance, type MachineFactory } from "../recovery/recovery.ts";
import { loadSnapshot, writeSnapshot } from "../recovery/snapshots.ts";
import { toFaultMessage } from "./fault-message.ts";
import type { SnapshotThreadMessage, SnapshotWorkerData } from "./messages.ts";

const NICE = 10;
const POLL_MS = 1_000;
const GAP_MS_MIN = 1_000;
const WAIT_MS = 2;
const still = new Int32Array(new SharedArrayBuffer(4));

export function runSnapshots(factory: MachineFactory): void {
  giveWay(NICE);
  const follower = new SnapshotFollower(workerData as SnapshotWorkerData, factory);
  parentPort?.on("message", (sequence: number) => follower.snapshot(sequence));
  void follower.run();
}

class SnapshotFollower {
  readonly #data: SnapshotWorkerData;
  readonly #factory: MachineFactory;
  readonly #memory: EngineMemory;
  #machine: Machine | undefined;
  /** Of the newest snapshot, the initial state. */
  #sequence: number;
  #atMs = measureMs();

  constructor(data: SnapshotWorkerData, factory: MachineFactory) {
    this.#data = data;
    this.#factory = factory;
    this.#memory = new EngineMemory(data.buffers);
    this.#sequence = data.fromSnapshot;
  }

  async run(): Promise<void> {
    const { everyMs, everyCommands } = this.#data;
    for (;;) {
      await sleep(Math.min(POLL_MS, everyMs));
      const durable = this.#memory.durableSequence;
      const [commands, elapsedMs] = [durable - this.#sequence, measureMs() - this.#atMs];
      const isDue = commands >= everyCommands || elapsedMs >= everyMs;
      if (commands > 0 && isDue && elapsedMs >= GAP_MS_MIN) this.snapshot(durable);
    }
  }

  /** Of the state after this command, or later where it has gone on already. */
  snapshot(sequence: number): void {
    const startedMs = measureMs();
    this.#atMs = startedMs;
    try {
      // Only for requests that arrive while it is in progress.
      while (this.#memory.durableSequence < sequence) {
        if (this.#memory.failed) return;
        pause();
      }
      const machine = this.#machine ?? this.#load();
      // Dropped if it fails half-way: then it starts again from the newest file.
      this.#machine = undefined;
      advance(localFiles, this.#data.journalFolder, machine, sequence);
      const { identity, release, snapshotFolder } = this.#data;
      const stateHash = machine.stateHash();
      const header = { sequence: machine.sequence, timeMs: machine.now, identity, stateHash, release };
      const { tablesSequence } = this.#memory;
      writeSnapshot(localFiles, snapshotFolder, header, machine.snapshot(true), { pause, tablesSequence });
      this.#machine = machine;
      this.#sequence = machine.sequence;
      this.#publish({ kind: "snapshot", sequence: machine.sequence, stateHash, tookMs: measureMs() - startedMs });
    } catch (error) {
      // A snapshot less is no reason to stop trading: the journal holds everything.
      this.#publish(toFaultMessage(error));
    }
  }

  /** The initial state of trading, or that of the newest snapshot of this run. */
  #load(): Machine {
    const { identity, snapshotFolder } = this.#data;
    if (this.#sequence === 0) return this.#factory.createMachine();
    const wanted = { identity, sequenceMax: this.#sequence };
    const snapshot = loadSnapshot(localFiles, snapshotFolder, wanted, (fault) => this.#publish(toFaultMessage(fault)));
    if (snapshot?.sequence === this.#sequence) return this.#factory.restoreMachine([snapshot.state]);
    throw new EngineFault("SNAPSHOT_DAMAGED", `the snapshot at ${this.#sequence} is gone`, { file: snapshotFolder });
  }

  #publish(message: SnapshotThreadMessage): void {
    parentPort?.postMessage(message);
  }
}

/** Lets the journal's own writes through. */
function pause(): void {
  Atomics.wait(still, 0, 0, WAIT_MS);
}
