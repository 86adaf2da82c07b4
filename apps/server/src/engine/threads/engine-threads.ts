// Owns the engine's three worker threads: starts them in order, listens to them, ends them. Must never leave one
// running after close, nor hide that one was lost.
import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { BalanceColumns, BalanceSlice } from "@clockwork/core/inspect/balances";
import type { IndexSources } from "@clockwork/core/inspect/contracts";
import type { Listing } from "@clockwork/core/inspect/listing";
import { later } from "@clockwork/host/time/background";
import type { SharedClock } from "../../clock/clock-memory.ts";
import type { ArchivePlace } from "../journal/archive-store.ts";
import { EngineFault } from "../memory/fault.ts";
import type { EngineBuffers, EngineMemory } from "../memory/memory.ts";
import { toError } from "./fault-message.ts";
import { type HaltReason, JOURNAL_FAILED } from "./host.ts";
import type {
  CoreMessage,
  CoreRequest,
  CoreWorkerData,
  JournalMessage,
  JournalWorkerData,
  MaintenanceMessage,
  MaintenanceWorkerData,
  SnapshotMessage,
  SnapshotThreadMessage,
  SnapshotWorkerData,
} from "./messages.ts";

export interface ThreadOptions {
  readonly buffers: EngineBuffers;
  readonly memory: EngineMemory;
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  readonly release: string;
  readonly replayOthers: boolean;
  readonly segmentBytes: number;
  readonly snapshotEveryMs: number;
  readonly snapshotEveryCommands: number;
  readonly warmUpCommands: number;
  readonly eventsAfter: number | undefined;
  readonly archive: ArchivePlace | undefined;
  readonly coreWorker: URL | undefined;
  readonly clock: EngineClock;
  readonly onJournal: (identity: string) => void;
  readonly onNote: (line: string) => void;
  readonly onAlarm: (line: string) => void;
  readonly onHalt: () => void;
}

/** The clock commands are stamped with. */
export interface EngineClock {
  readonly shared: SharedClock;
  raiseTo(timeMs: number): void;
}

/** A core that does not end by then is taken down; the journal makes that safe. */
const CLOSE_MS_MAX = 120_000;
const FAULT_WAIT_MS = 2_000;

type Hash = { sequence: number; stateHash: string };
type Reply =
  | Hash
  | { listing: Listing | undefined }
  | { sources: IndexSources | undefined }
  | { balances: BalanceColumns | undefined }
  | undefined;

// Written out in full: the build searches for these and puts each worker next to its parent.
const MAINTENANCE_WORKER = new URL("./maintenance-worker.ts", import.meta.url);
const JOURNAL_WORKER = new URL("./journal-worker.ts", import.meta.url);
const CORE_WORKER = new URL("./core-worker.ts", import.meta.url);

export class EngineThreads {
  readonly #options: ThreadOptions;
  readonly #workers: Worker[] = [];
  readonly #replies = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();
  #journal: Worker | undefined;
  #snapshots: Worker | undefined;
  #identity = "";
  #requests: MessagePort | undefined;
  #lastRequest = 0;
  #started: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #journalClosed = Promise.withResolvers<void>();
  #closing = false;
  /** Hash of the state at the newest snapshot of this run. */
  stateHash: string | undefined;
  stateHashSequence: number | undefined;
  /** Why the engine stopped, in one line. */
  reason: string | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#journalClosed.promise.catch(() => undefined);
  }

  /** Resolves when the core is trading; rejects with the fault that keeps it from it. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#started = { resolve, reject };
      const journalMaintenance = new MessageChannel();
      const coreMaintenance = new MessageChannel();
      const { buffers, journalFolder, snapshotFolder, release, segmentBytes, warmUpCommands, archive } = this.#options;
      const maintenance: MaintenanceWorkerData = {
        buffers,
        journalFolder,
        snapshotFolder,
        archive,
        fromJournal: journalMaintenance.port1,
        fromCore: coreMaintenance.port1,
      };
      this.#spawn("maintenance", MAINTENANCE_WORKER, maintenance, [journalMaintenance.port1, coreMaintenance.port1]).on(
        "message",
        (message: MaintenanceMessage) => this.#onMaintenance(message),
      );
      const journal: JournalWorkerData = {
        buffers,
        folder: journalFolder,
        release,
        segmentBytes,
        warmUpCommands,
        maintenance: journalMaintenance.port2,
      };
      this.#journal = this.#spawn("journal", JOURNAL_WORKER, journal, [journalMaintenance.port2]);
      this.#journal.on("message", (message: JournalMessage) => this.#onJournal(message, coreMaintenance.port2));
    });
  }

  async requestHash(): Promise<Hash> {
    const { sequence, stateHash } = (await this.#request("hash")) as Hash;
    return { sequence, stateHash };
  }

  /** Undefined when this machine lists nothing. */
  async requestListing(): Promise<Listing | undefined> {
    return ((await this.#request("listing")) as { listing: Listing | undefined }).listing;
  }

  /** The same of what the sources of indices say. */
  async requestSources(): Promise<IndexSources | undefined> {
    return ((await this.#request("sources")) as { sources: IndexSources | undefined }).sources;
  }

  /** The same of what every account holds. */
  async requestBalances(slice?: BalanceSlice): Promise<BalanceColumns | undefined> {
    return (
      (await this.#request("balances", slice === undefined ? {} : { slice })) as {
        balances: BalanceColumns | undefined;
      }
    ).balances;
  }

  /** Of the state after the last command taken. */
  async requestSnapshot(): Promise<void> {
    this.#snapshots?.postMessage(this.#options.memory.sequence);
  }

  async close(): Promise<void> {
    this.#closing = true;
    // The core writes the last one itself; what was under way is not needed.
    await this.#snapshots?.terminate();
    try {
      if (this.#requests !== undefined) {
        const ended = this.#request("close").then(() => this.#journalClosed.promise);
        await Promise.race([ended, sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
      }
    } catch (error) {
      // A halted engine has reported the reason already; it only needs to end.
      if (this.reason === undefined) throw error;
    } finally {
      await this.terminate();
    }
  }

  /** Trading stops: what is committed now could not be read again. */
  fail(error: EngineFault): void {
    this.#lose("journal", error);
  }

  async terminate(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
    for (const { reject } of this.#replies.values()) reject(new EngineFault("WORKER_LOST", "the engine was closed"));
    this.#replies.clear();
  }

  #spawn(name: string, url: URL, data: unknown, ports: MessagePort[]): Worker {
    const worker = new Worker(url, { workerData: data, transferList: ports, name: `engine-${name}` });
    this.#workers.push(worker);
    worker.on("error", (error) => this.#lose(name, error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", (code) => {
      if (!this.#closing) this.#lose(name, new EngineFault("WORKER_LOST", `the ${name} thread ended with ${code}`));
    });
    return worker;
  }

  #openJournal(identity: string, durableSequence: number, maintenance: MessagePort): void {
    try {
      this.#options.onJournal(identity);
    } catch (error) {
      this.#lose("journal", error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.#startCore(identity, durableSequence, maintenance);
  }

  #startCore(identity: string, durableSequence: number, maintenance: MessagePort): void {
    const { buffers, journalFolder, snapshotFolder, release, eventsAfter } = this.#options;
    const { warmUpCommands, replayOthers } = this.#options;
    const requests = new MessageChannel();
    this.#requests = requests.port1;
    this.#identity = identity;
    const data: CoreWorkerData = {
      role: "core",
      buffers,
      journalFolder,
      snapshotFolder,
      release,
      replayOthers,
      identity,
      durableSequence,
      eventsAfter,
      warmUpCommands,
      maintenance,
      requests: requests.port2,
      clock: this.#options.clock.shared.buffer,
    };
    const url = this.#options.coreWorker ?? CORE_WORKER;
    this.#spawn("core", url, data, [maintenance, requests.port2]).on("message", (message: CoreMessage) =>
      this.#onCore(message),
    );
  }

  #onJournal(message: JournalMessage, maintenance: MessagePort): void {
    switch (message.kind) {
      case "open":
        this.#openJournal(message.identity, message.durableSequence, maintenance);
        break;
      case "begun":
        this.#started?.resolve();
        break;
      case "closed":
        this.#journalClosed.resolve();
        break;
      case "note":
        this.#options.onNote(message.line);
        break;
      case "fault":
        this.#lose("journal", toError(message));
        break;
    }
  }

  #onMaintenance(message: MaintenanceMessage): void {
    if (message.kind === "note") {
      this.#options.onNote(message.line);
      return;
    }
    this.#options.onAlarm(`a maintenance task failed: ${message.message}`);
  }

  /** A second machine in its own thread; trading does not depend on it. */
  #startSnapshots(fromSnapshot: number): void {
    const { buffers, journalFolder, snapshotFolder, release, coreWorker } = this.#options;
    const data: SnapshotWorkerData = {
      role: "snapshots",
      buffers,
      journalFolder,
      snapshotFolder,
      release,
      fromSnapshot,
      identity: this.#identity,
      everyMs: this.#options.snapshotEveryMs,
      everyCommands: this.#options.snapshotEveryCommands,
    };
    const worker = new Worker(coreWorker ?? CORE_WORKER, { workerData: data, name: "engine-snapshots" });
    this.#workers.push(worker);
    this.#snapshots = worker;
    worker.on("message", (message: SnapshotThreadMessage) => {
      if (message.kind === "snapshot") this.#onSnapshot(message);
      else this.#options.onAlarm(`no snapshot was taken: ${message.message}`);
    });
    worker.on("error", (error) => this.#options.onAlarm(`no more snapshots until a restart: ${String(error)}`));
  }

  #onSnapshot({ sequence, stateHash, tookMs }: SnapshotMessage): void {
    this.stateHash = stateHash;
    this.stateHashSequence = sequence;
    this.#options.onNote(`snapshot at ${sequence} in ${tookMs.toFixed(0)} ms`);
  }

  #onCore(message: CoreMessage): void {
    switch (message.kind) {
      case "running": {
        const { sequence, timeMs, replayed, fromSnapshot, rules } = message;
        // The journal may be ahead of the machine's clock; time continues from there and does not stop.
        this.#options.clock.raiseTo(timeMs);
        this.#options.onNote(`running at ${sequence}: snapshot ${fromSnapshot}, ${replayed} commands replayed`);
        // Only now may the journal be written: every check that could refuse it has run on the unchanged files.
        this.#journal?.postMessage(rules);
        if (!this.#closing) this.#startSnapshots(fromSnapshot);
        break;
      }
      case "halted":
        this.#onHalt(message.reason);
        break;
      case "hash":
      case "listing":
      case "balances":
      case "sources":
      case "done":
        this.#replies.get(message.id)?.resolve(message.kind === "done" ? undefined : message);
        this.#replies.delete(message.id);
        break;
      case "snapshot":
        this.#onSnapshot(message);
        break;
      case "note":
        this.#options.onNote(message.line);
        break;
      case "alarm":
        this.#options.onAlarm(message.line);
        break;
      case "fault":
        this.#lose("core", toError(message));
        break;
    }
  }

  #onHalt(reason: HaltReason): void {
    if (reason.command !== undefined) this.#options.onNote(`refused command: ${reason.command}`);
    const line = `${reason.rule}: ${reason.detail} (after ${reason.sequence})`;
    // The core only detects that the journal failed; the journal's own message with the reason is on its way.
    if (reason.rule === JOURNAL_FAILED) later("engine.halt", () => this.#halt(line), FAULT_WAIT_MS).unref();
    else this.#halt(line);
  }

  #request(kind: CoreRequest["kind"], more: { readonly slice?: BalanceSlice } = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#requests === undefined) {
        reject(new EngineFault("WORKER_LOST", "the core is not running"));
        return;
      }
      const id = ++this.#lastRequest;
      this.#replies.set(id, { resolve, reject });
      this.#requests.postMessage({ kind, id, ...more } satisfies CoreRequest);
      this.#options.memory.request();
      this.#options.memory.coreBell.ring();
    });
  }

  /** A thread broke. At the start that is the answer to `start`; later it stops trading. */
  #lose(name: string, error: Error): void {
    this.#options.memory.fail();
    this.#options.memory.coreBell.ring();
    this.#journalClosed.reject(error);
    this.#started?.reject(error);
    if (name === "core") {
      this.#requests = undefined;
      for (const { reject } of this.#replies.values()) reject(error);
      this.#replies.clear();
    }
    this.#halt(error.message);
  }

  #halt(reason: string): void {
    // The first reason is the true one; what follows are its consequences.
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.#options.onAlarm(`halted: ${reason}`);
    this.#options.onHalt();
  }
}
