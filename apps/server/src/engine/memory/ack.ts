// Owns what a caller of the engine gets back: the command's committed result, or a refusal with a stable code.
// Must never be made for a command that is not durable.

import { decodeEvents } from "@clockwork/core/protocol/codec";
import { COMMAND_NAMES, EVENT_BYTES, EVENT_HEADER, EVENTS, type MachineEvent } from "@clockwork/core/protocol/event";
import type { Rejection } from "@clockwork/core/protocol/rejection";
import type { Ack, EngineRefusal, Refused } from "@clockwork/host/engine";

const REJECTED = EVENTS.rejected.kind;
const CLOCK = EVENTS.clock.kind;
const VALUED = EVENTS.assetValued.kind;

export function refuse(code: EngineRefusal): Refused {
  return { done: false, code, sequence: undefined, events: [] };
}

/** Events are decoded on first access: most callers only need to know whether it was done. */
class CommittedAck {
  readonly sequence: number;
  readonly timeMs: number;
  readonly done: boolean;
  readonly code: Rejection | undefined;
  readonly #bytes: Uint8Array;
  readonly #from: number;
  readonly #to: number;
  readonly #timeBeforeMs: number;
  #events: readonly MachineEvent[] | undefined;

  constructor(bytes: Uint8Array, view: DataView, from: number, to: number, kind: number, timeBeforeMs: number) {
    const isClock = view.getUint8(from) === CLOCK;
    this.#bytes = bytes;
    this.#from = from;
    this.#to = to;
    this.#timeBeforeMs = timeBeforeMs;
    this.sequence = EVENT_HEADER.sequence.read(view, from);
    this.timeMs = isClock ? EVENTS.clock.layout.time.read(view, from) : timeBeforeMs;
    // A time step may revalue assets before the first event about the command.
    let first = isClock && to - from > EVENT_BYTES ? from + EVENT_BYTES : from;
    while (first + EVENT_BYTES < to && view.getUint8(first) === VALUED) first += EVENT_BYTES;
    // A command was rejected when its first event is a rejection of its own kind; rejected items of a batch name the
    // item's kind, so the batch as such was done.
    const isRefused = view.getUint8(first) === REJECTED && view.getUint8(first + 1) === kind;
    this.done = !isRefused;
    this.code = isRefused ? EVENTS.rejected.layout.code.read(view, first) : undefined;
  }

  get events(): readonly MachineEvent[] {
    this.#events ??= decodeEvents(this.#bytes, this.#from, this.#to, this.#timeBeforeMs);
    return this.#events;
  }
}

/**
 * Between the two offsets are all events of one command of that kind; `timeBeforeMs` is the journal time before it. The
 * view is shared with the other answers over the same bytes: one for each costs more than reading it.
 */
export function makeAck(
  bytes: Uint8Array,
  view: DataView,
  from: number,
  to: number,
  kind: number,
  timeBeforeMs: number,
): Ack {
  return new CommittedAck(bytes, view, from, to, kind, timeBeforeMs) as Ack;
}

/** For messages about a command by its number. */
export function nameCommand(kind: number): string {
  return COMMAND_NAMES[kind] ?? `kind ${kind}`;
}
