// Owns the machine: takes one stamped command, runs its function, works off what it set in motion, reports.
// No clock, no chance, no I/O: the same commands always make the same state and the same events.

import { assert } from "@clockwork/kit/assert";
import { SETTLE_TO_WORD } from "../account/settle.ts";
import { wakeByValues } from "../bot/note/prices.ts";
import { drain, isMoving } from "../follow-up/motion.ts";
import { nextTickAt } from "../follow-up/tick.ts";
import { amendOrder, cancelOrder } from "../order/entry/cancel.ts";
import { BATCH_ITEMS_MAX, COMMAND_HEADER_BYTES, COMMAND_LENGTH_MAX, COMMANDS } from "../protocol/command.ts";
import type { EventLog, Machine, MachineOptions } from "../protocol/contract.ts";
import { EVENTS, eventPlaces } from "../protocol/event.ts";
import { REJECT } from "../protocol/rejection.ts";
import { Core, G_NOW, G_SEQUENCE } from "../state/core.ts";
import { refreshValues } from "../value/value.ts";
import { isBatchable, marketOf, mayPlace, placePlain, runCold } from "./dispatch.ts";
import { bindPaths } from "./paths.ts";
import { hashState, loadState, saveState } from "./snapshot.ts";

const CLOCK = eventPlaces("clock");
const KIND_APPLIED = EVENTS.applied.kind;
const PLACE = COMMANDS.placeOrder.kind;
const CANCEL = COMMANDS.cancelOrder.kind;
const AMEND = COMMANDS.amendOrder.kind;
const BATCH_ITEMS_BYTE = 32;
/** Bytes of a placeOrder without expiry, iceberg or client id; longer ones have a tail. */
const PLACE_SHORT_BYTES = 48;
/** A buy that is good till cancelled and expires the taker is all zeros behind these, so its record ends before. */
const PLACE_CUT_BYTES = 40;
const CANCEL_SHORT_BYTES = 32;
const AMEND_SHORT_BYTES = 48;
const ORDER_ID_WORD = 6;
/** The longest command but a batch and a settlement, and the longest settlement. */
const PADDED_WORDS = 64;
const PADDED_WORDS_MAX = SETTLE_TO_WORD;
class ClockworkMachine implements Machine {
  readonly core: Core;
  /** The array views are bound to; compared by identity, because asking an array for its buffer is slow. */
  #bound: Uint8Array | undefined;
  #boundAt = 0;
  #words: Int32Array = new Int32Array(0);
  #doubles: Float64Array = new Float64Array(0);
  /** Commands that were cut short are read from here, where what was cut is zero. */
  readonly #padded = new Int32Array(PADDED_WORDS_MAX);
  readonly #paddedDoubles = new Float64Array(this.#padded.buffer);
  readonly #copy = new Uint8Array(COMMAND_LENGTH_MAX);

  constructor(core: Core) {
    this.core = core;
  }

  get events(): EventLog {
    return this.core.events;
  }

  get sequence(): number {
    return this.core.sequence;
  }

  get now(): number {
    return this.core.now;
  }

  get rules(): number {
    return this.core.rulesSet;
  }

  get nextTimerAt(): number {
    return nextTickAt(this.core);
  }

  apply(bytes: Uint8Array, at: number): void {
    if (bytes !== this.#bound) this.#bind(bytes);
    const start = this.#boundAt + at;
    if ((start & 7) === 0) this.#run(start >> 2);
    else this.#applyCopy(bytes, at);
  }

  /** A command that is not aligned is copied to where it is. */
  #applyCopy(bytes: Uint8Array, at: number): void {
    const given = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
    const length = Math.max(COMMAND_HEADER_BYTES, Math.min(given, COMMAND_LENGTH_MAX));
    this.#copy.set(bytes.subarray(at, at + length));
    this.#bind(this.#copy);
    this.#run(0);
  }

  #bind(bytes: Uint8Array): void {
    this.#bound = bytes;
    this.#boundAt = bytes.byteOffset;
    this.#words = new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >> 2);
    this.#doubles = new Float64Array(bytes.buffer, 0, bytes.buffer.byteLength >> 3);
  }

  #run(word: number): void {
    const core = this.core;
    const words = this.#words;
    const head = words[word] as number;
    const sequence = this.#doubles[(word >> 1) + 1] as number;
    const time = this.#doubles[(word >> 1) + 2] as number;
    assert(sequence === core.sequence + 1, "MACHINE-1", "a sequence is missing or repeated");
    assert(time >= core.now, "MACHINE-2", "time went back");
    core.clock[G_SEQUENCE] = sequence;
    if (time !== core.now) this.#moveClock(time);
    if (core.bound === undefined) this.#bindPaths();
    const before = core.events.count;
    core.item = 0;
    this.#runOne(word, (head >>> 16) & 0xff, head & 0xffff, words[word + 1] as number);
    if (core.events.count !== before) return;
    core.events.openClean(KIND_APPLIED, (head >>> 16) & 0xff, 0, words[word + 1] as number, sequence);
  }

  /** Not while tables still grow: each binding costs what the compiler has learnt of the last one. */
  #bindPaths(): void {
    const core = this.core;
    const isWanted = core.commandsSinceGrowth++ >= core.fastPathsAfter && core.events.isHome;
    if (isWanted && core.books.orders.hasRounds) core.bound = bindPaths(core);
  }

  #moveClock(time: number): void {
    const core = this.core;
    core.clock[G_NOW] = time;
    const record = core.events.openClean(CLOCK.kind, 0, 0, 0, core.sequence);
    core.events.setDouble(record, CLOCK.time, time);
    if (time < core.values.nextAt) return;
    refreshValues(core);
    wakeByValues(core);
  }

  /** Runs one command or one item of a batch and all it sets in motion. */
  #runOne(word: number, kind: number, length: number, account: number): void {
    const core = this.core;
    core.commandKind = kind;
    core.checkLimit[0] = 0;
    if (length < COMMAND_HEADER_BYTES || (length & 7) !== 0 || word + (length >> 2) > this.#words.length) {
      core.emitRejected(REJECT.MALFORMED_COMMAND, account, 0, 0, 0);
      return;
    }
    core.inputWords = this.#words;
    core.inputDoubles = this.#doubles;
    core.inputAt = word;
    let code: number;
    // A record that names no slot has its client id behind these bytes, or nowhere: only the padded copy knows.
    const named = (this.#words[word + ORDER_ID_WORD] as number) > 0;
    if (kind === PLACE && length === PLACE_SHORT_BYTES) code = placePlain(core, account);
    else if (kind === PLACE && length === PLACE_CUT_BYTES && mayPlace(core, account))
      code = this.#placeCut(word, account);
    else if (kind === CANCEL && length === CANCEL_SHORT_BYTES && named) code = cancelOrder(core, account);
    else if (kind === AMEND && length === AMEND_SHORT_BYTES && named) code = amendOrder(core, account);
    else if (kind === COMMANDS.batch.kind) code = this.#batch(word, length, account);
    else code = this.#runPadded(word, kind, length, account);
    if (code !== 0) core.emitRejected(code, account, marketOf(core, kind), 0, core.checkLimit[0] as number);
    if (isMoving(core)) drain(core);
  }

  /** The shape of a plain order may be all zeros, which were cut off. */
  #placeCut(word: number, account: number): number {
    for (let i = 0; i < PLACE_CUT_BYTES >> 2; i++) this.#padded[i] = this.#words[word + i] as number;
    this.#padded.fill(0, PLACE_CUT_BYTES >> 2, PLACE_SHORT_BYTES >> 2);
    return placePlain(this.#readPadded(), account);
  }

  #readPadded(): Core {
    const core = this.core;
    core.inputWords = this.#padded;
    core.inputDoubles = this.#paddedDoubles;
    core.inputAt = 0;
    return core;
  }

  /** Every command that is not hot: read from a padded copy. */
  #runPadded(word: number, kind: number, length: number, account: number): number {
    const words = kind === COMMANDS.settle.kind ? PADDED_WORDS_MAX : PADDED_WORDS;
    this.#padded.fill(0, 0, words);
    const core = this.#readPadded();
    if (length >> 2 > words) return REJECT.MALFORMED_COMMAND;
    for (let i = 0; i < length >> 2; i++) this.#padded[i] = this.#words[word + i] as number;
    return runCold(core, kind, account);
  }

  #batch(word: number, length: number, account: number): number {
    const core = this.core;
    if (length > COMMAND_LENGTH_MAX) return REJECT.MALFORMED_COMMAND;
    const count = length < BATCH_ITEMS_BYTE ? 0 : core.inputWord(COMMAND_HEADER_BYTES);
    if (count < 1 || count > BATCH_ITEMS_MAX) return REJECT.BATCH_TOO_LARGE;
    if (!core.ledger.isUserAccount(account)) return REJECT.UNKNOWN_ACCOUNT;
    const end = word + (length >> 2);
    let at = word + (BATCH_ITEMS_BYTE >> 2);
    for (let i = 0; i < count; i++) {
      const head = at < end ? (this.#words[at] as number) : 0;
      const itemLength = head & 0xffff;
      const kind = (head >>> 16) & 0xff;
      core.item = i;
      core.commandKind = kind;
      if (itemLength < COMMAND_HEADER_BYTES || at + (itemLength >> 2) > end) {
        core.emitRejected(REJECT.MALFORMED_COMMAND, account, 0, 0, 0);
        return 0;
      }
      if (isBatchable(kind)) this.#runOne(at, kind, itemLength, account);
      else core.emitRejected(REJECT.BATCH_ITEM_FORBIDDEN, account, 0, 0, 0);
      at += itemLength >> 2;
    }
    return 0;
  }

  stateHash(): string {
    return hashState(this.core);
  }

  snapshot(inPlace?: boolean): Uint8Array[] {
    return saveState(this.core, inPlace);
  }

  restore(parts?: readonly Uint8Array[]): void {
    loadState(this.core, parts ?? saveState(new Core({})));
    this.core.events.clear();
  }
}

export function createMachine(options: MachineOptions = {}): Machine {
  return new ClockworkMachine(new Core(options));
}

/** A machine as it was when the snapshot was taken; throws when the parts are not a snapshot of this release. */
export function restoreMachine(parts: readonly Uint8Array[], options: MachineOptions = {}): Machine {
  const core = new Core(options);
  loadState(core, parts);
  return new ClockworkMachine(core);
}

/** The state behind a machine, for invariants, depth and tools. Never for changing it. */
export function coreOf(machine: Machine): Core {
  assert(machine instanceof ClockworkMachine, "MACHINE-3", "not a machine of this module");
  return machine.core;
}
