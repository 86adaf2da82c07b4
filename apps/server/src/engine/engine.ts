// Owns the engine as the rest of the server sees it: start, submit, subscribe, health, close. Everything heavy runs
// in three worker threads (core, journal, maintenance). Must never answer a command before its commit.
import { join } from "node:path";
import type { BalanceColumns, BalanceSlice } from "@clockwork/core/inspect/balances";
import type { IndexSources } from "@clockwork/core/inspect/contracts";
import type { Listing } from "@clockwork/core/inspect/listing";
import { encodeBatch, encodeCommand } from "@clockwork/core/protocol/codec";
import { COMMAND_LENGTH_MAX, COMMANDS, type Command } from "@clockwork/core/protocol/command";
import type { Ack, EngineRefusal, EventListener } from "@clockwork/host/engine";
import { every, inBackground } from "@clockwork/host/time/background";
import { measureMs } from "@clockwork/host/time/measure";
import { plainClock } from "../clock/clock-memory.ts";
import { type FolderLock, lockFolder } from "../storage/lock.ts";
import { judgeRoom, type Room, type RoomLimits, readFreeBytes } from "./disk-room.ts";
import { FolderWatch } from "./folder-watch.ts";
import type { ArchivePlace } from "./journal/archive-store.ts";
import { SEGMENT_BYTES_DEFAULT } from "./journal/file-journal.ts";
import { localFiles } from "./journal/files.ts";
import { nameCommand, refuse } from "./memory/ack.ts";
import { EngineFault } from "./memory/fault.ts";
import {
  allocateBuffers,
  EngineMemory,
  type EngineState,
  RING_SIZES_DEFAULT,
  type RingSizes,
} from "./memory/memory.ts";
import { RingWriter } from "./memory/ring.ts";
import { checkJournalThere } from "./recovery/recovery.ts";
import { type EngineClock, EngineThreads } from "./threads/engine-threads.ts";
import { EventPump } from "./threads/event-pump.ts";

export interface EngineOptions {
  /** The data folder; `journal` and `snapshots` are made inside it. */
  readonly folder: string;
  /** Named in the journal: commands are only replayed by the release that wrote them. */
  readonly release: string;
  /** Replay what another release wrote after the newest snapshot, with a note, instead of refusing to start. */
  readonly replayOthers?: boolean;
  readonly segmentBytes?: number;
  readonly snapshotEveryMs?: number;
  readonly snapshotEveryCommands?: number;
  /** Synthetic commands run on a scratch machine before opening; about a million make the code fast. */
  readonly warmUpCommands?: number;
  /** Bytes left on the folder's disk below which there is an alarm, and below which no command is taken; left out, neither. */
  readonly room?: RoomLimits | undefined;
  /** Where segments go that no start needs any more; left out, they remain in the folder. */
  readonly archive?: ArchivePlace | undefined;
  /** Give subscribers the events of every later sequence, from a replay if need be; a projection's cursor. */
  readonly eventsAfter?: number;
  /** The highest sequence up to which events were persisted elsewhere; where there is one, there must be a journal. */
  readonly tablesSequence?: number;
  /** How far the slowest of those who keep events has stored them: a snapshot at or below is kept for their replay. */
  readonly readStored?: () => number;
  /** Called with the journal's identity before any event is published; throwing keeps the engine from starting. */
  readonly onJournal?: (identity: string) => void;
  /** Subscribed before the first event is given out. */
  readonly listeners?: readonly EventListener[];
  /** Called about five times a second while the journal is replayed. */
  readonly onProgress?: (sequence: number, target: number) => void;
  /** Called with facts for the log. */
  readonly onNote?: (line: string) => void;
  /** Called with the reason when trading stops, such as a full disk; left out, it is a note. */
  readonly onAlarm?: (line: string) => void;
  readonly ringSizes?: Partial<RingSizes>;
  /** Commands that may wait for their commit at once; more are refused as busy. */
  readonly pendingMax?: number;
  /** The clock of the process; left out, one that continues from the machine's and the journal's time. */
  readonly clock?: EngineClock;
  /** Another entry for the core thread; only tests have one. */
  readonly coreWorker?: URL;
}

export interface EngineHealth {
  readonly state: EngineState;
  readonly sequence: number;
  readonly durableSequence: number;
  /** Hash of the state at the newest snapshot. */
  readonly stateHash?: string;
  /** The last command that hash counts. */
  readonly stateHashSequence?: number;
  /** Why trading has stopped. */
  readonly reason?: string;
}

export interface Engine {
  /** Resolves after the commit with what happened, or at once with a refusal; rejects only for malformed input. */
  submit(command: Command): Promise<Ack>;
  /** Several orders as one command, each answered on its own in the events. */
  submitBatch(account: number, items: readonly Command[]): Promise<Ack>;
  /** Every later batch of events, in order, after its commit. Returns the way to stop. */
  subscribe(listener: EventListener): () => void;
  health(): EngineHealth;
  /** Hash of the whole state now, and the sequence it is of; waits for its turn between commands. */
  stateHash(): Promise<{ sequence: number; stateHash: string }>;
  /** What is listed and rests in the books, after the last command taken; may be ahead of the commit. */
  readListing(): Promise<Listing | undefined>;
  /** The last values of the sources of every index, after the last command taken; may be ahead of the commit. */
  readIndexSources(): Promise<IndexSources | undefined>;
  /** What every account holds, or some of it, after the last command taken; may be ahead of the commit. */
  readBalances(slice?: BalanceSlice): Promise<BalanceColumns | undefined>;
  /** Requests a snapshot now. */
  takeSnapshot(): Promise<void>;
  /** Answers what was submitted, leaves a snapshot, and ends all threads. */
  close(): Promise<void>;
}

const PENDING_MAX_DEFAULT = 65_536;
const PROGRESS_MS = 200;
const COMMANDS_A_RING = 32;
const POLL_MS = 5_000;
const STORED_FOR_GOOD_MS = 60_000;

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const lock = lockFolder(options.folder);
  try {
    const [journal, snapshots] = [join(options.folder, "journal"), join(options.folder, "snapshots")];
    checkJournalThere(localFiles, journal, snapshots, options.tablesSequence ?? options.eventsAfter ?? 0);
  } catch (error) {
    lock.release();
    throw error;
  }
  const engine = new LocalEngine(options, lock);
  const timer = every("engine.progress", () => engine.reportProgress(), PROGRESS_MS);
  try {
    await engine.open();
    return engine;
  } catch (error) {
    await engine.abort();
    throw error;
  } finally {
    clearInterval(timer);
  }
}

class LocalEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #lock: FolderLock;
  readonly #memory: EngineMemory;
  readonly #commands: RingWriter;
  readonly #pump: EventPump;
  readonly #threads: EngineThreads;
  readonly #pendingMax: number;
  readonly #watch: FolderWatch;
  #watching: NodeJS.Timeout | undefined;
  #problem = "";
  #room: Room = { level: "enough", reason: "" };
  #stored: { readonly atMs: number; readonly sequence?: number } = { atMs: Number.NEGATIVE_INFINITY };
  readonly #scratch = new Uint8Array(COMMAND_LENGTH_MAX + 256);
  #refusal: EngineRefusal | undefined = "ENGINE_STARTING";
  #closing: Promise<void> | undefined;
  #ringing = false;
  /** Commands the core was not woken for yet. */
  #unrung = 0;

  constructor(options: EngineOptions, lock: FolderLock) {
    this.#options = options;
    this.#lock = lock;
    this.#watch = new FolderWatch(options.folder);
    this.#pendingMax = options.pendingMax ?? PENDING_MAX_DEFAULT;
    const buffers = allocateBuffers({ ...RING_SIZES_DEFAULT, ...options.ringSizes });
    this.#memory = new EngineMemory(buffers);
    this.#commands = new RingWriter(this.#memory.commandRing);
    const note = (line: string): void => options.onNote?.(line);
    this.#pump = new EventPump(this.#memory, (error) => note(`event listener failed: ${String(error)}`));
    this.#noteStored();
    for (const listener of options.listeners ?? []) this.#pump.subscribe(listener);
    this.#threads = new EngineThreads({
      buffers,
      memory: this.#memory,
      journalFolder: join(options.folder, "journal"),
      snapshotFolder: join(options.folder, "snapshots"),
      release: options.release,
      replayOthers: options.replayOthers ?? false,
      segmentBytes: options.segmentBytes ?? SEGMENT_BYTES_DEFAULT,
      snapshotEveryMs: options.snapshotEveryMs ?? 60_000,
      snapshotEveryCommands: options.snapshotEveryCommands ?? 1_000_000,
      warmUpCommands: options.warmUpCommands ?? 0,
      eventsAfter: options.eventsAfter,
      archive: options.archive,
      coreWorker: options.coreWorker,
      clock: options.clock ?? plainClock(),
      onJournal: (identity) => options.onJournal?.(identity),
      onNote: note,
      onAlarm: options.onAlarm ?? note,
      onHalt: () => this.#halt(),
    });
  }

  async open(): Promise<void> {
    this.#pump.start();
    await this.#threads.start();
    if (this.#memory.state === "running") this.#refusal = undefined;
    await this.#checkFolder();
    this.#watching = every("engine.folder", () => this.#checkFolder(), POLL_MS);
    this.#watching.unref();
  }

  /** A problem raises an alarm when it starts; where committed data could not be read again, trading stops. */
  async #checkFolder(): Promise<void> {
    this.#noteStored();
    await this.#lookAtRoom();
    const problem = await this.#watch.look();
    const reason = problem?.reason ?? "";
    if (problem?.isFatal === true) this.#threads.fail(new EngineFault("JOURNAL_MISSING", reason));
    else if (reason !== this.#problem && reason !== "") (this.#options.onAlarm ?? this.#options.onNote)?.(reason);
    this.#problem = reason;
  }

  /** Stops before the disk is full, while a snapshot can still be written; trading resumes when there is room. */
  async #lookAtRoom(): Promise<void> {
    const { room, folder, onAlarm, onNote } = this.#options;
    if (room === undefined) return;
    const before = this.#room;
    // A disk that says nothing says so by the probe as well.
    const freeBytes = await (room.readFreeBytes ?? readFreeBytes)(folder).catch(() => undefined);
    if (freeBytes === undefined) return;
    this.#room = judgeRoom(before, freeBytes, room);
    const { level, reason } = this.#room;
    if (level === before.level) return;
    if (level === "enough") onNote?.("there is room on the disk again");
    else (onAlarm ?? onNote)?.(reason);
    if (level === "none") this.#refusal ??= "ENGINE_HALTED";
    else if (before.level === "none" && this.#threads.reason === undefined && this.#closing === undefined)
      this.#refusal = undefined;
  }

  /** Delayed on purpose: a power cut may undo what was stored since. */
  #noteStored(): void {
    const nowMs = measureMs();
    if (nowMs - this.#stored.atMs < STORED_FOR_GOOD_MS) return;
    const sequence = this.#options.readStored?.() ?? Number.POSITIVE_INFINITY;
    this.#memory.tablesSequence = this.#stored.sequence ?? sequence;
    this.#stored = { atMs: nowMs, sequence };
  }

  async abort(): Promise<void> {
    await this.#threads.terminate();
    await this.#pump.stop();
    this.#lock.release();
  }

  reportProgress(): void {
    if (this.#memory.state === "replaying") {
      this.#options.onProgress?.(this.#memory.sequence, this.#memory.replayTarget);
    }
  }

  // Every command passes here. Malformed input rejects instead of throwing; no closure and no promise beyond the
  // caller's is created on behalf of the others.
  submit(command: Command): Promise<Ack> {
    const busy = this.#refuseNow();
    if (busy !== undefined) return Promise.resolve(busy);
    try {
      return this.#send(COMMANDS[command.kind].kind, encodeCommand(command, this.#scratch));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  submitBatch(account: number, items: readonly Command[]): Promise<Ack> {
    const busy = this.#refuseNow();
    if (busy !== undefined) return Promise.resolve(busy);
    try {
      return this.#send(COMMANDS.batch.kind, encodeBatch(account, items, this.#scratch));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #refuseNow(): Ack | undefined {
    if (this.#refusal !== undefined) return refuse(this.#refusal);
    return this.#pump.pendingCount >= this.#pendingMax ? refuse("ENGINE_BUSY") : undefined;
  }

  subscribe(listener: EventListener): () => void {
    return this.#pump.subscribe(listener);
  }

  health(): EngineHealth {
    const { state, sequence, durableSequence } = this.#memory;
    const { stateHash, stateHashSequence } = this.#threads;
    const reason = this.#threads.reason ?? (this.#room.level === "none" ? this.#room.reason : undefined);
    return {
      state: reason === undefined ? state : "halted",
      sequence,
      durableSequence,
      ...(stateHash === undefined || stateHashSequence === undefined ? {} : { stateHash, stateHashSequence }),
      ...(reason === undefined ? {} : { reason }),
    };
  }

  stateHash(): Promise<{ sequence: number; stateHash: string }> {
    return this.#threads.requestHash();
  }

  readListing(): Promise<Listing | undefined> {
    return this.#threads.requestListing();
  }

  readIndexSources(): Promise<IndexSources | undefined> {
    return this.#threads.requestSources();
  }

  readBalances(slice?: BalanceSlice): Promise<BalanceColumns | undefined> {
    return this.#threads.requestBalances(slice);
  }

  takeSnapshot(): Promise<void> {
    return this.#threads.requestSnapshot();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#refusal ??= "ENGINE_CLOSED";
    clearInterval(this.#watching);
    try {
      await this.#threads.close();
    } finally {
      await this.#pump.stop();
      this.#pump.abandon(refuse("ENGINE_HALTED"));
      this.#lock.release();
    }
  }

  /** The command is in `#scratch`. */
  #send(kind: number, length: number): Promise<Ack> {
    const at = this.#commands.reserve(length);
    if (at < 0) return Promise.resolve(refuse("ENGINE_BUSY"));
    if (length < 8) throw new RangeError(`${nameCommand(kind)} of ${length} bytes`);
    this.#commands.bytes.set(this.#scratch.subarray(0, length), at);
    const answer = new Promise<Ack>((resolve) => this.#pump.expect(kind, resolve));
    this.#commands.commit(length);
    this.#commands.publish();
    this.#ringSoon();
    return answer;
  }

  /**
   * Commands of one turn of the event loop wake the core together, since waking it costs more than a command; but in a
   * long turn the first of them wakes it, so that the disk works while the rest is still being read.
   */
  #ringSoon(): void {
    this.#unrung += 1;
    if (this.#unrung >= COMMANDS_A_RING) this.#ring();
    else if (!this.#ringing) {
      this.#ringing = true;
      setImmediate(() => {
        this.#ringing = false;
        if (this.#unrung > 0) this.#ring();
      });
    }
  }

  #ring(): void {
    this.#unrung = 0;
    this.#memory.coreBell.ring();
  }

  /** Everything durable has been handed to the pump by now; what still waits will never be answered by the core. */
  #halt(): void {
    this.#refusal = "ENGINE_HALTED";
    inBackground("engine.halt", async () => {
      await this.#pump.drained();
      this.#pump.abandon(refuse("ENGINE_HALTED"));
    });
  }
}
