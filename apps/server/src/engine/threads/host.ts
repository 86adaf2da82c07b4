// Owns the core thread's work: stamp each command with sequence and time, apply it, let the journal read it in place,
// and release events once the durable cursor has passed their command. Must never release one earlier, and must never
// continue after the machine or the journal failed.
import { encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import type { Command } from "@clockwork/core/protocol/command";
import type { Machine } from "@clockwork/core/protocol/contract";
import { EVENT_BYTES, EVENT_HEADER } from "@clockwork/core/protocol/event";
import { RuleViolation } from "@clockwork/kit/assert";
import { type EngineMemory, placeBytes } from "../memory/memory.ts";
import { RingReader, RingWriter } from "../memory/ring.ts";
import { CHUNK_HEADER_BYTES, FLAG_CONTINUES, FLAG_SUBMITTED } from "./event-chunk.ts";

const TURNS_A_CALL = 64;
const GROUP_COMMANDS_MAX = 512;
/** Marks there is room for at first. */
const MARKS = 1_024;
const FULL_WAIT_MS = 20;
const IDLE_MS = 1_000;

/** The rule of a halt that only follows from the journal's own fault. */
export const JOURNAL_FAILED = "JOURNAL";

/** Why trading stopped: the broken rule's name, or the fault's code. */
export interface HaltReason {
  readonly rule: string;
  readonly detail: string;
  /** Last sequence that took effect. */
  readonly sequence: number;
  /** The command that broke the rule, unstamped, in base64; it was not journaled. */
  readonly command?: string;
}

export interface HostOptions {
  readonly memory: EngineMemory;
  readonly machine: Machine;
  readonly clock: () => number;
  /** Called between groups: snapshots, requests. Returns true to end the loop. */
  readonly onTurn: (host: Host) => boolean;
  /** Called while the event ring is full, before waiting for its reader; only a reader on this thread needs it. */
  readonly onEventsFull?: () => void;
}

function encodeOwn(command: Command): Uint8Array {
  const bytes = new Uint8Array(64);
  return bytes.slice(0, encodeCommand(command, bytes));
}

export class Host {
  readonly machine: Machine;
  readonly #memory: EngineMemory;
  readonly #options: HostOptions;
  readonly #commands: RingReader;
  readonly #ticks: RingWriter;
  readonly #events: RingWriter;
  readonly #tick = encodeOwn({ kind: "tick" });
  /** The part of the event ring where the machine writes, when it was given the ring; −1 when it has its own log. */
  #placeAt = -1;
  readonly #placeBytes: number;
  readonly #groupEventBytes: number;
  // Event chunks written but not released: of each the sequence that must be durable, and the ring's head after it.
  #marks = new Float64Array(2 * MARKS);
  #marksTaken = 0;
  #marksEnd = 0;
  #sequence: number;
  #durable: number;
  #halt: HaltReason | undefined;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#memory = options.memory;
    this.machine = options.machine;
    this.#commands = new RingReader(options.memory.coreRing);
    this.#ticks = new RingWriter(options.memory.tickRing);
    this.#events = new RingWriter(options.memory.eventRing);
    this.#sequence = options.machine.sequence;
    this.#durable = options.machine.sequence;
    this.#placeBytes = placeBytes(this.#events.capacity);
    this.#groupEventBytes = this.#placeBytes >> 1;
    const { events } = options.machine;
    if (events.home === options.memory.eventRing.buffer) {
      // Events of a replay may be there already, which started before there was a host: the ring is still empty.
      this.#placeAt = this.#events.reserve(this.#placeBytes);
      if (events.from !== this.#placeAt + CHUNK_HEADER_BYTES) this.#placeEvents();
    }
  }

  get sequence(): number {
    return this.#sequence;
  }
  get durableSequence(): number {
    return this.#durable;
  }
  get halted(): HaltReason | undefined {
    return this.#halt;
  }

  /** Works until `onTurn` ends it or something breaks; sleeps while there is nothing to do. */
  run(): HaltReason | undefined {
    // By calls that end: a loop that never does is optimised again and again from its middle, each time for nothing.
    while (this.#runTurns(TURNS_A_CALL));
    return this.#halt;
  }

  #runTurns(count: number): boolean {
    for (let turn = 0; turn < count; turn++) {
      const applied = this.step();
      if (this.#halt !== undefined || this.#options.onTurn(this)) return false;
      if (applied === 0) this.#memory.coreBell.wait(this.#hasWork, this.#idleMs());
    }
    return true;
  }

  readonly #hasWork = (): boolean =>
    !this.#commands.isEmpty() || this.#memory.durableLow !== (this.#durable | 0) || this.#memory.requested;

  /** One turn: due timers, then a group of waiting commands, then what became durable. Returns how many applied. */
  step(): number {
    const nowMs = Math.max(this.machine.now, this.#options.clock());
    let applied = 0;
    try {
      if (this.machine.nextTimerAt <= nowMs) applied += this.#inject(this.#tick, nowMs);
      applied += this.#applyGroup(nowMs);
    } catch (error) {
      this.#stop(error);
    }
    this.releaseDurable();
    if (this.#memory.failed && this.#halt === undefined) {
      this.#halt = { rule: JOURNAL_FAILED, detail: "the journal failed", sequence: this.#durable };
    }
    return applied;
  }

  /** Lets main see the events of all commands that the durable cursor has passed. */
  releaseDurable(): void {
    this.#durable += (this.#memory.durableLow - this.#durable) >>> 0;
    let head = -1;
    for (; this.#marksTaken < this.#marksEnd; this.#marksTaken += 2) {
      if ((this.#marks[this.#marksTaken] as number) > this.#durable) break;
      head = this.#marks[this.#marksTaken + 1] as number;
    }
    if (head < 0) return;
    this.#events.publish(head);
    this.#memory.mainBell.ring();
    if (this.#marksTaken < this.#marksEnd) return;
    this.#marksTaken = 0;
    this.#marksEnd = 0;
  }

  /** After a replay moved the machine on: its events are of durable commands. */
  catchUp(): void {
    this.#sequence = this.machine.sequence;
    this.#memory.sequence = this.#sequence;
  }

  /** True while the machine has applied what the journal does not hold yet. */
  get isAhead(): boolean {
    return this.#sequence > this.#durable;
  }

  get hasCommands(): boolean {
    return !this.#commands.isEmpty();
  }

  #idleMs(): number {
    const untilTimerMs = this.machine.nextTimerAt - this.#options.clock();
    return Math.max(0, Math.min(IDLE_MS, untilTimerMs));
  }

  /** Before the first command of a release: from here on its newest rules decide, where older ones did. */
  setRules(newest: number): void {
    if (this.machine.rules >= newest) return;
    this.#inject(encodeOwn({ kind: "setRules", rules: newest }), Math.max(this.machine.now, this.#options.clock()));
  }

  /** A command of the host's own. */
  #inject(command: Uint8Array, nowMs: number): number {
    const to = this.#ticks.reserve(command.length);
    if (to < 0) return 0;
    const timeBeforeMs = this.machine.now;
    stampCommand(new DataView(command.buffer), 0, this.#sequence + 1, nowMs);
    try {
      this.machine.apply(command, 0);
    } catch (error) {
      this.#stop(error, command);
      return 0;
    }
    this.#sequence++;
    this.#ticks.bytes.set(command, to);
    this.#ticks.commit(command.length);
    this.#ticks.publish();
    this.#handOver();
    this.writeEvents(0, timeBeforeMs);
    return 1;
  }

  /** Stamps and applies commands where they wait, then lets the journal read all that took effect. */
  #applyGroup(nowMs: number): number {
    const commands = this.#commands;
    const first = commands.peek();
    if (first < 0 || this.#halt !== undefined) return 0;
    const { i32, f64, bytes } = commands;
    const { machine } = this;
    const { events } = machine;
    const timeBeforeMs = machine.now;
    const before = this.#sequence;
    const last = before + GROUP_COMMANDS_MAX;
    const stop = first + commands.span;
    let sequence = before;
    let end = first;
    try {
      while (end < stop && sequence < last && events.length < this.#groupEventBytes) {
        const length = (i32[end >> 2] as number) & 0xffff;
        // What follows waits at the ring's start: that is the next group.
        if (length === 0) break;
        f64[(end >> 3) + 1] = sequence + 1;
        f64[(end >> 3) + 2] = nowMs;
        machine.apply(bytes, end);
        sequence++;
        end += length;
      }
      this.#sequence = sequence;
    } catch (error) {
      // Never given to the journal, so a restart comes back to the state before this command. What was applied before it
      // is journaled and answered like everything else.
      this.#sequence = sequence;
      this.#stop(error, bytes.subarray(end, end + ((i32[end >> 2] as number) & 0xffff)));
    }
    if (end > first) {
      commands.advance(end - first);
      commands.release();
      this.#handOver();
      this.writeEvents(FLAG_SUBMITTED, timeBeforeMs);
    }
    return sequence - before;
  }

  #handOver(): void {
    this.#memory.sequence = this.#sequence;
    this.#memory.journalBell.ring();
  }

  /** Makes chunks of the machine's log that wait for their commit, and clears the log. */
  writeEvents(flags: number, timeBeforeMs: number): void {
    const { events } = this.machine;
    const { bytes, from } = events;
    if (this.#placeAt < 0) {
      this.#copyEvents(bytes, from, this.#cutBroken(bytes, from, from + events.length), flags, timeBeforeMs);
      events.clear();
      return;
    }
    let size = events.length;
    if (bytes.buffer === this.#events.bytes.buffer && from === this.#placeAt + CHUNK_HEADER_BYTES) {
      // They are where they belong.
      if (this.#halt !== undefined) size = this.#cutBroken(bytes, from, from + size) - from;
      if (size > 0) this.#writeChunk(this.#placeAt, size, flags, timeBeforeMs);
    } else this.#copyEvents(bytes, from, this.#cutBroken(bytes, from, from + size), flags, timeBeforeMs);
    this.#placeEvents();
  }

  /** A machine that broke in the middle of a command may have left some of its events behind: where the others end. */
  #cutBroken(bytes: Uint8Array, from: number, to: number): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let end = to;
    while (end > from && EVENT_HEADER.sequence.read(view, end - EVENT_BYTES) > this.#sequence) end -= EVENT_BYTES;
    return end;
  }

  /** Gives the machine the next part of the ring; waits for main to read when there is no room. */
  #placeEvents(): void {
    this.#placeAt = this.#reserveEvents(this.#placeBytes);
    this.machine.events.place(this.#placeAt + CHUNK_HEADER_BYTES, this.#placeAt + this.#placeBytes);
  }

  #copyEvents(bytes: Uint8Array, start: number, end: number, flags: number, timeBeforeMs: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const pieceMax = this.#placeBytes - CHUNK_HEADER_BYTES;
    for (let from = start; from < end; ) {
      const size = Math.min(end - from, pieceMax - (pieceMax % EVENT_BYTES));
      const last = EVENT_HEADER.sequence.read(view, from + size - EVENT_BYTES);
      const continues = from + size < end && EVENT_HEADER.sequence.read(view, from + size) === last;
      const to = this.#reserveEvents(CHUNK_HEADER_BYTES + size);
      this.#events.bytes.set(bytes.subarray(from, from + size), to + CHUNK_HEADER_BYTES);
      this.#writeChunk(to, size, continues ? flags | FLAG_CONTINUES : flags, timeBeforeMs);
      from += size;
    }
  }

  /** Puts the header before the records in the ring, and lets the chunk wait for its last command. */
  #writeChunk(at: number, size: number, flags: number, timeBeforeMs: number): void {
    const { i32, f64 } = this.#events;
    const first = (at + CHUNK_HEADER_BYTES) >> 3;
    const last = f64[first + ((size - EVENT_BYTES) >> 3) + 1] as number;
    i32[at >> 2] = CHUNK_HEADER_BYTES + size;
    i32[(at >> 2) + 1] = flags;
    f64[(at >> 3) + 1] = f64[first + 1] as number;
    f64[(at >> 3) + 2] = last;
    f64[(at >> 3) + 3] = timeBeforeMs;
    this.#events.commit(CHUNK_HEADER_BYTES + size);
    if (this.#marksEnd === this.#marks.length) this.#moveMarks();
    this.#marks[this.#marksEnd++] = last;
    this.#marks[this.#marksEnd++] = this.#events.head;
  }

  #moveMarks(): void {
    const waiting = this.#marks.subarray(this.#marksTaken, this.#marksEnd);
    const marks = waiting.length * 2 > this.#marks.length ? new Float64Array(this.#marks.length * 2) : this.#marks;
    marks.set(waiting);
    this.#marks = marks;
    this.#marksEnd = waiting.length;
    this.#marksTaken = 0;
  }

  /** Room in the event ring; waits for main to read when there is none, which in turn fills the command ring. */
  #reserveEvents(bytes: number): number {
    for (;;) {
      const to = this.#events.reserveNear(bytes);
      if (to >= 0) return to;
      if (this.#memory.failed) throw new RuleViolation(JOURNAL_FAILED, "the journal failed");
      this.releaseDurable();
      this.#memory.mainBell.ring();
      this.#options.onEventsFull?.();
      if (this.#events.hasRoom(bytes)) continue;
      this.#memory.coreBell.wait(() => this.#memory.durableLow !== (this.#durable | 0), FULL_WAIT_MS);
    }
  }

  #stop(error: unknown, bytes?: Uint8Array): void {
    if (this.#halt !== undefined) return;
    const rule = error instanceof RuleViolation ? error.rule : "CORE";
    const detail = error instanceof Error ? error.message : String(error);
    const command = bytes === undefined ? {} : { command: Buffer.from(bytes).toString("base64") };
    this.#halt = { rule, detail, sequence: this.#sequence, ...command };
  }
}
