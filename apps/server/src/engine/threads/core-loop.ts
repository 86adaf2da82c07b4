// Owns the life of the core thread: come back to the present, warm up, trade, answer requests, leave a last snapshot, end.
// Must never open for commands before the whole journal is applied.

import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { measureMs } from "@clockwork/host/time/measure";
import { SharedClock } from "../../clock/clock-memory.ts";
import { localFiles } from "../journal/files.ts";
import { EngineFault } from "../memory/fault.ts";
import { EngineMemory } from "../memory/memory.ts";
import { checkSnapshotsBehind, type MachineFactory, recover } from "../recovery/recovery.ts";
import { type SnapshotHeader, writeSnapshot } from "../recovery/snapshots.ts";
import { toFaultMessage } from "./fault-message.ts";
import { type HaltReason, Host } from "./host.ts";
import type { CoreMessage, CoreRequest, CoreWorkerData, MaintenanceTask } from "./messages.ts";
import { warmUp } from "./warm-up.ts";

const HALTED_WAIT_MS = 100;

export function runCore(factory: MachineFactory): void {
  const data = workerData as CoreWorkerData;
  const life = new CoreLife(data, factory);
  try {
    life.start();
    life.trade();
  } catch (error) {
    life.publish(toFaultMessage(error));
  } finally {
    data.maintenance.close();
    data.requests.close();
    parentPort?.close();
  }
}

class CoreLife {
  readonly #data: CoreWorkerData;
  readonly #factory: MachineFactory;
  readonly #memory: EngineMemory;
  #host: Host | undefined;
  #fromSnapshot = 0;
  #closing: number | undefined;

  constructor(data: CoreWorkerData, factory: MachineFactory) {
    this.#data = data;
    this.#factory = factory;
    this.#memory = new EngineMemory(data.buffers);
  }

  publish(message: CoreMessage): void {
    parentPort?.postMessage(message);
  }

  start(): void {
    const data = this.#data;
    this.#memory.state = "replaying";
    this.#memory.replayTarget = data.durableSequence;
    checkSnapshotsBehind(localFiles, data.snapshotFolder, data.durableSequence);
    // Before anything real: the machine that trades is the very one that was warmed up, emptied.
    if (data.warmUpCommands > 0) warmUp(this.#factory.createMachine(), data.warmUpCommands);
    const options = {
      files: localFiles,
      journalFolder: data.journalFolder,
      snapshotFolder: data.snapshotFolder,
      factory: this.#factory,
      release: data.release,
      replayOthers: data.replayOthers,
      toSequence: data.durableSequence,
      ...(data.eventsAfter === undefined ? {} : { eventsAfter: data.eventsAfter }),
      onNote: (line: string) => this.publish({ kind: "note", line }),
    };
    const recovery = recover(options, ({ machine, timeBeforeMs, hasEvents }) => {
      if (hasEvents) this.#replayEvents(this.#hostFor(machine), timeBeforeMs);
      this.#memory.sequence = machine.sequence;
    });
    this.#checkCursor(recovery.machine.sequence);
    this.#fromSnapshot = recovery.snapshot?.sequence ?? 0;
    const host = this.#hostFor(recovery.machine);
    host.catchUp();
    host.releaseDurable();
    this.#memory.state = "running";
    this.#data.maintenance.postMessage({
      kind: "scrub",
      folder: this.#data.journalFolder,
      beforeSequence: this.#fromSnapshot,
    } satisfies MaintenanceTask);
    const { replayed } = recovery;
    const timeMs = host.machine.now;
    const rules = this.#factory.rules?.newest ?? 0;
    const fromSnapshot = this.#fromSnapshot;
    this.publish({ kind: "running", sequence: host.sequence, timeMs, replayed, fromSnapshot, rules });
  }

  /** A projection that has seen more than the journal holds received commands that are now gone. */
  #checkCursor(sequence: number): void {
    const eventsAfter = this.#data.eventsAfter ?? 0;
    if (eventsAfter <= sequence) return;
    const reason = `ends at ${sequence}, but the projection has seen ${eventsAfter}: commands are missing`;
    throw new EngineFault("JOURNAL_BEHIND", reason, { file: this.#data.journalFolder });
  }

  #hostFor(machine: Host["machine"]): Host {
    this.#host ??= new Host({
      memory: this.#memory,
      machine,
      clock: new SharedClock(this.#data.clock).now,
      onTurn: (host) => this.#turn(host),
    });
    return this.#host;
  }

  #replayEvents(host: Host, timeBeforeMs: number): void {
    host.catchUp();
    host.writeEvents(0, timeBeforeMs);
    host.releaseDurable();
  }

  trade(): void {
    const host = this.#host as Host;
    const { rules } = this.#factory;
    if (rules !== undefined) host.setRules(rules.newest);
    const reason = host.run();
    if (reason !== undefined) this.#halt(host, reason);
    else this.#leaveSnapshot(host);
    this.#memory.stop();
    this.#memory.journalBell.ring();
    if (this.#closing !== undefined) this.publish({ kind: "done", id: this.#closing });
  }

  /** Trading has stopped. What was applied before is still committed and published; then only requests are answered. */
  #halt(host: Host, reason: HaltReason): void {
    this.#awaitDurable(host);
    this.#memory.state = "halted";
    this.publish({ kind: "halted", reason });
    while (this.#closing === undefined) {
      this.#serveRequests(host);
      this.#memory.coreBell.wait(() => this.#memory.requested, HALTED_WAIT_MS);
    }
  }

  /** Between two groups of commands; true ends the loop. */
  #turn(host: Host): boolean {
    if (this.#memory.requested) this.#serveRequests(host);
    // What was submitted before the close is still applied and answered.
    if (this.#closing !== undefined && !host.hasCommands) return true;
    return false;
  }

  /**
   * Nothing is applied any more, no timer either: the next start has nothing to replay. Written here,
   * since no caller waits for this thread now.
   */
  #leaveSnapshot(host: Host): void {
    this.#awaitDurable(host);
    const { snapshotFolder } = this.#data;
    if (this.#memory.failed || host.sequence === this.#fromSnapshot) return;
    const startedMs = measureMs();
    const header = this.#headerOf(host, host.machine.stateHash());
    try {
      const { tablesSequence } = this.#memory;
      writeSnapshot(localFiles, snapshotFolder, header, host.machine.snapshot(true), { tablesSequence });
      const { sequence, stateHash } = header;
      this.publish({ kind: "snapshot", sequence, stateHash, tookMs: measureMs() - startedMs });
    } catch (error) {
      // The journal holds everything; a start by the same release replays it.
      this.publish({ kind: "alarm", line: `no snapshot was left: ${error instanceof Error ? error.message : error}` });
    }
  }

  /** What was applied is committed and published. */
  #awaitDurable(host: Host): void {
    while (host.isAhead && !this.#memory.failed) {
      this.#memory.coreBell.wait(() => this.#memory.durableLow === (host.sequence | 0), HALTED_WAIT_MS);
      host.releaseDurable();
    }
  }

  #headerOf({ machine }: Host, stateHash: string): SnapshotHeader {
    const { identity, release } = this.#data;
    return { sequence: machine.sequence, timeMs: machine.now, identity, stateHash, release };
  }

  #serveRequests(host: Host): void {
    this.#memory.takeRequest();
    for (;;) {
      const received = receiveMessageOnPort(this.#data.requests);
      if (received === undefined) return;
      const request = received.message as CoreRequest;
      if (request.kind === "close") {
        this.#closing = request.id;
      } else if (request.kind === "listing") {
        this.publish({ kind: "listing", id: request.id, listing: this.#factory.readListing?.(host.machine) });
      } else if (request.kind === "sources") {
        this.publish({ kind: "sources", id: request.id, sources: this.#factory.readIndexSources?.(host.machine) });
      } else if (request.kind === "balances") {
        const balances = this.#factory.readBalances?.(host.machine, request.slice);
        this.publish({ kind: "balances", id: request.id, balances });
      } else {
        const { machine } = host;
        this.publish({ kind: "hash", id: request.id, sequence: machine.sequence, stateHash: machine.stateHash() });
      }
    }
  }
}
