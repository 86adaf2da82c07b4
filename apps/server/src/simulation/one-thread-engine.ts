// The engine on one thread and on a simulated disk: the same host, journal, recovery and event pump as the threads run,
// stepped in turn, so that it can be stopped between any two of its steps. Must never be used by the running server.
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readBalances } from "@clockwork/core/inspect/balances";
import { readIndexSources } from "@clockwork/core/inspect/contracts";
import { readListing } from "@clockwork/core/inspect/listing";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { encodeBatch, encodeCommand } from "@clockwork/core/protocol/codec";
import { COMMAND_LENGTH_MAX, COMMANDS, type Command } from "@clockwork/core/protocol/command";
import { KNOWN_RULES } from "@clockwork/core/protocol/rules";
import type { Ack, EngineRefusal } from "@clockwork/host/engine";
import { plainClock } from "../clock/clock-memory.ts";
import type { Engine, EngineOptions } from "../engine/engine.ts";
import { FileJournal } from "../engine/journal/file-journal.ts";
import type { Files } from "../engine/journal/files.ts";
import { FrameWriter } from "../engine/journal/frame.ts";
import { JournalFeed } from "../engine/journal/journal-feed.ts";
import { refuse } from "../engine/memory/ack.ts";
import { EngineFault } from "../engine/memory/fault.ts";
import { allocateBuffers, EngineMemory } from "../engine/memory/memory.ts";
import { RingWriter } from "../engine/memory/ring.ts";
import {
  checkJournalThere,
  checkSnapshotsBehind,
  type MachineFactory,
  recoverInSteps,
} from "../engine/recovery/recovery.ts";
import { writeSnapshot } from "../engine/recovery/snapshots.ts";
import { EventPump } from "../engine/threads/event-pump.ts";
import { Host } from "../engine/threads/host.ts";

const RINGS = { commandBytes: 1 << 18, eventBytes: 1 << 21 };
const SEGMENT_BYTES = 64 << 10;

export const FACTORY: MachineFactory = {
  createMachine: () => createMachine({ orderCapacity: 1 << 12, accountCapacity: 1 << 9 }),
  restoreMachine,
  rules: KNOWN_RULES,
  readListing,
  readBalances,
};

export interface OneThreadEngine extends Engine {
  /** Nothing more is written, released or answered from now on. */
  freeze(): void;
  /** Reads the clock again. */
  wake(): void;
}

export async function startOneThreadEngine(options: EngineOptions, disk: Files): Promise<OneThreadEngine> {
  const engine = new SteppedEngine(options, disk);
  await engine.open();
  return engine;
}

class SteppedEngine implements OneThreadEngine {
  readonly #options: EngineOptions;
  readonly #disk: Files;
  readonly #memory = new EngineMemory(allocateBuffers(RINGS));
  readonly #commands = new RingWriter(this.#memory.commandRing);
  readonly #pump: EventPump;
  readonly #scratch = new Uint8Array(COMMAND_LENGTH_MAX + 256);
  readonly #folders: { readonly journal: string; readonly snapshots: string };
  #journal: FileJournal | undefined;
  #feed: JournalFeed | undefined;
  #writer: FrameWriter | undefined;
  #host: Host | undefined;
  #refusal: EngineRefusal | undefined = "ENGINE_STARTING";
  #reason: string | undefined;
  #isFrozen = false;
  #isClosing = false;
  #wake: () => void = () => undefined;
  #working: Promise<void> | undefined;

  constructor(options: EngineOptions, disk: Files) {
    this.#options = options;
    this.#disk = disk;
    this.#folders = { journal: join(options.folder, "journal"), snapshots: join(options.folder, "snapshots") };
    this.#pump = new EventPump(this.#memory, (error) => options.onAlarm?.(`event listener failed: ${String(error)}`));
    for (const listener of options.listeners ?? []) this.#pump.subscribe(listener);
  }

  async open(): Promise<void> {
    const { release, onJournal, onNote, tablesSequence, eventsAfter, clock = plainClock() } = this.#options;
    const { journal: folder, snapshots } = this.#folders;
    checkJournalThere(this.#disk, folder, snapshots, tablesSequence ?? eventsAfter ?? 0);
    const journal = new FileJournal({ folder, release, files: this.#disk, segmentBytes: SEGMENT_BYTES });
    this.#journal = journal;
    onJournal?.(journal.identity);
    this.#memory.setDurable(journal.durableSequence);
    this.#memory.state = "replaying";
    checkSnapshotsBehind(this.#disk, snapshots, journal.durableSequence);
    this.#pump.start();
    const steps = recoverInSteps({
      files: this.#disk,
      journalFolder: folder,
      snapshotFolder: snapshots,
      factory: FACTORY,
      release,
      toSequence: journal.durableSequence,
      ...(eventsAfter === undefined ? {} : { eventsAfter }),
      ...(onNote === undefined ? {} : { onNote }),
    });
    const hostFor = (machine: Host["machine"]): Host =>
      new Host({ memory: this.#memory, machine, clock: clock.shared.now, onTurn: () => false });
    for (;;) {
      const step = steps.next();
      const { machine } = step.value;
      this.#host ??= hostFor(machine);
      this.#host.catchUp();
      if (step.done) break;
      if (step.value.hasEvents) this.#host.writeEvents(0, step.value.timeBeforeMs);
      this.#host.releaseDurable();
      await this.#pump.drained();
    }
    if ((eventsAfter ?? 0) > this.#host.sequence) throw new EngineFault("JOURNAL_BEHIND", "the tables have seen more");
    this.#host.releaseDurable();
    clock.raiseTo(this.#host.machine.now);
    journal.begin(KNOWN_RULES.newest);
    this.#host.setRules(KNOWN_RULES.newest);
    this.#feed = new JournalFeed(this.#memory, journal.durableSequence + 1);
    this.#writer = new FrameWriter(journal.framesBytesMax);
    this.#memory.state = "running";
    this.#refusal = undefined;
    this.#working = this.#work();
  }

  submit(command: Command): Promise<Ack> {
    if (this.#refusal !== undefined) return Promise.resolve(refuse(this.#refusal));
    try {
      return this.#send(COMMANDS[command.kind].kind, encodeCommand(command, this.#scratch));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  submitBatch(account: number, items: readonly Command[]): Promise<Ack> {
    if (this.#refusal !== undefined) return Promise.resolve(refuse(this.#refusal));
    try {
      return this.#send(COMMANDS.batch.kind, encodeBatch(account, items, this.#scratch));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #send(kind: number, length: number): Promise<Ack> {
    const at = this.#commands.reserve(length);
    if (at < 0) return Promise.resolve(refuse("ENGINE_BUSY"));
    this.#commands.bytes.set(this.#scratch.subarray(0, length), at);
    const answer = new Promise<Ack>((resolve) => this.#pump.expect(kind, resolve));
    this.#commands.commit(length);
    this.#commands.publish();
    this.#wake();
    return answer;
  }

  /** The turns of all three threads, one after the other. */
  async #work(): Promise<void> {
    const host = this.#host as Host;
    while (!this.#isFrozen) {
      const applied = host.step();
      await nextTurn();
      if (this.#isFrozen) return;
      this.#commit();
      host.releaseDurable();
      await this.#pump.drained();
      if (host.halted !== undefined) this.#halt(`${host.halted.rule}: ${host.halted.detail}`);
      if (this.#reason !== undefined) return;
      if (applied > 0 || host.hasCommands || host.isAhead) continue;
      if (this.#isClosing) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #commit(): void {
    const [journal, feed, writer] = [this.#journal, this.#feed, this.#writer];
    if (journal === undefined || feed === undefined || writer === undefined) return;
    writer.reset();
    feed.pack(writer);
    if (writer.count === 0) return;
    const { firstSequence, count, timeMs, bytes, length } = writer;
    try {
      journal.append({ firstSequence, count, timeMs, frames: bytes.subarray(0, length) });
      this.#memory.setDurable(journal.durableSequence);
    } catch (error) {
      this.#memory.fail();
      this.#halt(error instanceof Error ? error.message : String(error));
    }
  }

  #halt(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#refusal = "ENGINE_HALTED";
    this.#memory.state = "halted";
    this.#pump.abandon(refuse("ENGINE_HALTED"));
    this.#options.onAlarm?.(`halted: ${reason}`);
  }

  subscribe: Engine["subscribe"] = (listener) => this.#pump.subscribe(listener);

  health(): ReturnType<Engine["health"]> {
    const { state, sequence, durableSequence } = this.#memory;
    return { state, sequence, durableSequence, ...(this.#reason === undefined ? {} : { reason: this.#reason }) };
  }

  async stateHash(): Promise<{ sequence: number; stateHash: string }> {
    const { machine } = this.#host as Host;
    return { sequence: machine.sequence, stateHash: machine.stateHash() };
  }

  readListing: Engine["readListing"] = async () => readListing((this.#host as Host).machine);
  readBalances: Engine["readBalances"] = async (slice) => readBalances((this.#host as Host).machine, slice);
  readIndexSources: Engine["readIndexSources"] = async () => readIndexSources((this.#host as Host).machine);

  /** Only of what the journal holds. */
  async takeSnapshot(): Promise<void> {
    const host = this.#host as Host;
    if (host.isAhead || this.#reason !== undefined || this.#isFrozen || this.#journal === undefined) return;
    const { machine } = host;
    const header = {
      sequence: machine.sequence,
      timeMs: machine.now,
      identity: this.#journal.identity,
      stateHash: machine.stateHash(),
      release: this.#options.release,
    };
    writeSnapshot(this.#disk, this.#folders.snapshots, header, machine.snapshot());
  }

  wake(): void {
    this.#wake();
  }

  freeze(): void {
    this.#isFrozen = true;
    this.#refusal = "ENGINE_HALTED";
    this.#pump.abandon(refuse("ENGINE_HALTED"));
    this.#wake();
  }

  async close(): Promise<void> {
    this.#refusal ??= "ENGINE_CLOSED";
    this.#isClosing = true;
    this.#wake();
    await this.#working;
    await this.takeSnapshot();
    this.#journal?.close();
    await this.#pump.stop();
    this.#pump.abandon(refuse("ENGINE_HALTED"));
  }
}
